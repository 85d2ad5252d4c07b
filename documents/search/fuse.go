package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"inglenook/documents/store"
)

// Settings are how the stages of a search are joined. docs/QUALITY.md says what
// they were chosen on.
type Settings struct {
	Depth   int     // passages that each stage finds
	K       float64 // of reciprocal rank fusion: how little the first ranks stand out
	Meaning float64 // weight of the search by meaning
	Words   float64 // weight of the search by words
	Rerank  int     // passages that a reranker reads
}

// Defaults are the settings of every search.
func Defaults() Settings { return Settings{Depth: 100, K: 10, Meaning: 1, Words: 1, Rerank: 40} }

// A run is one search.
type run struct {
	*Searcher
	settings    Settings
	query       Query
	asked       asked
	limit       int
	collections []store.Collection

	mu    sync.Mutex
	notes []string
}

// key names a passage of a store.
type key struct {
	collection string
	id         int64
}

type candidate struct {
	key   key
	score float64
	why   Why
}

// hit is a passage that a stage found.
type hit struct {
	key   key
	score float64
}

// candidates runs both stages over all collections at the same time, and fuses
// what they found. The best is first.
func (r *run) candidates(ctx context.Context) ([]*candidate, error) {
	byMeaning := map[string][]hit{} // by embedder: scores of two are not comparable
	var byWords []hit
	var errs []error
	var group sync.WaitGroup
	for _, c := range r.collections {
		group.Go(func() {
			hits, err := c.Matching(ctx, r.asked.words(), r.settings.Depth, r.query.Filter)
			r.mu.Lock()
			defer r.mu.Unlock()
			errs = append(errs, err)
			byWords = append(byWords, keyed(c, hits)...)
		})
	}
	for embedder, of := range r.byEmbedder(ctx, &errs) {
		group.Go(func() {
			hits, err := r.nearest(ctx, embedder, of)
			r.mu.Lock()
			defer r.mu.Unlock()
			errs = append(errs, err)
			byMeaning[embedder] = hits
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	found := map[key]*candidate{}
	matching := map[key]bool{}
	for rank, h := range best(byWords, r.settings.Depth) {
		c := at(found, h.key)
		c.why.WordsRank, c.why.Words = rank+1, h.score
		c.score += r.settings.Words / (r.settings.K + float64(rank+1))
		matching[h.key] = true
	}
	for _, hits := range byMeaning {
		for rank, h := range best(hits, r.settings.Depth) {
			if len(r.asked.phrases) > 0 && !matching[h.key] {
				continue // without the words that must be there
			}
			c := at(found, h.key)
			c.why.MeaningRank, c.why.Meaning = rank+1, h.score
			c.score += r.settings.Meaning / (r.settings.K + float64(rank+1))
		}
	}
	for _, c := range found {
		c.why.Fused, c.why.PhraseWanted = c.score, len(r.asked.phrases) > 0
	}
	return ordered(found), nil
}

// byEmbedder returns the collections by the embedder that serves them.
func (r *run) byEmbedder(ctx context.Context, errs *[]error) map[string][]store.Collection {
	of := map[string][]store.Collection{}
	for _, c := range r.collections {
		sets, err := c.Sets(ctx)
		if err != nil {
			r.mu.Lock()
			*errs = append(*errs, err)
			r.mu.Unlock()
		}
		if len(sets) > 0 {
			of[sets[0].Embedder] = append(of[sets[0].Embedder], c)
		}
	}
	return of
}

// nearest finds passages by meaning in collections of one embedder. Where there
// is no embedder, it finds none and notes why.
func (r *run) nearest(ctx context.Context, id string, of []store.Collection) ([]hit, error) {
	if r.Embedder == nil {
		return nil, nil
	}
	e, err := r.Embedder(ctx, id)
	var v []float32
	if err == nil {
		v, err = e.EmbedQuery(ctx, r.asked.plain)
	}
	if err != nil {
		if ctx.Err() == nil {
			r.note("The search went by words alone, because the model that searches by meaning could not be used: %v", err)
		}
		return nil, nil
	}
	var hits []hit
	for _, c := range of {
		found, err := c.Nearest(ctx, id, v, r.settings.Depth, r.query.Filter)
		if err != nil {
			return nil, err
		}
		hits = append(hits, keyed(c, found)...)
	}
	return hits, nil
}

func (r *run) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

func keyed(c store.Collection, hits []store.Hit) []hit {
	all := make([]hit, len(hits))
	for i, h := range hits {
		all[i] = hit{key{c.ID(), h.ID}, h.Score}
	}
	return all
}

// best returns the n hits with the highest scores, in order.
func best(hits []hit, n int) []hit {
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), a.key.compare(b.key))
	})
	return hits[:min(n, len(hits))]
}

func at(found map[key]*candidate, k key) *candidate {
	if found[k] == nil {
		found[k] = &candidate{key: k}
	}
	return found[k]
}

func ordered(found map[key]*candidate) []*candidate {
	all := make([]*candidate, 0, len(found))
	for _, c := range found {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), a.key.compare(b.key))
	})
	return all
}

func (k key) compare(other key) int {
	return cmp.Or(strings.Compare(k.collection, other.collection), cmp.Compare(k.id, other.id))
}
