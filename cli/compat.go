package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/plain"
)

func compatCommand() command {
	return command{
		name: "compat", args: "MODEL…", about: "Tell which devices can run a model and how much memory it takes; its config.json or header is enough",
		setup: func(f *flags) action {
			var h devices.Hold
			f.withHold(&h)
			anew := f.Bool("measure", false, "measure this machine's speed again; predictions are based on it")
			matrix := f.Bool("matrix", false, "print a Markdown table of several MODELs, given by folders with config.json, in every format on each device here")
			f.require(func(args []string) error {
				switch {
				case len(args) == 0 || strings.TrimSpace(args[0]) == "":
					return errors.New("MODEL is missing; give " + modelForms)
				case *matrix && h.Usual() != (devices.Hold{}):
					return errors.New("--matrix is about every way to hold a model; leave --weights, --kv and --context out")
				case len(args) > 1 && !*matrix:
					return fmt.Errorf("%q is one argument too many", args[1])
				}
				return nil
			})
			return func(ctx context.Context, c *call) error {
				if *matrix {
					return supportMatrix(ctx, c)
				}
				return compat(ctx, c, fit.CompatRequest{Model: c.args[0], Hold: h.Usual(), Predict: true, Anew: *anew})
			}
		},
	}
}

type compatJSON struct {
	Model        string             `json:"model"`
	Architecture string             `json:"architecture"`
	Parameters   int64              `json:"parameters"`
	Format       string             `json:"format"`
	DType        string             `json:"dtype"`
	Context      int                `json:"context"`
	Uses         []compatUseJSON    `json:"uses,omitempty"`
	Notes        []string           `json:"notes,omitempty"`
	Devices      []compatDeviceJSON `json:"devices"`
}

type compatUseJSON struct {
	Use    string `json:"use"`
	Works  bool   `json:"works"`
	Reason string `json:"reason,omitempty"`
}

type compatDeviceJSON struct {
	Device  string           `json:"device"`
	Verdict string           `json:"verdict"`
	Reason  string           `json:"reason"`
	Ops     []compatOpJSON   `json:"ops"`
	Memory  compatMemoryJSON `json:"memory"`
	// Predicted speeds, from this machine's own
	Predicted []predictionJSON `json:"predicted,omitempty"`
}

type predictionJSON struct {
	Work   string  `json:"work"`
	Amount int     `json:"amount"` // tokens
	Unit   string  `json:"unit"`
	Value  float64 `json:"value"`
	Busy   bool    `json:"busy,omitempty"` // of a processor that other programs kept busy
}

type compatOpJSON struct {
	Op     string `json:"op"`
	DType  string `json:"dtype"`
	Count  int    `json:"count"`
	RunsOn string `json:"runs_on"`
	Reason string `json:"reason,omitempty"`
}

type compatMemoryJSON struct {
	Weights     int64 `json:"weights"`
	KVCache     int64 `json:"kv_cache"`
	Activations int64 `json:"activations"`
	Runtime     int64 `json:"runtime"` // the tokenizer, and the program without a model
	Total       int64 `json:"total"`
	OnDisk      int64 `json:"on_disk,omitempty"` // experts that do not fit
	Available   int64 `json:"available"`
}

func compat(ctx context.Context, c *call, r fit.CompatRequest) error {
	got, err := c.Compat(ctx, r)
	if err != nil {
		return err
	}
	if !c.json {
		c.printCompat(got)
		return nil
	}
	out := compatJSON{
		Model: got.Model, Architecture: got.Architecture, Parameters: got.Parameters, Format: got.Format, DType: got.DType,
		Context: got.Context, Notes: got.Notes, Devices: []compatDeviceJSON{},
	}
	for _, u := range got.Uses {
		out.Uses = append(out.Uses, compatUseJSON{u.Name, u.Works, u.Reason})
	}
	for _, d := range got.Devices {
		device := compatDeviceJSON{
			Device: d.Device, Verdict: d.Verdict, Reason: d.Reason, Ops: []compatOpJSON{}, Memory: compatMemoryJSON(d.Memory),
		}
		for _, op := range d.Ops {
			device.Ops = append(device.Ops, compatOpJSON(op))
		}
		for _, p := range d.Predicted {
			device.Predicted = append(device.Predicted, predictionJSON{p.Work, p.Amount, p.Unit, p.Value, p.Busy})
		}
		out.Devices = append(out.Devices, device)
	}
	return c.printJSON(out)
}

