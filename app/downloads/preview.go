package downloads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/filenames"
	"inglenook/hub"
	"inglenook/hub/repo"
)

// PreviewRequest asks what a model of the Hub would be on this computer.
type PreviewRequest struct {
	ID       string
	Revision string // "": main
	Variant  string // one of the names of Preview.Variants; "": the suggested one
	Context  int    // tokens; 0: as when it is opened
	Predict  bool   // also speeds; the first time, the devices are measured for it
}

// Preview is what is known of a model of the Hub before it is downloaded.
type Preview struct {
	ID, Revision, Commit string
	Task, Licence        string // as the Hub has them
	Gated                bool
	Downloads            int64
	Variants             []Variant  // the best first
	Suggested            int        // index of the one that fits best
	Chosen               int        // index of the one that Compat is about
	Compat               fit.Compat // of the chosen one; no devices where its header could not be read
	Unread               string     // why that is, a sentence
	LeftOut              string     // which files make no variant, a sentence; "": all that hold a model do
}

// Variant is one form in which a repository has the weights.
type Variant struct {
	Name   string // "safetensors", "Q4_K_M"
	Format string // "safetensors" or "gguf"
	Files  []PreviewFile
	Bytes  int64  // that would be fetched
	Needs  int64  // of memory, estimated; 0: unknown
	Fits   string // one of the Fits constants; empty: unknown
	Why    string // why it is the suggested one, or is not; a sentence or empty

	weights []repo.File
}

// Patterns name the files of the variant, for a download.
func (v Variant) Patterns() []string {
	if v.Format == "safetensors" {
		return nil
	}
	var list []string
	for _, f := range v.weights {
		list = append(list, f.Path)
	}
	return list
}

// PreviewFile is a file of the repository and whether it would be fetched.
type PreviewFile struct {
	Path    string
	Bytes   int64
	Fetched bool
	Why     string // a few words
}

// Preview asks the Hub what a repository holds, which of it would be fetched, and
// reads the header of the weights to tell what they would be on this computer. A
// repository whose weights cannot be read here, or could run code, is an error.
func (d *Service) Preview(ctx context.Context, r PreviewRequest) (Preview, error) {
	ctx, client, done, err := d.hub.Begin(ctx)
	if err != nil {
		return Preview{}, err
	}
	defer done()
	info, err := client.Info(ctx, r.ID, r.Revision)
	if err != nil {
		return Preview{}, base.InContext(ctx, err)
	}
	p := Preview{ID: r.ID, Revision: cmp.Or(r.Revision, "main"), Commit: info.Commit, Task: info.Task, Licence: info.License, Gated: info.Gated, Downloads: info.Downloads}
	if p.Variants, err = variants(info.Files); err != nil {
		return Preview{}, fmt.Errorf("%s: %w", r.ID, err)
	}
	p.LeftOut = leftOut(info.Files)
	named := slices.IndexFunc(p.Variants, func(v Variant) bool { return v.Name == r.Variant })
	if r.Variant != "" && named < 0 {
		return Preview{}, fmt.Errorf("%s has no variant %s", r.ID, r.Variant)
	}
	looked := max(named, 0)
	if named < 0 { // the middle of the road tells the size of the others
		looked = max(0, slices.IndexFunc(p.Variants, func(v Variant) bool { return v.Name == "Q4_K_M" }))
	}
	if err := d.look(ctx, client, info, &p, looked, r); err != nil {
		return p, err
	}
	p.suggest()
	if named < 0 && p.Suggested != looked {
		return p, d.look(ctx, client, info, &p, p.Suggested, r)
	}
	return p, nil
}

// look reads the header of a variant and has it judged.
func (d *Service) look(ctx context.Context, client *hub.Client, info hub.Info, p *Preview, i int, r PreviewRequest) error {
	p.Chosen, p.Compat, p.Unread = i, fit.Compat{}, ""
	c, err := d.peekCompat(ctx, client, info, p.Variants[i], fit.CompatRequest{Hold: devices.Hold{Context: r.Context}, Predict: r.Predict})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		p.Unread = err.Error()
		return nil
	}
	p.Compat = c
	p.weigh(i, c)
	return nil
}

// weigh estimates what the variants need, from what the header of one tells: the
// weights are as large as their files, the rest is the same.
func (p *Preview) weigh(looked int, c fit.Compat) {
	if len(c.Devices) == 0 || c.Devices[0].Memory.Total == 0 {
		return
	}
	m := c.Devices[0].Memory
	rest := m.Total - m.Weights
	for i := range p.Variants {
		v := &p.Variants[i]
		switch {
		case i == looked:
			v.Needs = m.Total
		case v.Format == c.Format: // another format may hold its weights in another way
			v.Needs = rest + int64(float64(m.Weights)*float64(v.weightBytes())/float64(max(1, p.Variants[looked].weightBytes())))
		default:
			v.Needs = rest + v.weightBytes()
		}
		v.Fits = fit.FitsInto(v.Needs, m.Available)
	}
}

