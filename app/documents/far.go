package documents

import (
	"context"
	"encoding/json"

	text "inglenook/documents"
	"inglenook/documents/search"
	"inglenook/documents/store"
)

// AboutFar says that nothing that a search found is close.
const AboutFar = "Nothing closely matches. These are the nearest passages."

// unrelatedKey is the setting of a collection about how near unrelated questions come.
const unrelatedKey = "unrelated"

// unrelated is how near the passages of a collection come to questions that have nothing to do
// with it, when it had so many.
type unrelated struct {
	Embedder string       `json:"embedder"`
	Passages int          `json:"passages"`
	Reach    search.Reach `json:"reach"`
}

// holds reports whether it is still so: the nearest of twice as many is hardly nearer.
func (u unrelated) holds(embedder string, passages int) bool {
	return u.Embedder == embedder && passages <= 2*u.Passages && u.Passages <= 2*passages
}

// unrelated is what search.Unrelated finds, measured once and again when the collection has
// become much larger or smaller.
func (s *Service) unrelated(ctx context.Context, c store.Collection, e text.Embedder) (search.Reach, error) {
	sum, err := c.Summary(ctx)
	if err != nil {
		return search.Reach{}, err
	}
	s.mu.Lock()
	known := s.far[c.ID()]
	s.mu.Unlock()
	if !known.holds(e.ID(), sum.Passages) {
		known = unrelated{}
		_ = json.Unmarshal(c.Setting(unrelatedKey), &known)
	}
	if !known.holds(e.ID(), sum.Passages) {
		known = unrelated{Embedder: e.ID(), Passages: sum.Passages}
		if known.Reach, err = search.Unrelated(ctx, c, e); err != nil {
			return search.Reach{}, err
		}
		if err := setJSON(c, unrelatedKey, known); err != nil { // the next program measures it again
			s.log.Info("how near unrelated questions come is not kept", "collection", c.Name(), "error", err)
		}
	}
	s.mu.Lock()
	s.far[c.ID()] = known
	s.mu.Unlock()
	return known.Reach, nil
}
