package chart

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
	"inglenook/ui/master"
	"inglenook/ui/uitest"
)

// The masters show each chart with values and without any.
func TestMasters(t *testing.T) {
	words := []string{"a fire", "a hearth", "the snow"}
	matrix := [][]float32{{1, 0.8, 0.1}, {0.8, 1, -0.2}, {0.1, -0.2, 1}}
	for name, c := range map[string]struct {
		make func() fyne.CanvasObject
		size fyne.Size
	}{
		"bar-chart": {bars, fyne.NewSize(500, 200)},
		"heat-map": {func() fyne.CanvasObject {
			h := NewHeatMap(&kit.Keyboard{})
			h.Set(words, matrix)
			h.Choose(0, 1)
			return h
		}, fyne.NewSize(320, 320)},
		"legend": {func() fyne.CanvasObject { l := NewLegend(); l.Set(NewScale(matrix, false)); return l }, fyne.NewSize(320, 40)},
		"line-plot": {func() fyne.CanvasObject {
			p := NewLinePlot()
			p.Set([]string{"1", "16", "256"}, []Series{{Name: "CPU", Values: []float64{10, 40, 35}}, {Name: "Metal", Values: []float64{math.NaN(), 80, 300}}})
			return p
		}, fyne.NewSize(420, 240)},
		"plot-key": {func() fyne.CanvasObject { return PlotKey([]Series{{Name: "CPU"}, {Name: "Metal"}}) }, fyne.NewSize(320, 40)},
		"point-map": {func() fyne.CanvasObject {
			m := NewPointMap(&kit.Keyboard{})
			m.Set(words, [][2]float64{{-0.5, 0.2}, {-0.4, 0.3}, {0.9, -0.5}})
			m.Choose(0, []int{1}, func(int) float64 { return 0.5 })
			return m
		}, fyne.NewSize(320, 320)},
		"readout": {func() fyne.CanvasObject { r := NewReadout(); r.Show(0, 2, words[0], words[2], 0.1); return r.View }, fyne.NewSize(320, 60)},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.LightApp(t)
			master.Check(t, name, c.make(), c.size)
		})
	}
}

func bars() fyne.CanvasObject {
	c := NewBarChart()
	c.Set([]BarRow{
		{Name: "CPU, 1 thread", Detail: "the reference", Value: 100, Low: 90, High: 110, Text: "100", Note: "5 runs, up to 20 % apart", Mark: 120, More: "predicted 120"},
		{Name: "CPU, 2 threads", Value: 200, Text: "200", Guess: true},
		{Name: "Metal", Failed: "It was lost."},
		{Name: "Metal, emulated", Wait: true},
	})
	return c
}
