package performance

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// deeds are the kinds of work that a headline is about, the one that people notice most first:
// what a model does, and how that is counted in words for everybody.
var deeds = []deed{
	{fit.WorkGenerate, "writes", "words", kit.WordsPerToken},
	{fit.WorkEmbed, "reads", "texts", 1},
	{fit.WorkRerank, "ranks", "texts", 1},
}

type deed struct {
	work, does, counts string
	each               float64 // of what is counted, in a unit of the measure
}

// deedOf is the deed of a kind of work.
func deedOf(work string) deed {
	return deeds[max(0, slices.IndexFunc(deeds, func(d deed) bool { return d.work == work }))]
}

// speed is how much of what is counted a row does a second; 0: not measured.
func (d deed) speed(r measure.Row) float64 {
	m, _ := r.Measure(d.work)
	return m.Median * d.each
}

// unit is what is counted, a second.
func (d deed) unit() string { return d.counts + " a second" }

// gist is what the rows say about what people notice most: the best place of each kind.
type gist struct {
	deed
	cpu, gpu float64 // a second; 0: not measured
	small    float64 // with the smaller weights that are fastest
	weights  measure.Row
	there    float64 // on a server
	server   string  // its name
	ways     int     // that have a speed on this computer
	slowest  float64 // of them
	fewer    string  // where more threads are slower than fewer: a sentence
}

// gistOf returns the gist of rows; false: nothing is measured.
func gistOf(rows []measure.Row) (gist, bool) {
	for _, deed := range deeds {
		speed := deed.speed
		fastest := func(takes func(measure.Row) bool) (best measure.Row) {
			for _, r := range rows {
				if !r.Emulated && takes(r) && speed(r) > speed(best) {
					best = r
				}
			}
			return best
		}
		g := gist{deed: deed}
		g.cpu = speed(fastest(func(r measure.Row) bool { return r.Device == "cpu" && r.Weights == "" }))
		g.gpu = speed(fastest(func(r measure.Row) bool { return r.Device != "cpu" && r.Weights == "" && !r.Server }))
		there := fastest(func(r measure.Row) bool { return r.Server })
		g.there, g.server = speed(there), there.Device
		g.weights = fastest(func(r measure.Row) bool { return r.Device == "cpu" && r.Weights != "" })
		g.small = speed(g.weights)
		g.compare(rows)
		if g.small > 0 || g.cpu > 0 || g.gpu > 0 || g.there > 0 {
			return g, true
		}
	}
	return gist{}, false
}

// compare looks how far the ways of this computer lie apart.
func (g *gist) compare(rows []measure.Row) {
	for _, r := range rows {
		v := g.speed(r)
		if r.Emulated || r.Server || v == 0 {
			continue
		}
		if g.ways++; g.slowest == 0 || v < g.slowest {
			g.slowest = v
		}
		for _, few := range rows {
			if few.Threads > 0 && fewerThreads(few.Target, r.Target) && v*noticeable < g.speed(few) {
				g.fewer = fmt.Sprintf(" It is slower with %s than with %d.", kit.Count(r.Threads, "thread"), few.Threads)
			}
		}
	}
}

// here is the best speed of this computer.
func (g gist) here() float64 { return max(g.cpu, g.gpu, g.small) }

// alikeFast reports whether all ways of this computer are about equally fast, and none of them
// gives other results.
func (g gist) alikeFast() bool {
	return g.ways > 1 && g.there == 0 && g.here() < g.slowest*noticeable && g.weights.Judge() != measure.Different
}

// waysInWords begins a sentence about all of a number of ways.
func waysInWords(n int) string {
	words := [...]string{2: "Both", 3: "All three", 4: "All four", 5: "All five"}
	if n < len(words) {
		return words[n] + " ways"
	}
	return "All " + kit.Count(n, "way")
}

// headline says in a sentence or two what measured rows mean: how fast the model is in the best
// place, what a GPU or a server gains, and what smaller weights gain.
func (g gist) headline() string {
	var text string
	switch {
	case g.alikeFast():
		speed := max(g.cpu, g.gpu, g.slowest)
		return fmt.Sprintf("This model %s about %s %s a second here.%s %s are about equally fast.", g.does, pace(speed), g.counts, g.inRelation(speed), waysInWords(g.ways))
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
	case g.cpu == 0:
		return fmt.Sprintf("On the CPU this model %s about %s %s a second with %s.%s", g.does, pace(g.small), g.counts, panel.WeightsInWords(g.weights.Weights), g.inRelation(g.small))
	default:
		text = fmt.Sprintf("On the CPU this model %s about %s %s a second.", g.does, pace(g.cpu), g.counts)
	}
	return text + g.inRelation(cmp.Or(g.there, g.gpu, g.cpu)) + g.smallerText() + g.fewer
}

