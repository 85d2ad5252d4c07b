package cli

import (
	"context"

	"inglenook/app/texts"
	"inglenook/plain"
)

func similarityCommand() command {
	return command{
		name: "similarity", args: "TEXT TEXT…", about: "Compare each text with each: the cosine matrix",
		setup: func(f *flags) action {
			var r texts.SimilarityRequest
			f.withModel()
			f.withTask(&r.Task)
			return func(ctx context.Context, c *call) error {
				r.Model, r.Device = f.model, f.device
				return similarity(ctx, c, r)
			}
		},
	}
}

type similarityJSON struct {
	Texts  []string    `json:"texts"`
	Matrix [][]float32 `json:"matrix"`

	Device    string         `json:"device"`
	Fallbacks []fallbackJSON `json:"fallbacks"`
}

func similarity(ctx context.Context, c *call, r texts.SimilarityRequest) (err error) {
	if r.Texts, err = c.texts(); err != nil {
		return err
	}
	if len(r.Texts) < 2 {
		return WrongUsage("there is nothing to compare; give at least two texts")
	}
	got, err := c.Similarity(ctx, r, c.progress)
	if err != nil {
		return err
	}
	c.noteFallbacks(got.Fallbacks, nil) // the notices are in the note
	c.note(got.Note)
	if c.json {
		return c.printJSON(similarityJSON{got.Texts, got.Matrix, got.Device, fallbacksJSON(got.Fallbacks, got.Notices)})
	}
	c.printMatrix(got)
	return nil
}

// printMatrix draws the matrix with a number a text, its shades beside it.
func (c *call) printMatrix(r texts.SimilarityResult) {
	c.printf("    ")
	for i := range r.Texts {
		c.printf("%6d", i+1)
	}
	c.printf("\n")
	for i, row := range r.Matrix {
		c.printf("%4d", i+1)
		for _, v := range row {
			c.printf("%6.2f", v)
		}
		c.printf("  ")
		for _, v := range row {
			c.printf("%s", shade(v))
		}
		c.printf("  %s\n", plain.Line(r.Texts[i], 60))
	}
}

// shade draws a cosine from 0 to 1 as two characters of grey.
func shade(v float32) string {
	steps := []string{"  ", "░░", "▒▒", "▓▓", "██"}
	return steps[max(0, min(len(steps)-1, int(v*float32(len(steps)))))]
}
