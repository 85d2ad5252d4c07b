package pipeline_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/vecmath"
)

// cpu is one backend for all tests of a function.
func cpu(t testing.TB) []engine.Backend {
	t.Helper()
	b, err := cpubackend.New(cpubackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return []engine.Backend{b}
}

func readJSON(t testing.TB, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

// vectorsOf embeds texts as the checkpoint says.
func vectorsOf(ctx context.Context, e pipeline.Embedder, texts []string) ([][]float32, error) {
	got, err := e.Embed(ctx, texts, pipeline.EmbedRequest{})
	return got.Vectors, err
}

// valuesOf scores documents without asking how.
func valuesOf(ctx context.Context, r pipeline.Reranker, query string, documents []string) ([]float32, error) {
	got, err := r.Score(ctx, query, documents, pipeline.RerankRequest{})
	return got.Values, err
}

func openEmbedder(t testing.TB, dir string, o pipeline.EmbedderOptions) pipeline.Embedder {
	t.Helper()
	e, err := pipeline.OpenEmbedder(context.Background(), os.DirFS(dir), cpu(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// TestEmbedders compares every module list under testdata with the vectors of
// sentence-transformers: pooling modes alone and together, dense layers, layer norm,
// prompts, limits.
func TestEmbedders(t *testing.T) {
	files, _ := filepath.Glob("testdata/*/expected.json")
	tried := 0
	for _, f := range files {
		var want struct {
			Texts   []string    `json:"texts"`
			Vectors [][]float32 `json:"vectors"`
		}
		if readJSON(t, f, &want); len(want.Vectors) == 0 {
			continue
		}
		tried++
		dir := filepath.Dir(f)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e := openEmbedder(t, dir, pipeline.EmbedderOptions{})
			if !e.Info().PoolingStated {
				t.Error("the pooling is stated but not seen")
			}
			got, err := vectorsOf(context.Background(), e, want.Texts)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				near(t, want.Texts[i], got[i], want.Vectors[i], 1e-4)
			}
		})
	}
	if tried < 8 {
		t.Errorf("only %d embedders under testdata", tried)
	}
}

// TestRerankers does the same for cross-encoders, whose activation can be in three
// different files.
func TestRerankers(t *testing.T) {
	files, _ := filepath.Glob("testdata/rerank-*/expected.json")
	for _, f := range files {
		dir := filepath.Dir(f)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var want struct {
				Query     string    `json:"query"`
				Documents []string  `json:"documents"`
				Scores    []float32 `json:"scores"`
			}
			readJSON(t, f, &want)
			r, err := pipeline.OpenReranker(context.Background(), os.DirFS(dir), cpu(t), pipeline.RerankerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if r.Info().Method != pipeline.CrossEncoder {
				t.Errorf("the method is %q", r.Info().Method)
			}
			got, err := valuesOf(context.Background(), r, want.Query, want.Documents)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "scores", got, want.Scores, 1e-4)
		})
	}
	if len(files) < 3 {
		t.Errorf("only %d rerankers under testdata", len(files))
	}
}

// TestTypedControlTokens: rerankers treat a typed control token as a control token, like
// the reference library, whose CrossEncoder computed the scores of typed.json.
// TestVariants shows the same for embedders.
func TestTypedControlTokens(t *testing.T) {
	var cases map[string][]struct {
		Query     string    `json:"query"`
		Documents []string  `json:"documents"`
		Scores    []float32 `json:"scores"`
	}
	readJSON(t, "testdata/typed.json", &cases)
	for dir, all := range cases {
		r, err := pipeline.OpenReranker(context.Background(), os.DirFS("testdata/"+dir), cpu(t), pipeline.RerankerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for _, c := range all {
			got, err := valuesOf(context.Background(), r, c.Query, c.Documents)
			if err != nil {
				t.Fatal(err)
			}
			near(t, dir+", "+c.Query, got, c.Scores, 1e-4)
		}
	}
	if len(cases) < 2 {
		t.Errorf("only %d rerankers", len(cases))
	}
}

// golden is a list of texts with their token ids and vectors.
type golden struct {
	Items []goldenItem `json:"items"`
	Cases []goldenItem `json:"cases"`
}

type goldenItem struct {
	Text      string    `json:"text"`
	IDs       []int32   `json:"ids"`
	Embedding []float32 `json:"embedding"`
}

// checkGolden compares the vectors of all texts at once and of each alone.
func checkGolden(t *testing.T, dir, file string) {
	var g golden
	readJSON(t, file, &g)
	items := append(g.Items, g.Cases...)
	if len(items) == 0 {
		t.Fatalf("%s holds no items", file)
	}
	e := openEmbedder(t, dir, pipeline.EmbedderOptions{})
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = item.Text
	}
	got, err := e.Embed(context.Background(), texts, pipeline.EmbedRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for i, item := range items {
		if len(item.IDs) > 0 && got.Tokens[i] != len(item.IDs) {
			t.Errorf("%.40q: %d tokens, want %d", item.Text, got.Tokens[i], len(item.IDs))
		}
		if c := vecmath.Cosine(got.Vectors[i], item.Embedding); !(c >= 0.9999) {
			t.Errorf("%.40q: cosine %.6f to the reference", item.Text, c)
		}
		alone, err := vectorsOf(context.Background(), e, texts[i:i+1])
		if err != nil {
			t.Fatal(err)
		}
		near(t, "alone and in a batch: "+item.Text, got.Vectors[i], alone[0], 1e-4)
	}
}

func TestStarterGolden(t *testing.T) {
	checkGolden(t, "../assets/starter", "testdata/starter-golden.json")
}

func TestMiniLMGolden(t *testing.T) {
	checkGolden(t, shared(t, "models/all-MiniLM-L6-v2"), shared(t, "golden/minilm-embeddings.json"))
}

// shared finds real data beside the repository, or skips the test.
func shared(t testing.TB, name string) string {
	t.Helper()
	p := filepath.Join("..", "..", "shared", name)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("%s is not on this machine: nothing is tested with it", name)
	}
	return p
}

// near checks that max|a-b| / RMS(b) is within a tolerance.
func near(t *testing.T, what string, a, b []float32, tolerance float64) {
	t.Helper()
	if len(a) != len(b) || len(b) == 0 {
		t.Errorf("%.60s: %d values, want %d", what, len(a), len(b))
		return
	}
	var worst, square float64
	for i := range b {
		worst = max(worst, math.Abs(float64(a[i])-float64(b[i])))
		square += float64(b[i]) * float64(b[i])
	}
	if d := worst / math.Sqrt(square/float64(len(b))); !(d <= tolerance) {
		t.Errorf("%.60s: differs by %.2g", what, d)
	}
}
