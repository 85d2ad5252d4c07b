package chats

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if order := os.Getenv(killChild); order != "" {
		fmt.Fprintln(os.Stderr, walkUntilKilled(order))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// open opens a store that is closed with the test.
func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, notices, err := Open(dir)
	if err != nil || len(notices) > 0 {
		t.Fatalf("notices %q, error %v", notices, err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func try(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// must gives a value or fails: must(f())(t).
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
