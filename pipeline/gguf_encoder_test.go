package pipeline_test

import (
	"context"
	"math"
	"os"
	"slices"
	"testing"

	"inglenook/pipeline"
)

// TestEmbeddersOfGGUF compares files of llama.cpp's converter, which state tokens and
// pooling in their metadata, with the checkpoints that they were made of.
func TestEmbeddersOfGGUF(t *testing.T) {
	texts := []string{"The fire burns in the hearth.", "snow falls outside", "tea", "Zebras and quartz? [MASK] naïve"}
	for name, pooling := range map[string]string{"cls": "cls", "mean-normalize": "mean"} {
		t.Run(name, func(t *testing.T) {
			e := openEmbedder(t, "testdata/gguf-"+name, pipeline.EmbedderOptions{})
			if i := e.Info(); !i.PoolingStated || !i.Normalize || !slices.Equal(i.Pooling, []string{pooling}) {
				t.Errorf("pools by %q (stated %v, normalized %v)", i.Pooling, i.PoolingStated, i.Normalize)
			}
			got, err := vectorsOf(context.Background(), e, texts)
			if err != nil {
				t.Fatal(err)
			}
			want, err := vectorsOf(context.Background(), openEmbedder(t, "testdata/"+name, pipeline.EmbedderOptions{}), texts)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				near(t, texts[i], got[i], unit(want[i]), 1e-6)
			}
		})
	}
}

// unit returns a vector with the length 1.
func unit(v []float32) []float32 {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / math.Sqrt(square))
	}
	return out
}

// TestRerankerOfGGUF: a file whose tensors are a head for labels scores as the
// reference library does.
func TestRerankerOfGGUF(t *testing.T) {
	var want struct {
		Query     string
		Documents []string
		Scores    []float32
	}
	readJSON(t, "testdata/gguf-rerank-roberta/expected.json", &want)
	r, err := pipeline.OpenReranker(context.Background(), os.DirFS("testdata/gguf-rerank-roberta"), cpu(t), pipeline.RerankerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if m := r.Info().Method; m != pipeline.CrossEncoder {
		t.Errorf("scores by %s", m)
	}
	got, err := valuesOf(context.Background(), r, want.Query, want.Documents)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "scores", got, want.Scores, 1e-5)
	d, err := pipeline.Describe(os.DirFS("testdata/gguf-rerank-roberta"), "")
	if err != nil || d.Kind != "reranker" || d.Format != "gguf" || !d.Supported {
		t.Errorf("described as %+v, %v", d, err)
	}
	x, err := pipeline.OpenOutline(os.DirFS("testdata/gguf-rerank-roberta"), pipeline.OutlineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for _, u := range x.Uses {
		if u.Works != (u.Name != "chat") {
			t.Errorf("%s: %v (%s)", u.Name, u.Works, u.Reason)
		}
	}
}