type matrixRowJSON struct {
	Model        string           `json:"model"`
	Architecture string           `json:"architecture"`
	Cells        []matrixCellJSON `json:"cells"`
}

type matrixCellJSON struct {
	Holding string `json:"holding"`
	Device  string `json:"device"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
}

func supportMatrix(ctx context.Context, c *call) error {
	m, err := c.SupportMatrix(ctx, c.args)
	if err != nil {
		return err
	}
	if !c.json {
		c.write(plain.Terminal(m.Markdown()))
		return nil
	}
	rows := []matrixRowJSON{}
	for _, r := range m.Rows {
		row := matrixRowJSON{Model: r.Model, Architecture: r.Architecture}
		for _, cell := range r.Cells {
			row.Cells = append(row.Cells, matrixCellJSON(cell))
		}
		rows = append(rows, row)
	}
	return c.printJSON(map[string]any{"matrix": rows})
}

// printCompat writes it for people: the model in a line, then the devices.
func (c *call) printCompat(got fit.Compat) {
	c.printf("%s\n", got.Model)
	if got.Architecture != "" {
		c.printf("    %s, %s, %s %s, %s of %d tokens\n", got.Architecture,
			parameters(got.Parameters), got.Format, got.DType, seen(got.Writes), got.Context)
	}
	for _, u := range got.Uses {
		works := "no"
		if u.Works {
			works = "yes"
		}
		c.printf("    %s: %s", u.Name, works)
		if u.Reason != "" {
			c.printf(" (%s)", oneLine(errors.New(u.Reason)))
		}
		c.printf("\n")
	}
	c.note(got.Notes...)
	for _, d := range got.Devices {
		c.printf("%s: %s", d.Device, d.Verdict)
		if d.Reason != "" {
			c.printf(": %s", d.Reason)
		}
		c.printf("\n")
		if m := d.Memory; m.Total > 0 {
			c.printf("    memory %s: weights %s, keys and values %s, activations %s, the rest %s; %s\n",
				bytesOf(m.Total), bytesOf(m.Weights), bytesOf(m.KVCache), bytesOf(m.Activations), bytesOf(m.Runtime), freeText(m.Available))
		}
		for _, p := range d.Predicted {
			c.printf("    predicted %s: %s %s %s\n", p.Work, speed(p.Value), p.Unit, amountText(p))
		}
		if slices.ContainsFunc(d.Predicted, func(p fit.Prediction) bool { return p.Busy }) {
			c.printf("    other programs keep the processor busy now, so that the predictions can be far off\n")
		}
		for _, op := range d.Ops {
			c.printf("    %5d × %-16s %-6s %s\n", op.Count, op.Op, op.DType, op.RunsOn)
		}
	}
}

// amountText says what a prediction is about.
func amountText(p fit.Prediction) string {
	switch p.Work {
	case fit.WorkGenerate:
		return fmt.Sprintf("after %d tokens", p.Amount)
	case fit.WorkPrompt:
		return fmt.Sprintf("of a prompt of %d", p.Amount)
	}
	return fmt.Sprintf("of %d tokens", p.Amount)
}

// seen says what the tokens of a model's context are.
func seen(writes bool) string {
	if writes {
		return "a context"
	}
	return "texts"
}

func bytesOf(n int64) string { return humanize.Bytes(uint64(max(0, n))) }

func freeText(n int64) string {
	if n == 0 {
		return "how much is free is unknown"
	}
	return bytesOf(n) + " free"
}