// suggest selects the best variant that fits well, else one that fits at all, else the
// smallest.
func (p *Preview) suggest() {
	best := slices.IndexFunc(p.Variants, func(v Variant) bool { return v.Fits == fit.FitsWell || v.Fits == "" })
	if best < 0 {
		best = slices.IndexFunc(p.Variants, func(v Variant) bool { return v.Fits == fit.FitsTight })
	}
	fits := best >= 0
	if !fits {
		best = 0
		for i, v := range p.Variants {
			if v.Bytes < p.Variants[best].Bytes {
				best = i
			}
		}
	}
	p.Suggested = best
	for i := range p.Variants {
		v := &p.Variants[i]
		needs := humanize.Bytes(uint64(max(0, v.Needs)))
		switch {
		case v.Fits == fit.FitsNot && i == best:
			v.Why = fmt.Sprintf("Even the smallest version needs about %s of memory, more than is free.", needs)
		case v.Fits == fit.FitsNot:
			v.Why = fmt.Sprintf("It needs about %s of memory, more than is free.", needs)
		case i == best && len(p.Variants) > 1 && v.Fits != "":
			v.Why = fmt.Sprintf("The best that fits: it needs about %s of memory.", needs)
		case v.Fits == fit.FitsTight:
			v.Why = fmt.Sprintf("It fits, but leaves little memory for anything else: it needs about %s.", needs)
		}
	}
}

// variants sorts a repository's files into the forms in which it has the weights,
// the best first. Files that could run code make none.
func variants(files []repo.File) ([]Variant, error) {
	choices, err := hub.Choose(files, nil)
	if err != nil {
		return nil, err
	}
	var list []Variant
	if slices.ContainsFunc(choices, func(c hub.Choice) bool { return c.Wanted && strings.HasSuffix(c.Path, ".safetensors") }) {
		list = append(list, variantOf("safetensors", "safetensors", choices))
	}
	stems := map[string][]string{}
	var order []string
	for _, f := range files {
		if !filenames.IsGGUF(f.Path) || filenames.Part(f.Path) != "" || filenames.Unread(f.Path) != "" {
			continue
		}
		stem := filenames.Stem(f.Path)
		if stems[stem] == nil {
			order = append(order, stem)
		}
		stems[stem] = append(stems[stem], f.Path)
	}
	for _, stem := range order {
		choices, err := hub.Choose(files, stems[stem])
		if err != nil {
			return nil, err
		}
		name := cmp.Or(filenames.Quant(stems[stem][0]), path.Base(stem))
		if slices.ContainsFunc(list, func(v Variant) bool { return v.Name == name }) {
			name = path.Base(stem)
		}
		list = append(list, variantOf(name, "gguf", choices))
	}
	if len(list) == 0 {
		return nil, errors.New("it has no weights in safetensors or GGUF, which is what can be used here")
	}
	slices.SortStableFunc(list, func(a, b Variant) int {
		switch { // the original before what was made of it
		case a.Format != b.Format:
			return cmp.Compare(b.Format, a.Format)
		}
		return cmp.Compare(filenames.Rank(a.Name), filenames.Rank(b.Name))
	})
	return list, nil
}

// leftOut says which quantizations of a repository cannot be read.
func leftOut(files []repo.File) string {
	var list []string
	for _, f := range files {
		if q := filenames.Unread(f.Path); filenames.IsGGUF(f.Path) && q != "" && filenames.Part(f.Path) == "" && !slices.Contains(list, q) {
			list = append(list, q)
		}
	}
	if list == nil {
		return ""
	}
	slices.Sort(list)
	return "Not offered, because weights of these types cannot be read here: " + strings.Join(list, ", ") + "."
}

func variantOf(name, format string, choices []hub.Choice) Variant {
	v := Variant{Name: name, Format: format}
	for _, c := range choices {
		switch {
		case filenames.IsWeights(c.Path) && c.Wanted:
			c.Why = "the weights in this form"
		case filenames.IsWeights(c.Path) && format == "gguf":
			c.Why = "the weights in another form"
		}
		v.Files = append(v.Files, PreviewFile{c.Path, c.Size, c.Wanted, c.Why})
		if !c.Wanted {
			continue
		}
		v.Bytes += c.Size
		if filenames.IsWeights(c.Path) {
			v.weights = append(v.weights, c.File)
		}
	}
	return v
}

func (v Variant) weightBytes() (sum int64) {
	for _, f := range v.weights {
		sum += f.Size
	}
	return sum
}
