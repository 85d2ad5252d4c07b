//go:build quality

package support_test

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/app/documents"
	"inglenook/documents/support"
)

const shared = "../../../shared/documents"

// read is how many passages of a search are read.
const read = 5

// An asked is a question of testdata with what the search found for it.
type asked struct {
	question, file, phrase, answer, wrong string
	passages                              []support.Passage
	found                                 bool // one of the passages has the phrase
}

// TestQualitySupport asks the questions of testdata/questions.tsv about the documents
// beside the repository, with the program's own search and the bundled embedder.
// docs/QUALITY.md has the figures.
func TestQualitySupport(t *testing.T) {
	m := starter(t)
	var n struct {
		tally
		found, best, answerable, absent, told int
	}
	for i, q := range askAll(t) {
		ok, evidence, err := support.Answerable(t.Context(), q.question, q.passages, m)
		if err != nil {
			t.Fatal(err)
		}
		if q.file == "" {
			n.absent++
			if !ok {
				n.told++
			} else {
				t.Logf("%d not told to be absent: %s (%.2f)", i, q.question, evidence[0].Score)
			}
			continue
		}
		if !q.found {
			t.Logf("%d not found: %s", i, q.question)
			continue
		}
		n.found++
		if ok {
			n.answerable++
		} else {
			t.Logf("%d told to be absent: %s (%.2f)", i, q.question, evidence[0].Score)
		}
		if q.holds(evidence[0].Passage) {
			n.best++
		} else {
			p := q.passages[evidence[0].Passage]
			t.Logf("%d another passage is first: %s %q", i, q.question, p.Text[evidence[0].Span.Start:evidence[0].Span.End])
		}
		right, err := support.Judge(t.Context(), q.question, q.answer, q.passages, m)
		if err != nil {
			t.Fatal(err)
		}
		n.supported++
		if bad := firstUnsupported(right); bad != nil {
			n.marked++
			t.Logf("%d marked: %s (%s, %.2f)", i, q.answer, bad.Why, bad.Score)
		} else if q.holds(right[0].Passage) {
			n.cited++
		} else {
			t.Logf("%d cited from another passage: %s %q", i, q.answer, text(q.passages, right[0]))
		}
		wrong, err := support.Judge(t.Context(), q.question, q.wrong, q.passages, m)
		if err != nil {
			t.Fatal(err)
		}
		n.planted++
		if firstUnsupported(wrong) != nil {
			n.caught++
		} else {
			t.Logf("%d not marked: %s (by %q, %.2f)", i, q.wrong, text(q.passages, wrong[0]), wrong[0].Score)
		}
	}
	t.Logf("found %d; best sentence from the right passage %d; told to be absent wrongly %d, rightly %d of %d", n.found, n.best, n.found-n.answerable, n.told, n.absent)
	n.check(t, 0.8, 0.1)
	if 25*(n.found-n.answerable) > n.found || 2*n.told < n.absent {
		t.Error("what is absent is told wrongly too often")
	}
}

// askAll searches for all questions.
func askAll(t *testing.T) (list []asked) {
	t.Helper()
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the documents are not beside this repository: nothing is measured")
	}
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	a, err := app.New(app.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(t.Context()) })
	s := a.Documents()
	// The largest file is left out: it has four fifths of all text, and most of the time.
	if _, err := s.Add(t.Context(), documents.AddRequest{Paths: []string{shared}, Exclude: []string{"QUERIES.tsv", "text-large-5MB.txt"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Index(t.Context(), documents.IndexRequest{Collection: documents.DefaultName}, nil, nil); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows(t, "questions.tsv") {
		q := asked{question: row[0], file: row[1], phrase: row[2], answer: row[3], wrong: row[4]}
		got, err := s.Search(t.Context(), documents.SearchRequest{Text: q.question})
		if err != nil {
			t.Fatal(err)
		}
		var results []documents.Result
		for _, f := range got.Files {
			results = append(results, f.Passages...)
		}
		slices.SortStableFunc(results, func(a, b documents.Result) int { return cmp.Compare(b.Score, a.Score) })
		for _, r := range results[:min(read, len(results))] {
			q.passages = append(q.passages, support.Passage{Heading: r.Context, Text: r.Text})
		}
		q.found = slices.ContainsFunc(q.passages, q.has)
		list = append(list, q)
	}
	return list
}

func (q asked) has(p support.Passage) bool {
	return strings.Contains(strings.Join(strings.Fields(p.Text), " "), strings.Join(strings.Fields(q.phrase), " "))
}

func (q asked) holds(passage int) bool { return q.has(q.passages[passage]) }
