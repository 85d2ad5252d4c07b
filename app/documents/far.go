package documents

import (
	"context"
	"encoding/json"
	"slices"

	"inglenook/app/base"
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

// reachOf is how near unrelated questions come to a collection, as it was measured; false: it
// was not, or the collection has become much larger or smaller since.
func (s *Service) reachOf(ctx context.Context, c store.Collection, embedder string) (search.Reach, bool) {
	sum, err := c.Summary(ctx)
	if err != nil {
		return search.Reach{}, false
	}
	s.mu.Lock()
	known := s.far[c.ID()]
	s.mu.Unlock()
	if !known.holds(embedder, sum.Passages) {
		known = unrelated{}
		_ = json.Unmarshal(c.Setting(unrelatedKey), &known)
	}
	return known.Reach, known.holds(embedder, sum.Passages)
}

// Settle says of what a search found whether anything of it is close, where that is Unsettled:
// it measures how near unrelated questions come to the collections. That is done once for a
// collection, and takes longer than a search.
func (s *Service) Settle(ctx context.Context, found SearchResult) (SearchResult, error) {
	if !found.Unsettled {
		return found, nil
	}
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return found, err
	}
	defer done()
	select { // one after the other: the second finds what the first one has measured
	case s.measuring <- struct{}{}:
		defer func() { <-s.measuring }()
	case <-ctx.Done():
		return found, ctx.Err()
	}
	for id, near := range found.closeness.Near {
		if err := s.measure(ctx, id, near.Embedder); err != nil {
			return found, base.InContext(ctx, s.sentence(err))
		}
	}
	return s.judged(ctx, found), nil
}

// Near reports whether something that was found is known to be close. A search by words alone tells nothing of that.
func (r SearchResult) Near() bool {
	byMeaning := func(p Result) bool { return p.Why.MeaningRank > 0 }
	return !r.Far && !r.Unsettled && slices.ContainsFunc(r.Files, func(f FileResult) bool { return slices.ContainsFunc(f.Passages, byMeaning) })
}

// measure notes how near unrelated questions come to a collection, unless that is known.
func (s *Service) measure(ctx context.Context, collection, embedder string) error {
	ctx, c, done, err := s.enter(ctx, collection)
	if err != nil {
		return err
	}
	defer done()
	if _, ok := s.reachOf(ctx, c, embedder); ok {
		return nil
	}
	sum, err := c.Summary(ctx)
	if err != nil {
		return err
	}
	lent := &lending{Service: s, from: []store.Collection{c}}
	defer lent.close()
	e, err := lent.embedder(ctx, embedder)
	if err != nil {
		return err
	}
	known := unrelated{Embedder: embedder, Passages: sum.Passages}
	if known.Reach, err = search.Unrelated(ctx, c, e); err != nil {
		return err
	}
	if err := setJSON(c, unrelatedKey, known); err != nil { // the next program measures it again
		s.log.Info("how near unrelated questions come is not kept", "collection", c.Name(), "error", err)
	}
	s.mu.Lock()
	s.far[collection] = known
	s.mu.Unlock()
	return nil
}

// judged returns what was found with Far, which reports whether nothing of it is close, as far as that is known.
func (s *Service) judged(ctx context.Context, found SearchResult) SearchResult {
	found.Far, found.Unsettled = false, false
	if found.closeness == nil {
		return found
	}
	far, known := found.closeness.Far(func(id, embedder string) (search.Reach, bool) {
		c, err := s.find(ctx, id)
		if err != nil { // it was removed meanwhile
			return search.Reach{}, false
		}
		return s.reachOf(ctx, c, embedder)
	})
	found.Far, found.Unsettled = far, !known
	return found
}
