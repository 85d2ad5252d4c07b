package pipeline

import (
	"slices"
	"strings"

	"inglenook/engine"
)

// outcome is what a pass says about where it ran.
type outcome struct {
	devices   []string
	fallbacks []engine.Fallback
	notices   []string
	profile   Profile
}

func (o outcome) device() string { return strings.Join(o.devices, "+") }

func (o *outcome) add(r engine.Report, ops []*engine.Tensor) {
	o.profile.add(r, ops)
	o.saw(r)
}

// saw is add without the profile.
func (o *outcome) saw(r engine.Report) {
	for _, p := range r.Placements {
		if !slices.Contains(o.devices, p.Device) {
			o.devices = append(o.devices, p.Device)
		}
	}
	if o.fallbacks == nil {
		o.fallbacks = r.Fallbacks()
	}
}
