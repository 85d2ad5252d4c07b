package documents_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/documents/store/postgres/postgrestest"
)

// Two computers that begin one new collection at once, each with folders of its own: all
// folders and files are there.
func TestBeginTogether(t *testing.T) {
	address := postgrestest.Database(t)
	const computers, folders = 2, 4
	var wait sync.WaitGroup
	for range computers {
		s := newApp(t, t.TempDir()).Documents()
		if err := s.UseDatabase(address); err != nil {
			t.Fatal(err)
		}
		var dirs []string
		for i := range folders {
			dir := t.TempDir()
			write(t, dir, "a.txt", fmt.Sprintf("What is in %s of folder %d.\n", dir, i))
			dirs = append(dirs, dir)
		}
		wait.Go(func() {
			for _, dir := range dirs {
				if _, err := s.Add(t.Context(), documents.AddRequest{Collection: "Team", Paths: []string{dir}}); err != nil {
					t.Error(err)
				}
			}
			if _, err := s.Index(t.Context(), documents.IndexRequest{Collection: "Team", Paths: dirs}, nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	s := newApp(t, t.TempDir()).Documents()
	if err := s.UseDatabase(address); err != nil {
		t.Fatal(err)
	}
	got, err := s.Collection(t.Context(), "Team")
	if err != nil || len(got.Folders) != computers*folders || got.Files != computers*folders || got.Model == "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Two computers that index the same folder into one collection at once: each file is embedded by one
// of them.
func TestIndexTogether(t *testing.T) {
	address := postgrestest.Database(t)
	dir := t.TempDir()
	const files = 80
	for i := range files {
		write(t, dir, fmt.Sprintf("%d.txt", i), fmt.Sprintf("This is the page with the number %d.\n", i))
	}
	var both [2]*documents.Service
	for i := range both {
		both[i] = newApp(t, t.TempDir()).Documents()
		if err := both[i].UseDatabase(address); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := both[0].Add(t.Context(), documents.AddRequest{Collection: "Team", Paths: []string{dir}}); err != nil {
		t.Fatal(err)
	}
	var got [2]documents.IndexResult
	var wait sync.WaitGroup
	for i, s := range both {
		wait.Go(func() {
			var err error
			if got[i], err = s.Index(t.Context(), documents.IndexRequest{Collection: "Team"}, nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, r := range got {
		if r.Indexed+r.Others+r.Unchanged != files || r.LeftToOthers != 0 {
			t.Errorf("%+v", r.Summary)
		}
	}
	if got[0].Indexed+got[1].Indexed != files || got[0].Passages+got[1].Passages != files {
		t.Errorf("embedded twice: %+v and %+v", got[0].Summary, got[1].Summary)
	}
}

// A collection moves into a database and back, with all that was found in it. A move that
// ended goes on.
func TestMove(t *testing.T) {
	address := postgrestest.Database(t)
	s := newApp(t, t.TempDir()).Documents()
	dir := papers(t)
	if _, err := s.Add(t.Context(), documents.AddRequest{Collection: "Papers", Paths: []string{dir}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Index(t.Context(), documents.IndexRequest{Collection: "Papers"}, nil, nil); err != nil {
		t.Fatal(err)
	}
	before, err := s.Collection(t.Context(), "Papers")
	if err != nil {
		t.Fatal(err)
	}
	for _, back := range []bool{false, true} {
		for stop := int64(1); stop < 3; stop++ { // after the first file, and then after the second
			ctx, cancel := context.WithCancel(t.Context())
			_, err := s.Move(ctx, "Papers", address, back, func(p base.Progress) {
				if p.Done == stop {
					cancel()
				}
			})
			if cancel(); err == nil {
				t.Fatalf("back %v: a move that was ended after %d files is complete", back, stop)
			}
		}
		moved, err := s.Move(t.Context(), "papers", address, back, nil)
		if err != nil || moved.Files != 3 || moved.Name != "Papers" || moved.Passages != before.Passages {
			t.Fatalf("back %v: %+v, %v", back, moved, err)
		}
		if _, err := s.Move(t.Context(), "Papers", address, back, nil); err == nil {
			t.Errorf("back %v: it moved twice", back)
		}
		place := ""
		if !back {
			place = address
		}
		if err := s.UseDatabase(place); err != nil {
			t.Fatal(err)
		}
		after, err := s.Collection(t.Context(), "Papers")
		if err != nil || len(after.Folders) != 1 || after.Files != before.Files || after.Passages != before.Passages || after.Model != before.Model {
			t.Errorf("back %v: %+v, %v", back, after, err)
		}
		if got := found(t, s, documents.SearchRequest{Text: "when may the tenant leave"}); len(got) == 0 || filepath.Base(got[0]) != "lease.md" {
			t.Errorf("back %v: found %q", back, got)
		}
		again, err := s.Index(t.Context(), documents.IndexRequest{Collection: "Papers"}, nil, nil)
		if err != nil || again.Unchanged != 3 || again.Indexed > 0 {
			t.Errorf("back %v: indexed again: %+v, %v", back, again.Summary, err)
		}
		if err := s.UseDatabase(""); err != nil {
			t.Fatal(err)
		}
	}
}
