package chats

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if order := os.Getenv(killChild); order != "" {
		fmt.Fprintln(os.Stderr, walkUntilKilled(order))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// open opens a store, which is closed when the test ends.
func open(t testing.TB, dir string, other ...func(*options)) *Store {
	t.Helper()
	s, notices := openNoticed(t, dir, other...)
	if len(notices) > 0 {
		t.Fatalf("notices %q", notices)
	}
	return s
}

func openNoticed(t testing.TB, dir string, other ...func(*options)) (*Store, []string) {
	t.Helper()
	o := defaults()
	for _, f := range other {
		f(&o)
	}
	s, notices, err := openWith(dir, o)
	try(t, err)
	t.Cleanup(func() { s.Close() })
	return s, notices
}

// quick returns the options of a store that syncs and retries soon.
func quick(o *options) { o.syncEvery, o.retry = time.Millisecond, time.Millisecond }

// idle returns the options of a store that never compacts by itself.
func idle(o *options) { o.syncEvery, o.least = time.Hour, 1<<40 }

// clocked makes a store use the clock and the names of a walk.
func (w *walk) clocked(o *options) {
	o.now = w.now
	o.newID = w.name
}

func try(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// must returns a value or fails: must(f())(t).
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
