package chats

import (
	"os"
	"slices"
	"testing"
)

// TestWriterAdds puts parts between texts that are written, and finds them again after a kill.
func TestWriterAdds(t *testing.T) {
	dir := t.TempDir()
	s, _, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.Create(Conversation{})
	if err != nil {
		t.Fatal(err)
	}
	asked, err := s.Add(id, Message{Role: RoleUser, Parts: Content("What time is it?")})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Begin(id, asked, Message{})
	if err != nil {
		t.Fatal(err)
	}
	tool := Part{Kind: PartTool, Name: "clock", Text: "noon", Data: []byte(`{"a":1}`)}
	want := []Part{Text("I look."), tool, tool, Text("It is noon."), tool}
	for _, p := range want {
		if p.Kind == PartTool {
			err = w.Add(p)
		} else {
			err = w.Append(p.Text[:3], false)
			if err == nil {
				err = w.Append(p.Text[3:], false)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	same := func(a, b Part) bool {
		return a.Kind == b.Kind && a.Name == b.Name && a.Text == b.Text && string(a.Data) == string(b.Data)
	}
	check := func(s *Store) {
		t.Helper()
		c, err := s.Conversation(id)
		if err != nil || len(c.Messages) != 2 || c.Summary.Messages != 2 || !slices.EqualFunc(c.Messages[1].Parts, want, same) {
			t.Errorf("%+v, %v", c, err)
		}
	}
	check(s)
	if err := s.sync(); err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	killed, _, err := Open(copied)
	if err != nil {
		t.Fatal(err)
	}
	check(killed)
	if err := killed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(StateComplete, nil); err != nil {
		t.Fatal(err)
	}
	if w.Add(tool) == nil {
		t.Error("a part was added to a finished message")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, _, err = Open(dir); err != nil {
		t.Fatal(err)
	}
	check(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
