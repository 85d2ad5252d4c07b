package pipeline_test

import (
	"math"
	"os"
	"testing"

	"inglenook/pipeline"
)

// A model that reads, its weights quantized while loading, says nearly what it says
// with those of its file: the cosine is that which 8 bits are held to everywhere.
func TestEmbeddingWithQuantizedWeights(t *testing.T) {
	texts := []string{"A cat naps where it is warm.", "Snow fell on the hills.", "The train to the coast leaves at nine, and then again in the afternoon when the tide is low."}
	dir := "../assets/starter"
	for _, c := range []struct {
		weights string
		least   float64
	}{{"q8_0", 0.999}, {"q4_k", 0.9}} {
		plain, held := embedHeld(t, dir, "", texts), embedHeld(t, dir, c.weights, texts)
		for i := range texts {
			if got := cosine(plain[i], held[i]); got < c.least || got == 1 {
				t.Errorf("%s, text %d: the cosine is %.6f", c.weights, i, got)
			}
		}
	}
	if _, err := pipeline.OpenEmbedder(t.Context(), os.DirFS(dir), cpu(t), pipeline.EmbedderOptions{Weights: "q3"}); err == nil {
		t.Error("weights are held as q3")
	}
}

// The published checkpoint, where it is at hand.
func TestMiniLMWithQuantizedWeights(t *testing.T) {
	dir := shared(t, "models/all-MiniLM-L6-v2")
	texts := []string{"A cat naps where it is warm.", "Snow fell on the hills."}
	plain, held := embedHeld(t, dir, "", texts), embedHeld(t, dir, "q8_0", texts)
	for i := range texts {
		if got := cosine(plain[i], held[i]); got < 0.999 {
			t.Errorf("text %d: the cosine is %.6f", i, got)
		}
	}
}

func TestRerankingWithQuantizedWeights(t *testing.T) {
	score := func(weights string) []float32 {
		r, err := pipeline.OpenReranker(t.Context(), os.DirFS("testdata/rerank-bert"), cpu(t), pipeline.RerankerOptions{Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		got, err := r.Score(t.Context(), "where is the harbour", []string{"the harbour lies west of the town", "seven ships"}, pipeline.RerankRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return got.Values
	}
	plain, held := score(""), score("q8_0")
	for i := range plain {
		if d := math.Abs(float64(plain[i] - held[i])); d > 0.02 {
			t.Errorf("document %d scores %v, in 8 bits %v", i, plain[i], held[i])
		}
	}
}

func embedHeld(t *testing.T, dir, weights string, texts []string) [][]float32 {
	t.Helper()
	e, err := pipeline.OpenEmbedder(t.Context(), os.DirFS(dir), cpu(t), pipeline.EmbedderOptions{Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	got, err := vectorsOf(t.Context(), e, texts)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
