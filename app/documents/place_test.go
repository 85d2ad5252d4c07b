package documents

import "testing"

// A Word document has headings and no lines that a person could count.
func TestPlaceInWords(t *testing.T) {
	for _, c := range []struct {
		path       string
		page, line int
		want       string
	}{
		{"/a/minutes.docx", 0, 21, ""},
		{"/a/MINUTES.DOCX", 0, 21, ""},
		{"/a/page.html", 0, 3, ""},
		{"/a/book.epub", 0, 3, ""},
		{"/a/book.pdf", 3, 21, "page 3"},
		{"/a/slides.pptx", 2, 5, "page 2"},
		{"/a/notes.md", 0, 21, "line 21"},
		{"/a/main.go", 0, 7, "line 7"},
		{"/a/README", 0, 7, "line 7"},
		{"/a/notes.txt", 0, 0, ""},
	} {
		if got := PlaceInWords(c.path, c.page, c.line); got != c.want {
			t.Errorf("%s, page %d, line %d: %q, want %q", c.path, c.page, c.line, got, c.want)
		}
	}
}
