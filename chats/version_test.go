package chats

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"
)

// readOlder reads files like a program that knew only version 1, or 2: a later version is
// errNewer. It returns the parts of each message as that program reads them. Fields that
// version 1 does not have are damage.
func readOlder(known uint64, data []byte) (said [][]Part, damaged int, err error) {
	frames := newFrameReader(bytes.NewReader(data), int64(len(data)))
	text := map[int64]int{} // where that of a message is in said
	for payload := frames.next(); payload != nil; payload = frames.next() {
		v := versionOf(payload)
		if v > known {
			return said, damaged, errNewer
		}
		if v > 0 {
			continue
		}
		if r, ok := decode(payload).(appendRecord); ok && !r.thinking {
			parts := said[text[r.id]]
			at := slices.IndexFunc(parts, func(p Part) bool { return p.Kind == PartText })
			if at < 0 {
				at = filesFirst(parts)
				parts = slices.Insert(parts, at, Text(""))
			}
			parts[at].Text += r.text
			said[text[r.id]] = parts
		}
		if payload[0] != kindMessage {
			continue
		}
		id, role, parts, others := olderMessage(payload)
		if known == 1 && (others > 0 || role != RoleUser && role != RoleAssistant) {
			damaged++
			continue
		}
		text[id] = len(said)
		said = append(said, parts)
	}
	return said, damaged + len(frames.damage), nil
}

// olderMessage reads the fields of a message that version 2 has.
func olderMessage(payload []byte) (id int64, role string, parts []Part, others int) {
	d := decoder{s: string(payload)}
	d.uint() // kindMessage
	d.text() // the conversation
	id, _, role = d.int(), d.int(), d.text()
	d.text() // the state
	d.time()
	text := d.text()
	d.text() // the thinking
	for range d.count() {
		p := d.part()
		parts = append(parts, Part{Kind: PartFile, Name: p.text(), Text: p.text(), Tokens: int(p.int())})
	}
	if text != "" {
		parts = append(parts, Text(text))
	}
	d.reply()
	d.time()
	d.int() // the leaf before it was deleted
	others = d.count()
	for range others {
		p := d.part()
		parts = append(parts, Part{Kind: p.text(), Data: []byte(p.text())})
	}
	return id, role, parts, others
}

// readFolderOlder reads the files of a folder as an older program does.
func readFolderOlder(t *testing.T, known uint64, dir string) (damaged int, err error) {
	t.Helper()
	var data []byte
	for _, s := range current(must(segments(dir))(t)) {
		data = append(data, must(os.ReadFile(filepath.Join(dir, s.name())))(t)...)
	}
	_, damaged, err = readOlder(known, data)
	return damaged, err
}

// The folder of a program of version 1 opens like that program read it. As long as nothing
// newer is added, that program can still use it.
func TestVersion1Opens(t *testing.T) {
	dir := t.TempDir()
	try(t, os.CopyFS(dir, os.DirFS("testdata/version1")))
	written := func(o *options) { // when nothing in the trash was old enough to be dropped
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
	must(s.Add(all[0].ID, Message{Role: RoleUser, Parts: Content("an old question")}))(t)
	compactNow(s)
	try(t, s.Close())
	if damaged, err := readFolderOlder(t, 1, dir); damaged > 0 || err != nil {
		t.Errorf("an older program finds damage in %d records, error %v", damaged, err)
	}
}

// An older program refuses newer records, in a log and in a base, and does not report them as
// damage.
func TestOlderProgramRefuses(t *testing.T) {
	for name, m := range map[string]Message{
		"another role":  {Role: "tool", Parts: Content("12 degrees")},
		"a part":        {Role: RoleUser, Parts: []Part{Text("look"), {Kind: "image", Data: []byte{0xff, 0, 1}}}},
		"a call":        {Role: RoleAssistant, Parts: []Part{{Kind: "call", Data: []byte(`{"name": "weather"}`)}}},
		"a part within": {Role: "developer", Parts: []Part{{Kind: "later"}}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, quick)
			id := must(s.Create(Conversation{System: "rules"}))(t)
			first := must(s.Add(id, Message{Role: RoleUser, Parts: Content("hello")}))(t)
			if damaged, err := readFolderOlder(t, 1, dir); damaged > 0 || err != nil {
				t.Fatalf("before: damage in %d records, error %v", damaged, err)
			}
			m.Parent = first
			must(s.Add(id, m))(t)
			for _, when := range []string{"in the log", "in the base"} {
				if damaged, err := readFolderOlder(t, 1, dir); damaged > 0 || !errors.Is(err, errNewer) {
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

// A program that knows version 1 or 2 reads parts in their order or refuses them. It never
// reorders them or reports them as damage, also in a message that is written bit by bit.
func TestOlderProgramKeepsOrder(t *testing.T) {
	refused := map[uint64]int{}
	for _, parts := range arrangements() {
		for _, writing := range []bool{false, true} {
			m := &message{Message: Message{ID: 1, Role: RoleAssistant, Parts: parts}}
			want, records := parts, []record{messageRecord{"c", m}}
			if writing {
				m.State = StateWriting
				before, text := lastText(parts)
				want, records = endWith(before, text+"more"), append(records, appendRecord{"c", 1, false, "more"})
			}
			data := fileHead()
			for _, r := range records {
				data = encodeFrame(data, r)
			}
			for known := uint64(1); known <= version; known++ {
				said, damaged, err := readOlder(known, data)
				switch {
				case damaged > 0:
					t.Fatalf("version %d finds damage in %+v", known, parts)
				case known == version: // which readOlder does not know
				case errors.Is(err, errNewer):
					refused[known]++
				case err != nil || len(said) != 1 || fmt.Sprint(said[0]) != fmt.Sprint(want):
					t.Fatalf("version %d reads %+v as %+v, error %v", known, want, said, err)
				}
			}
		}
	}
	if total := 2 * len(arrangements()); refused[1] <= refused[2] || refused[1] >= total || refused[2] == 0 {
		t.Errorf("of %d messages, version 1 and 2 refuse %v", total, refused)
	}
}

// The folder of a program of version 2 opens like that program read it.
func TestVersion2Opens(t *testing.T) {
	dir := t.TempDir()
	try(t, os.CopyFS(dir, os.DirFS("testdata/version2")))
	s := open(t, dir, quick)
	c := must(s.Conversation(s.List()[0].ID))(t)
	want := [][]Part{
		{File("a.txt", "a text"), Text("look"), {Kind: "image", Data: []byte{0xff, 0, 1}}, {Kind: "of a later program"}},
		{{Kind: "call", Data: []byte(`{"name": "weather"}`)}},
		{Text("12 degrees")},
		{Text("It is cold.")},
	}
	for i, m := range c.Messages {
		if !reflect.DeepEqual(m.Parts, want[i]) {
			t.Errorf("message %d says %+v", i, m.Parts)
		}
	}
	var file bytes.Buffer
	try(t, WriteJSON(&file, c))
	exported := must(os.ReadFile("testdata/version2.json"))(t)
	if !bytes.Equal(file.Bytes(), exported) {
		t.Errorf("exported %s and not %s", file.Bytes(), exported)
	}
	if read := must(ReadJSON(exported))(t)[0]; !reflect.DeepEqual(read.Messages, c.Messages) && len(read.Messages) != len(want) {
		t.Errorf("imported %+v", read.Messages)
	}
	compactNow(s)
	try(t, s.Close())
	if damaged, err := readFolderOlder(t, 2, dir); damaged > 0 || err != nil {
		t.Errorf("an older program finds damage in %d records, error %v", damaged, err)
	}
}
