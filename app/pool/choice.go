package pool

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/engine"
	"inglenook/pipeline"
)

// Choice is where a model runs, and why.
type Choice struct {
	Backends []engine.Backend // best first, the CPU last
	Device   string           // id of the first
	Why      string           // one sentence
	Notices  []string         // what a person should hear about it
}

// most hand-overs of a pass between a device and the CPU with which it is still
// worth while: each costs about as much as a layer.
const fewHandovers = 4

// Choose finds the backends of a target. e is the model, nil where there is none to
// compute with. report, which may be nil, hears of a device that is tested first.
func (p *Pool) Choose(ctx context.Context, t devices.Target, e *library.Entry, report func(base.Progress)) (Choice, error) {
	if e != nil && e.Elsewhere() {
		return Choice{Device: e.Server, Why: "It runs on the server " + e.Server + "."}, nil
	}
	threads := p.devices.Threads()
	if t.OwnThreads() {
		threads = t.Threads
	}
	cpu, err := p.devices.CPU(threads)
	if err != nil {
		return Choice{}, err
	}
	if t.Device == "cpu" {
		return Choice{Backends: []engine.Backend{cpu}, Device: t.DeviceID(), Why: "You chose it."}, nil
	}
	if e == nil {
		return Choice{Backends: []engine.Backend{cpu}, Device: "cpu", Why: "You chose it."}, nil
	}
	if t.DeviceID() == devices.Auto {
		return p.chooseBest(ctx, cpu, *e, t.Hold, report)
	}
	i := slices.IndexFunc(p.devices.Others, func(x *devices.Accelerator) bool { return x.ID == t.Device })
	if i < 0 {
		return Choice{}, fmt.Errorf("there is no device %q; use %s", t.Device, strings.Join(devices.DeviceIDs(), ", "))
	}
	guard, notices, err := p.devices.Trusted(ctx, p.devices.Others[i], cpu, report)
	if err != nil {
		return Choice{}, fmt.Errorf("the device %s cannot be used: %w; use auto or cpu", t.Device, err)
	}
	return Choice{[]engine.Backend{guard, cpu}, t.Device, "You chose it.", notices}, nil
}

// chooseBest returns the first device that has kernels and memory for the model, else
// the CPU.
func (p *Pool) chooseBest(ctx context.Context, cpu engine.Backend, e library.Entry, as devices.Hold, report func(base.Progress)) (Choice, error) {
	var against, notices []string
	for _, x := range p.devices.Others {
		if x.ByName {
			continue
		}
		guard, faults, err := p.devices.Trusted(ctx, x, cpu, report)
		notices = append(notices, faults...)
		if err != nil {
			against = append(against, fmt.Sprintf("%s: %v", x.ID, err))
			continue
		}
		bs := []engine.Backend{guard, cpu}
		on, err := p.outlineOn(ctx, e, bs, as)
		if err != nil {
			return Choice{}, err
		}
		report := on.Report
		_, refused := fit.Judge(report, x.ID)
		if need, most := on.Memory.Host(), p.most(e, x.ID); most > 0 && need > most {
			against = append(against, fmt.Sprintf("%s: the model needs %s of memory there, and no more than %s can be had",
				x.ID, humanize.Bytes(uint64(need)), humanize.Bytes(uint64(most))))
			notices = append(notices, fmt.Sprintf("%s needs %s of memory on %s, where no more than %s can be had, so it runs on the CPU",
				e.Name, humanize.Bytes(uint64(need)), x.ID, humanize.Bytes(uint64(most))))
			continue
		}
		if report.Handovers > fewHandovers {
			against = append(against, fmt.Sprintf("%s: the work would pass to the CPU and back, because %s", x.ID, refused))
			continue
		}
		why := fmt.Sprintf("This model runs on %s.", x.ID)
		if refused != "" {
			why = fmt.Sprintf("Most of this model runs on %s: %s.", x.ID, refused)
		}
		return Choice{bs, x.ID, why, notices}, nil
	}
	why := base.JoinNotes([]string{strings.Join(against, "; ")})
	return Choice{[]engine.Backend{cpu}, "cpu", why, notices}, nil
}

// outlineOn returns where the operations of a model would run and what it would take.
func (p *Pool) outlineOn(ctx context.Context, e library.Entry, bs []engine.Backend, as devices.Hold) (pipeline.Fit, error) {
	folder, closer, err := e.Location.Open(ctx)
	if err != nil {
		return pipeline.Fit{}, err
	}
	defer closer.Close()
	outline, err := pipeline.OpenOutline(folder, pipeline.OutlineOptions{WeightsFile: e.Location.WeightsFile, Hold: as})
	if err != nil {
		return pipeline.Fit{}, err
	}
	defer outline.Close()
	return outline.On(bs, 0)
}
