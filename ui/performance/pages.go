package performance

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// pageInset is how far a page lies from the edges of its card: the scroll bar has its place beside it.
const pageInset float32 = 10

// scrolled is a page of sections below each other.
func scrolled() (page *fyne.Container, view *container.Scroll) {
	page = kit.Column(kit.GapWide)
	return page, container.NewVScroll(kit.Inset(page, kit.GapSmall, pageInset))
}

// speedPage shows a chart for each kind of work.
type speedPage struct {
	colors *ways.Colors
	page   *fyne.Container
	view   fyne.CanvasObject
	charts []*chart.BarChart
}

func newSpeedPage(colors *ways.Colors) *speedPage {
	p := &speedPage{colors: colors}
	p.page, p.view = scrolled()
	return p
}

// show draws the rows; at is the one that is being measured, -1: none. What is not
// measured yet shows its prediction.
func (p *speedPage) show(rows []measure.Row, at int, guesses predictions) {
	p.page.Objects, p.charts = nil, nil
	guessed := false
	for _, w := range panel.Works {
		sample, measured := firstMeasure(rows, w.ID)
		caption := workCaption(sample)
		if !measured {
			guess, any := guesses.first(rows, w.ID)
			if !any {
				continue
			}
			caption = workCaption(measure.Measure{Work: guess.Work, Amount: guess.Amount, Unit: guess.Unit})
		}
		drawn := chart.NewBarChart()
		var bars []chart.BarRow
		first := slices.IndexFunc(rows, func(r measure.Row) bool { return len(r.Measures) > 0 })
		why, _ := doubt(rows, w.ID)
		for i, r := range rows {
			bar := speedBar(r, w.ID, i <= at, guesses.of(r.Target, w.ID))
			bar.Fill, bar.Doubtful = p.colors.Color(r.Target), measured && why != ""
			if i != first && bar.Detail == reference {
				bar.Detail = "" // it is measured still, and compared then
			}
			bars = append(bars, bar)
		}
		if len(rows) == 1 && !rows[0].Emulated {
			bars[0].Detail = rows[0].Name // there is nothing to compare it with
		}
		drawn.Set(bars)
		guessed = guessed || slices.ContainsFunc(bars, func(b chart.BarRow) bool { return b.Guess })
		p.charts = append(p.charts, drawn)
		p.page.Add(kit.Section(w.Title, caption, drawn))
	}
	if failed := failedBars(rows); len(p.charts) == 0 && len(failed) > 0 {
		drawn := chart.NewBarChart()
		drawn.Set(failed)
		p.charts = append(p.charts, drawn)
		p.page.Add(kit.Section("Not measured", "", drawn))
	}
	if key := p.colors.Key(targetsOf(rows)); key != nil && len(p.charts) > 0 {
		p.page.Add(key)
	}
	if text := speedLegend(rows, guessed); text != "" && len(p.charts) > 0 {
		p.page.Add(kit.NewParagraph(text, kit.ColorMuted).Small().Flat)
	}
	p.page.Refresh()
}

// speedLegend says how to read the bars, of which some are guessed.
func speedLegend(rows []measure.Row, guessed bool) string {
	var parts []string
	if slices.ContainsFunc(rows, func(r measure.Row) bool { return len(r.Measures) > 0 }) {
		parts = append(parts, "Typical speed of several runs; the thin line shows how much they varied.")
	}
	has := func(r measure.Row) bool {
		return slices.ContainsFunc(r.Measures, func(m measure.Measure) bool { return m.Predicted > 0 })
	}
	if slices.ContainsFunc(rows, has) {
		parts = append(parts, "The line across a bar is the prediction.")
	}
	if guessed {
		parts = append(parts, "An outlined bar is a prediction, made from the speed of this computer and the work that the model needs.")
	}
	return strings.Join(parts, " ")
}

// failedBars are the rows that ended before they had a speed.
func failedBars(rows []measure.Row) []chart.BarRow {
	var bars []chart.BarRow
	for _, r := range rows {
		if r.Failed != "" {
			bars = append(bars, chart.BarRow{Name: barName(r), Detail: r.Name, Failed: r.Failed})
		}
	}
	return bars
}

func firstMeasure(rows []measure.Row, work string) (measure.Measure, bool) {
	for _, r := range rows {
		if m, ok := r.Measure(work); ok {
			return m, true
		}
	}
	return measure.Measure{}, false
}

