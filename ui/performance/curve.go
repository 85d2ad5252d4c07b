package performance

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// curvePage shows speed against the size of the context, or of a batch; of a language
// model also its memory.
type curvePage struct {
	colors *ways.Colors
	page   *fyne.Container
	view   fyne.CanvasObject // scrolled where there is less room
	plot   *chart.LinePlot
	memory *chart.LinePlot
}

func newCurvePage(colors *ways.Colors) *curvePage {
	p := &curvePage{colors: colors, plot: chart.NewLinePlot(), memory: chart.NewLinePlot()}
	p.page = container.NewStack()
	p.view = container.NewVScroll(kit.Inset(p.page, kit.GapSmall, kit.GapSmall)) // the plots take what room there is
	return p
}

func (p *curvePage) show(rows []measure.Row, m library.Model) {
	sizes := sortedSizes(rows, func(r measure.Row, add func(int)) {
		for _, c := range r.Curve {
			add(c.Size)
		}
	})
	title, caption, scale := "Writing", "tokens/s, by the tokens in the context", 1.0
	if !m.Writes() {
		title, caption = "Time for a text", "µs, by the number of texts in one call; lower is better"
		if slowest(rows) >= 10_000 {
			caption, scale = strings.Replace(caption, "µs", "ms", 1), 1e-3
		}
	}
	lines := curves(rows, sizes, *p.colors, func(r measure.Row, put func(int, float64)) {
		for _, c := range r.Curve {
			put(c.Size, c.Value*scale)
		}
	})
	why, _ := doubt(rows, mainWork(m.Kind))
	if why != "" {
		for i := range lines {
			lines[i].Doubts = slices.Repeat([]bool{true}, len(sizes))
		}
	}
	p.plot.Unit, _, _ = strings.Cut(caption, ",")
	p.plot.Across = "tokens in the context"
	if !m.Writes() {
		p.plot.Unit, p.plot.Across = p.plot.Unit+" for a text", "texts in one call"
	}
	p.plot.Set(sizes.names(), lines)
	key := kit.Column(kit.GapSmall, chart.PlotKey(lines))
	if why != "" {
		key.Add(kit.NewParagraph("An open dot is not reliable; why is said below.", kit.ColorMuted).Small().Flat)
	}
	parts := []fyne.CanvasObject{plotPart(title, caption, p.plot, key)}
	if memory := p.showMemory(rows); memory != nil {
		parts = append(parts, memory)
	}
	p.page.Objects = []fyne.CanvasObject{container.NewGridWithColumns(len(parts), parts...)}
	p.page.Refresh()
}

// showMemory draws what the model takes by the size of its context, as it was predicted
// and as it was measured; nil: nothing is known.
func (p *curvePage) showMemory(rows []measure.Row) fyne.CanvasObject {
	rows = onePerMemory(rows)
	sizes := sortedSizes(rows, func(r measure.Row, add func(int)) {
		for _, m := range r.Memory {
			add(m.Context)
		}
	})
	if len(sizes) == 0 {
		return nil
	}
	var lines []chart.Series
	for _, kind := range []struct {
		name  string
		paler int
		of    func(measure.MemoryPoint) int64
	}{
		{"predicted", 2, func(m measure.MemoryPoint) int64 { return m.Predicted }},
		{"measured", 0, func(m measure.MemoryPoint) int64 { return m.Peak }},
	} {
		for _, l := range curves(rows, sizes, *p.colors, func(r measure.Row, put func(int, float64)) {
			for _, m := range r.Memory {
				if v := kind.of(m); v > 0 {
					put(m.Context, float64(v)/1e6)
				}
			}
		}) {
			l.Name, l.Fill = l.Name+", "+kind.name, kit.Paler(l.Fill, kind.paler)
			lines = append(lines, l)
		}
	}
	p.memory.Unit, p.memory.Across = "MB", "tokens in the context"
	p.memory.Set(sizes.names(), lines)
	return plotPart("Memory", "MB for the model, without the program", p.memory, chart.PlotKey(lines))
}

// onePerMemory leaves one row for each device and way to hold weights: the number of
// threads makes next to no difference. It is the one with the most measured.
func onePerMemory(rows []measure.Row) []measure.Row {
	var list []measure.Row
	at := map[devices.Target]int{}
	for _, r := range rows {
		r.Threads = 0
		i, seen := at[r.Target]
		switch {
		case len(r.Memory) == 0:
		case !seen:
			at[r.Target], list = len(list), append(list, r)
		case measuredPeaks(r) > measuredPeaks(list[i]):
			list[i] = r
		}
	}
	return list
}

func measuredPeaks(r measure.Row) (n int) {
	for _, m := range r.Memory {
		if m.Peak > 0 {
			n++
		}
	}
	return n
}

// plotPart is a plot with its title and key.
func plotPart(title, caption string, plot *chart.LinePlot, key fyne.CanvasObject) fyne.CanvasObject {
	head := container.NewBorder(nil, nil, kit.NewSection(title), nil, kit.Inset(kit.NewCaption(caption), 0, kit.Gap))
	return kit.Bordered(kit.Gap, head, plot, key)
}

// slowest is the largest value of all curves.
func slowest(rows []measure.Row) float64 {
	most := 0.0
	for _, r := range rows {
		for _, c := range r.Curve {
			most = max(most, c.Value)
		}
	}
	return most
}

// curveRemark says what a test by number or length found, and where the rest of it is; "": there was
// none, or its values are not reliable. It is of the first way that has a curve.
func curveRemark(rows []measure.Row, m library.Model) string {
	if why, _ := doubt(rows, mainWork(m.Kind)); why != "" {
		return ""
	}
	for _, r := range rows {
		if len(r.Curve) < 2 {
			continue
		}
		first, last := r.Curve[0], r.Curve[len(r.Curve)-1]
		if first.Value <= 0 || last.Value <= 0 {
			continue
		}
		where := panel.TargetName(r.Target)
		if m.Writes() {
			return fmt.Sprintf("%s: after %d tokens it writes %s as after %d (%s); more under Details.", byLength, last.Size, timesAs(last.Value/first.Value), first.Size, where)
		}
		return fmt.Sprintf("%s: with %d texts at once it is %s as with %d (%s); more under Details.", byNumber, last.Size, timesAs(first.Value/last.Value), first.Size, where)
	}
	return ""
}

// joined are the sentences that there are, in one line.
func joined(sentences []string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}
