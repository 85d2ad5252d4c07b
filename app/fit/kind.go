package fit

import (
	"fmt"
	"slices"

	"inglenook/app/devices"
	"inglenook/pipeline"
)

// The verdicts about a device.
const (
	VerdictFull    = "full"    // it has a kernel for every operation
	VerdictPartial = "partial" // some run on the CPU
	VerdictNo      = "no"      // it is not there, or has a kernel for nothing
)

// Verdict says how far a device can run models of a kind; [App.Compat] says so of
// one model.
type Verdict struct {
	Device  string
	Verdict string // one of the Verdict constants
	Reason  string // one sentence where it is not full
}

// SupportsKind says how far a device can run models of a kind (one of the Kind
// constants), in the usual types of weights.
func (f *Service) SupportsKind(device, kind string) (Verdict, error) {
	list := f.devices.Devices()
	i := slices.IndexFunc(list, func(d devices.Device) bool { return d.ID == device })
	if i < 0 {
		return Verdict{}, fmt.Errorf("there is no device %q", device)
	}
	if !list[i].Available {
		return Verdict{device, VerdictNo, list[i].Reason}, nil
	}
	bs, err := f.devices.Backends(device)
	if err != nil {
		return Verdict{}, err
	}
	report, err := pipeline.KindCoverage(kind, bs)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Device: device}
	v.Verdict, v.Reason = Judge(report, device)
	return v, nil
}
