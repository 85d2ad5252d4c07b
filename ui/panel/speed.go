package panel

import (
	"cmp"
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
	doubt := ""
	for _, work := range SpokenWorks {
		if speed, rows := MeasuredBefore(past, d.Device, work); rows != nil {
			was = append(was, speedInWords(work, speed))
			doubt = cmp.Or(doubt, doubtOf(rows, work))
			continue
		}
		if i := slices.IndexFunc(d.Predicted, func(s fit.Prediction) bool { return s.Work == work && s.Value > 0 && !s.Busy }); i >= 0 {
			would = append(would, speedInWords(work, d.Predicted[i].Value))
		}
	}
	var texts []string
	if len(was) > 0 {
		texts = append(texts, "Measured here: "+strings.Join(was, ", ")+"."+doubt)
	}
	if len(would) > 0 {
		texts = append(texts, "Estimated: "+strings.Join(would, ", ")+".")
	}
	return strings.Join(texts, " ")
}

// LastChat says how fast a model wrote in its last answer, in tokens a second; "": it wrote none.
func LastChat(tokensPerS float64) string {
	if tokensPerS <= 0 {
		return ""
	}
	return "In your last chat: " + kit.WordsPerSecond(tokensPerS) + "."
}

// doubtOf is a sentence on a measurement that is not reliable, with a space before it; "": it is.
func doubtOf(rows []measure.Row, work string) string {
	switch others, spread := measure.Doubt(rows, work); {
	case others > 0:
		return " Not reliable: it was measured while the computer was busy. Measure it again in Performance."
	case spread > 0:
		return " Not reliable: the speed varied much. Measure it again in Performance."
	}
	return ""
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
// its best, with the weights as they are in the file, and the rows of that measurement; nil: it
// was never measured so.
func MeasuredBefore(past []measure.Result, device, work string) (best float64, rows []measure.Row) {
	for _, p := range past {
		for _, r := range p.Rows {
			if m, has := r.Measure(work); has && r.Device == device && r.Target.Weights == "" {
				best, rows = max(best, m.Median), p.Rows
			}
		}
		if rows != nil {
			break
		}
	}
	return best, rows
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
