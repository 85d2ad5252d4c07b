package models

import (
	"slices"
	"strings"

	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// speedText says how fast a device was with the model the last time, and how fast it would be
// where that was never measured.
func speedText(d fit.CompatDevice, past []measure.Result) string {
	var was, would []string
	for _, work := range spokenWorks {
		if speed, ok := measuredBefore(past, d.Device, work); ok {
			was = append(was, speedInWords(work, speed))
			continue
		}
		if i := slices.IndexFunc(d.Predicted, func(s fit.Prediction) bool { return s.Work == work && s.Value > 0 && !s.Busy }); i >= 0 {
			would = append(would, speedInWords(work, d.Predicted[i].Value))
		}
	}
	var texts []string
	if len(was) > 0 {
		texts = append(texts, "Measured here: "+strings.Join(was, ", ")+".")
	}
	if len(would) > 0 {
		texts = append(texts, "Estimated: "+strings.Join(would, ", ")+".")
	}
	return strings.Join(texts, " ")
}

// spokenWorks are the kinds of work that a sentence tells, what people notice most first.
var spokenWorks = []string{fit.WorkGenerate, fit.WorkPrompt, fit.WorkEmbed, fit.WorkRerank}

// speedInWords is how fast a kind of work goes, for people.
func speedInWords(work string, speed float64) string {
	switch work {
	case fit.WorkGenerate:
		return "writes " + kit.WordsPerSecond(speed)
	case fit.WorkPrompt:
		return "reads " + kit.WordsPerSecond(speed)
	case fit.WorkRerank:
		return "ranks " + kit.Rate(speed) + " texts a second"
	}
	return "reads " + kit.Rate(speed) + " texts a second"
}

// measuredBefore is the speed that a device had with the model when it was measured last, at
// its best, with the weights as they are in the file.
func measuredBefore(past []measure.Result, device, work string) (best float64, ok bool) {
	for _, p := range past {
		for _, r := range p.Rows {
			if m, has := r.Measure(work); has && r.Device == device && r.Target.Weights == "" {
				best, ok = max(best, m.Median), true
			}
		}
		if ok {
			break
		}
	}
	return best, ok
}

// measured reports whether a device of this computer has been measured with the model in view.
func (p *modelPage) measured() bool {
	return p.compat != nil && slices.ContainsFunc(p.compat.Devices, func(d fit.CompatDevice) bool {
		return slices.ContainsFunc(spokenWorks, func(work string) bool {
			_, ok := measuredBefore(p.past, d.Device, work)
			return ok
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

// noSpeed says why the speed that a person asked for is not shown; "": nobody asked.
func (p *modelPage) noSpeed() string {
	busy := slices.ContainsFunc(p.compat.Devices, func(d fit.CompatDevice) bool {
		return slices.ContainsFunc(d.Predicted, func(s fit.Prediction) bool { return s.Busy })
	})
	switch {
	case !p.predict:
		return ""
	case busy:
		return panel.TooBusyToEstimate + " Try again later, or measure it in Performance."
	}
	return "The speed of this model cannot be estimated here. Performance can measure it once the model is on this computer."
}
