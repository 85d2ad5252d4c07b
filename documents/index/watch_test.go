package index

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
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
		if !called(calls, 10*time.Second) {
			t.Errorf("%s is not noticed", what)
		}
	}
	for called(calls, 200*time.Millisecond) {
	}
	b.write("drafts/b.txt", "b")
	b.write(".hidden", "b")
	if called(calls, 200*time.Millisecond) {
		t.Error("what takes no part is noticed")
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
		if !called(calls, 10*time.Second) {
			t.Fatal("the new file is not noticed")
		}
	}
}

func TestWatchWaitsUntilItIsQuiet(t *testing.T) {
	b := newBench(t)
	calls, stop := watching(t, []Root{{Path: b.dir}}, Watcher{Quiet: 300 * time.Millisecond, Patient: time.Second})
	defer stop()
	for !called(calls, 400*time.Millisecond) {
		b.write("a.txt", "0")
	}
	n := 0
	for start := time.Now(); time.Since(start) < 2500*time.Millisecond; time.Sleep(20 * time.Millisecond) {
		b.write("a.txt", "again")
		if called(calls, 0) {
			n++
		}
	}
	if n < 1 || n > 4 {
		t.Errorf("%d calls while a file was written all the time", n)
	}
}

func TestRescanWithoutEvents(t *testing.T) {
	b := newBench(t)
	calls, stop := watching(t, []Root{{Path: b.path("not there yet")}}, Watcher{Rescan: 20 * time.Millisecond})
	defer stop()
	for range 3 {
		if !called(calls, 10*time.Second) {
			t.Fatal("nothing looks for changes")
		}
	}
}
