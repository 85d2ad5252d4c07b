package fit

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"inglenook/app/devices"
	"inglenook/engine"
	"inglenook/pipeline"
)

// Holding is a way in which the weights of a model may lie in files and in memory.
type Holding struct {
	Name    string // for people
	Format  string // "safetensors" or "gguf"
	Weights string // as in WriterOptions
	types   []engine.DType
}

// holdings are those of the support matrix.
func holdings() []Holding {
	plain, all := engine.PlainTypes(), engine.WeightTypes()
	return []Holding{
		{"safetensors", "safetensors", "", plain},
		{"held as q8_0", "safetensors", "q8_0", plain},
		{"held as q4_k", "safetensors", "q4_k", plain},
		{"GGUF", "gguf", "", all},
	}
}

// Matrix is a table of models, ways to hold them and devices.
type Matrix struct {
	Holdings []Holding
	Devices  []string // the ids of those that are here
	Rows     []MatrixRow
}

// MatrixRow is what a model is on each device: Cells has the devices of the first
// holding, then those of the next.
type MatrixRow struct {
	Model        string
	Architecture string
	Cells        []MatrixCell
}

// MatrixCell sums up the verdicts about the types of a holding.
type MatrixCell struct {
	Holding, Device string
	Verdict         string // the worst of them
	Reason          string // one sentence where it is not full
}

// SupportMatrix tells what the devices here do with models, given by the folders
// of their config.json, in every type and format. Weights and the memory that is
// free make no difference.
func (f *Service) SupportMatrix(ctx context.Context, folders []string) (Matrix, error) {
	ctx, done, err := f.life.Begin(ctx)
	if err != nil {
		return Matrix{}, err
	}
	defer done()
	m := Matrix{Holdings: holdings()}
	for _, d := range f.devices.Devices() {
		if d.Available {
			m.Devices = append(m.Devices, d.ID)
		}
	}
	for _, folder := range folders {
		row, err := f.matrixRow(ctx, m, folder)
		if err != nil {
			return Matrix{}, err
		}
		m.Rows = append(m.Rows, row)
	}
	return m, nil
}

func (f *Service) matrixRow(ctx context.Context, m Matrix, folder string) (MatrixRow, error) {
	p, err := f.library.Locate(ctx, folder)
	if err != nil {
		return MatrixRow{}, err
	}
	files, closer, err := p.Open(ctx)
	if err != nil {
		return MatrixRow{}, err
	}
	defer closer.Close()
	row := MatrixRow{Model: path.Base(p.Name)}
	for _, h := range m.Holdings {
		cells := make([]MatrixCell, len(m.Devices))
		for i, device := range m.Devices {
			cells[i] = MatrixCell{Holding: h.Name, Device: device, Verdict: VerdictFull}
		}
		for _, d := range h.types {
			if err := ctx.Err(); err != nil {
				return row, err
			}
			x, err := pipeline.OpenOutline(files, pipeline.OutlineOptions{
				Type: d.FileName(), Format: h.Format, Hold: devices.Hold{Weights: h.Weights, Context: matrixContext},
			})
			if err != nil {
				for i := range cells {
					cells[i].worsen(VerdictNo, err.Error())
				}
				break
			}
			row.Architecture = x.Architecture
			for i := range cells {
				f.matrixCell(x, d, &cells[i])
			}
			x.Close()
		}
		row.Cells = append(row.Cells, cells...)
	}
	return row, nil
}

// matrixContext is enough tokens for every kind of pass.
const matrixContext = 64

func (f *Service) matrixCell(x *pipeline.Outline, d engine.DType, c *MatrixCell) {
	bs, err := f.devices.Backends(c.Device)
	var fit pipeline.Fit
	if err == nil {
		fit, err = x.On(bs, 0)
	}
	if err != nil {
		c.worsen(VerdictNo, fmt.Sprintf("%s: %v", d, err))
		return
	}
	if verdict, reason := Judge(fit.Report, c.Device); verdict != VerdictFull {
		c.worsen(verdict, fmt.Sprintf("%s: %s", d, reason))
	}
}

// worsen adds a verdict to those before.
func (c *MatrixCell) worsen(verdict, reason string) {
	order := []string{VerdictFull, VerdictPartial, VerdictNo}
	if slices.Index(order, verdict) > slices.Index(order, c.Verdict) {
		c.Verdict = verdict
	}
	if c.Reason == "" {
		c.Reason = reason
	}
}

// Markdown writes the table.
func (m Matrix) Markdown() string {
	var b strings.Builder
	heads, rule := []string{"model", "architecture"}, []string{"---", "---"}
	for _, h := range m.Holdings {
		for _, d := range m.Devices {
			heads, rule = append(heads, h.Name+", "+d), append(rule, "---")
		}
	}
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(heads)
	line(rule)
	for _, r := range m.Rows {
		cells := []string{r.Model, "`" + r.Architecture + "`"}
		for _, c := range r.Cells {
			cells = append(cells, c.Verdict)
		}
		line(cells)
	}
	return b.String()
}
