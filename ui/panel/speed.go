package panel

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/kit"
)

// SpeedText says how fast a device was with the model the last time, and how fast it would be
// where that was never measured.
func SpeedText(d fit.CompatDevice, past []measure.Result) string {
	var was, would []string
	for _, work := range SpokenWorks {
		if speed, ok := MeasuredBefore(past, d.Device, work); ok {
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

// SpokenWorks are the kinds of work that a sentence tells, what people notice most first.
var SpokenWorks = []string{fit.WorkGenerate, fit.WorkPrompt, fit.WorkEmbed, fit.WorkRerank}

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

// MeasuredBefore is the speed that a device had with the model when it was measured last, at
// its best, with the weights as they are in the file.
func MeasuredBefore(past []measure.Result, device, work string) (best float64, ok bool) {
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

// SpeedBelow draws SpeedText below the verdict about a device; without (which may be empty) stands
// there for one that has no speed yet.
func SpeedBelow(past []measure.Result, without string) func(fit.CompatDevice) fyne.CanvasObject {
	return func(d fit.CompatDevice) fyne.CanvasObject {
		text, color := SpeedText(d, past), fyne.ThemeColorName(theme.ColorNameForeground)
		if text == "" && d.Verdict != fit.VerdictNo {
			text, color = without, kit.ColorMuted
		}
		if text == "" {
			return nil
		}
		return container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: kit.Gap}, kit.NewCaption("")), nil, kit.NewParagraph(text, color).Small().Flat)
	}
}
