package fit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/plain"
)

// The verdicts about a device.
const (
	VerdictFull    = "full"    // it has a kernel for every operation
	VerdictPartial = "partial" // some run on the CPU
	VerdictNo      = "no"      // it is not there, or has a kernel for nothing
)

// CompatRequest asks which devices can run a model, held in a certain way.
type CompatRequest struct {
	Model string
	devices.Hold
	Predict bool // also speeds; the first time, the devices are measured for it
	Anew    bool // measure them again
}

// Compat is what headers, or config.json alone, tell about a model on the
// devices of this computer.
type Compat struct {
	Model        string
	Architecture string // empty where that is unknown
	Format       string // "safetensors" or "gguf"
	DType        string // of most weights: "f32", "q4_k" …
	Parameters   int64
	Context      int // tokens
	Writes       bool
	Uses         []Use    // what becomes of each use, whatever the device
	Notes        []string // sentences: what is missing of the checkpoint, say
	Devices      []CompatDevice
}

// Use is one way to use a model, and whether this one can be used so.
type Use = pipeline.Use

// CompatDevice is how far one device can run the model.
type CompatDevice struct {
	Device  string
	Verdict string // one of the Verdict constants
	Reason  string // one sentence where it is not full, or where experts stay on the disk
	Ops     []CompatOp
	Memory  CompatMemory
	// Predicted is how fast it would be, from this machine's own speed; nothing
	// where the verdict is no, and on devices that are there for checking.
	Predicted []Prediction
}

// CompatOp sums up the operations of one kind in a pass of the model.
type CompatOp struct {
	Op     string
	DType  string // of their weights or caches, "f32" where they have neither
	Count  int
	RunsOn string
	Reason string // why that is not the device itself
}

// CompatMemory is what the model takes, in bytes.
type CompatMemory struct {
	Weights, KVCache, Activations int64
	Runtime                       int64 // the tokenizer, and the program without a model
	Total                         int64
	OnDisk                        int64 // experts that do not fit and are read when they are wanted
	Available                     int64 // 0: unknown
}

// Compat tells what each device would do with a model. It reads no weights, and
// they need not be there: a config.json, an index, or a file that ends behind its
// header is enough. What is no model that could run gets the verdict "no"; an
// error means that there is nothing of that name.
func (f *Service) Compat(ctx context.Context, r CompatRequest) (Compat, error) {
	ctx, done, err := f.life.Begin(ctx)
	if err != nil {
		return Compat{}, err
	}
	defer done()
	p, err := f.library.Locate(ctx, r.Model)
	var unfit *library.NotModelError
	if errors.As(err, &unfit) {
		return f.compatWithout(r.Model, err), nil
	}
	if err != nil {
		return Compat{}, err
	}
	folder, closer, err := p.Open(ctx)
	if err != nil {
		return Compat{}, err
	}
	defer closer.Close()
	outline, err := pipeline.OpenOutline(folder, pipeline.OutlineOptions{WeightsFile: p.WeightsFile, Hold: r.Hold})
	if err != nil {
		return f.compatWithout(p.ID, p.Blame(ctx, folder, err)), nil
	}
	defer outline.Close()
	resident := Resident(p.Source, outline.WeightBytes)
	c := Compat{
		Model: p.ID, Architecture: outline.Architecture, Format: outline.Format, DType: strings.ToLower(outline.DType),
		Parameters: outline.Parameters, Context: outline.Context, Writes: outline.Writes, Uses: usesOf(outline), Notes: outline.Notes,
	}
	if r.Anew {
		f.predictor.Forget()
	}
	for _, d := range f.devices.Devices() {
		if err := ctx.Err(); err != nil {
			return Compat{}, err
		}
		on := f.compatOn(d, outline, resident)
		if r.Predict && on.Verdict != VerdictNo && on.Memory.OnDisk == 0 { // how fast the disk is, nobody measured
			if on.Predicted, err = f.predictor.Usual(ctx, d.ID, outline); err != nil {
				return Compat{}, err
			}
		}
		c.Devices = append(c.Devices, on)
	}
	return c, nil
}

// Resident is how many bytes of the weights of a model from a source stay in memory beside the copy
// that is computed with: of a bundled one, half of the pages of the program that hold them, as was
// seen.
func Resident(source string, weightBytes int64) int64 {
	if source != library.SourceBundled {
		return 0
	}
	return weightBytes / 2
}

// compatWithout is the answer about something that no device can run.
func (f *Service) compatWithout(model string, err error) Compat {
	c := Compat{Model: model}
	for _, d := range f.devices.Devices() {
		c.Devices = append(c.Devices, refusal(d, err.Error()))
	}
	return c
}

