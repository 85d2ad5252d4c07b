package cli

import (
	"context"
	"time"

	"inglenook/app/texts"
	"inglenook/plain"
)

func demoCommand() command {
	return command{
		name: "demo", about: "Compare sample sentences: vectors, matrix, nearest neighbours, timings",
		setup: func(f *flags) action {
			f.withModel()
			f.noArgs()
			return func(ctx context.Context, c *call) error { return demo(ctx, c, f.model, f.device) }
		},
	}
}

type demoJSON struct {
	Model   string        `json:"model"`
	Device  string        `json:"device"`
	Texts   []string      `json:"texts"`
	Matrix  [][]float32   `json:"matrix"`
	Nearest []nearestJSON `json:"nearest"`
	Timings timingsJSON   `json:"timings"`
}

type nearestJSON struct {
	Index   int     `json:"index"`
	Nearest int     `json:"nearest"`
	Score   float32 `json:"score"`
}

type timingsJSON struct {
	LoadMS     float64 `json:"load_ms"`
	EmbedMS    float64 `json:"embed_ms"`
	TextsPerS  float64 `json:"texts_per_s"`
	TokensPerS float64 `json:"tokens_per_s"`
}

func demo(ctx context.Context, c *call, model, device string) error {
	got, err := c.Similarity(ctx, texts.SimilarityRequest{Model: model, Device: device, Texts: texts.SampleTexts()}, c.progress)
	if err != nil {
		return err
	}
	c.noteFallbacks(got.Fallbacks, nil) // the notices are in the note
	c.note(got.Note)
	out := demoJSON{
		Model: got.Model.ID, Device: got.Device, Texts: got.Texts, Matrix: got.Matrix,
		Timings: timingsJSON{milliseconds(got.Load), milliseconds(got.Took), got.TextsPerS, got.TokensPerS},
	}
	for i := range got.Texts {
		for _, n := range got.Nearest(i, 1) {
			out.Nearest = append(out.Nearest, nearestJSON{i, n.Index, n.Score})
		}
	}
	if c.json {
		return c.printJSON(out)
	}
	c.printf("How alike are these sentences? %s compares the meaning of each with each.\n\n", got.Model.Name)
	c.printMatrix(got)
	c.printf("\nThe nearest to each\n")
	for _, n := range out.Nearest {
		c.printf("%4d → %-2d  %.2f  %s → %s\n", n.Index+1, n.Nearest+1, n.Score, plain.Line(got.Texts[n.Index], 44), plain.Line(got.Texts[n.Nearest], 44))
	}
	c.printf("\nOpened in %s, embedded in %s on %s: %s texts/s, %s tokens/s\n",
		got.Load.Round(time.Millisecond), got.Took.Round(100*time.Microsecond), got.Device, speed(got.TextsPerS), speed(got.TokensPerS))
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
