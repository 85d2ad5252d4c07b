package documents_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/documents"
)

// The text of documents goes to a language model as text, without markup; what holds none, is
// damaged or is something else is refused with a sentence that names it.
func TestText(t *testing.T) {
	s := newService(t)
	page := write(t, t.TempDir(), "page.html", "<html><head><title>A page</title><script>var x = 1;</script></head><body><h1>Boats</h1><p>They <b>float</b>.</p></body></html>")
	text, _, err := s.Text(t.Context(), page)
	if err != nil || !strings.Contains(text, "They float.") || strings.Contains(text, "<") || strings.Contains(text, "var x") {
		t.Errorf("%q, %v", text, err)
	}
	for name, content := range map[string]string{"cut.pdf": "%PDF-1.7\n1 0 obj\n<<", "no.docx": "PK\x03\x04 no archive", "empty.html": "<html><body></body></html>"} {
		if text, _, err := s.Text(t.Context(), write(t, t.TempDir(), name, content)); err == nil || text != "" || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if _, _, err := s.Text(t.Context(), filepath.Join(t.TempDir(), "gone.pdf")); err == nil {
		t.Error("a file that is not there has a text")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Text(ctx, page); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for path, want := range map[string]bool{"a.PDF": true, "b.docx": true, "c.epub": true, "d.html": true, "e.txt": false, "f.go": false, "pdf": false} {
		if documents.Attaches(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

// Real documents of each kind have text.
func TestTextOfRealFiles(t *testing.T) {
	const folder = "../../../shared/documents"
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Skipf("%s is not there: real documents are needed", folder)
	}
	s := newService(t)
	kinds := map[string]int{}
	for _, f := range files {
		kind := filepath.Ext(f.Name())
		if f.IsDir() || strings.HasPrefix(f.Name(), "bad-") || !documents.Attaches(f.Name()) || kinds[kind] > 0 {
			continue
		}
		text, _, err := s.Text(t.Context(), filepath.Join(folder, f.Name()))
		if err == nil && len(strings.Fields(text)) > 20 {
			kinds[kind]++
		}
	}
	for _, kind := range []string{".pdf", ".docx", ".epub", ".html"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s file was read", kind)
		}
	}
}
