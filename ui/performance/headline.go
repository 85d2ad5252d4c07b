package performance

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"

	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/kit"
)

// deeds are the kinds of work that a headline is about, the one that people notice most first:
// what a model does, and how that is counted in words for everybody.
var deeds = []struct {
	work, does, counts string
	each               float64 // of what is counted, in a unit of the measure
}{
	{fit.WorkGenerate, "writes", "words", 0.75},
	{fit.WorkEmbed, "reads", "texts", 1},
	{fit.WorkRerank, "ranks", "texts", 1},
}

// headline says in a sentence or two what the rows mean: how fast the model is in the best
// place, what a GPU gains, and what smaller weights gain. "": nothing is measured.
func headline(rows []measure.Row) string {
	for _, deed := range deeds {
		speed := func(r measure.Row) float64 {
			m, _ := r.Measure(deed.work)
			return m.Median * deed.each
		}
		fastest := func(takes func(measure.Row) bool) (best measure.Row, ok bool) {
			for _, r := range rows {
				if !r.Emulated && speed(r) > 0 && takes(r) && (!ok || speed(r) > speed(best)) {
					best, ok = r, true
				}
			}
			return best, ok
		}
		cpu, onCPU := fastest(func(r measure.Row) bool { return r.Device == "cpu" && r.Weights == "" })
		gpu, onGPU := fastest(func(r measure.Row) bool { return r.Device != "cpu" && r.Weights == "" })
		small, smaller := fastest(func(r measure.Row) bool { return r.Device == "cpu" && r.Weights != "" })
		var text string
		switch {
		case onGPU && onCPU:
			text = fmt.Sprintf("On the GPU this model %s %s as on the CPU: %s instead of %s %s a second.",
				deed.does, timesAs(speed(gpu)/speed(cpu)), pace(speed(gpu)), pace(speed(cpu)), deed.counts)
		case onGPU:
			text = fmt.Sprintf("On the GPU this model %s about %s %s a second.", deed.does, pace(speed(gpu)), deed.counts)
		case onCPU:
			text = fmt.Sprintf("On this computer's CPU this model %s about %s %s a second.", deed.does, pace(speed(cpu)), deed.counts)
		default:
			continue
		}
		if ratio := speed(small) / speed(cpu); smaller && onCPU && small.Judge() != measure.Different && ratio >= noticeable {
			text += fmt.Sprintf(" With %s it is %s.", weightsName(small.Weights), timesAs(ratio)+alike(small))
		}
		return text
	}
	return ""
}

// noticeable is the gain in speed from which on it is worth a sentence.
const noticeable = 1.1

// timesAs writes how many times as fast something is.
func timesAs(ratio float64) string {
	if math.Abs(ratio-1) < noticeable-1 {
		return "as fast"
	}
	return kit.Rate(ratio) + " times as fast"
}

// pace writes a speed for a sentence: whole from ten on.
func pace(v float64) string {
	if v >= 10 {
		return humanize.Comma(int64(math.Round(v)))
	}
	return kit.Rate(v)
}

// weightsName is how a sentence calls weights of a type.
func weightsName(weights string) string {
	switch weights {
	case "q8_0":
		return "8-bit weights"
	case "q4_k":
		return "4-bit weights"
	}
	return weights + " weights"
}

// alike says how alike the results of a row are to those of the first, where that is judged.
func alike(r measure.Row) string {
	if r.Judge() == measure.NotJudged {
		return ""
	}
	return ", and its results are " + alikeness(r.Agreement) + " alike"
}

// alikeness writes an agreement as a percentage, never rounded up to all.
func alikeness(v float64) string {
	if v >= 1 {
		return "100 %"
	}
	return fmt.Sprintf("%.4g %%", math.Floor(v*1e4)/100)
}
