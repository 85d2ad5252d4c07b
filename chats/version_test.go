package chats

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// readAsVersion1 reads a folder by the rule of the program that knew only version 1:
// a later version ends the reading with errNewer, and a role other than "user" and
// "assistant" is damage.
func readAsVersion1(t *testing.T, dir string) (damaged int, err error) {
	t.Helper()
	for _, s := range current(must(segments(dir))(t)) {
		data := must(os.ReadFile(filepath.Join(dir, s.name())))(t)
		frames := newFrameReader(bytes.NewReader(data), int64(len(data)))
		for payload := frames.next(); payload != nil; payload = frames.next() {
			if v := versionOf(payload); v > 1 {
				return damaged, errNewer
			} else if v > 0 {
				continue
			}
			switch r := decode(payload).(type) {
			case nil:
				damaged++
			case messageRecord:
				if r.message.Role != RoleUser && r.message.Role != RoleAssistant || len(r.message.Parts) > 0 {
					damaged++
				}
			}
		}
	}
	return damaged, nil
}

// The folder that a program of version 1 wrote opens as that program read it. As
// long as nothing newer is added, that program can go on with it, too.
func TestVersion1Opens(t *testing.T) {
	dir := t.TempDir()
	try(t, os.CopyFS(dir, os.DirFS("testdata/version1")))
	written := func(o *options) { // when nothing in the trash was to be dropped yet
		o.now = func() time.Time { return time.Date(2023, 11, 16, 12, 0, 0, 0, time.UTC) }
	}
	s := open(t, dir, quick, written)
	want := must(os.ReadFile("testdata/version1.dump"))(t)
	if diff := firstDifference(s.dump(), string(want)); diff != "" {
		t.Error(diff)
	}
	var all []Conversation
	for _, c := range s.List() {
		all = append(all, must(s.Conversation(c.ID))(t))
	}
	var file bytes.Buffer
	try(t, WriteJSON(&file, all...))
	if want := must(os.ReadFile("testdata/version1.json"))(t); !bytes.Equal(file.Bytes(), want) {
		t.Errorf("exported %s and not %s", file.Bytes(), want)
	}
	must(s.Add(all[0].ID, Message{Role: RoleUser, Text: "an old question"}))(t)
	compactNow(s)
	try(t, s.Close())
	if damaged, err := readAsVersion1(t, dir); damaged > 0 || err != nil {
		t.Errorf("an older program finds damage in %d records, error %v", damaged, err)
	}
}

// An older program refuses what is newer, in a log and in a base, and takes nothing
// of it for damage.
func TestOlderProgramRefuses(t *testing.T) {
	for name, m := range map[string]Message{
		"another role":  {Role: "tool", Text: "12 degrees"},
		"a part":        {Role: RoleUser, Text: "look", Parts: []Part{{Kind: "image", Data: []byte{0xff, 0, 1}}}},
		"a call":        {Role: RoleAssistant, Parts: []Part{{Kind: "call", Data: []byte(`{"name": "weather"}`)}}},
		"a part within": {Role: "developer", Parts: []Part{{Kind: "later"}}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, quick)
			id := must(s.Create(Conversation{System: "rules"}))(t)
			first := must(s.Add(id, Message{Role: RoleUser, Text: "hello"}))(t)
			if damaged, err := readAsVersion1(t, dir); damaged > 0 || err != nil {
				t.Fatalf("before: damage in %d records, error %v", damaged, err)
			}
			m.Parent = first
			must(s.Add(id, m))(t)
			for _, when := range []string{"in the log", "in the base"} {
				if damaged, err := readAsVersion1(t, dir); damaged > 0 || !errors.Is(err, errNewer) {
					t.Errorf("%s: damage in %d records, error %v", when, damaged, err)
				}
				compactNow(s)
			}
			before := s.dump()
			try(t, s.Close())
			if diff := firstDifference(open(t, dir).dump(), before); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Parts of any kind stay as they are: in the store, in a copy of the conversation
// and in what is exported and imported.
func TestPartsStay(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, quick)
	parts := []Part{{Kind: "image", Data: []byte{0x89, 'P', 0}}, {Kind: "of a later program", Data: []byte("{}")}, {Kind: "empty", Data: []byte{}}}
	id := must(s.Create(Conversation{Messages: []Message{{ID: 1, Role: "tool", Text: "result", Parts: parts}}, Leaf: 1}))(t)
	same := func(from string, s *Store, id string) {
		t.Helper()
		c := must(s.Conversation(id))(t)
		if m := c.Messages[0]; m.Role != "tool" || len(m.Parts) != len(parts) || !reflect.DeepEqual(m.Parts[:2], parts[:2]) || m.Parts[2].Kind != "empty" {
			t.Errorf("%s: %+v", from, m)
		}
	}
	same("as created", s, id)
	same("copied", s, must(s.Duplicate(id))(t))
	var file, text bytes.Buffer
	c := must(s.Conversation(id))(t)
	try(t, WriteJSON(&file, c))
	if !strings.Contains(file.String(), `"version": 2`) {
		t.Error("the export does not say that it needs version 2")
	}
	same("imported", s, must(s.Create(must(ReadJSON(file.Bytes()))(t)[0]))(t))
	try(t, WriteMarkdown(&text, c))
	if !strings.Contains(text.String(), "## Tool\n\nresult\n\n*A part that is no text: image*") {
		t.Errorf("as Markdown: %s", text.String())
	}
	try(t, s.Close())
	same("read again", open(t, dir), id)
}
