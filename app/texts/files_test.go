package texts

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func textFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func utf16File(text string, order binary.AppendByteOrder, mark []byte) string {
	out := mark
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

func TestReadTexts(t *testing.T) {
	cases := []struct {
		name, content string
		want          []string
		note          string
	}{
		{"plain.txt", "one\ntwo\n", []string{"one", "two"}, ""},
		{"blank.txt", "\n  one \r\n\r\n\t\ntwo", []string{"one", "two"}, ""},
		{"bom.txt", "\xef\xbb\xbfone", []string{"one"}, ""},
		{"little.txt", utf16File("ä\n日本 😀\n", binary.LittleEndian, []byte{0xff, 0xfe}), []string{"ä", "日本 😀"}, "Read as UTF-16."},
		{"big.txt", utf16File("ä\nb", binary.BigEndian, []byte{0xfe, 0xff}), []string{"ä", "b"}, "Read as UTF-16."},
		{"old.txt", "caf\xe9 \x96 \x93quoted\x94 \x80 5\n", []string{"café – “quoted” € 5"}, "Not UTF-8: read as Windows-1252."},
		{"list.md", "# title\n- point", []string{"# title", "- point"}, ""},
		{"table.csv", "id,text,year\n1,\"a, b\",2001\n2,\"two\nlines\",2002\n", []string{"a, b", "two lines"}, `Took the column "text".`},
		{"nohead.csv", "1,a long text here\n2,another one\n", []string{"a long text here", "another one"}, "Took column 2, which has the longest texts."},
		{"one.csv", "alpha\nbeta\n", []string{"alpha", "beta"}, ""},
		{"ragged.csv", "a,bbbb\nc\nd,eeee,f\n", []string{"bbbb", "eeee"}, "Took column 2, which has the longest texts. 1 row without a text was left out."},
		{"tabs.tsv", "n\tSentence\n1\tsaid \"so\"\n", []string{`said "so"`}, `Took the column "Sentence".`},
		{"orders.csv", "order,date,total,comment\nA-1001,2026-03-01,12.50,Came late\nA-1002,2026-03-02,,\"Good, thanks a lot\"\n", []string{"Came late", "Good, thanks a lot"}, `Took the column "comment".`},
		{"german.csv", "id;text;stars\n1;Gut, aber teuer;3,5\n2;\"Ja; gern wieder\";5\n", []string{"Gut, aber teuer", "Ja; gern wieder"}, `Took the column "text".`},
		{"unnamed.csv", "Nr;Kommentar;Preis\r\n1;Gut, aber, naja, teuer;3,50 €\r\n2;Gern wieder;5,00 €\r\n", []string{"Gut, aber, naja, teuer", "Gern wieder"}, `Took the column "Kommentar".`},
		{"bare.csv", "1;Gut und schnell;3,5\n2;Gern wieder;5,0\n", []string{"Gut und schnell", "Gern wieder"}, "Took column 2, which has the longest texts."},
		{"excel.csv", "sep=;\r\nid;text\r\n1;Gern wieder\r\n", []string{"Gern wieder"}, `Took the column "text".`},
		{"tabbed.csv", "id\tanswer\n1\tyes, it is\n2\tno, it is not\n", []string{"yes, it is", "no, it is not"}, `Took the column "answer".`},
		{"alone.csv", "opinion\nThe bread was good and fresh.\nI had to wait for an hour.\nNobody there knew a thing.\n", []string{"The bread was good and fresh.", "I had to wait for an hour.", "Nobody there knew a thing."}, `Took the column "opinion".`},
		{"words.csv", "red,apple\ngreen,pear\nblue,plum\n", []string{"apple", "pear", "plum"}, "Took column 2, which has the longest texts."},
		{"short.csv", "Great\nThe bread was good and fresh.\nOk\nI had to wait for an hour.\n", []string{"Great", "The bread was good and fresh.", "Ok", "I had to wait for an hour."}, ""},
		{"noname", "one", []string{"one"}, ""},
	}
	a := &Service{}
	for _, c := range cases {
		got, err := a.ReadTexts(t.Context(), textFile(t, c.name, c.content))
		if err != nil || !slices.Equal(got.Lines, c.want) || got.Note != c.note {
			t.Errorf("%s: %q, note %q, error %v; want %q, note %q", c.name, got.Lines, got.Note, err, c.want, c.note)
		}
	}
}

func TestReadTextsRefuses(t *testing.T) {
	dir := t.TempDir()
	cases := map[string]string{
		textFile(t, "empty.txt", ""):                    "holds no text",
		textFile(t, "spaces.txt", " \n\t\r\n"):          "holds no text",
		textFile(t, "nul.txt", "text\x00more"):          "binary data",
		textFile(t, "elf", "\x7fELF\x02\x01\x01\x03 x"): "binary data",
		textFile(t, "odd.txt", "\xff\xfe\x00"):          "holds no text",
		textFile(t, "bad.csv", "a,\"b\nc,d"):            "not a table that can be read",
		dir:                                             "is a folder",
		filepath.Join(dir, "none.txt"):                  "there is no file or folder",
		"/dev/null":                                     "is not a regular file",
	}
	a := &Service{}
	for path, want := range cases {
		if got, err := a.ReadTexts(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, error %v, want one with %q", filepath.Base(path), got.Lines, err, want)
		}
	}
}

func TestReadTextsOfSize(t *testing.T) {
	a := &Service{}
	ten := strings.Repeat("word ", 2<<20) + "\nshort\n"
	got, err := a.ReadTexts(t.Context(), textFile(t, "ten.txt", ten))
	if err != nil || len(got.Lines) != 2 || len(got.Lines[0]) < 10_000_000 {
		t.Errorf("a line of 10 MB: %d lines, error %v", len(got.Lines), err)
	}
	path := textFile(t, "huge.txt", "")
	if err := os.Truncate(path, maxTextFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := a.ReadTexts(t.Context(), path); err == nil || !strings.Contains(err.Error(), "larger than 64 MB") {
		t.Errorf("error %v", err)
	}
}

func FuzzReadTexts(f *testing.F) {
	for _, s := range []string{"", "a\nb", "\xff\xfea\x00", "\xfe\xff\xd8", "x,\"y\"\n", "\xef\xbb\xbf\"", "\x80\x81\n", "a\tb\n"} {
		f.Add([]byte(s), byte(len(s)))
	}
	f.Fuzz(func(t *testing.T, data []byte, kind byte) {
		name := []string{"x.txt", "x.csv", "x.tsv"}[kind%3]
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := (&Service{}).ReadTexts(t.Context(), path)
		if err == nil && len(got.Lines) == 0 {
			t.Error("neither text nor error")
		}
		for _, line := range got.Lines {
			if strings.TrimSpace(line) == "" || !utf8.ValidString(line) {
				t.Errorf("line %q", line)
			}
		}
	})
}

func TestReadText(t *testing.T) {
	a := &Service{}
	for _, c := range []struct{ name, content, want, fails string }{
		{"a.txt", "one\r\ntwo\n\nthree", "one\ntwo\n\nthree", ""},
		{"b.md", "\xff\xfeA\x00b\x00", "Ab", ""},
		{"c.txt", "caf\xe9", "café", ""},
		{"d.bin", "ELF\x00\x01\x02\x00\x00", "", "is not a text file"},
		{"d.webp", "RIFF\x00\x01\x02\x00WEBP", "", "is not a text file but a picture; save its text as a .txt file and attach that"},
		{"e.txt", " \n\t", "", "holds no text"},
		{"f.txt", strings.Repeat("long ", maxAttachment/5+1), "", "more than a model reads at once"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := a.ReadText(t.Context(), path)
		if got != c.want || (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
	if _, err := a.ReadText(t.Context(), filepath.Join(t.TempDir(), "nothing.txt")); err == nil || !strings.Contains(err.Error(), "no file") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A table has its columns beside the texts of the one that was taken; a list has none.
func TestColumns(t *testing.T) {
	a := &Service{}
	got, err := a.ReadTexts(t.Context(), textFile(t, "orders.csv", "id,text,,city\n1,came late,x,Rome\n2,,y,\n"))
	both, first := []int{0, 1}, []int{0}
	want := []Column{{"id", []string{"1", "2"}, both, 0}, {"text", []string{"came late"}, first, 1}, {"Column 3", []string{"x", "y"}, both, 2}, {"city", []string{"Rome"}, first, 3}}
	if !strings.HasSuffix(got.Note, "1 row without a text was left out.") {
		t.Errorf("it says %q", got.Note)
	}
	if err != nil || !reflect.DeepEqual(got.Columns, want) || got.Column != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	for name, content := range map[string]string{"one.csv": "text\na b\n", "list.txt": "a,b\nc,d\n"} {
		if got, err := a.ReadTexts(t.Context(), textFile(t, name, content)); err != nil || got.Columns != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
