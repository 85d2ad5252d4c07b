package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"inglenook/engine"
	"inglenook/pipeline"
)

// choice is where a model runs, and why.
type choice struct {
	backends []engine.Backend // best first, the CPU last
	device   string           // id of the first
	why      string           // one sentence
	notices  []string         // what a person should hear about it
}

// most hand-overs of a pass between a device and the CPU with which it is still
// worth while: each costs about as much as a layer.
const fewHandovers = 4

// choose finds the backends for a wish: "" or "auto", or the id of a device. e is
// the model, nil where there is none to compute with.
func (a *App) choose(ctx context.Context, wish string, e *entry) (choice, error) {
	cpu, err := a.devices.cpu(a.threads())
	if err != nil {
		return choice{}, err
	}
	if wish == "cpu" || e == nil {
		return choice{backends: []engine.Backend{cpu}, device: "cpu", why: "It was asked for."}, nil
	}
	if wish == "" || wish == "auto" {
		return a.chooseBest(ctx, cpu, *e)
	}
	i := slices.IndexFunc(a.devices.others, func(x *accelerator) bool { return x.id == wish })
	if i < 0 {
		return choice{}, fmt.Errorf("there is no device %q; use %s", wish, strings.Join(DeviceIDs(), ", "))
	}
	guard, notices, err := a.trust(ctx, a.devices.others[i], cpu)
	if err != nil {
		return choice{}, fmt.Errorf("the device %s cannot be used: %w; use auto or cpu", wish, err)
	}
	return choice{[]engine.Backend{guard, cpu}, wish, "It was asked for.", notices}, nil
}

// chooseBest takes the first device that has kernels for the model, else the CPU.
func (a *App) chooseBest(ctx context.Context, cpu engine.Backend, e entry) (choice, error) {
	var against, notices []string
	for _, x := range a.devices.others {
		if x.byName {
			continue
		}
		guard, told, err := a.trust(ctx, x, cpu)
		notices = append(notices, told...)
		if err != nil {
			against = append(against, fmt.Sprintf("%s: %v", x.id, err))
			continue
		}
		bs := []engine.Backend{guard, cpu}
		report, err := a.coverage(e, bs)
		if err != nil {
			return choice{}, err
		}
		refused := pipeline.Refused(report, x.id)
		if report.Handovers > fewHandovers {
			against = append(against, fmt.Sprintf("%s: the work would pass to the CPU and back, because %s", x.id, refused))
			continue
		}
		why := fmt.Sprintf("%s has kernels for this model.", x.id)
		if refused != "" {
			why = fmt.Sprintf("%s has kernels for most of this model: %s.", x.id, refused)
		}
		return choice{bs, x.id, why, notices}, nil
	}
	why := joinNotes([]string{strings.Join(against, "; ")})
	return choice{[]engine.Backend{cpu}, "cpu", why, notices}, nil
}

// coverage tells where the operations of a model would run.
func (a *App) coverage(e entry, bs []engine.Backend) (engine.Report, error) {
	folder, closer, err := e.place.open()
	if err != nil {
		return engine.Report{}, err
	}
	defer closer.Close()
	return a.openers.coverage(folder, e.place.weightsFile, bs)
}

// The verdicts about a device.
const (
	VerdictFull    = "full"    // it has a kernel for every operation
	VerdictPartial = "partial" // some run on the CPU
	VerdictNo      = "no"      // it is not there, or has a kernel for nothing
)

// Verdict says how far a device can run a model or a kind of models.
type Verdict struct {
	Device    string
	Verdict   string // one of the Verdict constants
	Reason    string // one sentence where it is not full
	Fallbacks []engine.Fallback
}

// Supports says how far a device can run a model, from its config and the
// directory of its weights.
func (a *App) Supports(ctx context.Context, device, model string) (Verdict, error) {
	ctx, done, err := a.begin(ctx)
	if err != nil {
		return Verdict{}, err
	}
	defer done()
	e, err := a.usable(ctx, model)
	if err != nil {
		return Verdict{}, err
	}
	return a.verdict(device, func(bs []engine.Backend) (engine.Report, error) { return a.coverage(e, bs) })
}

// SupportsKind says how far a device can run models of a kind (one of the Kind
// constants), in the usual types of weights.
func (a *App) SupportsKind(device, kind string) (Verdict, error) {
	return a.verdict(device, func(bs []engine.Backend) (engine.Report, error) { return pipeline.KindCoverage(kind, bs) })
}

func (a *App) verdict(device string, coverage func([]engine.Backend) (engine.Report, error)) (Verdict, error) {
	cpu, err := a.devices.cpu(a.threads())
	if err != nil {
		return Verdict{}, err
	}
	bs := []engine.Backend{cpu}
	if device != "cpu" {
		i := slices.IndexFunc(a.devices.others, func(x *accelerator) bool { return x.id == device })
		if i < 0 {
			return Verdict{}, fmt.Errorf("there is no device %q", device)
		}
		guard, err := a.devices.others[i].backend()
		if err != nil {
			return Verdict{Device: device, Verdict: VerdictNo, Reason: joinNotes([]string{err.Error()})}, nil
		}
		bs = []engine.Backend{guard, cpu}
	}
	report, err := coverage(bs)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Device: device, Verdict: VerdictFull, Fallbacks: report.Fallbacks()}
	refused := pipeline.Refused(report, device)
	if refused == "" {
		return v, nil
	}
	v.Verdict, v.Reason = VerdictPartial, joinNotes([]string{refused})
	if !slices.ContainsFunc(report.Placements, func(p engine.Placement) bool { return p.Device == device }) {
		v.Verdict = VerdictNo
	}
	return v, nil
}
