package performance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
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
	p.results.tabs.Pick(pageAll)
	b.Idle()
	if len(p.results.all.shown) != 1 {
		t.Fatalf("%d models", len(p.results.all.shown))
	}
	text := uitest.AllText(p.results.all.page)
	for _, want := range []string{"Measured again since, but less reliably or in fewer ways: first.", "CPU, 2 threads · 1 Nov 12:00", "200", "fast", "105 MB"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %q", want, text)
		}
	}
	if strings.Contains(text, "probably") || strings.Contains(text, "not reliable") {
		t.Errorf("of a quiet computer it says %q", text)
	}
	busy := d.Measured.Kept[0]
	busy.Model, busy.Rows = "second", []measure.Row{uitest.RowOf(devices.Target{Device: "cpu", Threads: 1})}
	busy.Rows[0].Others = 0.4
	p.results.all.show([]measure.Result{d.Measured.Kept[0], busy}, p.models.comparable())
	var hatched []bool
	uitest.Each(p.results.all.page, func(o fyne.CanvasObject) {
		if bar, ok := o.(*chart.Bar); ok {
			hatched = append(hatched, bar.Doubtful)
		}
	})
	if !slices.Equal(hatched, []bool{false, true}) {
		t.Errorf("hatched are %v", hatched)
	}
	if text := uitest.AllText(p.results.all.page); !strings.Contains(text, "probably CPU, 1 thread") || !strings.Contains(text, "A hatched bar is not reliable: other programs were busy (up to 40 % of the CPU)") {
		t.Errorf("of a busy computer it says %q", text)
	}
}

// What All models says of a model is what its own page says: there is one judgement of one measurement.
func TestOneJudgementOnAllPages(t *testing.T) {
	d := twoModels()
	whole := d.Measured.Kept[0]
	vary := func(rows []measure.Row, least, most float64) []measure.Row {
		rows = slices.Clone(rows)
		for i := range rows {
			m := rows[i].Measures[0]
			m.Least, m.Most = least*m.Median, most*m.Median
			rows[i].Measures = []measure.Measure{m}
		}
		return rows
	}
	near := []measure.Row{whole.Rows[0], whole.Rows[1]}
	near[1].Measures = []measure.Measure{near[0].Measures[0]}
	near[1].Measures[0].Median *= 1.02
	for name, c := range map[string]struct {
		rows      []measure.Row
		all, page string
	}{
		"a clear winner":    {vary(whole.Rows, 0.9, 1.1), "CPU, 2 threads ·", "reads about 200 texts a second"},
		"a winner, perhaps": {vary(whole.Rows, 0.3, 1.9), "perhaps CPU, 2 threads ·", "Perhaps CPU, 2 threads: about 200 texts a second"},
		"a probable winner": {vary(whole.Rows, 0.7, 1.3), "probably CPU, 2 threads ·", "Probably CPU, 2 threads: about 200 texts a second"},
		"no difference":     {vary(near, 0.95, 1.05), "all ways about equally fast ·", "Both ways are about equally fast."},
	} {
		t.Run(name, func(t *testing.T) {
			result := whole
			result.Rows = c.rows
			if c.all[:4] == "prob" {
				result.Rows[0].Others, result.Rows[1].Others = 0.3, 0.3
			}
			d := twoModels()
			d.Measured.Kept = []measure.Result{result}
			b := inPerformance(t, d)
			p := b.performance()
			b.Loop.Until(t, "the page", func() bool { return p.results.summary.chart != nil && p.record.result != nil })
			p.results.tabs.Pick(pageAll)
			b.Loop.Until(t, "the model", func() bool { return len(p.results.all.shown) == 1 })
			if text := uitest.AllText(p.results.all.page); !strings.Contains(text, c.all) {
				t.Errorf("All models says %q", text)
			}
			if text := uitest.AllText(p.results.summary.page); !strings.Contains(text, c.page) {
				t.Errorf("its own page says %q", text)
			}
		})
	}
}

// Models are sorted by each column, and the other way round with a second click; a click on one leads to
// its own page.
func TestSortedAndOpened(t *testing.T) {
	d := twoModels()
	d.Offered[0].Bytes, d.Offered[1].Bytes = 9e6, 3e6
	other := d.Measured.Kept[0]
	other.Model, other.Name = "second", "second"
	other.Rows = []measure.Row{uitest.RowOf(devices.Target{Device: "cpu", Threads: 4}), uitest.RowOf(devices.Target{Device: "cpu", Threads: 1})}
	d.Measured.Kept = append(d.Measured.Kept, other)
	b := inPerformance(t, d)
	p := b.performance()
	p.results.tabs.Pick(pageAll)
	b.Loop.Until(t, "the models", func() bool { return len(p.results.all.shown) == 2 && len(p.results.all.memory) == 2 })
	b.Idle()
	names := func() string { return p.results.all.shown[0].model.ID + " " + p.results.all.shown[1].model.ID }
	if names() != "second first" {
		t.Errorf("at first the order is %s", names())
	}
	click := func(column string) {
		t.Helper()
		button, ok := uitest.Find(p.results.all.page, func(b *kit.TextButton) bool { return strings.HasPrefix(b.Line.Text, column) })
		if !ok {
			t.Fatalf("there is no column %q", column)
		}
		test.Tap(button)
	}
	for _, c := range []struct{ column, want string }{{"Model", "first second"}, {"Model", "second first"}, {"File size", "second first"}, {"File size", "first second"}, {"Speed", "second first"}, {"Speed", "first second"}, {"In a word", "second first"}, {"Memory", "second first"}} {
		if click(c.column); names() != c.want {
			t.Errorf("by %s the order is %s", c.column, names())
		}
	}
	row, _ := uitest.Find(p.results.all.page, func(c *kit.Chip) bool { return strings.Contains(c.Tip, "second") })
	test.Tap(row)
	if m, _ := p.models.picker.Model(); m.ID != "second" || p.results.page() != pageSpeed {
		t.Errorf("it leads to page %d of %s", p.results.page(), m.ID)
	}
}

