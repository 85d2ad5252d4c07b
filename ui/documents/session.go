package documents

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/ui/panel"
)

// session is the state of the room, without widgets: the collections, the search and
// the document in view. Its fields are read and written on the window's goroutine;
// changed is called there after each change.
type session struct {
	panel.Host
	library Library
	changed func(part)
	failed  func(error)

	collections []documents.Collection
	known       bool                       // collections were listed once
	chosen      string                     // id of the collection that is searched; "": all
	runs        map[string]progress        // of collections that are being indexed, by id
	notes       map[string]string          // a sentence about the last run over a collection, by id
	formats     map[string]map[string]bool // of the files of each collection, by its id; nil: not known
	unwatched   map[string]string          // a sentence about a collection that cannot be watched whole, by id
	askedAt     time.Time                  // when the collections were asked for last
	removing    *removal                   // that can be taken back; nil: none
	hidden      map[string]bool            // ids of collections that were removed and are not deleted yet
	forgets     map[string]*time.Timer     // what deletes what was taken off a collection, by its id
	removed     func()                     // what was removed cannot be taken back any more

	readersListed func([]library.Model) // which models can read what was found

	query   string
	mode    int      // of documents.Modes
	narrow  filtered // which files are searched
	reader  reader   // the model that reads what was found, to sort it
	like    *hit     // passages like this one are shown; nil: those that answer the query
	led     bool     // found is the passage to which another panel led
	ledFrom string   // its id
	listed  bool     // or a whole document that was chosen in the list of files
	found   []hit
	result  documents.SearchResult
	of      asking // what found belongs to; its query is "" where nothing was asked
	under   asking // what the search under way looks for
	busy    bool   // a search is under way
	slow    bool   // and takes long enough that a person wants to see it go on
	late    bool   // and what was found before stands no longer
	early   bool   // found is what the words alone find, while the model is opened
	stale   bool   // files have been read since: another search may find others
	ended   bool   // a person ended the last search
	end     context.CancelFunc
	number  int // of the last search

	request documents.SearchRequest // of the last search for words
	opening base.Progress           // of the model that the search under way opens; its Stage is "" where it opens none

	wider wider

	pointing context.CancelFunc // ends the reading of passages for their best sentences; nil: none began

	picked  int  // of found; -1: none
	alone   bool // a document in view takes the place of the list
	leads   bool // Enter was pressed: the best passage is in view until another one is picked
	opened  documents.Opened
	shows   bool // opened is of found[picked]
	reading context.CancelFunc
}

// part is what changed.
type part int

const (
	lists  part = iota // the collections, or what is being indexed
	finds              // what was found
	viewed             // the document in view
	paged              // the picture of its page
)

// progress is how far a collection's indexing is.
type progress struct {
	documents.Event
	loading base.Progress // of the model; Total 0: no model is opened and no vectors are remade
	paused  bool
}

// hit is a passage that was found.
type hit struct {
	file   documents.FileResult
	result documents.Result
	first  bool // of its file
}

func newSession(d panel.Host, l Library) *session {
	hidden := map[string]bool{}
	for _, id := range d.App.Settings().Documents.Removing {
		hidden[id] = true
	}
	kept := d.App.Settings().Documents
	mode := kept.Mode
	if mode < 0 || mode >= len(documents.Modes()) {
		mode = 0
	}
	return &session{
		query: kept.Query, mode: mode, chosen: kept.Chosen,
		Host: d, library: l, changed: func(part) {}, failed: func(error) {}, removed: func() {}, readersListed: func([]library.Model) {}, picked: -1, hidden: hidden,
		runs: map[string]progress{}, notes: map[string]string{}, unwatched: map[string]string{}, forgets: map[string]*time.Timer{}, reader: reader{id: d.App.Settings().Documents.Reranker},
	}
}

// list asks for the collections again.
func (s *session) list() {
	s.askedAt = time.Now()
	s.Work(func(ctx context.Context) {
		all, err := s.library.Collections(ctx)
		s.Do(func() {
			if err != nil {
				s.fail(err)
				return
			}
			all = s.inView(all)
			there := func(id string) bool {
				return slices.ContainsFunc(all, func(c documents.Collection) bool { return c.ID == id })
			}
			gone := slices.ContainsFunc(s.collections, func(c documents.Collection) bool { return !there(c.ID) })
			came := s.known && slices.ContainsFunc(all, func(c documents.Collection) bool {
				return !slices.ContainsFunc(s.collections, func(before documents.Collection) bool { return before.ID == c.ID })
			})
			s.collections, s.known = all, true
			if !there(s.chosen) {
				s.chosen = ""
			}
			s.changed(lists)
			switch asked := s.of.query != "" && !s.led; {
			case gone && asked:
				s.again() // without what was found in it
			case came && asked:
				s.outdate()
			}
		})
	})
}

