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

// choose finds the backends of a target. e is the model, nil where there is none to
// compute with.
func (p *Pool) choose(ctx context.Context, t Target, e *entry) (choice, error) {
	threads := p.devices.Threads()
	if t.ownThreads() {
		threads = t.Threads
	}
	cpu, err := p.devices.cpu(threads)
	if err != nil {
		return choice{}, err
	}
	if t.Device == "cpu" {
		return choice{backends: []engine.Backend{cpu}, device: t.deviceID(), why: "It was asked for."}, nil
	}
	if e == nil {
		return choice{backends: []engine.Backend{cpu}, device: "cpu", why: "It was asked for."}, nil
	}
	if t.deviceID() == auto {
		return p.chooseBest(ctx, cpu, *e)
	}
	i := slices.IndexFunc(p.devices.others, func(x *accelerator) bool { return x.id == t.Device })
	if i < 0 {
		return choice{}, fmt.Errorf("there is no device %q; use %s", t.Device, strings.Join(DeviceIDs(), ", "))
	}
	guard, notices, err := p.devices.trust(ctx, p.devices.others[i], cpu)
	if err != nil {
		return choice{}, fmt.Errorf("the device %s cannot be used: %w; use auto or cpu", t.Device, err)
	}
	return choice{[]engine.Backend{guard, cpu}, t.Device, "It was asked for.", notices}, nil
}

// chooseBest takes the first device that has kernels for the model, else the CPU.
func (p *Pool) chooseBest(ctx context.Context, cpu engine.Backend, e entry) (choice, error) {
	var against, notices []string
	for _, x := range p.devices.others {
		if x.byName {
			continue
		}
		guard, told, err := p.devices.trust(ctx, x, cpu)
		notices = append(notices, told...)
		if err != nil {
			against = append(against, fmt.Sprintf("%s: %v", x.id, err))
			continue
		}
		bs := []engine.Backend{guard, cpu}
		report, err := p.coverage(e, bs)
		if err != nil {
			return choice{}, err
		}
		_, refused := judge(report, x.id)
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
func (p *Pool) coverage(e entry, bs []engine.Backend) (engine.Report, error) {
	folder, closer, err := e.place.open()
	if err != nil {
		return engine.Report{}, err
	}
	defer closer.Close()
	outline, err := pipeline.OpenOutline(folder, pipeline.OutlineOptions{WeightsFile: e.place.weightsFile})
	if err != nil {
		return engine.Report{}, err
	}
	defer outline.Close()
	fit, err := outline.On(bs)
	return fit.Report, err
}
