package support_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/cpubackend"
	"inglenook/documents/support"
	"inglenook/engine"
	"inglenook/pipeline"
)

// starter is the bundled embedder.
func starter(t testing.TB) support.Vectors {
	t.Helper()
	b, err := cpubackend.New(cpubackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	e, err := pipeline.OpenEmbedder(context.Background(), os.DirFS("../../assets/starter"), []engine.Backend{b}, pipeline.EmbedderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	known := map[string][]float32{} // the same passages come again with each answer
	return func(ctx context.Context, texts []string) (vectors [][]float32, _ error) {
		var fresh []string
		for _, text := range texts {
			if known[text] == nil {
				fresh = append(fresh, text)
			}
		}
		if len(fresh) > 0 {
			got, err := e.Embed(ctx, fresh, pipeline.EmbedRequest{})
			if err != nil {
				return nil, err
			}
			for i, v := range got.Vectors {
				known[fresh[i]] = v
			}
		}
		for _, text := range texts {
			vectors = append(vectors, known[text])
		}
		return vectors, nil
	}
}

// rows reads a table of testdata, without its header.
func rows(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	all, err := r.ReadAll()
	if err != nil || len(all) < 2 {
		t.Fatalf("%s: %d rows, %v", name, len(all), err)
	}
	return all[1:]
}

// madePassages are the passages of a folder of testdata, in the order of their names.
func madePassages(t testing.TB, folder string) (names []string, passages []support.Passage) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no passages: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		above, text, _ := strings.Cut(string(data), "\n\n")
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".txt"))
		passages = append(passages, support.Passage{Heading: above, Text: text})
	}
	return names, passages
}

// A tally counts right and wrong judgements.
type tally struct{ supported, marked, cited, planted, caught int }

// TestPlanted judges answers to questions about made passages: copied, paraphrased, and
// wrong in one thing. docs/QUALITY.md says which tables were in sight when the rules were made.
func TestPlanted(t *testing.T) {
	m := starter(t)
	t.Run("planted", func(t *testing.T) { judgeAll(t, "passages", "planted.tsv", m).check(t, 0.8, 0.1) })
	t.Run("fresh", func(t *testing.T) { judgeAll(t, "passages", "fresh.tsv", m).check(t, 0.8, 0.1) })
	t.Run("leaflets", func(t *testing.T) { judgeAll(t, "leaflets", "leaflets.tsv", m).check(t, 0.8, 0.1) })
	t.Run("letters", func(t *testing.T) { judgeAll(t, "letters", "letters.tsv", m).check(t, 0.8, 0.1) })
	t.Run("words alone", func(t *testing.T) { judgeAll(t, "passages", "planted.tsv", nil).check(t, 0.8, 0.15) })
}

// judgeAll judges the answers of a table of testdata about all passages of a folder.
func judgeAll(t *testing.T, folder, file string, m support.Meaning) (n tally) {
	t.Helper()
	names, passages := madePassages(t, folder)
	for _, row := range rows(t, file) {
		axis, question, answer, from := row[0], row[1], row[2], row[3]
		claims, err := support.Judge(t.Context(), question, answer, passages, m)
		if err != nil || len(claims) == 0 {
			t.Fatalf("%s: %v, error %v", answer, claims, err)
		}
		bad := firstUnsupported(claims)
		if from == "" {
			n.planted++
		} else {
			n.supported++
		}
		switch {
		case from == "" && bad != nil:
			n.caught++
		case from == "":
			t.Logf("%s: not marked: %s (by %q, %.2f)", axis, answer, text(passages, claims[0]), claims[0].Score)
		case bad != nil:
			n.marked++
			t.Logf("%s: marked: %s (%s, %.2f)", axis, answer, bad.Why, bad.Score)
		case names[claims[0].Passage] == from:
			n.cited++
		default:
			t.Logf("%s: %s is cited from %s", axis, answer, names[claims[0].Passage])
		}
	}
	return n
}

// check compares a tally with what is wanted: the least share of planted answers that are
// marked, and the most of supported ones. Nine of ten citations have to be right.
func (n tally) check(t *testing.T, caught, marked float64) {
	t.Helper()
	t.Logf("of %d supported %d are marked and %d cited right, of %d planted %d are marked", n.supported, n.marked, n.cited, n.planted, n.caught)
	if float64(n.caught) < caught*float64(n.planted) || float64(n.marked) > marked*float64(n.supported) || 10*n.cited < 9*(n.supported-n.marked) {
		t.Error("that is below what is wanted")
	}
}

func firstUnsupported(claims []support.Claim) *support.Claim {
	for i, c := range claims {
		if !c.Supported() {
			return &claims[i]
		}
	}
	return nil
}

func text(passages []support.Passage, c support.Claim) string {
	return passages[c.Passage].Text[c.Best.Start:c.Best.End]
}
