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

// far reports whether nothing that was found is close to what is asked: no passage has enough
// of its words, and none comes nearer by meaning than passages come to unrelated questions.
// Where no passage has any of its words, it has to come nearer than to any of these.
func (r *run) far(ctx context.Context) (bool, error) {
	if r.Unrelated == nil || len(r.near) == 0 || r.covered >= coveredEnough || len(r.asked.phrases) > 0 {
		return false, nil
	}
	for _, c := range r.collections {
		n, ok := r.near[c.ID()]
		if !ok {
			continue
		}
		reach, err := r.Unrelated(ctx, c, n.embedder)
		if err != nil {
			return false, err
		}
		if n.cosine > reach.Most || r.covered > 0 && n.cosine > reach.Usual {
			return false, nil
		}
	}
	return true, nil
}

// nearness is how near a collection comes to the question by meaning.
type nearness struct {
	cosine   float64
	embedder documents.Embedder
}

// noteNearness keeps how near each collection comes, and how much of the question the words of
// one passage are.
func (r *run) noteNearness(found lists) {
	for _, h := range found.words {
		r.covered = max(r.covered, h.share)
	}
	for id, hits := range found.meaning {
		for _, h := range hits {
			if n, ok := r.near[h.key.collection]; !ok || h.cosine > n.cosine {
				r.near[h.key.collection] = nearness{h.cosine, r.embedders[id]}
			}
		}
	}
}
