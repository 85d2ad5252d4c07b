package devices

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize/english"

	"inglenook/app/base"
	"inglenook/cudabackend"
	"inglenook/engine"
	"inglenook/metalbackend"
	"inglenook/metalbackend/emulated"
)

// Accelerator is a device beside the processor. It is opened when somebody asks
// about it, once, and guarded: what is found out about it under one model holds
// for all of them, until the program ends.
type Accelerator struct {
	ID, Kind, Name string
	ByName         bool // is used only where it is asked for
	Open           func() (engine.Backend, error)
	// Probe tells what open would give, where that takes long; it may be nil.
	Probe  func() (engine.Device, error)
	trial  *trial // nil: nothing is marked
	before func() // tries the device in another process; may be nil

	opening sync.Mutex // held while the device is opened, which takes seconds: others may look at it meanwhile

	mu     sync.Mutex // guards what follows
	opened bool
	probed *Device // by probe
	guard  *engine.Guard
	absent error  // one sentence
	check  string // one sentence on how the test went; empty: none yet
	lack   string // one sentence on what the CPU does for it; empty: nothing

	testing sync.Mutex // held while the device is opened and tested for use; guards what follows
	tested  bool
}

// accelerators lists those that this program knows, best first. The log gets what
// their compilers say; the folder keeps what they compiled.
func accelerators(log *slog.Logger, folder string) []*Accelerator {
	return []*Accelerator{
		{ID: "metal", Kind: "metal", Name: "Metal", Open: func() (engine.Backend, error) { return openMetal(log) }, Probe: probeMetal},
		{ID: cudabackend.ID, Kind: "cuda", Name: "CUDA", Open: func() (engine.Backend, error) { return openCUDA(filepath.Join(folder, "cuda")) }, Probe: probeCUDA},
		{ID: emulated.ID, Kind: "metal", Name: "Metal, emulated", ByName: true, Open: func() (engine.Backend, error) { return openEmulated(log) }},
	}
}

func openMetal(log *slog.Logger) (engine.Backend, error) {
	rt, err := metalbackend.System()
	if err != nil {
		return nil, err
	}
	b, err := metalbackend.New(rt, metalbackend.Options{Log: log})
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

func openCUDA(folder string) (engine.Backend, error) {
	b, err := cudabackend.New(cudabackend.Options{Folder: folder})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func probeCUDA() (engine.Device, error) { return cudabackend.Probe(nil) }

func openEmulated(log *slog.Logger) (engine.Backend, error) {
	b, err := emulated.Open(emulated.Options{Log: log})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// backend is the open device, or a sentence that says why there is none.
func (x *Accelerator) backend() (*engine.Guard, error) {
	x.opening.Lock()
	defer x.opening.Unlock()
	if guard, err, opened := x.state(); opened {
		return guard, err
	}
	guard, err := x.open()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.opened, x.guard, x.absent = true, guard, err
	return guard, err
}

// state returns what opening gave, if the device was opened.
func (x *Accelerator) state() (guard *engine.Guard, err error, opened bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.guard, x.absent, x.opened
}

// open opens the device, unless the program or a process that tried it ended at it.
func (x *Accelerator) open() (guard *engine.Guard, err error) {
	if err := x.trial.left(); err != nil {
		return nil, err
	}
	if x.before != nil {
		x.before()
		if err := x.trial.left(); err != nil {
			return nil, err
		}
	}
	var b engine.Backend
	x.trial.during(inOpen, func() { b, err = x.Open() })
	if err != nil {
		return nil, err
	}
	guard = engine.NewGuard(b)
	if x.trial != nil {
		guard.Watch = x.trial.pass
	}
	return guard, nil
}

// again has a device opened and tested anew that was absent or left alone.
func (x *Accelerator) again() error {
	x.testing.Lock()
	defer x.testing.Unlock()
	x.opening.Lock()
	defer x.opening.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.guard == nil {
		x.opened, x.absent, x.probed = false, nil, nil
	}
	x.tested = false
	return x.trial.forget()
}

// unopened returns what Probe tells about the device without opening it, nil if it is open
// or has no Probe.
func (x *Accelerator) unopened() *Device {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.opened || x.Probe == nil || x.trial.left() != nil {
		return nil
	}
	if x.probed == nil {
		d := Device{ID: x.ID, Kind: x.Kind, Name: x.Name}
		if p, err := x.Probe(); err != nil {
			d.Reason = base.JoinNotes([]string{err.Error()})
		} else {
			d.Name, d.MemoryBytes, d.Features, d.NotUsed, d.Available = p.Name, p.MemoryBytes, p.Features, p.NotUsed, true
		}
		x.probed = &d
	}
	return x.probed
}

// describe returns what is known about the device.
func (x *Accelerator) describe() Device {
	if d := x.unopened(); d != nil {
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
	_, left := errors.AsType[*leftError](err)
	d := Device{ID: x.ID, Kind: x.Kind, Name: x.Name, LeftAlone: left, Reason: base.JoinNotes([]string{err.Error()})}
	if guard != nil {
		d = present(guard)
		d.Available, d.Reason = false, "It failed and is no longer used: "+err.Error()+"."
	}
	return d
}

// checked returns how the test of the device went.
func (x *Accelerator) checked() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.check == "" {
		return "Not tested yet: before its first use, its results are compared with the CPU's."
	}
	return x.check
}

// passed keeps how the test went: the notices tell what was wrong.
func (x *Accelerator) passed(notices []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.check = strings.TrimSpace("Passed: its results equal the CPU's. " + x.lack)
	if len(notices) > 0 {
		x.check = base.JoinNotes(slices.Clone(notices))
	}
}

// lacks keeps what the device has no kernels for.
func (x *Accelerator) lacks(kinds int, reason string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.lack = fmt.Sprintf("It cannot do %s, which the CPU does for it (%s).", english.Plural(kinds, "kind of operation", ""), reason)
}

func (x *Accelerator) close() error {
	x.testing.Lock()
	defer x.testing.Unlock()
	x.opening.Lock()
	defer x.opening.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.trial.close()
	if x.guard == nil {
		return nil
	}
	guard := x.guard
	x.opened, x.guard, x.absent = true, nil, base.ErrClosing
	if err := guard.Close(); guard.Failed() == nil {
		return err
	}
	return nil // a device that is lost may not even close
}
