package index

import (
	"sync"
	"time"

	"inglenook/documents/store"
)

// Event is one thing that happened in a run.
type Event struct {
	Kind     Kind
	Path     string // of Read and LeftOut
	From     string // where a file was that moved
	State    store.State
	Reason   string // why a file has no passages, or was left out
	Passages int
	Progress Progress
	Note     string       // of Noted: a sentence
	ToRead   []store.File // of Planned: the files that the run looks at, by size; State is Waiting
}

// Kind tells events apart.
type Kind string

// The kinds of events.
const (
	Planned Kind = "planned"  // the files are known
	File    Kind = "file"     // one file is done
	LeftOut Kind = "left_out" // something was met that takes no part
	Removed Kind = "removed"  // a file is no longer there
	Working Kind = "progress" // some times a second
	Noted   Kind = "note"     // something that the run goes on with
)

// Progress says how far a run is.
type Progress struct {
	Files     int // to be looked at
	FilesDone int
	Unchanged int
	Passages  int   // embedded
	Tokens    int64 // embedded
	Speed     float64
	Share     float64       // of all files, also those that were read before, by the work that they take: 0 to 1
	Left      time.Duration // 0: unknown
}

// reportEvery is how often progress is reported.
const reportEvery = 200 * time.Millisecond

// tracker counts what a run does and reports it.
type tracker struct {
	report func(Event)
	start  time.Time

	mu       sync.Mutex
	summary  Summary
	progress Progress
	pace     *pace
	told     time.Time
	moved    map[string]bool // where files were that moved
}

func newTracker(report func(Event)) *tracker {
	if report == nil {
		report = func(Event) {}
	}
	now := time.Now()
	return &tracker{report: report, start: now, pace: newPace(now), moved: map[string]bool{}}
}

func (t *tracker) skipped(s Skip) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.summary.LeftOut++
	t.tell(Event{Kind: LeftOut, Path: s.Path, Reason: s.Reason})
}

func (t *tracker) planned(files []found, lost int, p *plan) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.summary.Files, t.summary.Unchanged, t.summary.Lost = len(files), len(files)-len(p.jobs), lost
	t.progress.Files, t.progress.Unchanged = len(p.jobs), t.summary.Unchanged
	toRead, reads := make([]store.File, len(p.jobs)), map[string]bool{}
	for i, j := range p.jobs {
		toRead[i], reads[j.path] = store.File{Path: j.path, Size: j.size, Modified: j.modified, State: store.Waiting}, true
		if j.refused == "" {
			t.pace.waits(j.path, j.size)
		}
	}
	for _, f := range files {
		if !reads[f.path] && f.refused == "" {
			t.pace.stands(f.path, f.size)
		}
	}
	t.pace.start = time.Now()
	t.tell(Event{Kind: Planned, ToRead: toRead})
}

// read notes the passages of a file that waits for the embedder.
func (t *tracker) read(w *work) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pace.was(w.path, w.size, w.tokens())
}

// rested notes how long the embedder waited because the work was paused, or for
// somebody who chats.
func (t *tracker) rested(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pace.rested += d
}

func (t *tracker) embedded(passages int, tokens int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.progress.Tokens += tokens
	t.progress.Passages += passages
	t.pace.embedded(tokens)
	if time.Since(t.told) >= reportEvery {
		t.tell(Event{Kind: Working})
	}
}

func (t *tracker) kept(w *work) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.summary.Indexed++
	t.summary.Passages += len(w.passages)
	t.summary.Tokens += w.tokens()
	t.done(Event{Path: w.path, State: store.Indexed, Passages: len(w.passages)})
}

func (t *tracker) linked(w *work, from string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pace.was(w.path, w.size, 0)
	t.summary.Linked++
	t.moved[from] = true
	t.done(Event{Path: w.path, From: from, State: store.Indexed})
}

// byOthers notes a file that another process has indexed meanwhile.
func (t *tracker) byOthers(w *work) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pace.was(w.path, w.size, 0)
	t.summary.Others++
	t.done(Event{Path: w.path, State: store.Indexed})
}

// leftToOthers notes how many files other processes still work on.
func (t *tracker) leftToOthers(files int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.summary.LeftToOthers = files
	t.tell(Event{Kind: Noted, Note: "Another Inglenook still works on some of the files; index again if it ends before it has done them."})
}

// note tells a sentence.
func (t *tracker) note(sentence string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tell(Event{Kind: Noted, Note: sentence})
}

func (t *tracker) refused(w *work, record store.File) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w.refused == "" && w.passages == nil {
		t.pace.was(w.path, w.size, 0)
	}
	if record.State == store.Failed {
		t.summary.Failed++
	} else {
		t.summary.Skipped++
	}
	t.done(Event{Path: w.path, State: record.State, Reason: record.Reason})
}

func (t *tracker) removed(paths []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range paths {
		if !t.moved[p] {
			t.summary.Removed++
			t.tell(Event{Kind: Removed, Path: p})
		}
	}
}

// done reports one finished file. The caller holds the lock, as for tell.
func (t *tracker) done(e Event) {
	t.progress.FilesDone++
	e.Kind = File
	t.tell(e)
}

func (t *tracker) tell(e Event) {
	now := time.Now()
	t.told = now
	t.progress.Speed, t.progress.Left, t.progress.Share = t.pace.perSecond(now), t.pace.timeLeft(now), t.pace.part()
	e.Progress = t.progress
	t.report(e)
}

// end returns what was done.
func (t *tracker) end() Summary {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.summary.Took = time.Since(t.start)
	return t.summary
}
