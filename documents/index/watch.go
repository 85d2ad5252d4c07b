package index

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Watcher says when something below roots has changed. It does not say what: a run
// finds that out, and so an event that is lost does no harm.
type Watcher struct {
	Quiet   time.Duration // after the last event, before Changed is called; 0: 2 s
	Patient time.Duration // after the first event, at most; 0: 30 s
	Rescan  time.Duration // without any event; 0: 15 min, or 2 min where not all can be watched
	// Changed is called by one goroutine: once in the beginning, and then after changes.
	// While it runs, events are gathered.
	Changed func(ctx context.Context)
	// Note is told a sentence when not all folders can be watched. It may be nil.
	Note func(sentence string)
}

const (
	defaultQuiet   = 2 * time.Second
	defaultPatient = 30 * time.Second
	rescanWatched  = 15 * time.Minute
	rescanBlind    = 2 * time.Minute
)

// mostWatched bounds what is watched. Linux counts folders, and a person's other
// programs need some too. The systems with kqueue keep a file open for each name.
func mostWatched() int {
	if runtime.GOOS == "linux" || runtime.GOOS == "windows" {
		return 32 << 10
	}
	return 2 << 10
}

// Watch returns when ctx ends.
func (w Watcher) Watch(ctx context.Context, roots []Root) error {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return w.poll(ctx)
	}
	defer events.Close()
	f := &watched{Watcher: events, roots: roots, left: mostWatched()}
	for _, root := range roots {
		f.root(root)
	}
	timer := newTimers(w, f)
	defer timer.stop()
	w.Changed(ctx) // only now, so that no change between this run and the watch is lost
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e, open := <-events.Events:
			if !open {
				return w.poll(ctx)
			}
			if f.concerns(e) {
				timer.event(time.Now())
			}
		case err, open := <-events.Errors:
			if !open {
				return w.poll(ctx)
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				timer.event(time.Now())
			}
		case <-timer.C():
			w.Changed(ctx)
			timer.rescanLater(w, f)
		}
		if f.blind && !f.told && w.Note != nil {
			f.told = true
			w.Note("There are more folders than this system can watch, so changes are looked for every few minutes.")
		}
	}
}

// poll calls Changed again and again, where nothing can be watched.
func (w Watcher) poll(ctx context.Context) error {
	tick := time.NewTicker(orElse(w.Rescan, rescanBlind))
	defer tick.Stop()
	w.Changed(ctx)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			w.Changed(ctx)
		}
	}
}

// timers say when Changed is due.
type timers struct {
	quiet, patient time.Duration
	timer          *time.Timer
	first          time.Time // event since Changed was called; zero: none
}

func newTimers(w Watcher, f *watched) *timers {
	return &timers{
		quiet: orElse(w.Quiet, defaultQuiet), patient: orElse(w.Patient, defaultPatient),
		timer: time.NewTimer(w.rescan(f)),
	}
}

func (w Watcher) rescan(f *watched) time.Duration {
	if f.blind {
		return orElse(w.Rescan, rescanBlind)
	}
	return orElse(w.Rescan, rescanWatched)
}

func (t *timers) C() <-chan time.Time { return t.timer.C }

func (t *timers) stop() { t.timer.Stop() }

// event puts Changed off until it is quiet, or until patience ends.
func (t *timers) event(now time.Time) {
	if t.first.IsZero() {
		t.first = now
	}
	t.timer.Reset(max(0, min(t.quiet, t.first.Add(t.patient).Sub(now))))
}

// rescanLater waits for the next rescan.
func (t *timers) rescanLater(w Watcher, f *watched) {
	t.first = time.Time{}
	t.timer.Reset(w.rescan(f))
}

// watched are the folders that the system watches for us.
type watched struct {
	*fsnotify.Watcher
	roots []Root
	left  int  // how many more may be watched
	blind bool // not all are
	told  bool
}

// root watches a root: a file by its folder, a folder with those below it.
func (f *watched) root(root Root) {
	info, err := os.Stat(root.Path)
	switch {
	case err != nil:
		f.blind = true // a disk that may come back
	case info.IsDir():
		f.tree(root, root.Path)
	default:
		f.add(filepath.Dir(root.Path))
	}
}

// tree watches a folder of a root and the folders below it, as a run walks them.
func (f *watched) tree(root Root, folder string) {
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(root.Path, path)
		if err != nil || rel != "." && (hidden(entry.Name()) || !root.folder(filepath.ToSlash(rel))) {
			return fs.SkipDir
		}
		if !f.add(path) {
			return fs.SkipAll
		}
		return nil
	})
}

func (f *watched) add(folder string) bool {
	cost := 1
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		names, _ := os.ReadDir(folder)
		cost += len(names)
	}
	if f.left -= cost; f.left < 0 || f.Add(folder) != nil {
		f.blind = true
	}
	return !f.blind
}

// concerns reports whether an event is about something that may take part, and
// watches folders that are new.
func (f *watched) concerns(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	for _, root := range f.roots {
		rel, err := filepath.Rel(root.Path, e.Name)
		if err != nil || !within(root.Path, e.Name) || rel != "." && hidden(filepath.Base(e.Name)) {
			continue
		}
		if info, err := os.Stat(e.Name); err == nil && info.IsDir() {
			if e.Has(fsnotify.Create) {
				f.tree(root, e.Name)
			}
			return true
		}
		if rel == "." || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) || root.file(filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}
