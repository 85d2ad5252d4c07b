package extract

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/documents"
)

func readPDF(t *testing.T, data []byte) documents.Document {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.pdf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := File(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, "book.pdf", doc)
	return doc
}

// A sentence goes on from page to page: what stands above and below the text of many pages does not cut it, nor does
// a word that the end of a page divides.
func TestRunningLinesAreNoText(t *testing.T) {
	page := func(head, text, foot string) string {
		return fmt.Sprintf("BT /F1 10 Tf 1 0 0 1 72 740 Tm (%s) Tj 1 0 0 1 72 700 Tm (%s) Tj 1 0 0 1 300 40 Tm (%s) Tj ET", head, text, foot)
	}
	texts := []string{
		"The curve that is drawn here is pro-", "portional to the square, and the line", "below it goes on to where it meets the axis.", "Exercise 7", "A last page.",
	}
	var pages []string
	for i, text := range texts {
		head := fmt.Sprintf("COORDINATE GEOMETRY %d", 90+i)
		if i%2 == 1 {
			head = fmt.Sprintf("INTRODUCTION TO MATHEMATICS %d", 90+i)
		}
		pages = append(pages, page(head, text, "Library copy"))
	}
	doc := readPDF(t, pdfPages(pages...))
	got := dump(doc)
	if strings.Contains(got, "COORDINATE") || strings.Count(got, "Library copy") != 1 {
		t.Errorf("running lines are left:\n%s", got)
	}
	if !strings.Contains(got, "INTRODUCTION TO MATHEMATICS 91") { // on two pages alone
		t.Errorf("a line of two pages went:\n%s", got)
	}

	pages = nil
	for i, text := range texts {
		pages = append(pages, page(fmt.Sprintf("COORDINATE GEOMETRY %d", 90+i), text, fmt.Sprint("Total ", i*i+20)))
	}
	got = readPDF(t, pdfPages(pages[:3]...)).Text
	if strings.Contains(got, "COORDINATE") || !strings.Contains(got, "Total 24") {
		t.Errorf("%q", got)
	}

	pages = nil
	for i, text := range texts {
		pages = append(pages, page(fmt.Sprintf("COORDINATE GEOMETRY %d", 90+i), text, fmt.Sprint("- ", i+1, " -")))
	}
	doc = readPDF(t, pdfPages(pages...))
	if want := "The curve that is drawn here is proportional to the square, and the line below it goes on to where it meets the axis.\n\nExercise 7\n\nA last page."; doc.Text != want {
		t.Errorf("%q\nnot %q", doc.Text, want)
	}
	if last := doc.Blocks[len(doc.Blocks)-1]; len(doc.Blocks) != 5 || last.Page != 5 {
		t.Errorf("%+v", doc.Blocks)
	}
}
