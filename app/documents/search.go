package documents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	text "inglenook/documents"
	"inglenook/documents/search"
	"inglenook/documents/store"
	"inglenook/regular"
)

// The words of a search that a caller has to name.
type (
	FileResult = search.FileResult
	Result     = search.Result
	Span       = search.Span
	Why        = search.Why
)

// TableFormats are the formats of files that hold rows of a table.
var TableFormats = search.Rows

// MostFound is how many passages a search gives where nobody asks for more or fewer.
const MostFound = search.DefaultLimit

// The ways to search.
const (
	ModeHybrid  = "hybrid"  // by meaning and by words
	ModeVector  = "vector"  // by meaning alone
	ModeKeyword = "keyword" // by words alone
)

// Modes are the ways to search, the usual one first.
func Modes() []string { return []string{ModeHybrid, ModeVector, ModeKeyword} }

// SearchRequest asks for passages.
type SearchRequest struct {
	Text        string   // words "in quotes" must be there as they stand
	Collections []string // names or ids; empty: all
	Limit       int      // passages; 0: MostFound
	Mode        string   // one of Modes; "" is the first
	ToRerank    bool     // the result is for Rerank
	Spread      bool     // of the first passages few are of one file
	Follows     bool     // whoever asks follows the collections, and needs no note that one is still being read
	Filter

	Loading func(base.Progress) // hears of models that are opened; nil: nobody does
}

// Filter chooses files to search. Its zero value is all.
type Filter struct {
	Folder  string    // files in it and below it
	Type    string    // the ending of their names, such as "pdf"
	Formats []string  // as File has them
	Since   time.Time // changed then or later
}

// SearchResult is what a search found.
type SearchResult struct {
	Files []FileResult // the best first
	More  bool         // others were found too: a larger Limit shows them
	Notes []string     // a sentence for each thing that the search went without
	Far   bool         // nothing of it is close to what was asked
	// Unsettled is that it is not known yet whether anything is close: Settle finds out.
	Unsettled bool
	Searched  Searched // told where nothing was found
	Took      time.Duration
	Reranked  *Reranked // how Rerank ordered the passages; nil: it did not

	closeness  *search.Closeness
	question   string // for Rerank, as what follows
	candidates []Result
	limit      int
}

// Searched is what a search went through.
type Searched struct {
	Collections []string // their names
	Files       int
	Passages    int
	LeftOut     int // files that are not searched: Health says why
}

// ErrEmptySearch says that there was nothing to search for.
var ErrEmptySearch = errors.New("there is nothing to search for; write a question or some words")

// Search finds passages. A search that ends with its context makes room for the next
// one at once, so it may be called at each key that is pressed.
func (s *Service) Search(ctx context.Context, r SearchRequest) (SearchResult, error) {
	start := time.Now()
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return SearchResult{}, err
	}
	defer done()
	s.searches.Add(1)
	defer s.searches.Add(-1)
	chosen, err := s.chosen(ctx, r.Collections)
	if err != nil {
		return SearchResult{}, err
	}
	q, err := s.query(ctx, r, chosen)
	if err != nil {
		return SearchResult{}, err
	}
	if len(chosen) == 0 {
		return SearchResult{}, nil
	}
	kept, err := s.kept(ctx)
	if err != nil {
		return SearchResult{}, err
	}
	lent := &lending{Service: s, from: chosen, patient: r.Mode == ModeVector, report: r.Loading}
	defer lent.close()
	searcher := search.Searcher{Store: kept}
	if r.Mode != ModeKeyword {
		searcher.Embedder = lent.embedder
	}
	found, err := searcher.Search(ctx, q)
	switch {
	case ctx.Err() != nil:
		return SearchResult{}, ctx.Err()
	case errors.Is(err, search.ErrEmpty):
		return SearchResult{}, ErrEmptySearch
	case errors.As(err, new(*search.MeaningError)):
		return SearchResult{}, base.InContext(ctx, err)
	case err != nil:
		return SearchResult{}, s.sentence(err)
	}
	result := SearchResult{Files: found.Files, More: found.More, closeness: found.Closeness, Notes: slices.Concat(found.Notes, s.ClosedNotes(ctx))}
	if !r.Follows {
		result.Notes = append(result.Notes, s.unreadNotes(ctx, chosen)...)
	}
	if r.ToRerank {
		result.question, result.candidates, result.limit = found.Question, found.Candidates, cmp.Or(max(0, r.Limit), search.DefaultLimit)
	}
	if r.Mode == ModeVector {
		result.Files, result.candidates = byMeaning(result.Files), foundByMeaning(result.candidates)
	}
	off := takenOff(chosen)
	result.Files = withoutTakenOff(result.Files, off)
	result.candidates = slices.DeleteFunc(result.candidates, func(r Result) bool { return len(r.Files) > 0 && off(r.Files[0].Path) })
	if len(result.Files) == 0 {
		result.Searched = s.searched(ctx, chosen)
	}
	result = s.judged(ctx, result)
	result.Took = time.Since(start)
	return result, nil
}

