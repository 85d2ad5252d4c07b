package performance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/uitest"
)

// twoModels are an application with two models and what was measured of the first: all ways of it
// some time ago, and one slow way since.
func twoModels() *uitest.App {
	d := uitest.NewApp()
	d.Kept.Threads = 2
	d.Offered = []library.Model{{ID: "first", Name: "first", Kind: library.KindEmbedding, Usable: true}, {ID: "second", Name: "second", Kind: library.KindEmbedding, Usable: true}}
	one, two := uitest.RowOf(devices.Target{Device: "cpu", Threads: 1}), uitest.RowOf(devices.Target{Device: "cpu", Threads: 2})
	before := time.Date(2026, 11, 1, 12, 0, 0, 0, time.Local)
	d.Measured.Kept = []measure.Result{
		{Model: "first", Name: "first", Kind: library.KindEmbedding, Machine: d.Devices()[0].Name, When: before, Rows: []measure.Row{one, two}},
		{Model: "first", Name: "first", Kind: library.KindEmbedding, Machine: d.Devices()[0].Name, When: before.Add(time.Hour), Rows: []measure.Row{one}},
	}
	return d
}

// A model stands in its fastest way beside the others, with when that was measured; and what was
// measured on a busy computer is marked.
func TestEachModelInItsFastestWay(t *testing.T) {
	d := twoModels()
	b := inPerformance(t, d)
	p := b.performance()
	b.Idle()
	p.tabs.Pick(pageAll)
	b.Idle()
	if len(p.all.charts) != 1 {
		t.Fatalf("%d charts", len(p.all.charts))
	}
	if bar := p.all.charts[0].Rows[0]; bar.Value != 200 || bar.Detail != "CPU, 2 threads · 1 Nov 12:00" || bar.Doubtful {
		t.Errorf("the bar is %+v", bar)
	}
	if text := uitest.AllText(p.all.page); strings.Contains(text, "probably") || strings.Contains(text, "not reliable") {
		t.Errorf("of a quiet computer it says %q", text)
	}
	busy := d.Measured.Kept[0]
	busy.Model, busy.Rows = "second", []measure.Row{uitest.RowOf(devices.Target{Device: "cpu", Threads: 1})}
	busy.Rows[0].Others = 0.4
	p.all.show([]measure.Result{d.Measured.Kept[0], busy}, p.comparable())
	if bars := p.all.charts[0].Rows; len(bars) != 2 || bars[0].Doubtful || !bars[1].Doubtful {
		t.Errorf("the bars are %+v", bars)
	}
	if text := uitest.AllText(p.all.page); !strings.Contains(text, "probably in this order") || !strings.Contains(text, "not reliable: other programs were busy (up to 40 % of the CPU)") {
		t.Errorf("of a busy computer it says %q", text)
	}
	less := d.Measured.Kept[0]
	less.Rows = slices.Clone(less.Rows)
	for i := range less.Rows {
		less.Rows[i].Others = 0.2
	}
	p.all.show([]measure.Result{less, busy}, p.comparable())
	if text := uitest.AllText(p.all.page); !strings.Contains(text, "up to 40 % of the CPU") {
		t.Errorf("of two shares it says %q", text)
	}
}

// Speed goes on showing the last comparison after a look at one way, and says that there is more.
func TestAComparisonStays(t *testing.T) {
	b := inPerformance(t, twoModels())
	p := b.performance()
	b.Idle()
	if p.result == nil || len(p.result.Rows) != 2 || !strings.Contains(p.facts.Segment.Text, "Measured on 1 Nov 12:00. A newer measurement is under History.") {
		t.Errorf("shown is %+v with %q", p.result, p.facts.Segment.Text)
	}
}

// All models are measured in the ways that are ticked, which the page names; meanwhile the button
// to measure one leads to them.
func TestAllModelsInTheTickedWays(t *testing.T) {
	d := twoModels()
	begun, release := make(chan struct{}, 8), make(chan struct{})
	d.Measured.Row = func(place devices.Target) measure.Row {
		begun <- struct{}{}
		<-release
		return uitest.RowOf(place)
	}
	b := inPerformance(t, d)
	p := b.performance()
	b.Idle()
	for i, place := range p.targets.places {
		p.targets.boxes[i].SetChecked(place.Threads == 2 && place.Weights == "")
	}
	if text := p.all.where.Segment.Text; text != "Each in the ways ticked under Run on, as far as it has them: CPU, 2 threads." {
		t.Errorf("it says %q", text)
	}
	p.measureAll()
	b.Loop.Until(t, "the first model", func() bool { return len(begun) > 0 })
	if p.measure.Visible() || !p.showAll.Visible() || p.showAll.Text != "Measuring all models: 1 of 2 · Show" {
		t.Errorf("the button says %q", p.showAll.Text)
	}
	p.showAll.OnTapped()
	if p.page() != pageAll {
		t.Error("it does not show them")
	}
	close(release)
	b.Loop.Until(t, "all models", func() bool { return p.batch == nil })
	b.Idle()
	asked := d.Measurements()
	if len(asked) != 2 || len(asked[1].Targets) != 1 || asked[1].Targets[0].Threads != 2 || !p.measure.Visible() || p.showAll.Visible() {
		t.Errorf("measured %+v", asked)
	}
	for _, box := range p.targets.boxes {
		box.SetChecked(false)
	}
	if ways := p.targets.waysOf(d.Devices(), p.models[0]); len(ways) != 1 || ways[0].Weights != "" {
		t.Errorf("with nothing ticked it would be measured in %+v", ways)
	}
}

// The comparison of all models is saved as a table and as a picture.
func TestSaveAllModels(t *testing.T) {
	b := inPerformance(t, twoModels())
	p := b.performance()
	b.Idle()
	p.tabs.Pick(pageAll)
	b.Idle()
	csv, json, png := p.exports[0], p.exports[1], p.exports[2]
	if !csv.Visible() || csv.Disabled() || json.Visible() || !png.Visible() || png.Disabled() || !p.savesAll() {
		t.Error("it cannot be saved")
	}
	if n := len(p.comparisonPieces()); n < 3 {
		t.Errorf("the picture has %d parts", n)
	}
	p.all.show(nil, p.comparable())
	p.refresh()
	if !csv.Disabled() || !png.Disabled() {
		t.Error("nothing can be saved")
	}
	p.tabs.Pick(pageSpeed)
	if !json.Visible() || csv.Disabled() {
		t.Error("the speed cannot be saved")
	}
}