// workCaption says what the bars of one kind of work show.
func workCaption(m measure.Measure) string {
	switch m.Work {
	case fit.WorkEmbed:
		return m.Unit + ", " + kit.Count(m.Amount, "text") + " in one call"
	case fit.WorkRerank:
		return m.Unit + ", a query with " + kit.Count(m.Amount, "document")
	case fit.WorkPrompt:
		return m.Unit + ", a prompt of " + kit.Count(m.Amount, "token")
	case fit.WorkFirst:
		return "ms, after " + kit.Count(m.Amount, "token") + "; lower is better"
	}
	return m.Unit + ", " + kit.Count(m.Amount, "token")
}

// speedBar is the bar of a row for one kind of work.
func speedBar(r measure.Row, work string, begun bool, guess float64) chart.BarRow {
	b := chart.BarRow{Name: barName(r), Detail: agreementText(r), Pale: r.Emulated}
	if r.Emulated {
		b.Detail = "for checking, not for speed"
		if r.Compared {
			b.Detail = agreementText(r) + " · not for speed"
		}
	}
	if coversPart(r) {
		b.Detail = strings.TrimPrefix(b.Detail+" · "+kit.Percent(r.DeviceShare)+" of it here, the rest on the CPU", " · ")
	}
	m, ok := r.Measure(work)
	switch {
	case ok:
		b.Value, b.Text = m.Median, kit.Rate(m.Median)
		b.Low, b.High = m.Range()
		b.Note, b.Rest = repeatsText(m), memoryShareText(m)
		if off, any := m.PredictionError(); any {
			b.Mark, b.More = m.Predicted, "predicted "+predictionText(m.Predicted, off)
		}
	case r.Failed != "":
		b.Failed = r.Failed
	case guess > 0:
		b.Value, b.Guess, b.Text, b.Note = guess, true, kit.Rate(guess), "predicted"
	default:
		b.Wait = true
	}
	if begun && !ok && r.Failed == "" {
		b.Detail = "measuring…"
	}
	return b
}

// coversPart reports whether the device of a row did only a part of the work.
func coversPart(r measure.Row) bool { return r.DeviceShare > 0 && r.DeviceShare < 0.995 }

// repeatsText says how far the repetitions lie apart, in a few words: they stand beside a bar.
func repeatsText(m measure.Measure) string {
	if m.Repeats < 2 {
		return "once"
	}
	if m.Unsteady() {
		least, most := m.Range()
		return "unsteady: " + kit.Rate(least) + " to " + kit.Rate(most)
	}
	return "varied by " + kit.Percent(2*m.Spread())
}

// memoryShareText says how much of the memory's speed a measure took.
func memoryShareText(m measure.Measure) string {
	if m.MemoryShare <= 0 {
		return ""
	}
	return kit.Percent(m.MemoryShare) + " of memory"
}

// manyTimes is the error of a prediction from which on it is said as a factor.
const manyTimes = 1.5

// predictionText writes a prediction with how far it was off: off is the error as a part of
// what was measured.
func predictionText(value, off float64) string {
	factor, way := 1+off, "too high"
	if off < 0 {
		factor, way = 1/factor, "too low"
	}
	switch {
	case factor >= manyTimes:
		return fmt.Sprintf("%s, %.1f times %s", kit.Rate(value), factor, way)
	case math.Abs(off) < 0.005:
		return kit.Rate(value) + ", which was right"
	}
	return fmt.Sprintf("%s, %s %s", kit.Rate(value), kit.Percent(math.Abs(off)), way)
}

// signedPercent writes a difference: "+6 %", "−6 %".
func signedPercent(v float64) string {
	return strings.Replace(fmt.Sprintf("%+.0f %%", 100*v), "-", "−", 1)
}

// reference says that a row is the one that judges the others.
const reference = "reference"

// agreementText says how the results of a row compare with those of the first.
func agreementText(r measure.Row) string {
	switch {
	case len(r.Measures) == 0:
		return ""
	case !r.Compared && r.Server:
		return ""
	case !r.Compared:
		return reference
	case r.Measures[0].Work == fit.WorkPrompt && r.Server:
		if r.Agreement >= 1 {
			return "writes the same text"
		}
		return kit.Percent(r.Agreement) + " the same text"
	case r.Measures[0].Work == fit.WorkPrompt:
		if r.Agreement >= 1 {
			return "writes the same tokens"
		}
		return kit.Percent(r.Agreement) + " the same tokens"
	}
	switch r.Judge() {
	case measure.Same:
		return "same results"
	case measure.Near:
		return "nearly the same results (" + alikeness(r.Agreement) + " alike)"
	}
	return "different results (" + alikeness(r.Agreement) + " alike)"
}

