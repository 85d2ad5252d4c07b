// Package search answers a question from a store: by meaning, with the vectors
// of passages, and by words, with BM25. Both lists are fused into one, which
// says of each passage why it is there.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"inglenook/documents"
	"inglenook/documents/store"
	"inglenook/documents/words"
)

// A Searcher searches the collections of a store. Its methods may be called at
// the same time.
type Searcher struct {
	Store store.Store
	// Embedder returns the embedder of an id. Where it fails, the search goes by
	// words alone and says so. nil: there are no embedders.
	Embedder func(ctx context.Context, id string) (documents.Embedder, error)
	// Settings are those of Defaults if they are zero.
	Settings Settings
}

// DefaultLimit is how many passages a search gives where nobody said.
const DefaultLimit = 20

// A Query is what is searched for.
type Query struct {
	Text        string   // words "in quotes" must be there as they stand
	Collections []string // ids; none: all
	Filter      store.Filter
	Limit       int  // passages; 0: 20
	ToRerank    bool // fill Results.Candidates
	Spread      bool // of the first passages few are of one file; else they are the best ones, whatever file they are of
	ByMeaning   bool // the words do not count, so it is an error where no model can be used
}

// Results are what a search found.
type Results struct {
	Files []FileResult // the best first
	More  bool         // others were found that are not in Files
	Notes []string     // a sentence for each thing that the search went without
	// Closeness tells whether anything that was found is close; nil: something is, or there was
	// no search by meaning.
	Closeness *Closeness
	// Candidates are the passages for Rerank, the best first: those of Files and, up to
	// MostRead, the ones behind them.
	Candidates []Result
	Question   string // the query without its quotes, for Rerank
}

// A FileResult is a file with those of its passages that were found.
type FileResult struct {
	File     store.File
	Also     []store.File // others of the same bytes
	Passages []Result     // the best first
}

// A Result is a passage that was found. Its page is that of its best sentence.
type Result struct {
	store.Passage
	Collection string  // its id
	Score      float64 // by which results are ordered
	Why        Why
	Copies     int          // further passages with the same text, or nearly, that were found and are not shown
	Twins      []store.File // that have them, other than Files
	Matches    []Span       // words of the question in Text
	Best       Span         // the sentence of Text that answers best
	Pinpointed bool         // and that was judged by meaning too
}

// Why says what each stage thought of a passage. A rank is from 1, and 0 where
// the stage did not find it. A passage that only the words found has its cosine too.
type Why struct {
	MeaningRank int
	Meaning     float64 // the cosine of question and passage
	WordsRank   int
	Words       float64 // the BM25 score
	Fused       float64 // both together, from 0 to 1
	Reranked    bool
	RerankScore float64 // as the reranker gives it
	RankBefore  int     // before reranking
}

// A Span is a part of a text, in bytes.
type Span = words.Span

// ErrEmpty says that a query has nothing to search for.
var ErrEmpty = errors.New("the search is empty")

// Search answers a query. It stops soon after ctx is done.
func (s *Searcher) Search(ctx context.Context, q Query) (*Results, error) {
	asked := parse(q.Text)
	if asked.empty() {
		return nil, ErrEmpty
	}
	collections, err := s.chosen(ctx, q.Collections)
	if err != nil {
		return nil, err
	}
	run := &run{
		Searcher: s, settings: s.settings(), query: q, asked: asked, limit: cmp.Or(max(0, q.Limit), DefaultLimit), collections: collections,
		near: map[string]Near{},
	}
	found, err := run.candidates(ctx)
	if err != nil {
		return nil, err
	}
	out, err := run.finish(ctx, found)
	if err == nil {
		out.Closeness = run.closeness()
	}
	return out, err
}

// MoreLike returns passages that mean what one passage means.
func (s *Searcher) MoreLike(ctx context.Context, collection string, id int64, limit int, f store.Filter) (*Results, error) {
	c, err := s.Store.Collection(ctx, collection)
	if err != nil {
		return nil, err
	}
	sets, err := c.Sets(ctx)
	if err != nil {
		return nil, err
	}
	if len(sets) == 0 {
		return nil, errors.New("the passages have no vectors yet")
	}
	v, err := c.Vectors(ctx, sets[0].Embedder, []int64{id})
	if err != nil {
		return nil, err
	}
	if v[0] == nil {
		return nil, errors.New("the passage has no vector")
	}
	run := &run{Searcher: s, settings: s.settings(), limit: cmp.Or(max(0, limit), DefaultLimit), collections: []store.Collection{c}}
	hits, err := c.Nearest(ctx, sets[0].Embedder, v[0], run.limit+1, f)
	if err != nil {
		return nil, err
	}
	hits = slices.DeleteFunc(hits, func(h store.Hit) bool { return h.ID == id })
	found := map[key]*candidate{}
	for rank, h := range hits {
		k := key{collection, h.ID}
		found[k] = &candidate{key: k, score: h.Score, why: Why{MeaningRank: rank + 1, Meaning: h.Score}}
	}
	return run.finish(ctx, ordered(found))
}

// chosen returns the collections with the given ids, all if there are none.
func (s *Searcher) chosen(ctx context.Context, ids []string) ([]store.Collection, error) {
	if len(ids) == 0 {
		return s.Store.Collections(ctx)
	}
	var chosen []store.Collection
	for _, id := range ids {
		c, err := s.Store.Collection(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("collection %s: %w", id, err)
		}
		chosen = append(chosen, c)
	}
	return chosen, nil
}

func (s *Searcher) settings() Settings {
	if s.Settings == (Settings{}) {
		return Defaults()
	}
	return s.Settings
}