// RunsNowhere returns the one reason for which no device can run the model; "" if one
// can, or if each has a reason of its own.
func (c Compat) RunsNowhere() string {
	for _, d := range c.Devices {
		if d.Verdict != VerdictNo || d.Reason != c.Devices[0].Reason {
			return ""
		}
	}
	if len(c.Devices) == 0 {
		return ""
	}
	return c.Devices[0].Reason
}

func refusal(d devices.Device, reason string) CompatDevice {
	return CompatDevice{Device: d.ID, Verdict: VerdictNo, Reason: plain.Line(reason, reasonLimit), Memory: CompatMemory{Available: freeOn(d)}}
}

// freeOn is how many bytes a model may take on a device that shares the computer's memory; 0:
// unknown. Some can work with a part only.
func freeOn(d devices.Device) int64 {
	free := devices.AvailableMemory()
	if limit := int64(d.MemoryBytes); d.ID != "cpu" && limit > 0 && (free == 0 || limit < free) {
		return limit
	}
	return free
}

// compatOn asks one device. resident bytes are in memory besides.
func (f *Service) compatOn(d devices.Device, outline *pipeline.Outline, resident int64) CompatDevice {
	if !d.Available {
		return refusal(d, d.Reason)
	}
	bs, err := f.devices.Backends(d.ID)
	if err != nil {
		return refusal(d, err.Error())
	}
	free := freeOn(d)
	fit, err := outline.On(bs, max(0, free-resident))
	if err != nil {
		return refusal(d, err.Error())
	}
	c := CompatDevice{Device: d.ID, Ops: countOps(fit.Report, d.ID)}
	m := fit.Memory
	m.Text += resident
	fit.Memory = m
	if m.Apart > 0 {
		free = devices.AvailableMemory()
	}
	c.Memory = CompatMemory{
		Weights: m.Weights, KVCache: m.Cache, Activations: m.Activations, Runtime: m.Text, Total: m.Total(), Available: free, OnDisk: m.Left,
	}
	if room := engine.Room(bs[0]); m.Apart > 0 && free > 0 {
		c.Memory.Available += room
	}
	if c.Verdict, c.Reason = Judge(fit.Report, d.ID); c.Reason == "" {
		c.Reason = m.Cost()
	}
	if err := fit.Fits(free, outline.Context); err != nil {
		c.Verdict, c.Reason = VerdictNo, err.Error()
	}
	return c
}

// OpInWords is what an operation does, for people who do not know its name.
func OpInWords(name string) string { return engine.InWords(name) }

// countOps sums up the operations of a pass, in the order of their first use.
func countOps(r engine.Report, device string) []CompatOp {
	var ops []CompatOp
	at := map[CompatOp]int{}
	for _, p := range r.Placements {
		op := CompatOp{Op: p.Op.String(), DType: p.DType.String(), RunsOn: p.Device}
		for _, f := range p.Refused {
			if f.Device == device {
				op.Reason = f.Reason
			}
		}
		i, seen := at[op]
		if !seen {
			i = len(ops)
			at[op], ops = i, append(ops, op)
		}
		ops[i].Count++
	}
	return ops
}

// Judge is the verdict about a device, with the reason where it is not full.
func Judge(r engine.Report, device string) (verdict, reason string) {
	var kinds, reasons []string
	count := 0
	for _, f := range r.Fallbacks() {
		if f.Device == device {
			count += f.Count
			kinds = append(kinds, fmt.Sprintf("%d × %s to %s (%s)", f.Count, OpInWords(f.Op.String()), f.RunsOn, f.Reason))
			if reason := fmt.Sprintf("to %s, since %s", f.RunsOn, f.Reason); !slices.Contains(reasons, reason) {
				reasons = append(reasons, reason)
			}
		}
	}
	if len(kinds) > 1 && len(reasons) == 1 { // as where there is no room for some layers
		kinds = reasons
	}
	switch {
	case count == 0:
		return VerdictFull, ""
	case count == len(r.Placements):
		return VerdictNo, "none of the operations has a kernel there: " + strings.Join(kinds, ", ")
	}
	return VerdictPartial, fmt.Sprintf("%d of %d operations fall back: %s", count, len(r.Placements), strings.Join(kinds, ", "))
}

// reasonLimit is the size in bytes up to which a reason is told: a model's file can put
// anything into it.
const reasonLimit = 600

// usesOf is what becomes of each use of a model, the reasons cut and cleaned.
func usesOf(o *pipeline.Outline) []Use {
	uses := slices.Clone(o.Uses)
	for i := range uses {
		uses[i].Reason = plain.Line(uses[i].Reason, reasonLimit)
	}
	return uses
}
