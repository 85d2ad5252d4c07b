package search

import (
	"context"
	"slices"

	"inglenook/documents/store"
	"inglenook/vecmath"
)

// withMissed returns near, the passages nearest to v, and behind them those of words
// that are not among them, by what their own vectors give them. Otherwise a passage in
// place 101 by meaning would count as if it meant something else altogether.
func withMissed(ctx context.Context, id string, v []float32, near, words []hit, of []store.Collection) ([]hit, error) {
	there := map[key]bool{}
	for _, h := range near {
		there[h.key] = true
	}
	missed := slices.DeleteFunc(slices.Clone(words), func(h hit) bool { return there[h.key] })
	vectors, err := vectorsOf(ctx, id, missed, of)
	if err != nil {
		return nil, err
	}
	for _, h := range missed {
		if passage := vectors[h.key]; passage != nil {
			score := vecmath.Dot(v, passage)
			near = append(near, hit{key: h.key, share: max(0, min(1, score)), score: score, cosine: score})
		}
	}
	return near, nil
}

// cosines sets the cosine of each hit with the question as it was asked.
func cosines(ctx context.Context, id string, question []float32, hits []hit, of []store.Collection) error {
	vectors, err := vectorsOf(ctx, id, hits, of)
	if err != nil {
		return err
	}
	for i := range hits {
		hits[i].cosine = vecmath.Dot(question, vectors[hits[i].key])
	}
	return nil
}

// vectorsOf returns the vectors of hits that still have one.
func vectorsOf(ctx context.Context, id string, hits []hit, of []store.Collection) (map[key][]float32, error) {
	vectors := map[key][]float32{}
	for _, c := range of {
		var ids []int64
		for _, h := range hits {
			if h.key.collection == c.ID() {
				ids = append(ids, h.key.id)
			}
		}
		found, err := c.Vectors(ctx, id, ids)
		if err != nil {
			return nil, err
		}
		for i, v := range found {
			if v != nil {
				vectors[key{c.ID(), ids[i]}] = v
			}
		}
	}
	return vectors, nil
}
