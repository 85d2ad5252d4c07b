package documents_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/app/documents"
)

// shared is the folder of documents beside the repository.
const shared = "../../../shared/documents"

// question is a question with the file that answers it and words of the answer.
type question struct {
	text, file, phrase string
	page               int // 0: any
}

// sharedQuestions returns the questions beside the documents.
func sharedQuestions(t *testing.T) (list []question) {
	t.Helper()
	f, err := os.Open(filepath.Join(shared, "QUERIES.tsv"))
	if err != nil {
		t.Skip("the documents with questions are not beside this repository")
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		list = append(list, question{text: row[0], file: row[1], phrase: row[2]})
	}
	return list
}

// pageQuestions are about single pages of PDF files.
var pageQuestions = []question{
	{"how did Archimedes find out whether the crown was pure gold", "pdf-book-mathematics.pdf", "crown", 31},
	{"Archimedes is killed by a Roman soldier", "pdf-book-mathematics.pdf", "hands of a Roman soldier", 32},
	{"two Italians discover the electric current", "pdf-book-mathematics.pdf", "Galvani in 1780", 25},
	{"Newton in the orchard sees an apple fall and thinks of gravitation", "pdf-book-mathematics.pdf", "fall of an apple", 22},
	{"Descartes lying in bed one morning invents coordinate geometry", "pdf-book-mathematics.pdf", "as he lay", 94},
	{"it is through the tides that we notice the moon's periodicity", "pdf-book-mathematics.pdf", "through the tides", 139},
	{"troops marching in step are a danger to a suspension bridge", "pdf-book-mathematics.pdf", "troops march over it in step", 144},
	{"Greek astronomer at Rhodes who invented trigonometry", "pdf-book-mathematics.pdf", "Hipparchus", 145},
	{"comets may move in elongated ellipses, parabolas or hyperbolas", "pdf-book-mathematics.pdf", "elongated ellipses", 117},
	{"capital and official language of Denmark", "pdf-two-columns.pdf", "Copenhagen", 3},
}

// smallOnes are the shared files that are indexed quickly.
var smallOnes = []string{"docx-lease.docx", "docx-minutes.docx", "source-ringbuffer.go", "source-thermostat.py", "markdown-errors.md", "markdown-ownership.md", "pdf-two-columns.pdf"}

// TestSharedQuestions asks the questions about the small files. TestSoakQuestions asks
// all of them.
func TestSharedQuestions(t *testing.T) {
	all := append(sharedQuestions(t), pageQuestions...)
	small := map[string]bool{}
	var paths []string
	for _, name := range smallOnes {
		small[name] = true
		paths = append(paths, filepath.Join(shared, name))
	}
	s := newService(t)
	indexed(t, s, "", paths...)
	for _, q := range all {
		if small[q.file] {
			ask(t, s, q)
		}
	}
}

func indexed(t *testing.T, s *documents.Service, model string, paths ...string) documents.IndexResult {
	t.Helper()
	if _, err := s.Add(t.Context(), documents.AddRequest{Paths: paths, Model: model, Exclude: []string{"QUERIES.tsv"}}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Index(t.Context(), documents.IndexRequest{Collection: documents.DefaultName}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d passages, %d tokens, %.0f tokens/s", got.Indexed, got.Passages, got.Tokens, got.TokensPerSecond())
	return got
}

// ask checks that the right file comes first, and that one of its shown passages has the
// expected words, on the right page.
func ask(t *testing.T, s *documents.Service, q question) {
	t.Helper()
	got, err := s.Search(t.Context(), documents.SearchRequest{Text: q.text})
	if err != nil || len(got.Files) == 0 {
		t.Errorf("%s: nothing, error %v", q.text, err)
		return
	}
	first := got.Files[0]
	names := []string{filepath.Base(first.File.Path)}
	for _, f := range first.Also {
		names = append(names, filepath.Base(f.Path))
	}
	if !strings.Contains(strings.Join(names, " "), q.file) {
		t.Errorf("%s: found in %q, want %s", q.text, names, q.file)
		return
	}
	if q.phrase == "" {
		return
	}
	for i, p := range first.Passages {
		at := strings.Index(squeezed(p.Text), squeezed(q.phrase))
		if at < 0 {
			continue
		}
		if page := pageOf(t, s, p, q.phrase); q.page > 0 && page != q.page {
			t.Errorf("%s: %q is on page %d, want %d", q.text, q.phrase, page, q.page)
		}
		if i > 0 {
			t.Logf("%s: %q is in passage %d of the file", q.text, q.phrase, i+1)
		}
		return
	}
	t.Errorf("%s: no passage of %s that was found holds %q", q.text, q.file, q.phrase)
}

// pageOf returns the page on which words of a passage begin, in the document as it is shown.
func pageOf(t *testing.T, s *documents.Service, p documents.Result, phrase string) int {
	t.Helper()
	o, err := s.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	word := strings.Fields(phrase)[0]
	for at := o.Passage.Start; at < o.Passage.End; at++ {
		rest := o.Document.Text[at:]
		if strings.HasPrefix(rest, word) && strings.HasPrefix(squeezed(rest[:min(len(rest), 4*len(phrase)+40)]), squeezed(phrase)) {
			page := 0
			for _, b := range o.Document.Blocks {
				if b.Start <= at {
					page = b.Page
				}
			}
			return page
		}
	}
	return 0
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

func newService(t testing.TB) *documents.Service {
	t.Helper()
	return newApp(t, t.TempDir()).Documents()
}

func newApp(t testing.TB, home string) *app.App {
	t.Helper()
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	a, err := app.New(app.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a
}

func TestSamples(t *testing.T) {
	s := newService(t)
	c, err := s.AddSamples(t.Context())
	if err != nil || c.Name != documents.SamplesName {
		t.Fatalf("%+v, error %v", c, err)
	}
	got, err := s.Index(t.Context(), documents.IndexRequest{Collection: c.ID}, nil, nil)
	if err != nil || got.Indexed != 3 || got.Collection.Files != 3 {
		t.Fatalf("%+v, error %v", got, err)
	}
	examples, err := s.Examples(t.Context(), c.ID)
	if err != nil || len(examples) != 3 {
		t.Fatalf("examples %q, error %v", examples, err)
	}
	for i, q := range []question{
		{"", "Finding things in your documents.md", "text recognition", 0},
		{"", "The kitchen garden, month by month.csv", "Garlic", 0},
		{"", "The lamp at Low Water.html", "snow", 0},
	} {
		q.text = examples[i]
		ask(t, s, q)
	}
	if found, err := s.Search(t.Context(), documents.SearchRequest{Text: "qwertzuiop"}); err != nil || !found.Unsettled || found.Far {
		t.Errorf("the first search waits until unrelated questions are measured: %+v, error %v", found, err)
	}
	for _, asked := range []struct {
		question string
		far      bool
	}{{examples[0], false}, {"garlic", false}, {"qwertzuiop", true}, {"how do I change the oil of a car", true}, {"the glimmering snorf of vexilard", true}} {
		found, err := s.Search(t.Context(), documents.SearchRequest{Text: asked.question})
		if err == nil {
			found, err = s.Settle(t.Context(), found)
		}
		if err != nil || found.Unsettled || found.Far != asked.far || len(found.Files) == 0 {
			t.Errorf("%q: nothing close is %v, want %v; %d files, error %v", asked.question, found.Far, asked.far, len(found.Files), err)
		}
	}
}
