package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"inglenook/app"
)

func benchCommand() command {
	return command{
		name: "bench", about: "Measure embedding and reranking, or how a language model reads and writes",
		setup: func(f *flags) action {
			r := app.BenchRequest{}
			f.StringVar(&r.Model, "model", app.StarterEmbed, "`MODEL`: "+modelForms)
			devices := f.String("devices", "cpu", "`DEVICES` with commas between: "+strings.Join(app.DeviceIDs()[1:], ", "))
			f.IntVar(&r.Texts, "texts", 0, "embed `N` texts of 6 to 100 words in one call (256 where nothing else is asked)")
			f.IntVar(&r.Pairs, "pairs", 0, "score a query with `N` documents in one call")
			f.IntVar(&r.Prompt, "prompt-tokens", 0, "let a language model read `N` tokens (512 where nothing else is asked)")
			f.IntVar(&r.Generate, "generate-tokens", 0, "let it write `N` tokens (64 where nothing else is asked)")
			f.IntVar(&r.Depth, "depth", 0, "read and write after `N` tokens that are in the context already")
			f.BoolVar(&r.Norms, "norms", false, "measure LayerNorm and RMSNorm alone on 1 to 4096 rows; without another amount of work, nothing else")
			var h held
			h.declare(f)
			f.IntVar(&r.Repeat, "repeat", 5, "do it `N` times")
			ops := f.Bool("ops", false, "show how long each kind of operation took")
			f.noArgs()
			f.require(func([]string) error {
				r.Devices = strings.Split(*devices, ",")
				for _, d := range r.Devices {
					if d == "auto" || !slices.Contains(app.DeviceIDs(), d) {
						return fmt.Errorf("--devices cannot hold %q; give some of %s", d, strings.Join(app.DeviceIDs()[1:], ", "))
					}
				}
				if min(r.Texts, r.Pairs, r.Prompt, r.Generate, r.Depth) < 0 || r.Repeat < 1 {
					return fmt.Errorf("there is nothing to measure; --texts, --pairs, --prompt-tokens and --generate-tokens cannot be less than 0, nor --repeat less than 1")
				}
				r.Held = h.options()
				return nil
			})
			return func(ctx context.Context, c *call) error { return bench(ctx, c, r, *ops) }
		},
	}
}

type benchJSON struct {
	Model     string          `json:"model"`
	Agreement float64         `json:"agreement"`
	Results   []benchLineJSON `json:"results"`
}

type benchLineJSON struct {
	Device             string   `json:"device"`
	Work               string   `json:"work"`
	Context            int      `json:"context"`
	Median             float64  `json:"median"`
	P10                float64  `json:"p10"`
	P90                float64  `json:"p90"`
	Unit               string   `json:"unit"`
	BandwidthBytesPerS float64  `json:"bandwidth_bytes_per_s"`
	FlopsPerS          float64  `json:"flops_per_s"`
	PeakMemoryBytes    int64    `json:"peak_memory_bytes"`
	Predicted          float64  `json:"predicted,omitempty"` // what the median was foreseen to be
	Ops                []opJSON `json:"ops,omitempty"`
}

type opJSON struct {
	Op      string  `json:"op"`
	DType   string  `json:"dtype"`
	Device  string  `json:"device"`
	Count   int     `json:"count"`
	Seconds float64 `json:"seconds"`
	Share   float64 `json:"share"` // of the time of all operations
}

func bench(ctx context.Context, c *call, r app.BenchRequest, ops bool) error {
	got, err := c.Bench(ctx, r, c.progress)
	if err != nil {
		return err
	}
	out := benchJSON{Model: got.Model, Agreement: got.Agreement, Results: []benchLineJSON{}}
	for _, l := range got.Results {
		line := benchLineJSON{
			Device: l.Device, Work: l.Work, Context: l.Context, Median: l.Median, P10: l.P10, P90: l.P90, Unit: l.Unit,
			BandwidthBytesPerS: l.BandwidthBytesPerS, FlopsPerS: l.FlopsPerS, PeakMemoryBytes: l.PeakMemoryBytes,
			Predicted: l.Predicted,
		}
		if ops {
			line.Ops = shares(l.Ops)
		}
		out.Results = append(out.Results, line)
		switch {
		case c.json:
		case l.Unit == "µs":
			c.printf("%-10s  %s  %4d rows  %9s µs (%s to %s), %s\n", l.Work, l.Device, l.Context, speed(l.Median), speed(l.P10), speed(l.P90),
				humanize.SIWithDigits(l.BandwidthBytesPerS, 1, "B/s"))
		default:
			c.printf("%-8s  %s  %9s %s (%s to %s), %s %d tokens, %s, %s, peak memory %s\n",
				l.Work, l.Device, speed(l.Median), l.Unit, speed(l.P10), speed(l.P90), contextWord(l), l.Context,
				humanize.SIWithDigits(l.FlopsPerS, 1, "FLOP/s"), humanize.SIWithDigits(l.BandwidthBytesPerS, 1, "B/s"),
				humanize.IBytes(uint64(max(0, l.PeakMemoryBytes))))
			if l.Predicted > 0 {
				c.printf("    predicted %s %s, which is %+.0f %%\n", speed(l.Predicted), l.Unit, 100*(l.Predicted/l.Median-1))
			}
			for _, o := range line.Ops {
				c.printf("    %5.1f %%  %-14s %-5s %5d ×  %s\n", 100*o.Share, o.Op, o.DType, o.Count, humanize.SIWithDigits(o.Seconds, 2, "s"))
			}
		}
	}
	c.note(got.Notes...)
	if c.json {
		return c.printJSON(out)
	}
	if slices.ContainsFunc(got.Results, func(l app.BenchLine) bool { return l.Unit != "µs" }) {
		c.printf("agreement of all runs: %.6f\n", got.Agreement)
	}
	return nil
}

// contextWord says what a line's tokens are.
func contextWord(l app.BenchLine) string {
	if l.Unit == "tokens/s" {
		return "context"
	}
	return "longest"
}

// shares sorts the operations, the one that took longest first.
func shares(ops []app.OpTime) []opJSON {
	total := 0.0
	for _, o := range ops {
		total += o.Took.Seconds()
	}
	out := []opJSON{}
	for _, o := range ops {
		x := opJSON{Op: o.Op, DType: o.DType, Device: o.Device, Count: o.Count, Seconds: o.Took.Seconds()}
		if total > 0 {
			x.Share = x.Seconds / total
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b opJSON) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return out
}
