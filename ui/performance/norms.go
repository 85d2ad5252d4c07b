package performance

import (
	"math"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"github.com/dustin/go-humanize"

	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// normsPage shows what LayerNorm and RMSNorm take by the number of rows: the time on
// the left, how fast they pass over the values on the right.
type normsPage struct {
	colors *ways.Colors
	page   *fyne.Container
	view   fyne.CanvasObject
	plots  []*chart.LinePlot // time and speed of each norm
}

func newNormsPage(colors *ways.Colors) *normsPage {
	p := &normsPage{colors: colors}
	p.page, p.view = scrolled()
	return p
}

func (p *normsPage) show(rows []measure.Row) {
	p.page.Objects, p.plots = nil, nil
	sizes := sortedSizes(rows, func(r measure.Row, add func(int)) {
		for _, n := range r.Norms {
			add(n.Rows)
		}
	})
	var key []chart.Series
	for _, norm := range []struct{ op, title string }{{"layer_norm", "LayerNorm"}, {"rms_norm", "RMSNorm"}} {
		value := func(of func(measure.NormPoint) float64) []chart.Series {
			return curves(rows, sizes, *p.colors, func(r measure.Row, put func(int, float64)) {
				for _, n := range r.Norms {
					if n.Op == norm.op {
						put(n.Rows, of(n))
					}
				}
			})
		}
		times := value(func(n measure.NormPoint) float64 { return n.Median })
		if len(times) == 0 {
			continue
		}
		took, fast := chart.NewLinePlot(), chart.NewLinePlot()
		took.Log, took.Least, fast.Least = true, 190, 190
		took.Unit, took.Across, fast.Unit, fast.Across = "µs", "rows", "GB/s", "rows"
		took.Set(sizes.names(), times)
		fast.Set(sizes.names(), value(func(n measure.NormPoint) float64 { return n.BytesPerS / 1e9 }))
		p.plots, key = append(p.plots, took, fast), times
		part := func(caption string, plot *chart.LinePlot) fyne.CanvasObject {
			return kit.Column(2, kit.NewCaption(caption), plot)
		}
		p.page.Add(kit.Section(norm.title, "by rows of "+humanize.Comma(measure.NormColumns)+" numbers",
			container.NewGridWithColumns(2, part("µs; lower is better", took), part("GB/s, read and written", fast))))
	}
	p.page.Add(chart.PlotKey(key))
	p.page.Refresh()
}

// sizeAxis are the sizes on the x axis of a plot, ascending.
type sizeAxis []int

// sortedSizes are all sizes that rows have something for.
func sortedSizes(rows []measure.Row, each func(r measure.Row, add func(int))) sizeAxis {
	var sizes []int
	for _, r := range rows {
		each(r, func(n int) { sizes = append(sizes, n) })
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

func (s sizeAxis) names() []string {
	names := make([]string, len(s))
	for i, size := range s {
		names[i] = strconv.Itoa(size)
	}
	return names
}

// curves are the lines of those rows that have a value at one of the sizes at least.
func curves(rows []measure.Row, sizes sizeAxis, colors ways.Colors, each func(r measure.Row, put func(size int, v float64))) []chart.Series {
	var lines []chart.Series
	for _, r := range rows {
		s, any := chart.Series{Name: curveName(r), Fill: colors.Color(r.Target), Values: make([]float64, len(sizes))}, false
		for i := range s.Values {
			s.Values[i] = math.NaN()
		}
		each(r, func(size int, v float64) {
			s.Values[slices.Index(sizes, size)], any = v, true
		})
		if any {
			lines = append(lines, s)
		}
	}
	return lines
}

// curveName is how the key of a plot names a row.
func curveName(r measure.Row) string {
	if r.Emulated {
		return panel.TargetName(r.Target) + ": for testing, not for speed"
	}
	return panel.TargetName(r.Target)
}