// remarksOn says in sentences what a person should know of the rows.
func remarksOn(rows []measure.Row) []string {
	var list []string
	for _, r := range rows {
		where := panel.TargetName(r.Target)
		if r.Judge() == measure.Different {
			list = append(list, where+" gives different results. Do not rely on it.")
		}
		if coversPart(r) {
			list = append(list, fmt.Sprintf("%s did %s of the work, the CPU did the rest.", where, kit.Percent(r.DeviceShare)))
		}
		if r.Failed != "" {
			list = append(list, where+": "+r.Failed)
		}
	}
	return list
}

// unreliable says why the speeds of one kind of work may be wrong, and what to do; "": they may not.
func unreliable(rows []measure.Row, work string) string {
	switch why, busy := doubt(rows, work); {
	case busy:
		return "Not reliable: " + why + ". Close them and measure again."
	case why != "":
		return "Not reliable: " + why + ". Measure again."
	}
	return ""
}

// doubt says why the speeds of one kind of work may be wrong; "": they may not. busy reports that it
// is because of other programs.
func doubt(rows []measure.Row, work string) (why string, busy bool) {
	switch others, spread := measure.Doubt(rows, work); {
	case others > 0:
		return fmt.Sprintf("other programs were busy (up to %s of the CPU)", kit.Percent(others)), true
	case spread > severalfold:
		return "the speed varied very much", false
	case spread > 0:
		return fmt.Sprintf("the speed varied by %s", kit.Percent(spread)), false
	}
	return "", false
}

// severalfold is a range of speeds, as a part of the typical one, from which on a percentage says nothing.
const severalfold = 1.5

// notesOn are what else was found while rows were measured, for those who look at the details; what
// several rows have in common is said once.
func notesOn(rows []measure.Row) []string {
	var notes []string
	where := map[string][]string{}
	for _, r := range rows {
		for _, n := range r.Notes {
			if where[n] == nil {
				notes = append(notes, n)
			}
			where[n] = append(where[n], panel.TargetName(r.Target))
		}
	}
	for i, n := range notes {
		notes[i] = strings.Join(where[n], "; ") + ": " + n
	}
	return notes
}

// opsPage shows what the operations of each row took.
type opsPage struct {
	colors *ways.Colors
	page   *fyne.Container
	view   fyne.CanvasObject
}

func newOpsPage(colors *ways.Colors) *opsPage {
	p := &opsPage{colors: colors}
	p.page, p.view = scrolled()
	return p
}

func (p *opsPage) show(rows []measure.Row) {
	p.page.Objects = nil
	for _, r := range rows {
		ops := opsOf(r)
		if len(ops) == 0 {
			continue
		}
		total := 0.0
		for _, o := range ops {
			total += o.Seconds
		}
		if total == 0 {
			p.page.Add(kit.Section(panel.TargetName(r.Target), "", kit.NewParagraph("Times of single operations are not measured on this device.", kit.ColorMuted).Flat))
			continue
		}
		var bars []chart.BarRow
		for _, o := range ops {
			took := time.Duration(o.Seconds * float64(time.Second))
			b := chart.BarRow{Name: capitalized(fit.OpInWords(o.Op)), Detail: o.Op + ", " + o.DType + ", " + kit.Count(o.Count, "time"), Value: o.Seconds, Text: kit.Percent(o.Seconds / total), Note: fineDuration(took), Fill: p.colors.Color(r.Target)}
			if o.Device != r.Device {
				b.Detail += " on " + panel.DeviceName(o.Device)
				b.Fill = p.colors.Color(devices.Target{Device: o.Device})
			}
			bars = append(bars, b)
		}
		drawn := chart.NewBarChart()
		drawn.Whole = total // a bar is as long as its share says
		drawn.Set(bars)
		last := r.Measures[len(r.Measures)-1]
		caption := workTitle(last.Work) + ", the last repetition"
		if r.Device != "cpu" {
			caption = workTitle(last.Work) + ", once more, one operation at a time"
		}
		if r.Emulated {
			caption += "; for testing, not for speed"
		}
		p.page.Add(kit.Section(panel.TargetName(r.Target), caption, drawn))
	}
	p.page.Refresh()
}

func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func workTitle(work string) string {
	for _, w := range panel.Works {
		if w.ID == work {
			return strings.ToLower(w.Title)
		}
	}
	return work
}

// opsOf are the operations of a row's last kind of work, the longest first.
func opsOf(r measure.Row) []measure.Op {
	if len(r.Measures) == 0 {
		return nil
	}
	ops := slices.Clone(r.Measures[len(r.Measures)-1].Ops)
	slices.SortStableFunc(ops, func(a, b measure.Op) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return ops
}

// fineDuration writes also times far below a millisecond.
func fineDuration(d time.Duration) string {
	if d < time.Millisecond {
		return fmt.Sprintf("%.0f µs", float64(d)/float64(time.Microsecond))
	}
	if d < 100*time.Millisecond {
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return kit.Duration(d)
}
