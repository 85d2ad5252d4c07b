package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"inglenook/documents"
	"inglenook/documents/store"
	"inglenook/documents/store/vectors"
)

// killChild is the environment variable that makes this test binary write to the store in a
// folder until it is killed; killFrom is the first step.
const (
	killChild = "INGLENOOK_STORE_KILL"
	killFrom  = "INGLENOOK_STORE_KILL_FROM"
)

func TestMain(m *testing.M) {
	dir := os.Getenv(killChild)
	if dir == "" {
		os.Exit(m.Run())
	}
	from, err := strconv.Atoi(os.Getenv(killFrom))
	if err == nil {
		err = writeUntilKilled(dir, from)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// A step is one change of the store. Step i is always the same.
type step struct {
	kind string
	path string
	hash string
}

func stepOf(i int) step {
	r := rand.New(rand.NewPCG(uint64(i), 9))
	s := step{path: fmt.Sprintf("/d/%02d.txt", r.IntN(25)), hash: fmt.Sprint("version ", i)}
	switch k := r.IntN(20); {
	case k < 12:
		s.kind = "put"
	case k < 15:
		s.kind = "delete"
	case k < 17:
		s.kind = "fail"
	case k < 19:
		s.kind = "copy" // the same bytes under a second path
	default:
		s.kind = "switch" // change to the other embedder
	}
	return s
}

// passagesOf returns the passages of a file with a hash, 30 at most.
func passagesOf(hash string) []documents.Chunk {
	var all []string
	for i := range 1 + len(hash)*7%30 {
		all = append(all, fmt.Sprintf("%s says %d things of number %d", hash, i, i*i))
	}
	return texts(all...)
}

func (s step) apply(ctx context.Context, c store.Collection) error {
	f := store.File{Path: s.path, Hash: s.hash, Format: "text"}
	switch s.kind {
	case "put", "copy":
		p := passagesOf(s.hash)
		v := map[string][][]float32{"a": meanings("a", p), "b": meanings("b", p)}
		if err := c.Put(ctx, f, p, v); err != nil || s.kind == "put" {
			return err
		}
		f.Path = "/copies" + s.path
		linked, err := c.Link(ctx, f)
		if err == nil && !linked {
			err = errors.New("a copy was not linked")
		}
		return err
	case "delete":
		return c.Delete(ctx, s.path, "/copies"+s.path)
	case "fail":
		f.State, f.Reason = store.Failed, "It could not be read."
		return c.Mark(ctx, f)
	}
	return switchEmbedder(ctx, c)
}

// switchEmbedder completes a second set of vectors and makes it the one that is searched.
func switchEmbedder(ctx context.Context, c store.Collection) error {
	sets, err := c.Sets(ctx)
	if err != nil {
		return err
	}
	next := "b"
	if sets[0].Embedder == "b" {
		next = "a"
	}
	if err := c.Begin(ctx, next, dimension); err != nil {
		return err
	}
	for {
		missing, err := c.Missing(ctx, next, 50)
		if err != nil {
			return err
		}
		if len(missing) == 0 {
			return c.Serve(ctx, next)
		}
		var ids []int64
		var v [][]float32
		for _, m := range missing {
			ids, v = append(ids, m.ID), append(v, meaning(next, m.Input()))
		}
		if err := c.Add(ctx, next, ids, v); err != nil {
			return err
		}
	}
}

// expected returns the hash of each file's bytes after some steps.
func expected(steps int) map[string]string {
	files := map[string]string{}
	for i := 1; i <= steps; i++ {
		switch s := stepOf(i); s.kind {
		case "put", "fail":
			files[s.path] = s.hash
		case "copy":
			files[s.path], files["/copies"+s.path] = s.hash, s.hash
		case "delete":
			delete(files, s.path)
			delete(files, "/copies"+s.path)
		}
	}
	return files
}

func onlyCollection(ctx context.Context, s *Store) (store.Collection, error) {
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

func writeUntilKilled(dir string, from int) error {
	ctx := context.Background()
	s, err := Open(ctx, dir, vectors.Portable{})
	if err != nil {
		return err
	}
	c, err := onlyCollection(ctx, s)
	if err != nil {
		return err
	}
	for i := from + 1; ; i++ {
		if err := stepOf(i).apply(ctx, c); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		fmt.Println(i)
	}
}

// A process that is killed at any moment loses no completed call. Database, words and
// vectors agree, every vector belongs to its text, and the next process continues.
func TestKill(t *testing.T) { killOften(t, 20) }

func killOften(t *testing.T, rounds int) {
	ctx := context.Background()
	dir := t.TempDir()
	s := openStore(t, dir)
	_, err := onlyCollection(ctx, s)
	must(t, err)
	must(t, s.Close())
	r := rand.New(rand.NewPCG(uint64(rounds), 4))
	done := 0
	for range rounds {
		done = runAndKill(t, dir, done, r)
		s := openStore(t, dir)
		if notes := s.Notes(); len(notes) > 0 {
			t.Fatalf("after step %d: %q", done, notes)
		}
		c, err := onlyCollection(ctx, s)
		must(t, err)
		checkWhole(t, c.(*Collection))
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

// halfCopy returns the state in the middle of a step that copies, which makes two calls.
func halfCopy(steps int) map[string]string {
	files := expected(steps - 1)
	if s := stepOf(steps); s.kind == "copy" {
		files[s.path] = s.hash
	}
	return files
}

func runAndKill(t *testing.T, dir string, done int, r *rand.Rand) int {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), killChild+"="+dir, killFrom+"="+strconv.Itoa(done))
	var errors strings.Builder
	child.Stderr = &errors
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	lines := bufio.NewScanner(out)
	after := r.IntN(30) // steps; then some microseconds
	for n := 0; lines.Scan(); n++ {
		if done, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatal(err)
		}
		if n == after {
			time.Sleep(time.Duration(r.IntN(8000)) * time.Microsecond)
			must(t, child.Process.Kill())
		}
	}
	if _, err := io.Copy(io.Discard, out); err != nil && !strings.Contains(err.Error(), "closed") {
		t.Log(err)
	}
	if child.Wait(); errors.Len() > 0 {
		t.Fatalf("the process ended by itself: %s", errors.String())
	}
	return done
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
	var ids []int64
	for id := range int64(4000) {
		ids = append(ids, id)
	}
	passages, err := c.Passages(ctx, ids)
	must(t, err)
	for _, s := range sets {
		for _, p := range passages {
			v, err := c.Vectors(ctx, s.Embedder, []int64{p.ID})
			must(t, err)
			if v[0] == nil && !s.Serving {
				continue
			}
			for i, x := range meaning(s.Embedder, p.Input()) {
				if v[0] == nil || v[0][i] != x {
					t.Fatalf("the vector of %q of %s is not that of its text", p.Text, s.Embedder)
				}
			}
		}
	}
}
