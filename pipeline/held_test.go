package pipeline_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/vecmath"
)

// Weights quantized while loading change an embedding little. In 8 bits its cosine with
// the embedding of the original weights is at least 0.999, on every instruction set.
// Short texts are included, where no mean over many tokens hides the error of one.
func TestEmbeddingWithQuantizedWeights(t *testing.T) {
	for _, m := range []struct {
		dir   string
		least map[string]float64
	}{
		{"../assets/starter", map[string]float64{"q8_0": 0.999, "q4_k": 0.9}},
		{"../../shared/models/all-MiniLM-L6-v2", map[string]float64{"q8_0": 0.999}},
	} {
		if _, err := os.Stat(m.dir); err != nil {
			t.Logf("no %s here", m.dir)
			continue
		}
		for _, isa := range cpubackend.ISAs() {
			plain := embedHeld(t, m.dir, isa, "", heldTexts)
			for weights, least := range m.least {
				held := embedHeld(t, m.dir, isa, weights, heldTexts)
				for i, text := range heldTexts {
					if got := vecmath.Cosine(plain[i], held[i]); got < least || got == 1 {
						t.Errorf("%s on %s in %s: the cosine of %q is %.6f", m.dir, isa, weights, text, got)
					}
				}
			}
		}
	}
	if _, err := pipeline.OpenEmbedder(t.Context(), os.DirFS("../assets/starter"), cpu(t), pipeline.EmbedderOptions{Weights: "q3"}); err == nil {
		t.Error("weights are held as q3")
	}
}

// heldTexts are short texts, and two of more than a sentence.
var heldTexts = []string{
	"A cat naps where it is warm.",
	"Snow fell on the hills.",
	"hello",
	"Berlin",
	"Yes.",
	"How do I reset my password?",
	"The cat is asleep on the warm windowsill.",
	"A kitten dozes in the sunlight by the window.",
	"Our dog barks whenever somebody rings the bell.",
	"The train to the coast leaves at half past seven.",
	"What time does the morning service to the seaside depart?",
	"Boil the potatoes in salted water until they are soft.",
	"Cook the pasta for ten minutes, then drain it.",
	"The central bank raised interest rates by a quarter point.",
	"Borrowing money has become more expensive this month.",
	"A comet crossed the sky shortly before dawn.",
	"x",
	"2026-03-14",
	"window bell cat warm the",
	"def add(a, b): return a + b",
	"The train to the coast leaves at nine, and then again in the afternoon when the tide is low.",
	strings.Repeat("The harbour lies west of the town, and seven ships wait there for the tide. ", 4),
	strings.Repeat("money rates soft water bell window train dawn comet kitten dog ", 12),
	"comet the windowsill. by somebody the what the salted the",
	"to seven. to in cook drain rates has comet the windowsill. by somebody the",
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

func embedHeld(t *testing.T, dir, isa, weights string, texts []string) [][]float32 {
	t.Helper()
	b, err := cpubackend.New(cpubackend.Options{ISA: isa})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	e, err := pipeline.OpenEmbedder(t.Context(), os.DirFS(dir), []engine.Backend{b}, pipeline.EmbedderOptions{Weights: weights})
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
