package search

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"inglenook/documents"
	"inglenook/documents/store"
)

// coveredEnough is the share of what is asked that the words of one passage have to be for a
// search to have found something, whatever its meaning: see docs/QUALITY.md.
const coveredEnough = 0.3

// usualShare is the share of unrelated questions that come no nearer than Reach.Usual.
const usualShare = 0.9

// Reach is how near the nearest passage of a collection comes to questions that have nothing to
// do with it, as cosines. It depends on the embedder, and rises with the number of passages.
type Reach struct {
	Usual float64 `json:"usual"` // nearly all of these questions
	Most  float64 `json:"most"`  // any of them
}

// unrelated.txt has questions that a collection has no answer to, but by chance: of fields that
// have little to do with each other, and of words that are none.
//
//go:embed unrelated.txt
var unrelatedText string

// Unrelated measures the reach of a collection with a list of such questions. Without passages
// it is zero.
func Unrelated(ctx context.Context, c store.Collection, e documents.Embedder) (Reach, error) {
	var nearest []float64
	for question := range strings.SplitSeq(strings.TrimSpace(unrelatedText), "\n") {
		v, err := e.EmbedQuery(ctx, question)
		if err != nil {
			return Reach{}, err
		}
		hits, err := c.Nearest(ctx, e.ID(), v, 1, store.Filter{})
		if err != nil {
			return Reach{}, err
		}
		if len(hits) > 0 {
			nearest = append(nearest, hits[0].Score)
		}
	}
	if len(nearest) == 0 {
		return Reach{}, nil
	}
	slices.Sort(nearest)
	return Reach{nearest[int(usualShare*float64(len(nearest)-1))], nearest[len(nearest)-1]}, nil
}

// A Closeness is what tells whether anything that a search found is close to what was asked,
// with the reach of its collections: something is, where one of them comes nearer than that.
type Closeness struct {
	Words bool            // a passage has some of the words
	Near  map[string]Near // how near each collection comes, by its id
}

// Near is how near a collection comes to a question by meaning, at best.
type Near struct {
	Cosine   float64
	Embedder string // its id
}

// Far reports whether nothing is close. reach returns that of a collection with an embedder;
// known is false where it is needed and not there.
func (c *Closeness) Far(reach func(collection, embedder string) (r Reach, ok bool)) (far, known bool) {
	known = true
	for id, n := range c.Near {
		r, ok := reach(id, n.Embedder)
		switch {
		case !ok:
			known = false
		case n.Cosine > r.Most || c.Words && n.Cosine > r.Usual:
			return false, true
		}
	}
	return known, known
}

// closeness is that of what was found; nil: a passage has enough of the words, or nothing was
// searched by meaning. Where no passage has any of the words, one has to come nearer than to
// any unrelated question.
func (r *run) closeness() *Closeness {
	if len(r.near) == 0 || r.covered >= coveredEnough || len(r.asked.phrases) > 0 {
		return nil
	}
	return &Closeness{Words: r.covered > 0, Near: r.near}
}

// noteNearness keeps how near each collection comes, and how much of the question the words of
// one passage are.
func (r *run) noteNearness(found lists) {
	for _, h := range found.words {
		r.covered = max(r.covered, h.share)
	}
	for id, hits := range found.meaning {
		for _, h := range hits {
			if n, ok := r.near[h.key.collection]; !ok || h.cosine > n.Cosine {
				r.near[h.key.collection] = Near{h.cosine, id}
			}
		}
	}
}
