package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/pipeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ragged returns n texts of very different lengths.
func ragged(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.Repeat("the cat sleeps ", i%9) + fmt.Sprintf("on stone %d", i)
	}
	return texts
}

// TestBatchEqualsAlone also with the smallest budget and with other thread counts.
func TestBatchEqualsAlone(t *testing.T) {
	texts := ragged(33)
	want, err := vectorsOf(context.Background(), openEmbedder(t, "testdata/mean-normalize", pipeline.EmbedderOptions{}), texts)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 3} {
		b, err := cpubackend.New(cpubackend.Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		e, err := pipeline.OpenEmbedder(context.Background(), load(t, "mean-normalize"), []engine.Backend{b}, pipeline.EmbedderOptions{BatchTokens: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		got, err := vectorsOf(context.Background(), e, texts)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			near(t, fmt.Sprintf("%d threads, %q", threads, texts[i]), got[i], want[i], 1e-4)
		}
	}
}

func TestEmbedderOptions(t *testing.T) {
	ctx, text := context.Background(), []string{"the fire burns"}
	unit := func(o pipeline.EmbedderOptions, dir string) float64 {
		v, err := vectorsOf(ctx, openEmbedder(t, "testdata/"+dir, o), text)
		if err != nil {
			t.Fatal(err)
		}
		var s float64
		for _, x := range v[0] {
			s += float64(x) * float64(x)
		}
		return s
	}
	if s := unit(pipeline.EmbedderOptions{}, "mean-normalize"); s < 0.999 || s > 1.001 {
		t.Errorf("normalized: squared length %v", s)
	}
	if s := unit(pipeline.EmbedderOptions{NoNormalize: true}, "mean-normalize"); s > 0.99 && s < 1.01 {
		t.Errorf("not normalized: squared length %v", s)
	}
	e := openEmbedder(t, "testdata/mean-normalize", pipeline.EmbedderOptions{Pooling: []string{"cls", "max"}, MaxLength: 5})
	if i := e.Info(); i.Dimension != 64 || i.MaxLength != 5 || !slices.Equal(i.Pooling, []string{"cls", "max"}) {
		t.Errorf("info: %+v", i)
	}
	r, err := e.Embed(ctx, []string{"the cat sleeps on the warm stone", "tea"}, pipeline.EmbedRequest{})
	if err != nil || r.Tokens[0] != 5 || !r.Truncated[0] || r.Truncated[1] || len(r.Vectors[0]) != 64 || r.Device != "cpu" {
		t.Errorf("cut at 5 tokens: %+v, %v", r, err)
	}
	for _, bad := range []pipeline.EmbedderOptions{{Pooling: []string{"median"}}, {Pooling: []string{"pooler", "mean"}}} {
		if _, err := pipeline.OpenEmbedder(ctx, load(t, "mean-normalize"), cpu(t), bad); err == nil {
			t.Errorf("%v: accepted", bad.Pooling)
		}
	}
	if _, err := pipeline.OpenEmbedder(ctx, load(t, "dense-tanh"), cpu(t), pipeline.EmbedderOptions{Pooling: []string{"cls", "max"}}); err == nil {
		t.Error("a dense layer takes vectors of twice its width")
	}
}

// TestPoolingNotStated: a checkpoint that does not say how to pool is labelled.
func TestPoolingNotStated(t *testing.T) {
	m := load(t, "mean-normalize")
	for name := range m {
		if name == "modules.json" || strings.HasPrefix(name, "1_Pooling") {
			delete(m, name)
		}
	}
	e, err := pipeline.OpenEmbedder(context.Background(), m, cpu(t), pipeline.EmbedderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if i := e.Info(); i.PoolingStated || !slices.Equal(i.Pooling, []string{"mean"}) {
		t.Errorf("info: %+v", i)
	}
	if d, err := pipeline.Describe(m, ""); err != nil || d.Kind != "encoder" || !d.Supported {
		t.Errorf("described as %+v, %v", d, err)
	}
}

func TestDescribe(t *testing.T) {
	for dir, kind := range map[string]string{"dense-tanh": "embedding", "rerank-roberta": "reranker"} {
		d, err := pipeline.Describe(load(t, dir), "")
		if err != nil || !d.Supported || d.Kind != kind || d.DType != "F32" || d.Parameters == 0 || d.WeightBytes < 4*d.Parameters {
			t.Errorf("%s: %+v, %v", dir, d, err)
		}
		if dir == "dense-tanh" && d.Dimension != 24 {
			t.Errorf("the dense layer's width is not seen: %+v", d)
		}
	}
}

// TestTransformerFolder: old checkpoints have the transformer in its own folder. A
// checkpoint that opens is also described as usable.
func TestTransformerFolder(t *testing.T) {
	m := load(t, "cls")
	want, err := vectorsOf(context.Background(), openEmbedder(t, "testdata/cls", pipeline.EmbedderOptions{}), []string{"tea"})
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range maps.Clone(m) {
		if name != "modules.json" && !strings.HasPrefix(name, "1_Pooling/") {
			delete(m, name)
			m["0_Transformer/"+name] = file
		}
	}
	put(m, "modules.json", `[{"path":"0_Transformer","type":"a.Transformer"},{"path":"1_Pooling","type":"a.Pooling"}]`)
	if d, err := pipeline.Describe(m, ""); err != nil || !d.Supported || d.Kind != "embedding" {
		t.Errorf("described as %+v, %v", d, err)
	}
	e, err := pipeline.OpenEmbedder(context.Background(), m, cpu(t), pipeline.EmbedderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	got, err := vectorsOf(context.Background(), e, []string{"tea"})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "in a folder of its own", got[0], want[0], 1e-6)
}

func TestPrompts(t *testing.T) {
	ctx, e := context.Background(), openEmbedder(t, "testdata/prompts", pipeline.EmbedderOptions{})
	embed := func(text string, r pipeline.EmbedRequest) []float32 {
		t.Helper()
		out, err := e.Embed(ctx, []string{text}, r)
		if err != nil {
			t.Fatal(err)
		}
		return out.Vectors[0]
	}
	near(t, "by name", embed("tea", pipeline.EmbedRequest{PromptName: "document"}), embed("tea", pipeline.EmbedRequest{Prompt: "passage: "}), 1e-6)
	near(t, "none", embed("tea", pipeline.EmbedRequest{NoPrompt: true, PromptName: "query"}), embed("tea", pipeline.EmbedRequest{NoPrompt: true}), 1e-6)
	if slices.Equal(embed("tea", pipeline.EmbedRequest{}), embed("tea", pipeline.EmbedRequest{NoPrompt: true})) {
		t.Error("the default prompt cannot be switched off")
	}
	if d, err := pipeline.Describe(load(t, "prompts"), ""); err != nil || d.DefaultPrompt != "query" || d.Prompts["document"] != "passage: " {
		t.Errorf("described as %+v, %v", d, err)
	}
	if slices.Equal(embed("tea", pipeline.EmbedRequest{}), embed("tea", pipeline.EmbedRequest{PromptName: "document"})) {
		t.Error("the default prompt does nothing")
	}
	if _, err := e.Embed(ctx, []string{"tea"}, pipeline.EmbedRequest{PromptName: "answer"}); err == nil || !strings.Contains(err.Error(), "document, query") {
		t.Errorf("an unknown prompt: %v", err)
	}
}

func TestNotes(t *testing.T) {
	r, err := openEmbedder(t, "testdata/cls", pipeline.EmbedderOptions{}).Embed(context.Background(), []string{"tea", "", "a\xffb"}, pipeline.EmbedRequest{})
	if err != nil || len(r.Notes) != 2 || !strings.Contains(r.Notes[0], "text 2 is empty") || !strings.Contains(r.Notes[1], "text 3 is not valid UTF-8") {
		t.Errorf("%q, %v", r.Notes, err)
	}
}

// TestLongDocuments: the sentence that answers is found anywhere in a document of many
// windows, and a long query leaves room for the document.
func TestLongDocuments(t *testing.T) {
	r, err := pipeline.OpenReranker(context.Background(), load(t, "rerank-bert"), cpu(t), pipeline.RerankerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	long := strings.Repeat("snow falls outside ", 60)
	s, err := r.Score(context.Background(), "who lit the lamp ?", []string{"tea", long, long + "the lamp is lit " + long}, pipeline.RerankRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Windows[0] != 1 || s.Windows[1] < 4 || s.Windows[2] <= s.Windows[1] {
		t.Errorf("windows: %v", s.Windows)
	}
	s, err = r.Score(context.Background(), long, []string{long}, pipeline.RerankRequest{})
	if err != nil || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "query is long") {
		t.Errorf("a long query: %q, %v", s.Notes, err)
	}
}

// TestCosineReranker: a checkpoint without a head scores by its embeddings.
func TestCosineReranker(t *testing.T) {
	r, err := pipeline.OpenReranker(context.Background(), load(t, "mean-normalize"), cpu(t), pipeline.RerankerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, err := r.Score(context.Background(), "the warm stone", []string{"snow ?", "the warm stone"}, pipeline.RerankRequest{})
	if err != nil || s.Method != pipeline.Cosine || s.Values[1] < 0.9999 || s.Values[0] >= s.Values[1] {
		t.Errorf("%+v, %v", s, err)
	}
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "compares vectors") {
		t.Errorf("nobody is told: %q", s.Notes)
	}
	beside, err := r.Score(context.Background(), "the warm stone", []string{"snow ?", "the warm stone", " "}, pipeline.RerankRequest{Beside: []string{"snow ?", "the warm stone", "the river"}})
	if err != nil || len(beside.Beside) != 3 || beside.Beside[0] < 0.9999 || beside.Beside[1] < 0.9999 || beside.Beside[2] > 0.9999 || !slices.Equal(beside.Values[:2], s.Values) {
		t.Errorf("beside other questions: %+v, %v", beside, err)
	}
}

// TestCancel ends a long job early, and the embedder goes on afterwards.
func TestCancel(t *testing.T) {
	e := openEmbedder(t, "../assets/starter", pipeline.EmbedderOptions{})
	texts := make([]string, 4000)
	for i := range texts {
		texts[i] = strings.Repeat("the fire burns in the hearth and the cat sleeps ", 20)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var stopped time.Time
	_, err := e.Embed(ctx, texts, pipeline.EmbedRequest{Progress: func(done, _ int) {
		if done == 1 {
			stopped = time.Now()
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the error is %v", err)
	}
	if late := time.Since(stopped); late > 20*time.Second { // 200 ms on an idle machine; the whole job would take minutes
		t.Errorf("stopped %v after the cancel", late)
	}
	if _, err := vectorsOf(context.Background(), e, texts[:1]); err != nil {
		t.Errorf("after a cancel: %v", err)
	}
}

// TestConcurrent embeds from many goroutines at once.
func TestConcurrent(t *testing.T) {
	e := openEmbedder(t, "testdata/mean-normalize", pipeline.EmbedderOptions{})
	texts := ragged(20)
	want, err := vectorsOf(context.Background(), e, texts)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := vectorsOf(context.Background(), e, texts)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range got {
				if !slices.Equal(got[i], want[i]) {
					t.Errorf("text %d differs between runs", i)
				}
			}
		})
	}
	wg.Wait()
}