// In a narrow window the columns of sizes give way, and then the bars.
func TestColumnsOfANarrowTable(t *testing.T) {
	uitest.LightApp(t)
	cells := make([]fyne.CanvasObject, 6)
	for i := range cells {
		cells[i] = kit.NewCaption("x")
	}
	seen := func(width float32) (list []bool) {
		columns{}.Layout(cells, fyne.NewSize(width, 40))
		for _, o := range cells {
			list = append(list, o.Visible())
		}
		last := cells[len(cells)-1]
		if end := last.Position().X + last.Size().Width; end > width {
			t.Errorf("in %v it ends at %v", width, end)
		}
		return list
	}
	if got := seen(800); slices.Contains(got, false) {
		t.Errorf("in 800 %v are seen", got)
	}
	if got := seen(450); !slices.Equal(got, []bool{true, true, true, false, false, true}) {
		t.Errorf("in 450 %v are seen", got)
	}
	columns{sorted: byMemory}.Layout(cells, fyne.NewSize(450, 40))
	if cells[3].Visible() || !cells[4].Visible() || cells[5].Visible() {
		t.Error("in 450 it is sorted by a column that is not seen")
	}
	for _, width := range []float32{450, 560, 800} {
		if (columns{name: 200}).Layout(cells, fyne.NewSize(width, 40)); cells[0].Size().Width != 200 {
			t.Errorf("in %v a name is %v wide", width, cells[0].Size().Width)
		}
	}
	for width, bar := range map[float32]bool{430: true, 400: false} {
		if (columns{name: 230}).Layout(cells, fyne.NewSize(width, 40)); cells[1].Visible() != bar || cells[0].Size().Width < 230 {
			t.Errorf("in %v a name is %v wide, and there is a bar: %v", width, cells[0].Size().Width, cells[1].Visible())
		}
	}
	columns{head: true}.Layout(cells, fyne.NewSize(320, 40))
	if !cells[1].Visible() || cells[1].Size().Width != columnSpeed {
		t.Error("in 320 speed has no name")
	}
	if got := seen(320); got[1] || !got[0] || !got[2] || !got[5] {
		t.Errorf("in 320 %v are seen", got)
	}
}

// Speed goes on showing the last comparison after a look at one way, and says that there is more.
func TestAComparisonStays(t *testing.T) {
	b := inPerformance(t, twoModels())
	p := b.performance()
	b.Idle()
	if p.record.result == nil || len(p.record.result.Rows) != 2 || !strings.Contains(p.results.facts.Segment.Text, "Measured on 1 Nov 12:00. A newer measurement is under History.") {
		t.Errorf("shown is %+v with %q", p.record.result, p.results.facts.Segment.Text)
	}
}

