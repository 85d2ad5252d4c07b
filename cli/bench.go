package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	talks "inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
)

func benchCommand() command {
	return command{
		name: "bench", about: "Measure embedding and reranking, or how a language model reads and writes",
		setup: func(f *flags) action {
			r := measure.Request{Elsewhere: true}
			n := &r.Amounts
			f.StringVar(&r.Model, "model", library.StarterEmbed, "`MODEL`: "+modelForms)
			targets := f.String("devices", "cpu", "`DEVICES` with commas between: "+strings.Join(devices.DeviceIDs()[1:], ", "))
			f.IntVar(&n.Texts, "texts", 0, "embed `N` texts of 6 to 100 words in one call (default 256 if nothing else is requested)")
			f.IntVar(&n.Pairs, "pairs", 0, "score a query with `N` documents in one call")
			f.IntVar(&n.Prompt, "prompt-tokens", 0, "let a language model read `N` tokens (default 512 if nothing else is requested)")
			f.IntVar(&n.Generate, "generate-tokens", 0, "let it write `N` tokens (default 64 if nothing else is requested)")
			f.IntVar(&n.Depth, "depth", 0, "read and write with `N` tokens already in the context")
			f.BoolVar(&r.Norms, "norms", false, "also measure LayerNorm and RMSNorm on 1-4096 rows (only these if nothing else is requested)")
			var h devices.Hold
			f.withHold(&h)
			f.IntVar(&h.Sequences, "sequences", 1, "let a language model write `N` texts at once; the speed is that of all together")
			f.withDraft(&r.Draft, "while it writes, ")
			f.IntVar(&n.Repeat, "repeat", 5, "repeat each measurement `N` times")
			ops := f.Bool("ops", false, "show how long each kind of operation took")
			f.noArgs()
			f.require(func([]string) error {
				if h.Sequences < 1 || h.Sequences > devices.MostSequences {
					return fmt.Errorf("--sequences is %d; give a number from 1 to %d", h.Sequences, devices.MostSequences)
				}
				for _, d := range strings.Split(*targets, ",") {
					if d == "auto" || !slices.Contains(devices.DeviceIDs(), d) {
						return fmt.Errorf("--devices cannot hold %q; give some of %s", d, strings.Join(devices.DeviceIDs()[1:], ", "))
					}
					r.Targets = append(r.Targets, devices.Target{Device: d, Hold: h.Usual()})
				}
				if min(n.Texts, n.Pairs, n.Prompt, n.Generate, n.Depth) < 0 || n.Repeat < 1 {
					return fmt.Errorf("there is nothing to measure; --texts, --pairs, --prompt-tokens and --generate-tokens cannot be less than 0, nor --repeat less than 1")
				}
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
	Predicted          float64  `json:"predicted,omitempty"` // the prediction of the median
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

func bench(ctx context.Context, c *call, r measure.Request, ops bool) error {
	awaited := func() {}
	got, err := c.Measure(ctx, r, func(s measure.Step) {
		awaited()
		c.progress(s.Progress)
		awaited = func() {}
		if row := s.Rows[s.Row]; row.Server {
			_, awaited = base.Awaiting(row.Name, base.LongWait, c.progress)
		}
	})
	awaited()
	if err == nil {
		err = got.Err()
	}
	if err != nil {
		return err
	}
	if r.Draft == talks.DraftOff { // predictions are of work without guesses
		c.KeepPredictions(got)
	}
	out := benchJSON{Model: got.Model, Agreement: got.Agreement(), Results: append(benchWork(got, ops), benchNorms(got)...)}
	for _, row := range got.Rows {
		c.note(row.Notes...)
		if row.Emulated {
			c.note(row.Device + " is for checking, not for speed")
		}
	}
	if c.json {
		return c.printJSON(out)
	}
	for _, l := range out.Results {
		printBenchLine(c, l)
	}
	writes := func(row measure.Row) bool { _, ok := row.Measure(fit.WorkGenerate); return ok && row.Server }
	for _, row := range got.Rows {
		if writes(row) && row.Compared {
			c.printf("same text as here: %.0f %%\n", 100*row.Agreement)
		}
	}
	if slices.ContainsFunc(out.Results, func(l benchLineJSON) bool { return l.Unit != "µs" }) && !slices.ContainsFunc(got.Rows, writes) {
		c.printf("agreement of all runs: %.6f\n", out.Agreement)
	}
	return nil
}

// benchWork lists what a model's work took, first by the kind of work, then by the device.
func benchWork(p measure.Result, ops bool) []benchLineJSON {
	list := []benchLineJSON{}
	for _, work := range []string{fit.WorkEmbed, fit.WorkRerank, fit.WorkPrompt, fit.WorkGenerate} {
		for _, row := range p.Rows {
			m, ok := row.Measure(work)
			if !ok {
				continue
			}
			line := benchLineJSON{
				Device: m.Device, Work: m.Work, Context: m.Context, Median: m.Median, P10: m.P10, P90: m.P90, Unit: m.Unit,
				BandwidthBytesPerS: m.BytesPerS, FlopsPerS: m.FlopsPerS, PeakMemoryBytes: m.PeakBytes, Predicted: m.Predicted,
			}
			if ops {
				line.Ops = shares(m.Ops)
			}
			list = append(list, line)
		}
	}
	return list
}

// benchNorms lists what the norms took on each device.
func benchNorms(p measure.Result) (list []benchLineJSON) {
	for _, row := range p.Rows {
		for _, n := range row.Norms {
			list = append(list, benchLineJSON{
				Device: row.Device, Work: n.Op, Context: n.Rows, Median: n.Median, P10: n.P10, P90: n.P90, Unit: "µs", BandwidthBytesPerS: n.BytesPerS,
			})
		}
	}
	return list
}

func printBenchLine(c *call, l benchLineJSON) {
	if l.Unit == "µs" {
		c.printf("%-10s  %s  %4d rows  %9s µs (%s to %s), %s\n", l.Work, l.Device, l.Context, speed(l.Median), speed(l.P10), speed(l.P90),
			humanize.SIWithDigits(l.BandwidthBytesPerS, 1, "B/s"))
		return
	}
	c.printf("%-8s  %s  %9s %s (%s to %s), %s %d tokens", l.Work, l.Device, speed(l.Median), l.Unit, speed(l.P10), speed(l.P90), contextWord(l), l.Context)
	if l.PeakMemoryBytes > 0 { // else it is that of a server
		c.printf(", %s, %s, peak memory %s", humanize.SIWithDigits(l.FlopsPerS, 1, "FLOP/s"), humanize.SIWithDigits(l.BandwidthBytesPerS, 1, "B/s"),
			humanize.Bytes(uint64(l.PeakMemoryBytes)))
	}
	c.printf("\n")
	if l.Predicted > 0 {
		c.printf("    predicted %s %s, which is %+.0f %%\n", speed(l.Predicted), l.Unit, 100*(l.Predicted/l.Median-1))
	}
	for _, o := range l.Ops {
		c.printf("    %5.1f %%  %-14s %-5s %5d ×  %s\n", 100*o.Share, o.Op, o.DType, o.Count, humanize.SIWithDigits(o.Seconds, 2, "s"))
	}
}

// contextWord returns what a line's tokens are.
func contextWord(l benchLineJSON) string {
	if l.Unit == "tokens/s" {
		return "context"
	}
	return "longest"
}

// shares returns the operations with their part of the time, the longest first.
func shares(ops []measure.Op) []opJSON {
	total := 0.0
	for _, o := range ops {
		total += o.Seconds
	}
	out := []opJSON{}
	for _, o := range ops {
		x := opJSON{Op: o.Op, DType: o.DType, Device: o.Device, Count: o.Count, Seconds: o.Seconds}
		if total > 0 {
			x.Share = x.Seconds / total
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b opJSON) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return out
}
