package performance

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"

	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/chart"
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

// gist is what the rows say about what people notice most: the best place of each kind.
type gist struct {
	does, counts    string
	cpu, gpu, small float64 // a second; 0: not measured, or not worth a word
	weights         measure.Row
	there           float64 // on a server
	server          string  // its name
}

// gistOf returns the gist of rows; false: nothing is measured.
func gistOf(rows []measure.Row) (gist, bool) {
	for _, deed := range deeds {
		speed := func(r measure.Row) float64 {
			m, _ := r.Measure(deed.work)
			return m.Median * deed.each
		}
		fastest := func(takes func(measure.Row) bool) (best measure.Row) {
			for _, r := range rows {
				if !r.Emulated && takes(r) && speed(r) > speed(best) {
					best = r
				}
			}
			return best
		}
		g := gist{does: deed.does, counts: deed.counts}
		g.cpu = speed(fastest(func(r measure.Row) bool { return r.Device == "cpu" && r.Weights == "" }))
		g.gpu = speed(fastest(func(r measure.Row) bool { return r.Device != "cpu" && r.Weights == "" && !r.Server }))
		there := fastest(func(r measure.Row) bool { return r.Server })
		g.there, g.server = speed(there), there.Device
		g.weights = fastest(func(r measure.Row) bool { return r.Device == "cpu" && r.Weights != "" })
		if small := speed(g.weights); g.cpu > 0 && g.weights.Judge() != measure.Different && small/g.cpu >= noticeable {
			g.small = small
		}
		if g.cpu > 0 || g.gpu > 0 || g.there > 0 {
			return g, true
		}
	}
	return gist{}, false
}

// headline says in a sentence or two what the rows mean: how fast the model is in the best
// place, what a GPU or a server gains, and what smaller weights gain. "": nothing is measured.
func headline(rows []measure.Row) string {
	g, ok := gistOf(rows)
	var text string
	switch {
	case !ok:
		return ""
	case g.there > 0 && max(g.gpu, g.cpu) > 0:
		here := max(g.gpu, g.cpu)
		text = fmt.Sprintf("On %s this model %s %s as on this computer: %s instead of %s %s a second.",
			g.server, g.does, timesAs(g.there/here), pace(g.there), pace(here), g.counts)
	case g.there > 0:
		text = fmt.Sprintf("On %s this model %s about %s %s a second.", g.server, g.does, pace(g.there), g.counts)
	case g.gpu > 0 && g.cpu > 0:
		text = fmt.Sprintf("On the GPU this model %s %s as on the CPU: %s instead of %s %s a second.",
			g.does, timesAs(g.gpu/g.cpu), pace(g.gpu), pace(g.cpu), g.counts)
	case g.gpu > 0:
		text = fmt.Sprintf("On the GPU this model %s about %s %s a second.", g.does, pace(g.gpu), g.counts)
	default:
		text = fmt.Sprintf("On this computer's CPU this model %s about %s %s a second.", g.does, pace(g.cpu), g.counts)
	}
	if g.small > 0 && g.there == 0 {
		text += fmt.Sprintf(" With %s it is %s.", weightsName(g.weights.Weights), timesAs(g.small/g.cpu)+alike(g.weights))
	}
	return text
}

// estimateText says in a sentence what predicted rows mean. "": nothing is predicted.
func estimateText(rows []measure.Row) string {
	g, ok := gistOf(rows)
	best, where := g.cpu, "this computer's CPU"
	if g.gpu > g.cpu {
		best, where = g.gpu, "the GPU"
	}
	if !ok || best == 0 {
		return ""
	}
	return fmt.Sprintf("On %s this model probably %s %s to %s %s a second.", where, g.does, pace(best/estimateSpan), pace(best*estimateSpan), g.counts)
}

// estimateSpan is how many times as fast, or as slow, the real speed may be.
const estimateSpan = 1.5

// bars are those of the headline: one for each place that it names; those that are guessed
// are outlined.
func (g gist) bars(guessed bool) []chart.BarRow {
	var list []chart.BarRow
	best := max(g.cpu, g.gpu, g.small, g.there)
	put := func(name string, speed float64) {
		row := chart.BarRow{Name: name, Value: speed, Text: pace(speed), Note: g.counts + " a second", Guess: guessed}
		if guessed {
			row.Text = "about " + row.Text
		} else if speed < best {
			row.Fill = kit.ColorSeries2
		}
		if speed > 0 {
			list = append(list, row)
		}
	}
	put(g.server, g.there)
	put("GPU", g.gpu)
	put("CPU", g.cpu)
	put("CPU, "+weightsName(g.weights.Weights), g.small)
	return list
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