// A model of which a cancelled measurement is all that is known is not ranked above one measured to the end.
func TestHalfMeasuredModelsStandLast(t *testing.T) {
	result := func(model string, median float64, cancelled bool) measure.Result {
		return measure.Result{Model: model, Kind: library.KindEmbedding, Cancelled: cancelled, Rows: []measure.Row{{Target: devices.Target{Device: "cpu"}, Measures: []measure.Measure{{Work: fit.WorkEmbed, Unit: "texts/s", Median: median}}}}}
	}
	list := deedOf(fit.WorkEmbed).standings([]measure.Result{result("half", 90, true), result("whole", 50, false)}, []library.Model{{ID: "half", Name: "half"}, {ID: "whole", Name: "whole"}})
	for order, want := range map[sorting]string{{column: bySpeed}: "whole", {column: bySpeed, reverse: true}: "whole", {column: byName}: "half"} {
		if order.sort(list); len(list) != 2 || list[0].model.ID != want {
			t.Errorf("%+v begins with %s", order, list[0].model.ID)
		}
	}
	if list[0].model.ID != "half" {
		slices.Reverse(list)
	}
	if got := list[0].detail(); !strings.Contains(got, "cancelled") {
		t.Errorf("of the half it says %q", got)
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
	for i, place := range p.plan.targets.places {
		p.plan.targets.boxes[i].SetChecked(place.Threads == 2 && place.Weights == "")
	}
	if text := p.results.all.where.Segment.Text; !strings.HasPrefix(text, "Each in the ways ticked under Run on, as far as it has them: CPU, 2 threads. That takes about ") {
		t.Errorf("it says %q", text)
	}
	p.series.begin(false)
	b.Loop.Until(t, "the first model", func() bool { return len(begun) > 0 })
	if p.run.measure.Visible() || !p.series.show.Visible() || p.series.show.Text != "Measuring all models: 1 of 2 · Show" {
		t.Errorf("the button says %q", p.series.show.Text)
	}
	if text := p.results.all.where.Segment.Text; strings.Contains(text, "That takes") {
		t.Errorf("beside what is left it says %q", text)
	}
	p.series.show.OnTapped()
	if p.results.page() != pageAll {
		t.Error("it does not show them")
	}
	close(release)
	b.Loop.Until(t, "all models", func() bool { return p.series.under == nil })
	b.Idle()
	asked := d.Measurements()
	if len(asked) != 2 || len(asked[1].Targets) != 1 || asked[1].Targets[0].Threads != 2 || !p.run.measure.Visible() || p.series.show.Visible() {
		t.Errorf("measured %+v", asked)
	}
	for _, box := range p.plan.targets.boxes {
		box.SetChecked(false)
	}
	if ways := p.plan.targets.waysOf(d.Devices(), p.models.list[0]); len(ways) != 1 || ways[0].Weights != "" {
		t.Errorf("with nothing ticked it would be measured in %+v", ways)
	}
}

// Only the models that were not measured yet can be measured, and how long that takes is said before.
func TestOnlyThoseNotMeasured(t *testing.T) {
	d := twoModels()
	b := inPerformance(t, d)
	p := b.performance()
	p.results.tabs.Pick(pageAll)
	b.Loop.Until(t, "the choice", func() bool { return p.results.all.only.Visible() })
	p.results.all.only.SetChecked(true)
	if p.results.all.begin.Text != "Measure 1 model" || !strings.Contains(p.results.all.where.Segment.Text, "That takes about ") {
		t.Errorf("the button says %q, beside %q", p.results.all.begin.Text, p.results.all.where.Segment.Text)
	}
	p.series.begin(false)
	b.Loop.Until(t, "the model", func() bool { return p.series.under == nil })
	b.Idle()
	if asked := d.Measurements(); len(asked) != 1 || asked[0].Model != "second" {
		t.Errorf("measured %+v", asked)
	}
	if p.results.all.only.Visible() || p.results.all.begin.Text != "Measure all 2 models" {
		t.Errorf("once all are measured the button says %q", p.results.all.begin.Text)
	}
}

// A measurement can be deleted, and that taken back; another one stands for the model meanwhile.
func TestDeleteAMeasurement(t *testing.T) {
	d := twoModels()
	b := inPerformance(t, d)
	p := b.performance()
	p.results.tabs.Pick(pageHistory)
	b.Loop.Until(t, "the history", func() bool {
		return len(p.results.history.list) == 2 && p.record.result != nil && len(p.record.result.Rows) == 2
	})
	p.results.history.drop(p.results.history.list[1])
	b.Loop.Until(t, "the other one", func() bool {
		return len(p.results.history.list) == 1 && p.record.result != nil && len(p.record.result.Rows) == 1
	})
	if len(d.KeptMeasurements()) != 1 || b.Offered.Button != "Undo" {
		t.Errorf("kept are %d, offered is %+v", len(d.KeptMeasurements()), b.Offered)
	}
	b.Offered.Act()
	b.Loop.Until(t, "both", func() bool { return len(p.results.history.list) == 2 && len(d.KeptMeasurements()) == 2 })
}

// The comparison of all models is saved as a table and as a picture.
func TestSaveAllModels(t *testing.T) {
	b := inPerformance(t, twoModels())
	p := b.performance()
	b.Idle()
	p.results.tabs.Pick(pageAll)
	b.Idle()
	csv, json, png := p.saver.buttons[0], p.saver.buttons[1], p.saver.buttons[2]
	if !csv.Visible() || csv.Disabled() || json.Visible() || !png.Visible() || png.Disabled() || !p.saver.savesAll() {
		t.Error("it cannot be saved")
	}
	if list := p.results.all.fastest(); len(list) != 1 || list[0].Shown != 200 || list[0].Counted != "texts" || list[0].Memory != 100<<20 {
		t.Errorf("the file has %+v", list)
	}
	if n := len(p.saver.comparisonPieces()); n < 3 {
		t.Errorf("the picture has %d parts", n)
	}
	p.results.all.show(nil, p.models.comparable())
	p.refresh()
	if !csv.Disabled() || !png.Disabled() {
		t.Error("nothing can be saved")
	}
	p.results.tabs.Pick(pageSpeed)
	if !json.Visible() || csv.Disabled() {
		t.Error("the speed cannot be saved")
	}
}
