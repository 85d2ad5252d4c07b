package documents_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/documents"
)

// If searches by meaning are not exact, a collection says how good they are, else nothing.
func TestAboutChecks(t *testing.T) {
	if got := (documents.Collection{}).AboutChecks(); got != "" {
		t.Errorf("%q", got)
	}
	c := documents.Collection{Checks: documents.Checks{Checked: 100, Same: 99}}
	if got := c.AboutChecks(); got != "99 of your last 100 searches that were checked found the same ten passages as an exact search." {
		t.Errorf("%q", got)
	}
}

// TestNames: a collection's name is one line that can be seen, both when it is made and when it
// is renamed; what is refused changes nothing.
func TestNames(t *testing.T) {
	s := newService(t)
	dir := papers(t)
	must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Collection: "First", Paths: []string{dir}}))
	bad := []string{" ", "\n", "a\nb", "a\rb", "a\tb", "\x00", "a\x1b[31mb", "a\x7f", "\u200b", "a\u200bb", "a\u202eb", "a\u2066b", "a\u2028b", "a\u2029b", "\ufeffa", "a\xff", "\u0085a", strings.Repeat("é", 101)}
	for _, name := range bad {
		if _, err := s.Add(t.Context(), documents.AddRequest{Collection: name, Paths: []string{dir}}); err == nil {
			t.Errorf("%q became the name of a collection", name)
		}
		if err := s.Rename(t.Context(), "First", name); err == nil {
			t.Errorf("a collection was renamed to %q", name)
		}
	}
	for _, name := range []string{"a", "Ünïcödé 今日 👩\u200d🚀 (2)", "می\u200cخواهم", "../x", "C:\\x", "a/b", strings.Repeat("é", 100)} {
		if err := s.Rename(t.Context(), "First", name); err != nil {
			t.Errorf("%q: %v", name, err)
		} else if err := s.Rename(t.Context(), name, "First"); err != nil {
			t.Errorf("%q back: %v", name, err)
		}
	}
	if all := must[[]documents.Collection](t)(s.Collections(t.Context())); len(all) != 1 || all[0].Name != "First" {
		t.Errorf("%+v", all)
	}
}

// TestNamedByFolder: a folder that is added alone gives a collection its name, with a number where
// another folder has it; what else is added goes where it went before.
func TestNamedByFolder(t *testing.T) {
	s := newService(t)
	at := t.TempDir()
	var folders []string
	for _, name := range []string{"one/docs", "two/docs", "three/papers"} {
		folder := filepath.Join(at, name)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, folder)
	}
	file := filepath.Join(at, "note.txt")
	write(t, at, "note.txt", "A note.")
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{folders[:1], "docs"},
		{folders[1:2], "docs 2"},
		{folders[:1], "docs"},
		{folders[2:], "papers"},
		{folders[1:], documents.DefaultName},
		{[]string{file}, documents.DefaultName},
	} {
		got := must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{ByFolder: true, Paths: c.paths}))
		if got.Name != c.want {
			t.Errorf("%v becomes %q, not %q", c.paths, got.Name, c.want)
		}
	}
	if got := must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: folders[2:]})); got.Name != documents.DefaultName {
		t.Errorf("not asked for, the name is %q", got.Name)
	}
}

func TestCounts(t *testing.T) {
	for want, c := range map[string]documents.Collection{
		"":                     {},
		"1 file searched":      {Files: 1},
		"1,200 files searched": {Files: 1199, Waiting: 1},
		"20 files searched, 1 still being read, 8 unreadable": {Files: 20, Unread: 1, Failed: 3, Skipped: 5, Indexing: true},
		"20 files searched, 3 still to be read":               {Files: 20, Unread: 3, Indexing: true, Paused: true},
		"0 files searched, 2 unreadable":                      {Failed: 2},
	} {
		if got := c.Counts(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
