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

// What is advised where a speed is not reliable: to measure it again, with the way there for who is elsewhere.
const (
	MeasureAgain              = "Measure it again."
	MeasureAgainInPerformance = "Measure it again in Performance."
)

// SpeedText says how fast a device was with the model and in which way, and how fast it would be
// where that was never measured. again is what is advised where that is not reliable.
func SpeedText(d fit.CompatDevice, past []measure.Result, again string) string {
	var was, would []string
	doubt := ""
	var way measure.Row // in which it does what people notice most fastest
	for _, work := range SpokenWorks {
		if best, rows := MeasuredBefore(past, d.Device, work); rows != nil {
			if _, has := way.Measure(work); !has {
				way = best
			}
			m, _ := way.Measure(work)
			was = append(was, speedInWords(work, "", m.Median))
			doubt = cmp.Or(doubt, doubtOf(rows, work, again))
			continue
		}
		if i := slices.IndexFunc(d.Predicted, func(s fit.Prediction) bool { return s.Work == work && s.Value > 0 && !s.Busy }); i >= 0 {
			would = append(would, speedInWords(work, "about ", d.Predicted[i].Value))
		}
	}
	var texts []string
	if len(was) > 0 {
		texts = append(texts, "Measured here ("+WayName(way.Target)+"): "+strings.Join(was, ", ")+"."+doubt)
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
func doubtOf(rows []measure.Row, work, again string) string {
	switch others, spread := measure.Doubt(rows, work); {
	case others > 0:
		return " Not reliable: it was measured while the computer was busy. " + again
	case spread > 0:
		return " Not reliable: the speed varied much. " + again
	}
	return ""
}

// SpokenWorks are the kinds of work that a sentence tells, what people notice most first.
var SpokenWorks = []string{fit.WorkGenerate, fit.WorkPrompt, fit.WorkEmbed, fit.WorkRerank}

// speedInWords is how fast a kind of work goes, for people; about stands before a figure that is not exact.
func speedInWords(work, about string, speed float64) string {
	switch work {
	case fit.WorkGenerate:
		return "writes " + about + kit.WordsPerSecond(speed)
	case fit.WorkPrompt:
		return "reads " + about + kit.WordsPerSecond(speed)
	case fit.WorkRerank:
		return "ranks " + about + kit.Rate(speed) + " texts a second"
	}
	return "reads " + about + kit.Rate(speed) + " texts a second"
}

// MeasuredBefore is the fastest way in which a device did a kind of work with the model, and the rows of the
// measurement that found it; nil: it was never measured. The measurement is the one that stands for the
// model everywhere, so that no two places tell different speeds, or else the newest with that device.
func MeasuredBefore(past []measure.Result, device, work string) (best measure.Row, rows []measure.Row) {
	if first, any := measure.Comparison(past); any {
		past = append([]measure.Result{first}, past...)
	}
	for _, p := range past {
		most := 0.0
		for _, r := range p.Rows {
			if m, has := r.Measure(work); has && r.Device == device && m.Median > most && r.Judge() != measure.Different {
				best, rows, most = r, p.Rows, m.Median
			}
		}
		if rows != nil {
			break
		}
	}
	return best, rows
}

// SpeedBelow draws SpeedText below the verdict about a device; without (which may be empty) stands
// there for one that has no speed yet, and again is what is advised where a speed is not reliable.
func SpeedBelow(past []measure.Result, without, again string) func(fit.CompatDevice) fyne.CanvasObject {
	return func(d fit.CompatDevice) fyne.CanvasObject {
		text, color := SpeedText(d, past, again), fyne.ThemeColorName(theme.ColorNameForeground)
		if text == "" && d.Verdict != fit.VerdictNo {
			text, color = without, kit.ColorMuted
		}
		if text == "" {
			return nil
		}
		return container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: kit.Gap}, kit.NewCaption("")), nil, kit.NewParagraph(text, color).Small().Flat)
	}
}
