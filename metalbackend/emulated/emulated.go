// Package emulated opens the Metal backend on an emulated GPU: the whole host
// side of package metalbackend, the same kernels, but run by package emulator on
// the processor, a hundred times slower. It is for tests, and for seeing on a
// machine without a Mac what a Mac would compute.
package emulated

import (
	"inglenook/gpu/emulator"
	"inglenook/metalbackend"
	"inglenook/metalbackend/fake"
)

// ID is the device's id, as in --device.
const ID = "metal-emulated"

// Options say how to emulate. The zero value is right for use.
type Options struct {
	Library string       // path of the emulator's library; where [emulator.Find] finds it if empty
	Device  fake.Options // the GPU to pretend; its executor is the emulator
	// InPlace reads weights of mapped files in place, as on a Mac. Here a file that
	// is cut short meanwhile ends the program: for tests.
	InPlace bool
}

// Open opens the backend. Its error is one sentence that says why there is no
// emulated GPU here.
func Open(o Options) (*metalbackend.Backend, error) {
	b, _, err := Runtime(o)
	return b, err
}

// rate is how many multiply-adds a second the emulator does on two processors, about.
const rate = 5e8

// Runtime is as Open and gives the fake runtime, too, into which faults can be injected.
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
	b, err := metalbackend.New(rt, metalbackend.Options{ID: ID, Rate: rate, Copy: !o.InPlace})
	return b, rt, err
}
