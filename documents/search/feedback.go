package search

import (
	"context"

	"inglenook/documents/store"
	"inglenook/vecmath"
)

// askAgain searches once more by meaning for each embedder, with the question
// moved towards its best passages (Rocchio 1971), in place of the first list.
func (r *run) askAgain(ctx context.Context, joined []*candidate, questions map[string][]float32, of map[string][]store.Collection, found *lists) error {
	return r.together(ctx, func(do func(func() error)) {
		for id, question := range questions {
			do(func() error {
				moved, err := r.moved(ctx, id, question, joined, of[id])
				if err != nil || moved == nil {
					return err
				}
				hits, err := r.nearest(ctx, id, moved, of[id])
				if err != nil {
					return err
				}
				if hits, err = withMissed(ctx, id, moved, hits, found.words, of[id]); err != nil {
					return err
				}
				if err := cosines(ctx, id, question, hits, of[id]); err != nil {
					return err
				}
				r.mu.Lock()
				defer r.mu.Unlock()
				found.meaning[id] = hits
				return nil
			})
		}
	})
}

// moved returns the question, of unit length, moved towards the vectors of the
// best candidates of an embedder; nil if there are none.
func (r *run) moved(ctx context.Context, id string, question []float32, joined []*candidate, of []store.Collection) ([]float32, error) {
	var best []hit
	for _, c := range joined {
		if within(c.key, of) && len(best) < r.settings.Best {
			best = append(best, hit{key: c.key})
		}
	}
	vectors, err := vectorsOf(ctx, id, best, of)
	if err != nil || len(vectors) == 0 {
		return nil, err
	}
	moved := make([]float32, len(question))
	copy(moved, question)
	for _, v := range vectors {
		for i := range moved {
			moved[i] += float32(r.settings.Feedback) * v[i] / float32(len(vectors))
		}
	}
	length := float32(vecmath.Length(moved))
	if length == 0 {
		return nil, nil
	}
	for i := range moved {
		moved[i] /= length
	}
	return moved, nil
}

func within(k key, of []store.Collection) bool {
	for _, c := range of {
		if c.ID() == k.collection {
			return true
		}
	}
	return false
}
