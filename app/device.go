package app

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"inglenook/cpubackend"
	"inglenook/engine"
)

// Device is a place to compute, present or not.
type Device struct {
	ID          string   // as in --device: "cpu", "metal", "cuda"
	Kind        string   // "cpu", "metal", "cuda"
	Name        string   // as the system calls it
	MemoryBytes uint64   // total; 0 where unknown
	Available   bool     // false: Reason says why
	Reason      string   // one sentence, empty when available
	Threads     int      // CPU threads in use; 0 elsewhere
	Features    []string // instruction sets
}

// devices opens backends when they are first needed and keeps them: one for
// each number of threads that was asked for.
type devices struct {
	isa  string
	open func(threads int, isa string) (engine.Backend, error)

	mu        sync.Mutex
	byThreads map[int]engine.Backend
}

func newDevices(isa string) *devices {
	return &devices{isa: isa, open: openCPU, byThreads: map[int]engine.Backend{}}
}

func openCPU(threads int, isa string) (engine.Backend, error) {
	b, err := cpubackend.New(cpubackend.Options{Threads: threads, ISA: isa})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (d *devices) cpu(threads int) (engine.Backend, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b, ok := d.byThreads[threads]; ok {
		return b, nil
	}
	b, err := d.open(threads, d.isa)
	if err != nil {
		return nil, fmt.Errorf("the CPU cannot be used: %w", err)
	}
	d.byThreads[threads] = b
	return b, nil
}

func (d *devices) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, b := range d.byThreads {
		errs = append(errs, b.Close())
	}
	clear(d.byThreads)
	return errors.Join(errs...)
}

// Devices lists the devices present, and those that are not with the reason.
func (a *App) Devices() []Device {
	list := []Device{{ID: "cpu", Kind: "cpu", Name: runtime.GOARCH}}
	if b, err := a.devices.cpu(a.threads()); err != nil {
		list[0].Reason = err.Error()
	} else {
		d := b.Device()
		list[0] = Device{
			ID: d.ID, Kind: d.Kind, Name: d.Name, MemoryBytes: d.MemoryBytes,
			Available: true, Threads: d.Threads, Features: d.Features,
		}
	}
	metal := "Metal exists on Apple computers only."
	if runtime.GOOS == "darwin" {
		metal = "This version computes on the CPU only."
	}
	return append(list,
		Device{ID: "metal", Kind: "metal", Name: "Metal", Reason: metal},
		Device{ID: "cuda", Kind: "cuda", Name: "CUDA", Reason: "This version computes on the CPU only."},
	)
}

// backends gives the backends of a device name, best first and the CPU last.
func (a *App) backends(device string) ([]engine.Backend, error) {
	switch device {
	case "", "auto", "cpu":
		b, err := a.devices.cpu(a.threads())
		if err != nil {
			return nil, err
		}
		return []engine.Backend{b}, nil
	}
	return nil, fmt.Errorf("there is no device %q here, because this version computes on the CPU only; use auto or cpu", device)
}
