package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"inglenook/documents/store"
)

// Copies tests that collections move from one store to another: all of it arrives, and a
// copy that ended after any number of files goes on.
func Copies(t *testing.T, from, to func() store.Store) {
	ctx := context.Background()
	source := collection(t, from(), "Letters")
	for i := range 5 {
		put(t, source, file(fmt.Sprintf("/d/%d.txt", i)), fmt.Sprintf("letter %d about ships", i), fmt.Sprintf("letter %d about winter", i))
	}
	twin := file("/d/twin.txt")
	first, _, err := source.File(ctx, "/d/0.txt")
	must(t, err)
	twin.Hash, twin.Format = first.Hash, first.Format
	if linked, err := source.Link(ctx, twin); err != nil || !linked {
		t.Fatal(linked, err)
	}
	bad := file("/d/bad.pdf")
	bad.State, bad.Reason = store.Failed, "it is damaged"
	must(t, source.Mark(ctx, bad))

	target := collection(t, to(), "Letters")
	put(t, target, file("/d/gone.txt"), "what the source does not have")
	for stop := 1; ; stop++ {
		ended := errors.New("ended")
		within, cancel := context.WithCancelCause(ctx)
		err := store.Copy(within, source, target, func(done, total int) {
			if done == stop && done < total {
				cancel(ended)
			}
		})
		cancel(nil)
		if err == nil {
			break
		}
		if stop > 20 {
			t.Fatal(err)
		}
	}
	want, err := source.Summary(ctx)
	must(t, err)
	got, err := target.Summary(ctx)
	must(t, err)
	if got.Passages != want.Passages || fmt.Sprint(got.Files) != fmt.Sprint(want.Files) || got.Embedder != want.Embedder {
		t.Errorf("arrived %+v, of %+v", got, want)
	}
	for _, q := range []string{"letter 3 about ships", "winter"} {
		a, b := nearest(t, source, "a", q, 4, store.Filter{}), nearest(t, target, "a", q, 4, store.Filter{})
		if a[0] != b[0] {
			t.Errorf("%q finds %q there, %q before", q, b, a)
		}
	}
	words := store.Words{Any: []string{"winter"}}
	a, b := matching(t, source, words, store.Filter{}), matching(t, target, words, store.Filter{})
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		t.Errorf("words find %q there, %q before", b, a)
	}
	if f, there, err := target.File(ctx, "/d/bad.pdf"); err != nil || !there || f.State != store.Failed || f.Reason != bad.Reason {
		t.Errorf("a failed file: %+v %v %v", f, there, err)
	}
}
