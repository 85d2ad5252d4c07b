package models

import (
	"slices"

	"inglenook/app/fit"
	"inglenook/ui/panel"
)

// measured reports whether a device of this computer has been measured with the model in view.
func (p *modelPage) measured() bool {
	return p.compat != nil && slices.ContainsFunc(p.compat.Devices, func(d fit.CompatDevice) bool {
		return slices.ContainsFunc(panel.SpokenWorks, func(work string) bool {
			_, rows := panel.MeasuredBefore(p.past, d.Device, work)
			return rows != nil
		})
	})
}

// measuringSpeed is said while the devices are measured for an estimate.
const measuringSpeed = "Measuring the speed of this computer's devices…"

// lacksSpeed reports whether no device has an estimated speed of the model in view that can be shown.
func (p *modelPage) lacksSpeed() bool {
	return !slices.ContainsFunc(p.compat.Devices, func(d fit.CompatDevice) bool {
		return slices.ContainsFunc(d.Predicted, func(s fit.Prediction) bool { return s.Value > 0 && !s.Busy })
	})
}

// noSpeed says why the speed that a person asked for is not shown; "": nobody asked for that of this model.
func (p *modelPage) noSpeed() string {
	busy := slices.ContainsFunc(p.compat.Devices, func(d fit.CompatDevice) bool {
		return slices.ContainsFunc(d.Predicted, func(s fit.Prediction) bool { return s.Busy })
	})
	switch {
	case !p.predict || p.estimated != p.item.key():
		return ""
	case busy:
		return panel.TooBusyToEstimate + " Try again later, or measure it in Performance."
	}
	return "The speed of this model cannot be estimated here. Performance can measure it once the model is on this computer."
}
