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
// search to have found something, whatever its meaning.
const coveredEnough = 0.5

// usualUnrelated is which of the unrelated questions, by how near they come, a question has to
// come nearer than: this share of them stays behind it.
const usualUnrelated = 0.9

// unrelated.txt has questions that a collection has no answer to, but by chance: of fields that
// have little to do with each other, and of words that are none.
//
//go:embed unrelated.txt
var unrelatedText string

// Unrelated returns how near the nearest passage of a collection comes to questions that have
// nothing to do with it, as a cosine: nearly all of a list of such questions stay below it. It
// depends on the embedder, and rises with the number of passages. Without passages it is 0.
func Unrelated(ctx context.Context, c store.Collection, e documents.Embedder) (float64, error) {
	var nearest []float64
	for question := range strings.SplitSeq(strings.TrimSpace(unrelatedText), "\n") {
		v, err := e.EmbedQuery(ctx, question)
		if err != nil {
			return 0, err
		}
		hits, err := c.Nearest(ctx, e.ID(), v, 1, store.Filter{})
		if err != nil {
			return 0, err
		}
		if len(hits) > 0 {
			nearest = append(nearest, hits[0].Score)
		}
	}
	if len(nearest) == 0 {
		return 0, nil
	}
	slices.Sort(nearest)
	return nearest[int(usualUnrelated*float64(len(nearest)-1))], nil
}

// far reports whether nothing that was found is close to what is asked: no passage has enough
// of its words, and none comes nearer by meaning than passages come to unrelated questions.
func (r *run) far(ctx context.Context) (bool, error) {
	if r.Unrelated == nil || len(r.near) == 0 || r.covered >= coveredEnough || len(r.asked.phrases) > 0 {
		return false, nil
	}
	for _, c := range r.collections {
		n, ok := r.near[c.ID()]
		if !ok {
			continue
		}
		floor, err := r.Unrelated(ctx, c, n.embedder)
		if err != nil {
			return false, err
		}
		if n.cosine > floor {
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
