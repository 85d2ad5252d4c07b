package storetest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"inglenook/documents/store"
)

// OnlyCollection returns the collection for [WriteUntilKilled], made if there is none.
func OnlyCollection(ctx context.Context, s store.Store) (store.Collection, error) {
	all, err := s.Collections(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) == 1 {
		return all[0], nil
	}
	c, err := s.Create(ctx, "x")
	if err != nil {
		return nil, err
	}
	return c, c.Begin(ctx, "a", dimension)
}

// WriteUntilKilled makes one step after the other, and prints the number of each that is done.
func WriteUntilKilled(ctx context.Context, s store.Store, from int) error {
	c, err := OnlyCollection(ctx, s)
	if err != nil {
		return err
	}
	for i := from + 1; ; i++ {
		if err := StepOf(i).Apply(ctx, c); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		fmt.Println(i)
	}
}

// Kills ends processes that write at random moments.
type Kills struct {
	Open  func(t *testing.T) store.Store         // the same place each time
	Child func(from int) *exec.Cmd               // runs WriteUntilKilled in that place
	Kill  func(child *exec.Cmd) error            // ends it, or what it depends on: then it ends by itself
	Check func(t *testing.T, c store.Collection) // what only this store has; may be nil
}

// Run kills some times. No completed call is lost, every vector belongs to its text, and the
// next process goes on.
func (k Kills) Run(t *testing.T, rounds int) {
	ctx := context.Background()
	s := k.Open(t)
	_, err := OnlyCollection(ctx, s)
	must(t, err)
	must(t, s.Close())
	r := rand.New(rand.NewPCG(uint64(rounds), 4))
	done := 0
	for range rounds {
		done = k.once(t, done, r)
		s := k.Open(t)
		if notes := s.Notes(); len(notes) > 0 {
			t.Fatalf("after step %d: %q", done, notes)
		}
		c, err := OnlyCollection(ctx, s)
		must(t, err)
		if k.Check != nil {
			k.Check(t, c)
		}
		checkVectors(t, c)
		got := hashes(t, c)
		if maps.Equal(got, expected(done+1)) {
			done++
		} else if half := halfCopy(done + 1); !maps.Equal(got, expected(done)) && !maps.Equal(got, half) {
			t.Fatalf("after step %d there is %v, not %v", done, got, expected(done))
		}
		must(t, s.Close())
	}
	t.Logf("%d steps, killed %d times", done, rounds)
}

// once starts a process, kills after some steps and some microseconds, and returns the last
// step that it has done.
func (k Kills) once(t *testing.T, done int, r *rand.Rand) int {
	t.Helper()
	ended := KillAfter(t, k.Child(done), k.Kill, r.IntN(30)+1, time.Duration(r.IntN(8000))*time.Microsecond)
	if !ended.Killed {
		t.Fatalf("the process ended by itself: %s", ended.Said)
	}
	if n := len(ended.Lines); n > 0 {
		var err error
		if done, err = strconv.Atoi(ended.Lines[n-1]); err != nil {
			t.Fatal(err)
		}
	}
	return done
}

// halfCopy returns the state in the middle of a step that copies, which makes two calls.
func halfCopy(steps int) map[string]string {
	files := expected(steps - 1)
	if s := StepOf(steps); s.Kind == "copy" {
		files[s.path] = s.hash
	}
	return files
}

func hashes(t *testing.T, c store.Collection) map[string]string {
	t.Helper()
	files, err := c.Files(context.Background(), store.FileFilter{})
	must(t, err)
	all := map[string]string{}
	for _, f := range files {
		all[f.Path] = f.Hash
		if f.State == store.Indexed && f.Passages != len(passagesOf(f.Hash)) {
			t.Errorf("%s has %d passages", f.Path, f.Passages)
		}
	}
	return all
}

// checkVectors checks that the vector of each passage is that of its text.
func checkVectors(t *testing.T, c store.Collection) {
	t.Helper()
	ctx := context.Background()
	sets, err := c.Sets(ctx)
	must(t, err)
	eachFile(t, c, func(_ store.File, ids []int64, passages []store.Passage) {
		for _, s := range sets {
			vectors, err := c.Vectors(ctx, s.Embedder, ids)
			must(t, err)
			for i, v := range vectors {
				if v == nil && !s.Serving {
					continue
				}
				if want := meaning(s.Embedder, passages[i].Input()); !slices.Equal(v, want) {
					t.Fatalf("the vector of %q of %s is not that of its text", passages[i].Text, s.Embedder)
				}
			}
		}
	})
}
