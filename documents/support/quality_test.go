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
	axis, question, file, phrase, answer, wrong string
	passages                                    []support.Passage
	found                                       bool // one of the passages has the phrase
}

// TestQualitySupport asks questions about the documents beside the repository, with the
// program's own search and the bundled embedder. docs/QUALITY.md has the figures, and says
// which rules were made with which questions in sight.
func TestQualitySupport(t *testing.T) {
	m, s := starter(t), indexed(t)
	for table, caught := range map[string]float64{"questions.tsv": 0.8, "unseen.tsv": 0.75} {
		t.Run(table, func(t *testing.T) {
			questions := ask(t, s, table)
			askAll(t, m, questions).check(t, caught, 0.1)
			n := answerable(t, m, questions)
			if table == "questions.tsv" && (25*n.wrongly > n.found || 2*n.rightly < n.absent) {
				t.Error("what is absent is told wrongly too often")
			}
		})
	}
}

// askAll judges the true and the false answer to every question.
func askAll(t *testing.T, m support.Meaning, questions []asked) (n tally) {
	for i, q := range questions {
		if q.file == "" {
			continue
		}
		right, err := support.Judge(t.Context(), q.question, q.answer, q.passages, m)
		if err != nil {
			t.Fatal(err)
		}
		n.supported++
		if bad := firstUnsupported(right); bad != nil {
			n.marked++
			t.Logf("%d %s marked: %s (%s, %.2f)", i, q.axis, q.answer, bad.Why, bad.Score)
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
			t.Logf("%d %s not marked: %s (by %q, %.2f)", i, q.axis, q.wrong, text(q.passages, wrong[0]), wrong[0].Score)
		}
	}
	return n
}

// An absence counts how often questions are told to be absent from the passages.
type absence struct{ found, best, wrongly, absent, rightly int }

// answerable asks whether the passages that the search found answer each question.
func answerable(t *testing.T, m support.Meaning, questions []asked) (n absence) {
	for i, q := range questions {
		if q.file != "" && !q.found {
			t.Logf("%d not found: %s", i, q.question)
			continue
		}
		ok, evidence, err := support.Answerable(t.Context(), q.question, q.passages, m)
		if err != nil {
			t.Fatal(err)
		}
		best := evidence[0]
		switch {
		case q.file == "":
			n.absent++
			if !ok {
				n.rightly++
			} else {
				t.Logf("%d not told to be absent: %s (%.2f)", i, q.question, best.Score)
			}
			continue
		case !ok:
			n.wrongly++
			t.Logf("%d told to be absent: %s (%.2f)", i, q.question, best.Score)
		}
		n.found++
		if q.holds(best.Passage) {
			n.best++
		} else {
			t.Logf("%d another passage is first: %s %q", i, q.question, q.passages[best.Passage].Text[best.Span.Start:best.Span.End])
		}
	}
	t.Logf("found %d; best sentence from the right passage %d; told to be absent wrongly %d, rightly %d of %d", n.found, n.best, n.wrongly, n.rightly, n.absent)
	return n
}

// indexed is a collection of the documents beside the repository.
func indexed(t *testing.T) *documents.Service {
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
	return s
}

// ask searches for the questions of a table of testdata.
func ask(t *testing.T, s *documents.Service, file string) (list []asked) {
	t.Helper()
	for _, row := range rows(t, file) {
		if len(row) == 5 { // without an axis
			row = append([]string{""}, row...)
		}
		q := asked{axis: row[0], question: row[1], file: row[2], phrase: row[3], answer: row[4], wrong: row[5]}
		all := passages(t, s, q.question)
		q.passages = all[:min(read, len(all))]
		q.found = slices.ContainsFunc(q.passages, q.has)
		if !q.found && q.file != "" { // so that its answers can be judged
			others := passages(t, s, q.phrase+" "+q.answer)
			at := slices.IndexFunc(others, q.has)
			if at < 0 {
				t.Fatalf("no passage has %q", q.phrase)
			}
			q.passages[len(q.passages)-1] = others[at]
		}
		list = append(list, q)
	}
	return list
}

// passages are those that a search finds, the best first.
func passages(t *testing.T, s *documents.Service, text string) (list []support.Passage) {
	t.Helper()
	got, err := s.Search(t.Context(), documents.SearchRequest{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	var results []documents.Result
	for _, f := range got.Files {
		results = append(results, f.Passages...)
	}
	slices.SortStableFunc(results, func(a, b documents.Result) int { return cmp.Compare(b.Score, a.Score) })
	for _, r := range results {
		list = append(list, support.Passage{Heading: r.Context, Text: r.Text})
	}
	return list
}

func (q asked) has(p support.Passage) bool {
	return strings.Contains(strings.Join(strings.Fields(p.Text), " "), strings.Join(strings.Fields(q.phrase), " "))
}

func (q asked) holds(passage int) bool { return q.has(q.passages[passage]) }
