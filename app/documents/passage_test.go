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

// A file that was not read has the format of its name.
func TestFormatNamed(t *testing.T) {
	for path, want := range map[string]string{"/a/Notes.MKD": "markdown", "/a/x.md": "markdown", "/a/main.go": "source", "/a/lease.docx": "docx", "/a/README": ""} {
		if got := FormatNamed(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}
