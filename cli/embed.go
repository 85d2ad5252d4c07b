package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app/texts"
)

// poolings are the values of --pooling.
var poolings = []string{"cls", "mean", "max", "last", "mean_sqrt_len", "weighted_mean", "pooler"}

// typedNote is about control tokens in texts, of which embed and rerank make numbers.
const typedNote = "A control token in a text, such as [SEP], is read as one, as the reference libraries do, so that numbers can be compared."

func embedCommand() command {
	return command{
		name: "embed", args: "[TEXT…]", about: "Turn texts (arguments, or a line each on standard input) or pictures into vectors",
		notes: "A text that is too long for the model is cut there, and the result says so. Pictures need a model that reads them, such as CLIP; their\n" +
			"vectors can be compared with those that it makes of texts.\n" + typedNote,
		setup: func(f *flags) action {
			var r texts.EmbedRequest
			var pooling string
			f.withModel()
			f.withTask(&r.Task)
			f.StringVar(&r.Prefix, "prefix", "", "`TEXT` to put before each text")
			f.oneOf(&pooling, "pooling", "", poolings, "make one vector of the tokens by `MODE` instead of the model's own way")
			f.BoolVar(&r.NoNormalize, "no-normalize", false, "leave out the final scaling to length 1")
			f.IntVar(&r.BatchTokens, "batch-tokens", 0, "`N` tokens in one forward pass; 0: as the program likes")
			f.Func("image", "read the picture `FILE` (PNG or JPEG) instead of texts; may be given several times", func(path string) error {
				r.Pictures = append(r.Pictures, path)
				return nil
			})
			f.withWeights(&r.Weights)
			stats := f.Bool("stats", false, "add a last line with counts and speed")
			f.require(func(args []string) error {
				if len(r.Pictures) > 0 && (len(args) > 0 || pooling != "" || r.Prefix != "" || r.Task != "") {
					return errors.New("--image goes neither with texts nor with what is done to them; give pictures alone")
				}
				if r.BatchTokens < 0 || r.BatchTokens > 1<<20 {
					return fmt.Errorf("--batch-tokens is %d; give a number from 1 to %d", r.BatchTokens, 1<<20)
				}
				return nil
			})
			return func(ctx context.Context, c *call) error {
				r.Model, r.Device = f.model, f.device
				if pooling != "" {
					r.Pooling = []string{pooling}
				}
				return embed(ctx, c, r, *stats)
			}
		},
	}
}

type embeddingJSON struct {
	Index     int       `json:"index"`
	Embedding []float32 `json:"embedding"`
	Tokens    int       `json:"tokens"`
	Truncated bool      `json:"truncated,omitempty"`
}

type embedStatsJSON struct {
	Texts      int     `json:"texts"`
	Tokens     int     `json:"tokens"`
	Seconds    float64 `json:"seconds"`
	TextsPerS  float64 `json:"texts_per_s"`
	TokensPerS float64 `json:"tokens_per_s"`
	Device     string  `json:"device"`

	Fallbacks []fallbackJSON `json:"fallbacks"`
}

func embed(ctx context.Context, c *call, r texts.EmbedRequest, stats bool) (err error) {
	work, what := c.Embed, "text"
	if len(r.Pictures) > 0 {
		work, what = c.EmbedPictures, "picture"
	} else if r.Texts, err = c.texts(); err != nil {
		return err
	}
	got, err := work(ctx, r, c.progress)
	if err != nil {
		return err
	}
	c.noteFallbacks(got.Fallbacks, got.Notices)
	c.note(got.Notes...)
	for i, v := range got.Vectors {
		if c.json {
			err = c.printJSON(embeddingJSON{i, v, got.Tokens[i], got.Truncated[i]})
		} else {
			c.write(numbers(v) + "\n")
		}
		if err != nil {
			return err
		}
	}
	if !stats {
		return nil
	}
	s := embedStats(got)
	if c.json {
		return c.printJSON(s)
	}
	fmt.Fprintf(c.stderr, "%s, %s tokens in %s on %s: %s %ss/s, %s tokens/s\n", plural(s.Texts, what),
		humanize.Comma(int64(s.Tokens)), got.Took.Round(time.Millisecond), s.Device, speed(s.TextsPerS), what, speed(s.TokensPerS))
	return nil
}

func embedStats(r texts.EmbedResult) embedStatsJSON {
	s := embedStatsJSON{Texts: len(r.Vectors), Seconds: r.Took.Seconds(), Device: r.Device, Fallbacks: fallbacksJSON(r.Fallbacks, r.Notices)}
	for _, n := range r.Tokens {
		s.Tokens += n
	}
	if s.Seconds > 0 {
		s.TextsPerS, s.TokensPerS = float64(s.Texts)/s.Seconds, float64(s.Tokens)/s.Seconds
	}
	return s
}

// numbers writes a vector with spaces between.
func numbers(v []float32) string {
	var b strings.Builder
	for i, x := range v {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatFloat(float64(x), 'g', -1, 32))
	}
	return b.String()
}

// speed writes a figure with three digits that matter.
func speed(v float64) string {
	if v >= 100 {
		return humanize.Comma(int64(v + 0.5))
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