// MoreLike finds passages of a collection that mean what one passage of it means. limit 0 is MostFound.
func (s *Service) MoreLike(ctx context.Context, r Result, limit int, f Filter) (SearchResult, error) {
	start := time.Now()
	ctx, c, done, err := s.enterOf(ctx, r.Collection)
	if err != nil {
		return SearchResult{}, err
	}
	defer done()
	filter, err := s.filter(ctx, f, []store.Collection{c})
	if err != nil {
		return SearchResult{}, err
	}
	kept, err := s.kept(ctx)
	if err != nil {
		return SearchResult{}, err
	}
	found, err := (&search.Searcher{Store: kept}).MoreLike(ctx, r.Collection, r.ID, limit, filter)
	if err != nil {
		return SearchResult{}, base.InContext(ctx, s.sentence(err))
	}
	result := SearchResult{Files: withoutTakenOff(found.Files, takenOff([]store.Collection{c})), More: found.More, Notes: found.Notes, Took: time.Since(start)}
	if len(result.Files) == 0 {
		result.Searched = s.searched(ctx, []store.Collection{c})
	}
	return result, nil
}

func (s *Service) chosen(ctx context.Context, names []string) (chosen []store.Collection, _ error) {
	if len(names) == 0 {
		return s.all(ctx)
	}
	for _, name := range names {
		c, err := s.find(ctx, name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, c)
	}
	return chosen, nil
}

func (s *Service) query(ctx context.Context, r SearchRequest, chosen []store.Collection) (search.Query, error) {
	q := search.Query{Text: r.Text, Limit: r.Limit, ToRerank: r.ToRerank, Spread: r.Spread, ByMeaning: r.Mode == ModeVector}
	for _, c := range chosen {
		q.Collections = append(q.Collections, c.ID())
	}
	var err error
	q.Filter, err = s.filter(ctx, r.Filter, chosen)
	return q, err
}

// filter is what a store knows of one. A type that no file has is an error, as it is
// most likely mistyped.
func (s *Service) filter(ctx context.Context, f Filter, chosen []store.Collection) (store.Filter, error) {
	out := store.Filter{Formats: f.Formats, From: f.Since}
	if f.Folder != "" {
		folder, err := filepath.Abs(base.ExpandHome(f.Folder))
		if err != nil {
			return out, err
		}
		out.Folder = folder
		if _, err := regular.Stat(ctx, folder); errors.Is(err, fs.ErrNotExist) {
			if known, err := s.covers(ctx, chosen, store.FileFilter{Folder: folder}); err != nil || !known {
				return out, cmp.Or(err, fmt.Errorf("there is no folder %s, and no indexed file was in it; check the name", base.ShortPath(folder)))
			}
		}
	}
	ending := strings.TrimPrefix(f.Type, ".")
	if ending == "" {
		return out, nil
	}
	out.Endings = []string{ending}
	if known, err := s.covers(ctx, chosen, store.FileFilter{Folder: out.Folder, Endings: out.Endings}); err != nil || !known {
		return out, cmp.Or(err, fmt.Errorf("no indexed file ends in .%s; leave the type out, or index such files first", ending))
	}
	return out, nil
}

