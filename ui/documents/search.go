package documents

import (
	"context"
	"errors"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/ui/panel"
)

// ask searches for other words. A search that is under way makes room.
func (s *session) ask(query string) {
	if query == s.query {
		return
	}
	s.query, s.leads = query, false
	s.search()
}

// canSearch reports whether Enter searches, also for a question that was asked before: not while a
// search goes on, nor again for what a model has read already or reads.
func (s *session) canSearch() bool {
	read := len(s.found) > 0 && !s.stale && s.of == s.asks() && (s.reader.reads || s.result.Reranked != nil)
	return strings.TrimSpace(s.query) != "" && !s.busy && !read
}

// search searches for the words that are asked for.
func (s *session) search() {
	s.like, s.led, s.listed, s.reader.reads = nil, false, false, false
	s.keepAsked()
	if strings.TrimSpace(s.query) == "" {
		s.showNothing(false)
		return
	}
	r := documents.SearchRequest{Text: s.query, Mode: documents.Modes()[s.mode], Filter: s.narrow.filter(time.Now()), Limit: s.limit(), Spread: s.reader.wanted() == "", Follows: true}
	if s.reader.wanted() != "" { // it sorts what is in view, so that no passage goes away
		r.ToRerank, r.Limit = true, max(documents.MostRead, r.Limit)
	}
	switch {
	case s.chosen != "":
		r.Collections = []string{s.chosen}
	case len(s.hidden) > 0: // what was removed is not searched
		for _, c := range s.collections {
			r.Collections = append(r.Collections, c.ID)
		}
		if len(r.Collections) == 0 {
			s.run(func(context.Context) (documents.SearchResult, error) { return documents.SearchResult{}, nil })
			return
		}
	}
	r.Loading = func(p base.Progress) { s.Do(func() { s.opensModel(p) }) }
	s.request = r
	s.run(func(ctx context.Context) (documents.SearchResult, error) { return s.library.Search(ctx, r) })
	s.goByWords()
}

// opensModel follows that a search opens a model first. One that a person typed on from may tell that: the next one
// waits for the same model.
func (s *session) opensModel(p base.Progress) {
	if !s.busy || s.opening.Stage != "" {
		return
	}
	s.opening = p
	s.changed(finds)
	s.goByWords()
}

// goByWords shows what the words alone find, while the search under way waits for a model that is being opened.
func (s *session) goByWords() {
	r, number := s.request, s.number
	waits := func() bool { return number == s.number && s.busy && s.opening.Stage != "" }
	if !waits() || r.Mode != documents.ModeHybrid {
		return
	}
	r.Mode, r.Loading, r.ToRerank = documents.ModeKeyword, nil, false
	time.AfterFunc(searchPatience, func() { // most models are open by then
		s.Do(func() {
			if !waits() {
				return
			}
			s.Work(func(ctx context.Context) {
				found, err := s.library.Search(ctx, r)
				s.Do(func() {
					if err == nil && waits() && len(found.Files) > 0 {
						s.late, s.early = false, true
						s.show(found)
					}
				})
			})
		})
	})
}

// showNothing ends the search under way, and shows nothing that was found; ended: as a person
// asks for.
func (s *session) showNothing(ended bool) {
	s.halt()
	s.early, s.stale, s.ended = false, false, ended
	s.of, s.found, s.result = asking{}, nil, documents.SearchResult{}
	s.pick(-1)
	s.changed(finds)
}

// asking is all that decides what a search finds.
type asking struct {
	query  string
	mode   int
	narrow filtered
	chosen string // the collection
	like   int64  // id of a passage
}

// wider is that a person wants more passages of one search than are shown unasked.
type wider struct {
	of   asking
	most int
}

// limit is how many passages of what is asked now are shown.
func (s *session) limit() int {
	if s.wider.most > 0 && s.wider.of == s.asks() {
		return s.wider.most
	}
	return documents.MostFound
}

// hasMore reports whether there are more passages than those that are shown.
func (s *session) hasMore() bool { return s.result.More && !s.led && s.of == s.asks() }

// showMore shows more passages of what is asked now. Those that are there stay meanwhile.
func (s *session) showMore() {
	s.wider = wider{s.asks(), len(s.found) + documents.MostFound}
	s.again()
}

// asks is what would be searched for now.
func (s *session) asks() asking {
	a := asking{query: s.query, mode: s.mode, narrow: s.narrow, chosen: s.chosen}
	if s.like != nil {
		a.like = s.like.result.ID
	}
	return a
}

// searchPatience is how long what was found before stands while the next search goes on: most end
// sooner, and a list that goes and comes at each key flickers.
const searchPatience = 150 * time.Millisecond

// waits says that search number takes longer, and has what was found for something else make room.
func (s *session) waits(number int) {
	time.AfterFunc(searchPatience, func() {
		s.Do(func() {
			if s.busy && number == s.number {
				s.slow, s.late = true, s.under != s.of
				s.changed(finds)
			}
		})
	})
}

