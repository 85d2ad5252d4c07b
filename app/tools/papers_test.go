package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"inglenook/app/documents"
)

// shelfOfTwo is a collection of two files, and one without files.
type shelfOfTwo struct{ asked []documents.SearchRequest }

func (s *shelfOfTwo) Collections(context.Context) ([]documents.Collection, error) {
	return []documents.Collection{{Name: "House", Files: 2}, {Name: "Empty"}}, nil
}

func (s *shelfOfTwo) Search(ctx context.Context, r documents.SearchRequest) (documents.SearchResult, error) {
	s.asked = append(s.asked, r)
	var out documents.SearchResult
	if r.Text == "" {
		return out, documents.ErrEmptySearch
	}
	for i, text := range []string{"The cat is fed at six.\x1b " + strings.Repeat("And again. ", 200), "The key lies under the stone."} {
		passage := documents.Result{Collection: "h", Score: float64(i)}
		passage.ID, passage.Text, passage.Page = int64(i), text, i
		passage.Files = append(passage.Files, documents.File{Path: "/home/x/notes.pdf"})
		out.Files = append(out.Files, documents.FileResult{Passages: []documents.Result{passage}})
	}
	return out, ctx.Err()
}

// TestPapers searches documents and reads a passage, as a model does.
func TestPapers(t *testing.T) {
	dir := t.TempDir()
	s := newService(t, dir)
	if list, _, err := s.Offered(t.Context()); err != nil || len(list) != 0 {
		t.Error("tools without documents", list, err)
	}
	shelf := &shelfOfTwo{}
	s.papers.documents = shelf
	list, notes, err := s.Offered(t.Context())
	if err != nil || len(list) != 2 || len(notes) > 0 || !strings.Contains(string(list[0].Parameters), `["House"]`) || !json.Valid(list[1].Parameters) {
		t.Fatal(list, notes, err)
	}
	search, read := list[0], list[1]
	r := call(t, s, search, `{"query":"Where is the key?","collection":"House"}`)
	if want := "1. notes.pdf, page 1: The key lies under the stone.\n2. notes.pdf: The cat is fed at six.⟨U+001B⟩ And again."; !strings.HasPrefix(r.Text, want) || r.Failed {
		t.Errorf("%.200s", r.Text)
	}
	if q := shelf.asked[0]; q.Text != "Where is the key?" || q.Collections[0] != "House" {
		t.Errorf("%+v", q)
	}
	if r := call(t, s, search, `{"query":"cat"}`); !strings.HasPrefix(r.Text, "1. ") {
		t.Errorf("a passage has another number now: %.80s", r.Text)
	}
	if r := call(t, s, read, `{"number":2}`); len(r.Text) < 2000 || strings.ContainsRune(r.Text, '\x1b') || r.Failed {
		t.Errorf("%d bytes: %.80s", len(r.Text), r.Text)
	}
	for tool, arguments := range map[string]string{searchTool: `{}`, readTool: `{"number":"2"}`, "another": `{}`} {
		if r := call(t, s, Tool{Server: Own, Name: tool}, arguments); !r.Failed {
			t.Error(tool, r)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Call(ctx, search, `{"query":"x"}`, 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if s.Allowed("a", search) || s.Save("", Server{Name: "your documents", Command: "x"}) == nil {
		t.Error("anybody may read the documents")
	}
	if err := s.Allow("a", search, Always); err != nil || !s.Allowed("b", search) || s.Allowed("b", read) || !newService(t, dir).Allowed("c", search) {
		t.Error("not always", err)
	}
}
