package placement

import (
	"slices"
	"strings"

	"inglenook/engine"
)

// Outcome tells where some passes ran.
type Outcome struct {
	Devices   []string
	Fallbacks []engine.Fallback
	Notices   []string
	Profile   Profile
}

// Device joins the ids of all devices.
func (o Outcome) Device() string { return strings.Join(o.Devices, "+") }

// Add counts one pass; ops are the operations of its graph.
func (o *Outcome) Add(r engine.Report, ops []*engine.Tensor) {
	o.Profile.add(r, ops)
	o.Saw(r)
}

// Join adds what another one tells.
func (o *Outcome) Join(p Outcome) {
	for _, d := range p.Devices {
		if !slices.Contains(o.Devices, d) {
			o.Devices = append(o.Devices, d)
		}
	}
	if o.Fallbacks == nil {
		o.Fallbacks = p.Fallbacks
	}
	o.Notices = append(o.Notices, p.Notices...)
	o.Profile.join(p.Profile)
}

// Saw is Add without the profile.
func (o *Outcome) Saw(r engine.Report) {
	for _, p := range r.Placements {
		if !slices.Contains(o.Devices, p.Device) {
			o.Devices = append(o.Devices, p.Device)
		}
	}
	if o.Fallbacks == nil {
		o.Fallbacks = r.Fallbacks()
	}
}
