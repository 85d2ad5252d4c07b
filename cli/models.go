package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app"
)

func modelsCommand() command {
	return command{
		name: "models", args: "list | import PATH", about: "List the models on this computer, or add a folder or file without copying it",
		setup: func(f *flags) action {
			f.require(func(args []string) error {
				switch {
				case len(args) == 1 && args[0] == "list", len(args) == 2 && args[0] == "import":
					return nil
				case len(args) == 1 && args[0] == "import":
					return errors.New("models import needs the path of a folder or a .safetensors or .gguf file")
				case len(args) == 0:
					return errors.New("say what to do with the models: list, or import PATH")
				}
				return fmt.Errorf("%q does not fit; it is models list, or models import PATH", strings.Join(args, " "))
			})
			return func(ctx context.Context, c *call) error {
				if c.args[0] == "import" {
					return importModel(ctx, c, c.args[1])
				}
				return listModels(ctx, c)
			}
		},
	}
}

type modelJSON struct {
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Source       string          `json:"source"`
	Path         string          `json:"path,omitempty"`
	Kind         string          `json:"kind"`
	Architecture string          `json:"architecture"`
	Format       string          `json:"format"`
	DType        string          `json:"dtype"`
	Parameters   int64           `json:"parameters"`
	Bytes        int64           `json:"bytes"`
	Dimension    int             `json:"dimension"`
	MaxLength    int             `json:"max_length"`
	LastUsed     *time.Time      `json:"last_used"`
	Files        []modelFileJSON `json:"files"`
	Devices      []verdictJSON   `json:"devices"`
}

type modelFileJSON struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

// verdictJSON says how far a model runs on a device: "full", "partial" or "no".
type verdictJSON struct {
	Device  string `json:"device"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
}

func listModels(ctx context.Context, c *call) error {
	models, err := c.Models(ctx)
	if err != nil {
		return err
	}
	out := []modelJSON{}
	for _, m := range models {
		if !c.json {
			c.printModel(m)
			continue
		}
		described, err := c.describeModel(ctx, m)
		if err != nil {
			return err
		}
		out = append(out, described)
	}
	if c.json {
		return c.printJSON(out)
	}
	return nil
}

func importModel(ctx context.Context, c *call, path string) error {
	m, err := c.AddModel(ctx, path)
	if err != nil {
		return err
	}
	if c.json {
		described, err := c.describeModel(ctx, m)
		if err != nil {
			return err
		}
		return c.printJSON(described)
	}
	c.printModel(m)
	return nil
}

func (c *call) describeModel(ctx context.Context, m app.Model) (modelJSON, error) {
	out := modelJSON{
		ID: m.ID, Name: m.Name, Source: m.Source, Path: m.Path, Kind: m.Kind, Architecture: m.Architecture,
		Format: m.Format, DType: m.DType, Parameters: m.Parameters, Bytes: m.Bytes,
		Dimension: m.Dimension, MaxLength: m.MaxLength, Files: []modelFileJSON{}, Devices: []verdictJSON{},
	}
	if !m.LastUsed.IsZero() {
		out.LastUsed = &m.LastUsed
	}
	for _, f := range m.Files {
		out.Files = append(out.Files, modelFileJSON(f))
	}
	if !m.Usable {
		for _, d := range c.Devices() {
			out.Devices = append(out.Devices, verdictJSON{d.ID, app.VerdictNo, m.Reason})
		}
		return out, nil
	}
	fits, err := c.Compat(ctx, app.CompatRequest{Model: m.ID})
	if err != nil {
		return out, err
	}
	for _, d := range fits.Devices {
		out.Devices = append(out.Devices, verdictJSON{d.Device, d.Verdict, d.Reason})
	}
	return out, nil
}

func (c *call) printModel(m app.Model) {
	c.printf("%s\n    %s", m.ID, m.Source)
	if m.Usable {
		c.printf(", %s, %s, %s parameters, %s %s, %s", m.Kind, m.Architecture,
			strings.TrimSpace(humanize.SIWithDigits(float64(m.Parameters), 1, "")), m.Format, m.DType, humanize.IBytes(uint64(m.Bytes)))
		c.printf(", %s", plural(len(m.Files), "file"))
		if !m.LastUsed.IsZero() {
			c.printf(", used %s", humanize.Time(m.LastUsed))
		}
		c.printf("\n")
		return
	}
	c.printf("\n    cannot be used: %s\n", m.Reason)
}
