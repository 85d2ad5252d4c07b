package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app/fit"
	"inglenook/app/library"
)

// modelsFlags are those of the Hub's part of models.
type modelsFlags struct {
	revision string
	files    patterns
	repair   bool
	limit    int
	wait     time.Duration
}

// patterns is a flag that can be given more than once.
type patterns []string

func (p *patterns) String() string { return strings.Join(*p, " ") }

func (p *patterns) Set(value string) error {
	*p = append(*p, value)
	return nil
}

// modelsAction is one thing to do with models.
type modelsAction struct {
	name, argument string // "" takes none
	about          string // what the argument is
	do             func(ctx context.Context, c *call, f *modelsFlags, argument string) error
}

func modelsActions() []modelsAction {
	return []modelsAction{
		{"list", "", "", listModels},
		{"search", "TEXT", "a text to search for", searchModels},
		{"pull", "ID", "a Hub id such as org/name", pullModel},
		{"verify", "ID", "the Hub id of an installed model", verifyModel},
		{"remove", "ID", "the Hub id of an installed model, or the path of an added one", removeModel},
		{"import", "PATH", "the path of a folder with one or several models, or of a .safetensors or .gguf file", importModel},
	}
}

func modelsCommand() command {
	var forms []string
	for _, a := range modelsActions() {
		forms = append(forms, strings.TrimSpace(a.name+" "+a.argument))
	}
	return command{
		name: "models", args: strings.Join(forms, " | "), about: "List, search, download, verify and remove models, or add files without copying them",
		setup: func(f *flags) action {
			m := &modelsFlags{}
			f.StringVar(&m.revision, "revision", "", "`R`: branch, tag or commit to pull (default main)")
			f.Var(&m.files, "file", "pull files that match `GLOB`, and what every model needs (can be given again)")
			f.BoolVar(&m.repair, "repair", false, "verify: fetch again what is damaged, and no more")
			f.IntVar(&m.limit, "limit", 10, "search: list at most `N` models")
			f.DurationVar(&m.wait, "wait", 10*time.Minute, "pull: give up when nothing has come for `TIME`, such as 90s or 1h; 0 waits without end")
			var chosen modelsAction
			f.require(func(args []string) (err error) {
				chosen, err = chooseAction(args)
				if err == nil && (m.limit < 1 || m.limit > 100) {
					err = fmt.Errorf("--limit is %d; give a number from 1 to 100", m.limit)
				}
				if err == nil && m.wait < 0 {
					err = fmt.Errorf("--wait is %v; give a time such as 90s, or 0 to wait without end", m.wait)
				}
				return err
			})
			return func(ctx context.Context, c *call) error {
				return chosen.do(ctx, c, m, strings.Join(c.args[1:], " "))
			}
		},
	}
}

// chooseAction finds what the arguments ask for.
func chooseAction(args []string) (modelsAction, error) {
	var forms []string
	for _, a := range modelsActions() {
		form := strings.TrimSpace(a.name + " " + a.argument)
		forms = append(forms, form)
		if len(args) == 0 || args[0] != a.name {
			continue
		}
		switch {
		case len(args) == 1 && a.argument != "":
			return a, fmt.Errorf("models %s needs %s", a.name, a.about)
		case len(args) > 1 && a.argument == "", len(args) > 2 && a.name != "search":
			return a, fmt.Errorf("%q does not fit; it is models %s", strings.Join(args, " "), form)
		}
		return a, nil
	}
	if len(args) == 0 {
		return modelsAction{}, errors.New("say what to do: " + strings.Join(forms, ", "))
	}
	return modelsAction{}, fmt.Errorf("%q does not fit; it is models %s", strings.Join(args, " "), strings.Join(forms, ", or models "))
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

func listModels(ctx context.Context, c *call, _ *modelsFlags, _ string) error {
	models, err := c.Models(ctx)
	if err != nil {
		return err
	}
	out := []modelJSON{}
	for _, m := range models {
		if m.Elsewhere() { // inglenook servers list has those
			continue
		}
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

func importModel(ctx context.Context, c *call, _ *modelsFlags, path string) error {
	added, refused := c.AddModels(ctx, path) // refused may be about others of the same folder
	if c.json && len(added) > 0 {
		return errors.Join(c.printImported(ctx, added), refused)
	}
	for _, m := range added {
		c.printModel(m)
	}
	return refused
}

// printImported prints the model as JSON, or a list of several.
func (c *call) printImported(ctx context.Context, added []library.Model) error {
	var out []modelJSON
	for _, m := range added {
		described, err := c.describeModel(ctx, m)
		if err != nil {
			return err
		}
		out = append(out, described)
	}
	if len(out) == 1 {
		return c.printJSON(out[0])
	}
	return c.printJSON(out)
}

func (c *call) describeModel(ctx context.Context, m library.Model) (modelJSON, error) {
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
			out.Devices = append(out.Devices, verdictJSON{d.ID, fit.VerdictNo, m.Reason})
		}
		return out, nil
	}
	fits, err := c.Compat(ctx, fit.CompatRequest{Model: m.ID})
	if err != nil {
		return out, err
	}
	out.Devices = verdicts(fits)
	return out, nil
}

func verdicts(fits fit.Compat) []verdictJSON {
	list := []verdictJSON{}
	for _, d := range fits.Devices {
		list = append(list, verdictJSON{d.Device, d.Verdict, d.Reason})
	}
	return list
}

func (c *call) printModel(m library.Model) {
	c.printf("%s\n    %s", m.ID, m.Source)
	if m.Tiny() {
		c.printf(" (%s)", library.TinyInWords)
	}
	if m.Usable {
		c.printf(", %s, %s, %s, %s %s, %s", m.Kind, m.Architecture,
			parameters(m.Parameters), m.Format, m.DType, humanize.Bytes(uint64(m.Bytes)))
		c.printf(", %s", plural(len(m.Files), "file"))
		if !m.LastUsed.IsZero() {
			c.printf(", used %s", humanize.Time(m.LastUsed))
		}
		c.printf("\n")
		return
	}
	c.printf("\n    cannot be used: %s\n", m.Reason)
}