// watch follows the files of all collections for as long as the window is open. Those that a
// person paused stay so.
func (s *session) watch() {
	for _, id := range s.App.Settings().Documents.Paused {
		s.library.Pause(id)
	}
	s.deleteHidden()
	s.Work(func(ctx context.Context) {
		err := s.library.Watch(ctx, func(w documents.Watched) { s.Do(func() { s.noticed(w) }) })
		s.Do(func() { s.fail(err) })
	})
}

// noticed follows what the watch does to a collection.
func (s *session) noticed(w documents.Watched) {
	switch {
	case w.Note != "":
		s.unwatched[w.Collection] = w.Note
	case w.Event != nil && w.Event.Note != "":
		s.notes[w.Collection] = w.Event.Note
	case w.Event != nil:
		p := s.goesOn(w.Collection)
		p.Event, p.loading = *w.Event, base.Progress{}
		s.runs[w.Collection] = p
		if time.Since(s.askedAt) < countEvery {
			s.changed(lists)
			return
		}
	case w.Loading != nil:
		p := s.goesOn(w.Collection)
		p.loading = *w.Loading
		s.runs[w.Collection] = p
		s.changed(lists)
		return
	default:
		delete(s.runs, w.Collection)
		delete(s.notes, w.Collection)
		if len(w.Result.Notices) > 0 {
			s.notes[w.Collection] = strings.Join(w.Result.Notices, " ")
		}
		if w.Err != nil && !errors.Is(w.Err, context.Canceled) {
			s.notes[w.Collection] = w.Err.Error()
		}
		if w.Result.Device != "" {
			s.Ran(w.Result.Device)
		}
		s.searchAgain(w.Result)
	}
	s.list()
}

// countEvery is how often the files of a collection are counted anew while they are read.
const countEvery = 500 * time.Millisecond

// goesOn is how far the run over a collection is. What is said of the run before no longer holds
// when one begins.
func (s *session) goesOn(id string) progress {
	p, runs := s.runs[id]
	if !runs {
		delete(s.notes, id)
	}
	return p
}

// searchAgain follows that files have changed which the search could find.
func (s *session) searchAgain(r documents.IndexResult) {
	if s.of.query != "" && r.Indexed+r.Linked+r.Others+r.Removed > 0 {
		s.outdate()
	}
}

// outdate offers another search. What a person reads is not moved under their eyes; where nothing
// was found there is nothing to move.
func (s *session) outdate() {
	if len(s.found) == 0 {
		s.again()
		return
	}
	s.stale = true
	s.changed(finds)
}

// takes is the name of the collection that takes what is added now; "": a folder gives one of its own its name, and
// files go to the usual one.
func (s *session) takes() string {
	c, ok := s.collection()
	if len(s.collections) == 1 && coversNothing(s.collections[0]) {
		c, ok = s.collections[0], true
	}
	if ok && c.Name != documents.SamplesName {
		return c.Name
	}
	return ""
}

// add makes the collection of a name cover files and folders, or with "" one by the folder; the watch reads them.
// added hears which collection that is.
func (s *session) add(name string, paths []string, added func(documents.Collection)) {
	before := s.deletion() // of one that may have the same name
	s.change(func(ctx context.Context) error {
		deleted := before(ctx)
		c, err := s.library.Add(ctx, documents.AddRequest{Collection: name, ByFolder: true, Paths: paths})
		if err == nil {
			s.Do(func() { added(c) })
		}
		return errors.Join(deleted, err)
	})
}

// TrySamples has the documents that come with the program be there to search.
func (p *Panel) TrySamples() {
	p.session.addSamples()
	p.panes.Front(panel.PaneResult)
}

// addSamples makes a collection of the documents that come with the program.
func (s *session) addSamples() {
	before := s.deletion()
	s.change(func(ctx context.Context) error {
		deleted := before(ctx)
		_, err := s.library.AddSamples(ctx)
		return errors.Join(deleted, err)
	})
}

// change does something to the collections and lists them again.
func (s *session) change(do func(context.Context) error) {
	s.Work(func(ctx context.Context) {
		err := do(ctx)
		s.Do(func() {
			s.fail(err)
			s.list()
		})
	})
}