// covers reports whether a filter lets an indexed file through.
func (s *Service) covers(ctx context.Context, chosen []store.Collection, f store.FileFilter) (bool, error) {
	f.States, f.Limit = []store.State{store.Indexed}, 1
	for _, c := range chosen {
		one, err := c.Files(ctx, f)
		if err != nil || len(one) > 0 {
			return err == nil, s.sentence(err)
		}
	}
	return false, nil
}

func (s *Service) searched(ctx context.Context, chosen []store.Collection) (out Searched) {
	for _, c := range chosen {
		out.Collections = append(out.Collections, c.Name())
		if d, err := s.describe(ctx, c); err == nil {
			out.Files += d.Files + d.Waiting
			out.Passages += d.Passages
			out.LeftOut += d.Failed + d.Skipped
		}
	}
	return out
}

// byMeaning leaves the passages that the vectors found.
func byMeaning(files []FileResult) []FileResult {
	for i := range files {
		files[i].Passages = foundByMeaning(files[i].Passages)
	}
	files = slices.DeleteFunc(files, func(f FileResult) bool { return len(f.Passages) == 0 })
	slices.SortStableFunc(files, func(a, b FileResult) int {
		return cmp.Compare(a.Passages[0].Why.MeaningRank, b.Passages[0].Why.MeaningRank)
	})
	return files
}

// foundByMeaning are the passages that the vectors found, in their order, with that score.
func foundByMeaning(passages []Result) []Result {
	found := slices.DeleteFunc(passages, func(r Result) bool { return r.Why.MeaningRank == 0 })
	for i := range found {
		found[i].Score = found[i].Why.Meaning
	}
	slices.SortStableFunc(found, func(a, b Result) int { return cmp.Compare(a.Why.MeaningRank, b.Why.MeaningRank) })
	return found
}

// lending are the models that one search has borrowed.
type lending struct {
	*Service
	from    []store.Collection // which say what the models are
	patient bool               // nothing can be found without them
	report  func(base.Progress)

	mu   sync.Mutex
	lent []*embedder
}

// embedder returns the embedder of an id.
func (l *lending) embedder(ctx context.Context, id string) (text.Embedder, error) {
	model := ""
	var unknown error
	for _, c := range l.from {
		of, err := l.modelToAsk(ctx, c, id)
		model, unknown = cmp.Or(model, of), cmp.Or(unknown, err)
	}
	switch {
	case model == "" && unknown != nil:
		return nil, unknown
	case model == "":
		return nil, errors.New("the model that embedded this collection is not known any more; index it again")
	}
	entry, err := l.library.Encodes(ctx, model)
	if err != nil {
		return nil, err
	}
	hurry := l.hurry(entry, l.patient)
	var e *embedder
	err = hurry(ctx, func(ctx context.Context) (err error) {
		e, err = l.open(ctx, id, entry)
		return err
	})
	if err != nil {
		return nil, err
	}
	return hurried{e, hurry}, nil
}

// open borrows a model, which has to be the one of an id.
func (l *lending) open(ctx context.Context, id string, entry library.Entry) (*embedder, error) {
	e, err := l.borrow(ctx, entry, library.TaskQuestions, devices.Target{}, l.from, l.report)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lent = append(l.lent, e)
	fits, err := l.is(ctx, id, e, l.from)
	switch {
	case err != nil:
		return nil, err
	case !fits && e.entry.Elsewhere():
		return nil, fmt.Errorf("the server %s has another model under the name %s than the one that embedded this collection; start that one there, or index it again", e.entry.Server, e.entry.Architecture)
	case !fits:
		return nil, fmt.Errorf("the files of %s have changed since this collection was embedded; index it again", e.entry.Name)
	}
	return e, nil
}

func (l *lending) close() {
	for _, e := range l.lent {
		e.Close()
	}
}
