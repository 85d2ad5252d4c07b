// Package emulated opens the Metal backend on an emulated GPU: the whole host
// side of package metalbackend and the same kernels, run by package emulator on
// the processor, a hundred times slower. It is for tests, and for seeing without
// a Mac what a Mac would compute.
package emulated

import (
	"log/slog"
	"syscall"
	"time"

	"inglenook/gpu/emulator"
	"inglenook/metalbackend"
	"inglenook/metalbackend/fake"
)

// ID is the device's id, as in --device.
const ID = "metal-emulated"

// Options configure the emulation. The zero value is right for normal use.
type Options struct {
	Log     *slog.Logger // as in metalbackend.Options
	Any     bool         // as in metalbackend.Options
	Library string       // path of the emulator's library; if empty, [emulator.Open] finds it
	Device  fake.Options // the emulated GPU; its executor is the emulator
	// InPlace reads weights of mapped files in place, as on a Mac. Here the
	// program ends if such a file is truncated meanwhile: for tests only.
	InPlace bool
}

// Open opens the backend. Its error is one sentence that says why no emulated GPU
// is available.
func Open(o Options) (*metalbackend.Backend, error) {
	b, _, err := Runtime(o)
	return b, err
}

// rate is roughly how many multiply-adds a second the emulator does on two
// processors.
const rate = 5e8

// Runtime does what Open does and also returns the fake runtime, for injecting
// faults.
func Runtime(o Options) (*metalbackend.Backend, *fake.Fake, error) {
	e, err := emulator.Open(o.Library)
	if err != nil {
		return nil, nil, err
	}
	o.Device.Executor = e
	if o.Device.Name == "" {
		o.Device.Name = "emulated GPU (Metal's kernels run on the processor, slowly)"
	}
	if o.Device.Memory == 0 {
		o.Device.Memory = memory()
	}
	rt, err := fake.New(o.Device)
	if err != nil {
		return nil, nil, err
	}
	b, err := metalbackend.New(rt, metalbackend.Options{ID: ID, Rate: rate, Copy: !o.InPlace, Log: o.Log, Any: o.Any, Clock: clock(e.Processors)})
	return b, rt, err
}

// clock returns one that goes as fast as the time of day while the process has so many processors, and slower
// on a machine that is busy with other programs. So these do not make the emulated GPU count as lost.
func clock(processors int) func() time.Duration {
	return func() time.Duration {
		var u syscall.Rusage
		if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
			return 0
		}
		return time.Duration(u.Utime.Nano()+u.Stime.Nano()) / time.Duration(processors)
	}
}
