package app

import (
	"errors"
	"slices"
	"sync"

	"inglenook/engine"
	"inglenook/metalbackend"
	"inglenook/metalbackend/emulated"
)

// accelerator is a device beside the processor. It is opened when somebody asks
// about it, once, and guarded: what is found out about it under one model holds
// for all of them, until the program ends.
type accelerator struct {
	id, kind, name string
	byName         bool // is used only where it is asked for
	open           func() (engine.Backend, error)
	// probe tells what open would give, where that takes long; it may be nil.
	probe func() (engine.Device, error)

	mu     sync.Mutex // guards what follows
	opened bool
	probed *Device // by probe
	guard  *engine.Guard
	absent error  // one sentence
	check  string // one sentence on how the test went; empty: none yet

	testing sync.Mutex // held while the device is tested; guards what follows
	tested  bool
}

// accelerators lists those that this program knows, best first.
func accelerators() []*accelerator {
	return []*accelerator{
		{id: "metal", kind: "metal", name: "Metal", open: openMetal, probe: probeMetal},
		{id: "cuda", kind: "cuda", name: "CUDA", open: openCUDA},
		{id: emulated.ID, kind: "metal", name: "Metal, emulated", byName: true, open: openEmulated},
	}
}

func openMetal() (engine.Backend, error) {
	rt, err := metalbackend.System()
	if err != nil {
		return nil, err
	}
	b, err := metalbackend.New(rt, metalbackend.Options{})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func probeMetal() (engine.Device, error) {
	rt, err := metalbackend.System()
	if err != nil {
		return engine.Device{}, err
	}
	return metalbackend.Probe(rt)
}

func openCUDA() (engine.Backend, error) {
	return nil, errors.New("this version cannot compute on NVIDIA cards: its kernels have no host for CUDA yet")
}

func openEmulated() (engine.Backend, error) {
	b, err := emulated.Open(emulated.Options{})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// backend is the open device, or a sentence that says why there is none.
func (x *accelerator) backend() (*engine.Guard, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.opened {
		x.opened = true
		b, err := x.open()
		if err != nil {
			x.absent = err
		} else {
			x.guard = engine.NewGuard(b)
		}
	}
	return x.guard, x.absent
}

// looked is what a mere look at the device tells, nil where it has been opened
// or has to be.
func (x *accelerator) looked() *Device {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.opened || x.probe == nil {
		return nil
	}
	if x.probed == nil {
		d := Device{ID: x.id, Kind: x.kind, Name: x.name}
		if p, err := x.probe(); err != nil {
			d.Reason = joinNotes([]string{err.Error()})
		} else {
			d.Name, d.MemoryBytes, d.Features, d.Available = p.Name, p.MemoryBytes, p.Features, true
		}
		x.probed = &d
	}
	return x.probed
}

// describe tells about the device.
func (x *accelerator) describe() Device {
	if d := x.looked(); d != nil {
		return *d
	}
	guard, err := x.backend()
	if err == nil {
		if err = guard.Failed(); err == nil {
			d := present(guard)
			d.SelfCheck = x.checked()
			return d
		}
	}
	d := Device{ID: x.id, Kind: x.kind, Name: x.name, Reason: joinNotes([]string{err.Error()})}
	if guard != nil {
		d = present(guard)
		d.Available, d.Reason = false, "It failed and is not used any more: "+err.Error()+"."
	}
	return d
}

// checked tells how the test of the device went.
func (x *accelerator) checked() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.check == "" {
		return "Not tested yet: every kernel is held against the CPU before the device is first used."
	}
	return x.check
}

// passed keeps how the test went: the notices tell what was wrong.
func (x *accelerator) passed(notices []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.check = "Passed: every kernel gives what the CPU gives."
	if len(notices) > 0 {
		x.check = joinNotes(slices.Clone(notices))
	}
}

func (x *accelerator) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.guard == nil {
		return nil
	}
	guard := x.guard
	x.guard, x.absent = nil, errClosing
	if err := guard.Close(); guard.Failed() == nil {
		return err
	}
	return nil // a device that is lost may not even close
}