// stopSearch ends the search under way, as a person asks for. What was found for another question
// does not come back; what stands for this one stays.
func (s *session) stopSearch() {
	if s.late || len(s.found) == 0 {
		s.showNothing(true)
		return
	}
	s.halt()
	s.ended = true
	s.changed(finds)
}

// moreLike shows passages that mean what the one in view means.
func (s *session) moreLike() {
	if h, ok := s.hit(); ok {
		s.like, s.led = &h, false
		s.again()
		s.leads = !s.alone // as a search opens the best passage
	}
}

// again repeats what was looked for, as files or the filter have changed.
func (s *session) again() {
	if s.like == nil {
		s.search()
		return
	}
	of, limit, filter := s.like.result, s.limit(), s.narrow.filter(time.Now())
	s.run(func(ctx context.Context) (documents.SearchResult, error) {
		return s.library.MoreLike(ctx, of, limit, filter)
	})
}

// run finds passages for what is asked now. The search that is under way makes room.
func (s *session) run(find func(context.Context) (documents.SearchResult, error)) {
	s.number++
	s.endSearch()
	number := s.number
	s.busy, s.stale, s.reader.reads = true, false, false
	s.early = false
	s.under, s.ended = s.asks(), false
	s.late = s.late && s.under != s.of
	s.waits(number)
	s.changed(finds)
	ctx, end := context.WithCancel(s.Life)
	s.end = end
	s.Work(func(context.Context) {
		result, err := find(ctx)
		s.Do(func() {
			if number != s.number {
				end()
				return
			}
			s.busy, s.slow, s.late, s.early, s.opening = false, false, false, false, base.Progress{}
			if err != nil && !errors.Is(err, documents.ErrEmptySearch) {
				s.fail(err)
			}
			if s.like == nil && s.reader.wanted() != "" && len(result.Files) > 0 {
				s.sort(ctx, end, number, result)
			} else {
				end()
			}
			s.show(result)
			if err == nil && result.Unsettled {
				s.settle(number, result)
			}
		})
	})
}

// settle finds out whether anything that search number found is close, which takes longer than
// the search where a collection is searched for the first time.
func (s *session) settle(number int, found documents.SearchResult) {
	s.Work(func(ctx context.Context) {
		settled, err := s.library.Settle(ctx, found)
		s.Do(func() {
			switch {
			case err != nil: // what was found stands without it
				s.App.Log().Info("it is not known whether anything close was found", "error", err)
			case number == s.number:
				s.result.Far, s.result.Unsettled = settled.Far, settled.Unsettled
				s.changed(finds)
			}
		})
	})
}

// halt ends the search under way with all that was said of it.
func (s *session) halt() {
	s.number++
	s.endSearch()
	s.busy, s.slow, s.late, s.reader.reads, s.opening = false, false, false, false, base.Progress{}
}

func (s *session) endSearch() {
	if s.pointing != nil {
		s.pointing()
	}
	if s.end != nil {
		s.end()
	}
}

// showDocument shows a whole document, at its beginning.
func (s *session) showDocument(f documents.File, of documents.Collection) {
	s.showOne(documents.Whole(f, of.ID, int64(-s.number-1))) // the ids of passages are positive
	s.listed = true
	s.changed(finds)
}

// showOne shows a passage that was found elsewhere, in its document.
func (s *session) showOne(r documents.Result) {
	s.halt()
	f := documents.FileResult{Passages: []documents.Result{r}}
	if len(r.Files) > 0 {
		f.File = r.Files[0]
	}
	s.like, s.led, s.listed, s.early, s.stale, s.ended, s.of = nil, true, false, false, false, false, asking{}
	s.result = documents.SearchResult{Files: []documents.FileResult{f}}
	s.found = []hit{{file: f, result: r, first: true}}
	s.picked, s.shows = -1, false // the document in view is another one
	s.changed(finds)
	s.pick(0)
}

// SearchFiles leads to files, with a question to them. Those that no collection has are added; those
// that are there already are searched where they are.
func (p *Panel) SearchFiles(paths []string, question string) {
	p.ShowError(nil)
	p.focusField()
	p.HoldFiles(paths, func(collection string) {
		if question == "" {
			p.choose(collection)
			return
		}
		p.SearchFor(collection, question)
	})
}

// HoldFiles has files among the documents, and tells then in which collection they are; another room may be in view.
func (p *Panel) HoldFiles(paths []string, then func(collection string)) {
	p.Work(func(ctx context.Context) {
		there, err := p.library.Had(ctx, "", paths)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			there, missing := p.split(paths, there)
			if len(missing) == 0 {
				p.Tell("What you attached is among your documents already.")
				then(mostOf(there))
				return
			}
			p.add(p.takes(), missing, func(to documents.Collection) {
				p.Tell(addedText(panel.Dropped{Files: missing}, to.Name))
				then(to.ID)
			})
		})
	})
}

// mostOf is the collection that has the most of some files; "": none has one.
func mostOf(there []documents.Had) (id string) {
	count, most := map[string]int{}, 0
	for _, h := range there {
		c := h.Collection.ID
		if count[c]++; count[c] > most {
			id, most = c, count[c]
		}
	}
	return id
}
