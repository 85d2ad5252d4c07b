package extract

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// TestPDFWords compares the words of PDF files with those that poppler finds.
func TestPDFWords(t *testing.T) {
	poppler, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext of poppler is not installed")
	}
	files, err := filepath.Glob(filepath.Join(shared, "pdf-*.pdf"))
	if err != nil || len(files) == 0 {
		t.Skip("no ../shared/documents")
	}
	const wanted = 0.98
	for _, path := range files {
		if strings.Contains(path, "arabic") {
			continue // poppler gives its letters in the order of the page, from left to right
		}
		doc, err := File(context.Background(), path, Options{Password: "openpassword"})
		if reason, _ := ReasonOf(err); reason == NoText {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		out, err := exec.Command(poppler, "-upw", "openpassword", path, "-").Output()
		if err != nil {
			t.Fatalf("pdftotext %s: %v", path, err)
		}
		recall, missing := wordRecall(string(out), doc.Text)
		t.Logf("%s: %.4f, missing %.20q", filepath.Base(path), recall, missing)
		if recall < wanted {
			t.Errorf("%s: %.4f of poppler's words, want %.2f; missing are %.50q", filepath.Base(path), recall, wanted, missing)
		}
	}
}

// wordRecall returns the share of the wanted words that a text has, each counted as often
// as it occurs, and the missing ones.
func wordRecall(want, text string) (recall float64, missing []string) {
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(readable(s)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	have := map[string]int{}
	for _, w := range words(text) {
		have[w]++
	}
	wanted := words(want)
	for _, w := range wanted {
		if have[w] == 0 {
			missing = append(missing, w)
			continue
		}
		have[w]--
	}
	return 1 - float64(len(missing))/float64(max(1, len(wanted))), missing
}

// readable removes the differences in how two programs write the same characters.
func readable(s string) string {
	return strings.NewReplacer("ﬁ", "fi", "ﬂ", "fl", "ﬀ", "ff", "ﬃ", "ffi", "ﬄ", "ffl").Replace(s)
}
