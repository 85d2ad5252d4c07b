package extract

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"inglenook/documents"
)

// check fails the test unless the blocks of a document are as documents.Document promises.
func check(t testing.TB, name string, doc documents.Document) {
	t.Helper()
	if !utf8.ValidString(doc.Text) || !utf8.ValidString(doc.Title) {
		t.Errorf("%s: not valid UTF-8", name)
	}
	if strings.Contains(doc.Text, "\r") {
		t.Errorf("%s: a carriage return in the text", name)
	}
	at, line := 0, 1
	for i, b := range doc.Blocks {
		if b.Start < at || b.End <= b.Start || b.End > len(doc.Text) {
			t.Fatalf("%s: block %d is [%d, %d) after %d of %d", name, i, b.Start, b.End, at, len(doc.Text))
		}
		if between := doc.Text[at:b.Start]; strings.TrimFunc(between, unicode.IsSpace) != "" {
			t.Fatalf("%s: %q is before block %d and in none", name, between, i)
		}
		line += strings.Count(doc.Text[at:b.Start], "\n")
		if b.Line != line {
			t.Fatalf("%s: block %d is on line %d, not %d", name, i, line, b.Line)
		}
		line += strings.Count(doc.Text[b.Start:b.End], "\n")
		at = b.End
		if b.Page < 0 || b.Page > doc.Pages || doc.Pages > 0 && b.Page == 0 {
			t.Fatalf("%s: block %d is on page %d of %d", name, i, b.Page, doc.Pages)
		}
		if (b.Kind == documents.Heading) != (b.Level >= 1 && b.Level <= 6) {
			t.Fatalf("%s: block %d of kind %d has level %d", name, i, b.Kind, b.Level)
		}
	}
	if rest := doc.Text[at:]; strings.TrimFunc(rest, unicode.IsSpace) != "" {
		t.Fatalf("%s: %.60q is behind the last block", name, rest)
	}
}

const shared = "../../../shared/documents"

// TestSharedDocuments reads good and bad files that a user may drop in.
func TestSharedDocuments(t *testing.T) {
	files, err := os.ReadDir(shared)
	if err != nil {
		t.Skip("no ../shared/documents: ", err)
	}
	want := map[string]Reason{
		"bad-binary.txt": Unsupported, "bad-empty.txt": Empty, "bad-not-a-zip.docx": Damaged, "bad-truncated.pdf": Damaged,
		"docx-images.docx": NoText, "docx-tables.docx": NoText, "pdf-encrypted.pdf": NeedsPassword, "pdf-scanned-no-text.pdf": NoText,
	}
	texts := map[string]string{}
	for _, f := range files {
		doc, err := File(context.Background(), filepath.Join(shared, f.Name()), Options{})
		if reason, _ := ReasonOf(err); reason != want[f.Name()] || err != nil && reason == 0 {
			t.Errorf("%s: %v (%v)", f.Name(), err, reason)
			continue
		}
		if err != nil {
			continue
		}
		check(t, f.Name(), doc)
		texts[f.Name()] = strings.Join(strings.Fields(doc.Text), " ")
		t.Logf("%-28s %-8s %8d bytes %5d blocks %3d pages %q %q", f.Name(), doc.Format, len(doc.Text), len(doc.Blocks), doc.Pages, doc.Title, doc.Notes)
	}

	queries, err := os.Open(filepath.Join(shared, "QUERIES.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer queries.Close()
	r := csv.NewReader(queries)
	r.Comma = '\t'
	r.LazyQuotes = true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		if !strings.Contains(texts[row[1]], row[2]) {
			t.Errorf("%s does not hold %q", row[1], row[2])
		}
	}
}

// TestRightToLeft reads Arabic in the order of reading.
func TestRightToLeft(t *testing.T) {
	path := filepath.Join(shared, "pdf-arabic.pdf")
	if _, err := os.Stat(path); err != nil {
		t.Skip("no ../shared/documents: ", err)
	}
	doc, err := File(context.Background(), path, Options{})
	if want := "حَبيبي habibi حَبيبي"; err != nil || doc.Text != want {
		t.Errorf("%q, %v; want %q", doc.Text, err, want)
	}
}

// TestEncryption opens files that another program encrypted in each of its ways, with the
// user's password and the owner's.
func TestEncryption(t *testing.T) {
	files, err := filepath.Glob("testdata/locked-*.pdf")
	if err != nil || len(files) != 5 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		for _, password := range []string{"öpen", "owner"} {
			doc, err := File(t.Context(), path, Options{Password: password})
			if err != nil || doc.Text != "The secret is a blue door." {
				t.Errorf("%s with %q: %q, %v", path, password, doc.Text, err)
			}
		}
		for _, password := range []string{"", "open"} {
			if _, err := File(t.Context(), path, Options{Password: password}); err == nil || err.(*Error).Reason != NeedsPassword {
				t.Errorf("%s with %q: %v", path, password, err)
			}
		}
	}
}

// TestPassword opens a locked file.
func TestPassword(t *testing.T) {
	path := filepath.Join(shared, "pdf-encrypted.pdf")
	if _, err := os.Stat(path); err != nil {
		t.Skip("no ../shared/documents: ", err)
	}
	doc, err := File(context.Background(), path, Options{Password: "openpassword"})
	if err != nil {
		t.Fatal(err)
	}
	check(t, path, doc)
	if len(doc.Text) < 100 {
		t.Errorf("the text is %q", doc.Text)
	}
	if _, err := File(context.Background(), path, Options{Password: "wrong"}); err == nil {
		t.Error("a wrong password opened it")
	}
}
