package index

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watching runs a watcher and returns the channel of its calls, and a function that ends it.
func watching(t *testing.T, roots []Root, w Watcher) (<-chan struct{}, func()) {
	t.Helper()
	calls := make(chan struct{}, 100)
	w.Changed = func(context.Context) { calls <- struct{}{} }
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Watch(ctx, roots) }()
	return calls, func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
}

func called(calls <-chan struct{}, within time.Duration) bool {
	select {
	case <-calls:
		return true
	case <-time.After(within):
		return false
	}
}

func TestWatch(t *testing.T) {
	b := newBench(t)
	b.write("sub/deep/a.txt", "a")
	b.write("drafts/a.txt", "a")
	root := Root{Path: b.dir, Patterns: Patterns{Exclude: []string{"drafts"}}}
	calls, stop := watching(t, []Root{root}, Watcher{Quiet: 20 * time.Millisecond})
	defer stop()
	for !called(calls, 100*time.Millisecond) { // until the folders are watched
		b.write("sub/deep/a.txt", "b")
	}
	for what, change := range map[string]func(){
		"a new file":                 func() { b.write("new.txt", "new") },
		"a new folder with a file":   func() { b.write("x/y/z.txt", "new") },
		"a file in a folder so made": func() { time.Sleep(50 * time.Millisecond); b.write("x/y/w.txt", "new") },
		"a folder that is gone":      func() { os.RemoveAll(b.path("sub")) },
	} {
		for called(calls, 200*time.Millisecond) {
		}
		change()
		if !called(calls, time.Minute) {
			t.Errorf("%s is not noticed", what)
		}
	}
}

// What takes no part in a root is no change.
func TestWatchConcerns(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"a.txt", "drafts/b.txt", ".hidden"} {
		b.write(name, "text")
	}
	f := &watched{roots: []Root{{Path: b.dir, Patterns: Patterns{Exclude: []string{"drafts"}}}}}
	for name, want := range map[string]bool{"a.txt": true, "drafts/b.txt": false, ".hidden": false} {
		if got := f.concerns(fsnotify.Event{Name: b.path(name), Op: fsnotify.Write}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if f.concerns(fsnotify.Event{Name: b.path("a.txt"), Op: fsnotify.Chmod}) {
		t.Error("other permissions are a change")
	}
}

// A file that is written while the first run is at work is noticed.
func TestChangeDuringTheFirstRun(t *testing.T) {
	b := newBench(t)
	calls := make(chan struct{}, 100)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		first := true
		w := Watcher{Quiet: 20 * time.Millisecond, Changed: func(context.Context) {
			if first {
				b.write("new.txt", "new")
			}
			first = false
			calls <- struct{}{}
		}}
		_ = w.Watch(ctx, []Root{{Path: b.dir}})
	}()
	defer func() { cancel(); <-done }()
	for range 2 {
		if !called(calls, time.Minute) {
			t.Fatal("the new file is not noticed")
		}
	}
}

// While a file is written all the time, changes are told when patience ends, and the last ones once it is quiet.
func TestWatchWaitsUntilItIsQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, f := Watcher{Quiet: 300 * time.Millisecond, Patient: time.Second}, &watched{}
		timer := newTimers(w, f)
		defer timer.stop()
		var told []time.Duration
		start, write := time.Now(), time.NewTicker(20*time.Millisecond)
		for time.Since(start) < 5*time.Second {
			select {
			case <-write.C:
				if time.Since(start) < 2500*time.Millisecond {
					timer.event(time.Now())
				}
			case <-timer.C():
				told = append(told, time.Since(start))
				timer.rescanLater(w, f)
			}
		}
		if len(told) != 3 || told[0] > 1100*time.Millisecond || told[2] < 2500*time.Millisecond {
			t.Errorf("told after %v", told)
		}
	})
}

func TestRescanWithoutEvents(t *testing.T) {
	b := newBench(t)
	calls, stop := watching(t, []Root{{Path: b.path("not there yet")}}, Watcher{Rescan: 20 * time.Millisecond})
	defer stop()
	for range 3 {
		if !called(calls, time.Minute) {
			t.Fatal("nothing looks for changes")
		}
	}
}
