package texts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
