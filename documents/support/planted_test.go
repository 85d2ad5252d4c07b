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

// madePassages are the passages of testdata, in the order of their names.
func madePassages(t testing.TB) (names []string, passages []support.Passage) {
	t.Helper()
	files, err := filepath.Glob("testdata/passages/*.txt")
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
// wrong in one thing. The thresholds were chosen on the rows of even number.
func TestPlanted(t *testing.T) {
	names, passages := madePassages(t)
	for name, m := range map[string]support.Meaning{"starter-embed": starter(t), "words": nil} {
		t.Run(name, func(t *testing.T) {
			var halves [2]tally
			for i, row := range rows(t, "planted.tsv") {
				axis, question, answer, from := row[0], row[1], row[2], row[3]
				claims, err := support.Judge(t.Context(), question, answer, passages, m)
				if err != nil || len(claims) == 0 {
					t.Fatalf("%s: %v, error %v", answer, claims, err)
				}
				n := &halves[i%2]
				bad := firstUnsupported(claims)
				switch {
				case from == "" && bad != nil:
					n.planted++
					n.caught++
				case from == "":
					n.planted++
					t.Logf("%d %s: not marked: %s (by %q, %.2f)", i, axis, answer, text(passages, claims[0]), claims[0].Score)
				case bad != nil:
					n.supported++
					n.marked++
					t.Logf("%d %s: marked: %s (%s, %.2f)", i, axis, answer, bad.Why, bad.Score)
				default:
					n.supported++
					if names[claims[0].Passage] == from {
						n.cited++
					} else {
						t.Logf("%d %s: %s is cited from %s", i, axis, answer, names[claims[0].Passage])
					}
				}
			}
			for i, n := range halves {
				t.Logf("half %d: of %d supported %d are marked and %d cited right, of %d planted %d are marked", i, n.supported, n.marked, n.cited, n.planted, n.caught)
				if m != nil && (10*n.marked > n.supported || 10*n.caught < 8*n.planted || 10*n.cited < 9*(n.supported-n.marked)) {
					t.Errorf("half %d is below the bars", i)
				}
			}
		})
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
