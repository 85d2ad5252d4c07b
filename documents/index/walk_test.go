package index

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"inglenook/documents/store"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"*.pdf", "a.pdf", true},
		{"*.pdf", "deep/down/A.PDF", true},
		{"*.pdf", "a.pdfx", false},
		{"drafts", "drafts/a.txt", true},
		{"drafts", "mydrafts/a.txt", false},
		{"notes/*.md", "notes/a.md", true},
		{"notes/*.md", "notes/sub/a.md", false},
		{"notes/**/*.md", "notes/a.md", true},
		{"notes/**/*.md", "notes/x/y/a.md", true},
		{"notes/**", "notes/x/y/a.md", true},
		{"**/drafts/**", "a/drafts/b/c.txt", true},
		{"**/drafts/**", "a/draft/b/c.txt", false},
		{"**/b/*/d", "a/b/c/b/x/d", true},
		{"/notes/a.md", "notes/a.md", true},
		{"?.txt", "ä.txt", true},
		{"[ab].txt", "b.txt", true},
	} {
		if got := (Patterns{Include: []string{c.pattern}}).file(c.path); got != c.want {
			t.Errorf("%s on %s: %v", c.pattern, c.path, got)
		}
	}
	if err := (Patterns{Include: []string{"*.md"}, Exclude: []string{"[a"}}).Check(); err == nil || !strings.Contains(err.Error(), `"[a"`) {
		t.Errorf("error %v", err)
	}
}

// TestPatternsEnd matches many patterns with many paths: the time of a match is bounded,
// whatever the number of "**".
func TestPatternsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"**", "a", "b", "*"}), 1, 20)
		pattern := strings.Join(parts.Draw(t, "pattern"), "/")
		path := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b"}), 1, 60).Draw(t, "path"), "/")
		if strings.Contains(pattern, "/") && matches("**/"+pattern, path) != matches("**/**/"+pattern, path) {
			t.Errorf("%s on %s", pattern, path)
		}
		matches(strings.Repeat("**/a/", 30)+"c", path)
	})
}

// TestWhatIsLeftOut makes a folder with everything in it that is not to be read.
func TestWhatIsLeftOut(t *testing.T) {
	b := newBench(t)
	b.MaxFile = 1000
	b.write("good.txt", "a good text")
	b.write(".hidden/a.txt", "hidden text")
	b.write(".secret", "hidden text")
	b.write("huge.txt", strings.Repeat("huge ", 300))
	b.write("drafts/a.txt", "a draft")
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "far.txt"), []byte("far away"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"loop": ".", "sub/up": "../sub", "outside": outside, "dangling": "nowhere", "self": "self",
		"again.txt": "good.txt", "far.txt": filepath.Join(outside, "far.txt"),
	} {
		if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, b.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(b.path("pipe.txt"), 0o600); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", b.path("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	odd := "caf\xe9.txt"
	if runtime.GOOS != "darwin" { // whose file system refuses names that are not UTF-8
		b.write(odd, "a text under a name that is not UTF-8")
	}
	r := b.request()
	r.Roots[0].Exclude = []string{"drafts"}
	if _, err := b.Indexer.Run(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, e := range b.events {
		if e.Kind == LeftOut {
			rel, _ := filepath.Rel(b.dir, e.Path)
			said[filepath.ToSlash(rel)] = e.Reason
		}
	}
	for name, want := range map[string]string{
		".hidden": "hidden folder", ".secret": "hidden file", "outside": "is not followed", "dangling": "does not exist",
		"pipe.txt": "a pipe", "socket": "a socket", "self": "too many",
	} {
		if !strings.Contains(said[name], want) {
			t.Errorf("%s: %q, want %q", name, said[name], want)
		}
		delete(said, name)
	}
	if len(said) > 0 {
		t.Errorf("said too much: %q", said)
	}
	files := b.files()
	if f := files["huge.txt"]; f.State != store.Skipped || !strings.Contains(f.Reason, "files of more than 1.0 kB are not read") {
		t.Errorf("%+v", f)
	}
	var names []string
	for name, f := range files {
		if f.State == store.Indexed {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	want := []string{odd, "far.txt", "good.txt"}
	if runtime.GOOS == "darwin" {
		want = want[1:]
	}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("indexed %q, want %q", names, want)
	}
	if runtime.GOOS != "darwin" && !slices.Equal(b.find("under"), []string{odd}) {
		t.Errorf("a file with an odd name is found as %q", b.find("under"))
	}
}

// TestNamedFiles adds single files and hidden folders by name.
func TestNamedFiles(t *testing.T) {
	b := newBench(t)
	file := b.write(".config/notes.txt", "a note")
	b.write(".config/other.txt", "another")
	for _, root := range []string{file, b.path(".config")} {
		s, err := b.Indexer.Run(t.Context(), Request{Roots: []Root{{Path: root}}})
		if err != nil || s.Indexed != 1 {
			t.Errorf("%s: %+v, error %v", root, s, err)
		}
	}
}

func TestWalkEndsWithItsContext(t *testing.T) {
	b := newBench(t)
	for i := range 100 {
		b.write(fmt.Sprintf("%d/a.txt", i), "a")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := walk(ctx, []Root{{Path: b.dir}}, 100, func(Skip) {}); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
