package pipeline_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"inglenook/pipeline"
	"inglenook/vecmath"
)

// TestSigLIP goes from texts and the files of pictures to how probably they belong together, as the
// reference library does with its own tokenizers: SentencePiece, and Gemma's kind.
func TestSigLIP(t *testing.T) {
	for _, name := range []string{"siglip", "siglip2"} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join("testdata", name)
			var want struct {
				Texts, Pictures []string
				TextVectors     [][]float32 `json:"text_vectors"`
				PictureVectors  [][]float32 `json:"picture_vectors"`
				Probabilities   [][]float64 // [pictures][texts]
			}
			readJSON(t, filepath.Join(folder, "answers.json"), &want)
			v, err := pipeline.OpenViewer(t.Context(), os.DirFS(folder), cpu(t), pipeline.ViewerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			seen, err := v.Embed(t.Context(), len(want.Pictures), func(_ context.Context, i int) ([]byte, error) {
				return os.ReadFile(filepath.Join("pictures/testdata", want.Pictures[i]))
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			e, err := pipeline.OpenEmbedder(t.Context(), os.DirFS(folder), cpu(t), pipeline.EmbedderOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			read, err := e.Embed(t.Context(), want.Texts, pipeline.EmbedRequest{})
			if err != nil {
				t.Fatal(err)
			}
			for i, vector := range want.TextVectors {
				if c := vecmath.Cosine(read.Vectors[i], vector); c < 0.9999 {
					t.Errorf("text %q: cosine %.6f", want.Texts[i], c)
				}
			}
			for i, vector := range want.PictureVectors {
				if c := vecmath.Cosine(seen.Vectors[i], vector); c < 0.9999 {
					t.Errorf("picture %s: cosine %.6f", want.Pictures[i], c)
				}
				for k, p := range want.Probabilities[i] {
					got := 1 / (1 + math.Exp(-(seen.Match.Scale*vecmath.Cosine(seen.Vectors[i], read.Vectors[k]) + seen.Match.Bias)))
					if math.Abs(got-p) > 1e-2 { // a level of 255 here and there, see pictures.TestSquares
						t.Errorf("picture %s and text %q belong together with %.4f instead of %.4f", want.Pictures[i], want.Texts[k], got, p)
					}
				}
			}
		})
	}
}