// smallerText says what smaller weights gain on the CPU; "": they are not measured beside others.
func (g gist) smallerText() string {
	with := panel.WeightsInWords(g.weights.Weights)
	switch {
	case g.small == 0 || g.cpu == 0:
		return ""
	case g.weights.Judge() == measure.Different:
		return fmt.Sprintf(" With %s its results are too different: only %s like those without them.", with, alikeness(g.weights.Agreement))
	case g.small*noticeable < g.cpu:
		return fmt.Sprintf(" With %s it is slower.", with)
	case g.small/g.cpu < noticeable:
		return fmt.Sprintf(" With %s it is no faster.", with)
	}
	cpu := ""
	if g.gpu > 0 || g.there > 0 {
		cpu = " on the CPU"
	}
	return fmt.Sprintf(" With %s it is %s%s%s.", with, timesAs(g.small/g.cpu), cpu, alike(g.weights))
}

// estimate says in a sentence what predicted rows mean. "": nothing is predicted for this computer.
func (g gist) estimate() string {
	if g.ways == 0 {
		return ""
	}
	depends := ""
	if g.ways > 1 {
		depends = ", depending on the way"
	}
	return fmt.Sprintf("About %s to %s %s a second%s (estimate).", pace(min(g.slowest, g.here()/estimateSpan)), pace(g.here()*estimateSpan), g.counts, depends)
}

// roughly says in a sentence what rows mean that were predicted on a busy computer.
func (g gist) roughly() string {
	if g.ways == 0 {
		return ""
	}
	return fmt.Sprintf("Perhaps %s %s a second: other programs are busy.", span(g.slowest, g.here()), g.counts)
}

// span writes between which speeds the real one lies, by the slowest and the fastest that a busy computer
// let expect: in round figures, because nobody knows better.
func span(slowest, fastest float64) string {
	return pace(rounded(slowest/busySpan)) + " to " + pace(rounded(fastest*estimateSpan))
}

// rounded is a speed with two digits.
func rounded(v float64) float64 {
	if v < 10 {
		return v // pace rounds that
	}
	unit := math.Pow10(int(math.Log10(v)) - 1)
	return math.Round(v/unit) * unit
}

// busySpan is how many times as slow the real speed may be while other programs are busy.
const busySpan = 4

// estimateSpan is how many times as fast, or as slow, the real speed may be.
const estimateSpan = 1.5

// bars are one for each way that was ticked, in its colour; those that are guessed are outlined,
// and at is the one that is being measured, -1: none.
func (d deed) bars(rows []measure.Row, colors ways.Colors, guessed bool, at int) []chart.BarRow {
	best, slowest := 0.0, math.Inf(1)
	for _, r := range rows {
		if v := d.speed(r); !r.Emulated && v > 0 {
			best, slowest = max(best, v), min(slowest, v)
		}
	}
	why, _ := doubt(rows, d.work)
	equal := slowest < best && best < slowest*noticeable || why != "" // nobody wins
	var list []chart.BarRow
	for i, r := range rows {
		speed := d.speed(r)
		bar := chart.BarRow{Name: barName(r), Value: speed, Text: pace(speed), Note: d.unit(), Guess: guessed, Pale: r.Emulated, Fill: colors.Color(r.Target)}
		switch {
		case speed == 0 && r.Failed != "":
			bar.Failed = "Did not work: the reason is below."
		case speed == 0:
			bar.Wait = true
			if i == at {
				bar.Detail = "measuring…"
			}
		case r.Emulated:
			bar.Detail = "for testing, not for speed"
		case guessed:
			bar.Text = "about " + bar.Text
		case speed == best && len(rows) > 1 && !equal && at < 0:
			bar.Detail = "the fastest"
		}
		list = append(list, bar)
	}
	return list
}

// barName is how a bar calls the way of a row: as short as it can be. A GPU has its own name.
func barName(r measure.Row) string {
	name := panel.WayName(r.Target)
	if panel.IsGPU(r.Target.Device) && r.Name != "" {
		name = r.Name + strings.TrimPrefix(name, panel.DeviceName(r.Target.Device))
	}
	return name
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

// alike says how alike the results of a row are to those of the first, where that is judged.
func alike(r measure.Row) string {
	if r.Judge() == measure.NotJudged {
		return ""
	}
	return ", and its results are " + alikeness(r.Agreement) + " like those without them"
}

// alikeness writes an agreement as a percentage, never rounded up to all.
func alikeness(v float64) string {
	if v >= 1 {
		return "100 %"
	}
	return fmt.Sprintf("%.4g %%", math.Floor(v*1e4)/100)
}
