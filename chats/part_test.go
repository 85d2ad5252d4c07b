package chats

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// arrangements are some parts of each kind, and of a later program, in every order and in
// every selection.
func arrangements() [][]Part {
	all := []Part{
		Text("one"),
		{Kind: PartFile, Name: "notes.txt", Text: "some notes", Tokens: 2},
		{Kind: "call", Data: []byte(`{"name": "weather"}`)},
		{Kind: "of a later program", Name: "a name", Text: "a text", Tokens: 7, Data: []byte{0x89, 0}},
		Text("two"),
	}
	var list [][]Part
	var grow func(begun, left []Part)
	grow = func(begun, left []Part) {
		list = append(list, begun)
		for i, p := range left {
			grow(append(slices.Clip(begun), p), slices.Delete(slices.Clone(left), i, i+1))
		}
	}
	grow(nil, all)
	return list
}

// Parts of any kind stay as they are, in any order: in the store, in its files, in a copy
// of the conversation, and in what is exported and imported.
func TestPartsStay(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, quick)
	var c Conversation
	want := arrangements()
	for i, parts := range want {
		c.Leaf = int64(i + 1)
		c.Messages = append(c.Messages, Message{ID: c.Leaf, Parent: c.Leaf - 1, Role: "tool", Parts: parts})
	}
	same := func(from string, s *Store, id string) Conversation {
		t.Helper()
		c := must(s.Conversation(id))(t)
		for i, m := range c.Messages {
			if !reflect.DeepEqual(m.Parts, want[i]) {
				t.Fatalf("%s: %+v and not %+v", from, m.Parts, want[i])
			}
		}
		if len(c.Messages) != len(want) || len(want) != 326 {
			t.Errorf("%s: %d messages of %d", from, len(c.Messages), len(want))
		}
		return c
	}
	id := must(s.Create(c))(t)
	same("as created", s, id)
	same("copied", s, must(s.Duplicate(id))(t))
	var file bytes.Buffer
	try(t, WriteJSON(&file, same("for the export", s, id)))
	same("imported", s, must(s.Create(must(ReadJSON(file.Bytes()))(t)[0]))(t))
	for _, when := range []string{"of the log", "of the base"} {
		try(t, s.Close())
		s = open(t, dir, quick)
		same("read again "+when, s, id)
		compactNow(s)
	}
}

// Text, files and what a search, a list and an export say of a message follow its parts.
func TestPartsShown(t *testing.T) {
	s := open(t, t.TempDir(), idle)
	m := Message{Role: "tool", Parts: []Part{Text("before"), File("notes.txt", "a zeppelin"), {Kind: "image"}, Text("after it")}}
	id := must(s.Create(Conversation{}))(t)
	at := must(s.Add(id, m))(t)
	c := must(s.Conversation(id))(t)
	if got := c.Messages[0]; got.Text() != "before\n\nafter it" || len(got.Files()) != 1 || c.Snippet != "before after it" {
		t.Errorf("%q, files %v, snippet %q", got.Text(), got.Files(), c.Snippet)
	}
	for _, word := range []string{"before", "after", "notes", "zeppelin"} {
		if found := s.Search(word, 0); len(found) != 1 || found[0].Found != at || !strings.Contains(found[0].Snippet, word) {
			t.Errorf("%s: found %+v", word, found)
		}
	}
	var text bytes.Buffer
	try(t, WriteMarkdown(&text, c))
	want := "## Tool\n\nbefore\n\n**notes.txt**\n\n```\na zeppelin\n```\n\n*A part that is no text: image*\n\nafter it\n"
	if !strings.HasSuffix(text.String(), want) {
		t.Errorf("as Markdown: %s", text.String())
	}
}

// An edited text stands where the first one stood.
func TestWithText(t *testing.T) {
	file, image := File("a", "b"), Part{Kind: "image"}
	for _, x := range []struct{ had, want []Part }{
		{nil, []Part{Text("new")}},
		{[]Part{Text("a")}, []Part{Text("new")}},
		{[]Part{file, image}, []Part{file, Text("new"), image}},
		{[]Part{image, Text("a"), file, Text("b")}, []Part{image, Text("new"), file}},
	} {
		if got := (Message{Parts: x.had}).WithText("new"); !reflect.DeepEqual(got, x.want) {
			t.Errorf("%v becomes %v", x.had, got)
		}
		none := slices.DeleteFunc(slices.Clone(x.want), func(p Part) bool { return p.Kind == PartText })
		if got := (Message{Parts: x.had}).WithText(""); len(got)+len(none) > 0 && !reflect.DeepEqual(got, none) {
			t.Errorf("%v without a text is %v", x.had, got)
		}
	}
}

// Other files stand where the files stood; files that stay the same stay where they are.
func TestWith(t *testing.T) {
	a, b, image := File("a", "1"), File("b", "2"), Part{Kind: "image", Data: []byte{1}}
	for _, x := range []struct{ had, files, want []Part }{
		{[]Part{a, Text("old")}, []Part{a}, []Part{a, Text("new")}},
		{[]Part{a, Text("old")}, nil, []Part{Text("new")}},
		{[]Part{Text("old"), image, a, b}, []Part{b}, []Part{Text("new"), image, b}},
		{[]Part{image, Text("old")}, []Part{b, a}, []Part{b, a, image, Text("new")}},
		{[]Part{Text("old"), a, image, b}, []Part{a, b}, []Part{Text("new"), a, image, b}},
	} {
		if got := (Message{Parts: x.had}).With("new", x.files); !reflect.DeepEqual(got, x.want) {
			t.Errorf("%+v with %+v: %+v, want %+v", x.had, x.files, got, x.want)
		}
	}
}
