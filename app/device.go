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
	ID          string   // as in --device: "cpu", "metal", "cuda", "metal-emulated"
	Kind        string   // "cpu", "metal", "cuda"
	Name        string   // as the system calls it
	MemoryBytes uint64   // total; 0 where unknown
	Available   bool     // false: Reason says why
	Reason      string   // one sentence, empty when available
	Threads     int      // CPU threads in use; 0 elsewhere
	Features    []string // instruction sets, GPU families
	SelfCheck   string   // of a device beside the CPU: one sentence on how its test went
}

// Fallback sums up operations of one kind that a device has no kernel for.
type Fallback = engine.Fallback

// DeviceIDs are the names that a request may give: "auto" is the best device for
// the model.
func DeviceIDs() []string { return []string{"auto", "cpu", "metal", "cuda", "metal-emulated"} }

// devices opens backends when they are first needed and keeps them: the
// processor once for each number of threads that was asked for, each other
// device once.
type devices struct {
	isa    string
	open   func(threads int, isa string) (engine.Backend, error)
	others []*accelerator // best first

	mu        sync.Mutex
	byThreads map[int]engine.Backend
}

func newDevices(isa string) *devices {
	return &devices{isa: isa, open: openCPU, others: accelerators(), byThreads: map[int]engine.Backend{}}
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
	for _, x := range d.others {
		errs = append(errs, x.close())
	}
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
		list[0] = present(b)
	}
	for _, x := range a.devices.others {
		list = append(list, x.describe())
	}
	return list
}

// present describes an open backend.
func present(b engine.Backend) Device {
	d := b.Device()
	return Device{
		ID: d.ID, Kind: d.Kind, Name: d.Name, MemoryBytes: d.MemoryBytes,
		Available: true, Threads: d.Threads, Features: d.Features,
	}
}
