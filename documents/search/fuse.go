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
	Depth    int     // passages that each stage finds
	Meaning  float64 // weight of the search by meaning, of 1; that by words has the rest
	Feedback float64 // how far the question moves towards the best passages before it is asked again
	Best     int     // how many passages that are
}

// Defaults are the settings of every search.
func Defaults() Settings {
	return Settings{Depth: 100, Meaning: 0.5, Feedback: 0.3, Best: 2}
}

// A run is one search.
type run struct {
	*Searcher
	settings    Settings
	query       Query
	asked       asked
	limit       int
	collections []store.Collection

	near    map[string]Near // by collection
	covered float64         // the most of the question that the words of one passage are, of 1

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

// lists are what the stages found, each list best first. Those by meaning end with
// what only the words found.
type lists struct {
	words   []hit
	meaning map[string][]hit // by embedder: the scores of two are not comparable
}

// candidates runs both stages over all collections at the same time, and joins
// what they found. Then it asks once more by meaning, with a question that lies
// nearer to the best passages. The best is first.
func (r *run) candidates(ctx context.Context) ([]*candidate, error) {
	of, err := r.byEmbedder(ctx)
	if err != nil {
		return nil, err
	}
	found := lists{meaning: map[string][]hit{}}
	questions, err := r.questions(ctx, of)
	if err != nil {
		return nil, err
	}
	err = r.together(ctx, func(do func(func() error)) {
		for _, c := range r.collections {
			do(func() error {
				hits, err := c.Matching(ctx, r.asked.words(), r.settings.Depth, r.query.Filter)
				r.mu.Lock()
				defer r.mu.Unlock()
				found.words = append(found.words, keyed(c, hits)...)
				return err
			})
		}
		for id, v := range questions {
			do(func() error {
				hits, err := r.nearest(ctx, id, v, of[id])
				r.mu.Lock()
				defer r.mu.Unlock()
				found.meaning[id] = hits
				return err
			})
		}
	})
	if err != nil {
		return nil, err
	}
	found.words = best(found.words, r.settings.Depth)
	for id, v := range questions {
		if found.meaning[id], err = withMissed(ctx, id, v, found.meaning[id], found.words, of[id]); err != nil {
			return nil, err
		}
	}
	r.noteNearness(found)
	joined := r.joined(found)
	if r.settings.Feedback > 0 && len(questions) > 0 {
		if err := r.askAgain(ctx, joined, questions, of, &found); err != nil {
			return nil, err
		}
		joined = r.joined(found)
	}
	return joined, nil
}

// together runs what do is given side by side, and returns the first error.
func (r *run) together(ctx context.Context, start func(do func(func() error))) error {
	var group sync.WaitGroup
	var errs []error
	start(func(one func() error) {
		group.Go(func() {
			if err := one(); err != nil {
				r.mu.Lock()
				defer r.mu.Unlock()
				errs = append(errs, err)
			}
		})
	})
	group.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// joined joins the lists. A passage gets the shares of the two scores, by their
// weights: how near its meaning is, of 1, and how much of what is asked its words
// are. These mean the same in ten passages as in a million, which places in a list
// would not, nor scores stretched to the range of those that were found.
func (r *run) joined(l lists) []*candidate {
	found := map[key]*candidate{}
	for _, h := range l.words {
		c := at(found, h.key)
		c.why.WordsRank, c.why.Words = h.rank, h.score
		c.score += (1 - r.settings.Meaning) * h.share
	}
	for _, hits := range l.meaning {
		for _, h := range hits {
			if len(r.asked.phrases) > 0 && found[h.key] == nil {
				continue // without the words that must be there
			}
			c := at(found, h.key)
			c.why.MeaningRank, c.why.Meaning = h.rank, h.cosine
			c.score += r.settings.Meaning * h.share
		}
	}
	for _, c := range found {
		c.why.Fused = c.score
	}
	return ordered(found)
}

// byEmbedder returns the collections by the embedder that serves them.
func (r *run) byEmbedder(ctx context.Context) (map[string][]store.Collection, error) {
	of := map[string][]store.Collection{}
	for _, c := range r.collections {
		sets, err := c.Sets(ctx)
		if err != nil {
			return nil, err
		}
		if len(sets) > 0 && sets[0].Serving {
			of[sets[0].Embedder] = append(of[sets[0].Embedder], c)
		}
	}
	return of, nil
}

// questions returns the vector of the question for each embedder. Where there is
// no embedder, a note says why. A query that goes by meaning alone fails where there is none
// at all.
func (r *run) questions(ctx context.Context, of map[string][]store.Collection) (map[string][]float32, error) {
	questions := map[string][]float32{}
	if r.Embedder == nil {
		return questions, nil
	}
	var last error
	for id := range of {
		e, err := r.Embedder(ctx, id)
		if err == nil {
			questions[id], err = e.EmbedQuery(ctx, r.asked.plain)
		}
		if err != nil {
			delete(questions, id)
			if ctx.Err() == nil {
				last = err
				r.withoutMeaning(of[id], err)
			}
		}
	}
	if r.query.ByMeaning && len(questions) == 0 && last != nil {
		return nil, &MeaningError{last}
	}
	return questions, nil
}

// MeaningError is the error of a search by meaning alone whose models cannot be used.
type MeaningError struct{ Err error }

func (e *MeaningError) Error() string {
	return "the model that searches by meaning could not be used: " + e.Err.Error()
}

// Unwrap returns why.
func (e *MeaningError) Unwrap() error { return e.Err }

// withoutMeaning notes that collections are not searched by meaning.
func (r *run) withoutMeaning(in []store.Collection, err error) {
	if len(r.collections) == 1 {
		r.note("The search went by words alone, because the model that searches by meaning could not be used: %v", err)
		return
	}
	var names []string
	for _, c := range in {
		names = append(names, "“"+c.Name()+"”")
	}
	r.note("The search in %s went by words alone, because the model that searches by meaning could not be used: %v", strings.Join(names, ", "), err)
}

// nearest finds passages by meaning in the collections of one embedder.
func (r *run) nearest(ctx context.Context, id string, v []float32, of []store.Collection) ([]hit, error) {
	var hits []hit
	for _, c := range of {
		found, err := c.Nearest(ctx, id, v, r.settings.Depth, r.query.Filter)
		if err != nil {
			return nil, err
		}
		hits = append(hits, keyed(c, found)...)
	}
	return best(hits, r.settings.Depth), nil
}

// hit is a passage that a stage found.
type hit struct {
	key    key
	rank   int     // in its list, from 1; 0 where the stage did not find it
	share  float64 // by which the list is ordered: see store.Hit
	score  float64
	cosine float64 // of the question itself, in a list by meaning
}

func (r *run) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

func keyed(c store.Collection, hits []store.Hit) []hit {
	all := make([]hit, len(hits))
	for i, h := range hits {
		all[i] = hit{key: key{c.ID(), h.ID}, share: h.Share, score: h.Score, cosine: h.Score}
	}
	return all
}

// best returns the n hits with the largest shares, in order, with their ranks.
func best(hits []hit, n int) []hit {
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(b.score, a.score), a.key.compare(b.key))
	})
	hits = hits[:min(n, len(hits))]
	for i := range hits {
		hits[i].rank = i + 1
	}
	return hits
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