// collection is the one in view; false where all are.
func (s *session) collection() (documents.Collection, bool) {
	for _, c := range s.collections {
		if c.ID == s.chosen {
			return c, true
		}
	}
	return documents.Collection{}, false
}

// choose searches another collection; "" is all of them.
func (s *session) choose(id string) {
	if s.chosen = id; s.query != "" {
		s.again()
	}
	s.keepAsked()
	s.changed(lists)
}

// keepAsked keeps for the next start what is searched for, how and where.
func (s *session) keepAsked() {
	query, mode, chosen := s.query, s.mode, s.chosen
	s.Keep(func(kept *base.Settings) {
		kept.Documents.Query, kept.Documents.Mode, kept.Documents.Chosen = query, mode, chosen
	})
}

// pause stops or continues the indexing of a collection, also after the next start.
func (s *session) pause(id string, on bool) {
	if on {
		s.library.Pause(id)
	} else {
		s.library.Resume(id)
	}
	there := s.collections
	s.Keep(func(settings *base.Settings) {
		kept := slices.DeleteFunc(slices.Clone(settings.Documents.Paused), func(one string) bool {
			return one == id || !slices.ContainsFunc(there, func(c documents.Collection) bool { return c.ID == one })
		})
		if on {
			kept = append(kept, id)
		}
		settings.Documents.Paused = kept
	})
	if p, ok := s.runs[id]; ok {
		p.paused = on
		s.runs[id] = p
	}
	s.list()
}

// show stores the results of the last search.
func (s *session) show(r documents.SearchResult) {
	before, had := s.hit()
	stays := had && !s.leads && s.under.query == s.of.query
	s.of, s.result, s.found = s.under, r, nil
	for _, f := range r.Files {
		for i, p := range f.Passages {
			s.found = append(s.found, hit{file: f, result: p, first: i == 0})
		}
	}
	s.picked = -1
	switch {
	case stays: // the passage in view stays where it was found again
		s.picked = slices.IndexFunc(s.found, func(h hit) bool { return h.result.ID == before.result.ID })
	case had && s.leads && len(s.found) > 0 && s.found[0].result.ID == before.result.ID:
		s.picked = 0
	}
	if s.picked < 0 {
		s.closeView()
	}
	s.changed(finds)
	s.pinpoint()
	if s.leads && s.picked < 0 && len(s.found) > 0 {
		s.open(0)
	}
}

// lead puts the best passage in view beside the list, at once or when the search under way has found it. It
// reports whether there is one, or may be.
func (s *session) lead() bool {
	if s.alone { // it would take the place of the list, and of what stands above that
		return s.busy || len(s.found) > 0
	}
	if s.busy || len(s.found) > 0 && s.picked < 0 {
		s.leads = true
	}
	if s.leads && !s.busy {
		s.open(0)
	}
	return s.busy || len(s.found) > 0
}

// hit is the passage that is picked.
func (s *session) hit() (hit, bool) {
	if s.picked < 0 || s.picked >= len(s.found) {
		return hit{}, false
	}
	return s.found[s.picked], true
}

// pick opens the document of passage i, as a person asks for; -1 closes it.
func (s *session) pick(i int) {
	s.leads = false
	s.open(i)
}

// open opens the document of passage i; -1 closes it.
func (s *session) open(i int) {
	s.picked = i
	h, ok := s.hit()
	if !ok {
		s.picked = -1
		s.closeView()
		return
	}
	if s.reading != nil {
		s.reading()
	}
	s.shows = false
	s.changed(viewed)
	if documents.LeftOut(h.file.File) { // the reason is all there is to show
		return
	}
	ctx, end := context.WithTimeout(s.Life, time.Minute)
	s.reading = end
	s.Work(func(context.Context) {
		defer end()
		opened, err := s.library.Open(ctx, h.result)
		s.Do(func() {
			now, ok := s.hit()
			if !ok || now.result.ID != h.result.ID {
				return
			}
			if err != nil {
				s.fail(err)
				return
			}
			s.opened, s.shows = opened, true
			s.changed(viewed)
		})
	})
}

func (s *session) closeView() {
	if s.reading != nil {
		s.reading()
		s.reading = nil
	}
	s.opened, s.shows = documents.Opened{}, false
	s.changed(viewed)
}

// fail reports what went wrong, unless the user cancelled.
func (s *session) fail(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		s.failed(err)
	}
}
