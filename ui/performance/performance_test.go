package performance

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
	"inglenook/ui/ways"
)

// bench is a window that shows Performance.
type bench struct {
	*uitest.Stage
	shown    *Panel
	computer *computer
}

// computer stands in for the page about the computer.
type computer struct {
	view    *fyne.Container
	watched bool
	reads   bool
}

func (c *computer) Content() fyne.CanvasObject { return c.view }
func (c *computer) Enter()                     { c.watched = true }
func (c *computer) Watch()                     { c.reads = true }
func (c *computer) Leave()                     { c.watched = false }

// The page about the computer watches only while it is in view, and a measurement is seen.
func TestThisComputer(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 2
	b := inPerformance(t, d)
	p := b.performance()
	check := func(when string, computer bool) {
		t.Helper()
		if b.computer.watched != computer || b.computer.view.Visible() != computer || p.frame.panes.View.Visible() == computer {
			t.Errorf("%s: watched %v, in view %v, the models %v", when, b.computer.watched, b.computer.view.Visible(), p.frame.panes.View.Visible())
		}
	}
	check("at first", false)
	if p.Watch(); !b.computer.reads {
		t.Error("it does not read what is used before somebody looks")
	}
	p.frame.areas.Pick(areaComputer)
	check("after a click", true)
	p.Leave()
	if b.computer.watched {
		t.Error("it watches in a room that nobody sees")
	}
	p.Enter()
	check("on return", true)
	b.Press(fyne.KeyReturn)
	check("while it measures", false)
	b.Loop.Until(t, "a measurement", func() bool { return p.record.result != nil && !p.results.history.empty() })
	p.Leave()
	p.ShowComputer()
	if b.computer.watched {
		t.Error("it watches before it is in view")
	}
	p.Enter()
	check("from the chip", true)
	p.Open("starter-embed")
	check("when a model is to be measured", false)
}

func (b *bench) performance() *Panel { return b.shown }

// inPerformance returns a window that shows Performance, with its models. Weights are held as
// in their files.
func inPerformance(t *testing.T, d *uitest.App) *bench {
	t.Helper()
	b := &bench{Stage: uitest.NewStage(t, d)}
	b.computer = &computer{view: container.NewStack()}
	b.shown = New(b.Host, d, b.computer)
	b.Put(b.shown)
	b.shown.Enter()
	b.Loop.Until(t, "models", func() bool { return b.performance().models.list != nil })
	for i, place := range b.performance().plan.targets.places {
		if place.Weights != "" {
			b.performance().plan.targets.boxes[i].SetChecked(false)
		}
	}
	return b
}

// measured returns a window with a finished measurement.
func measured(t *testing.T, d *uitest.App) *bench {
	t.Helper()
	b := inPerformance(t, d)
	b.Press(fyne.KeyReturn)
	b.Loop.Until(t, "a measurement", func() bool { return b.performance().record.result != nil && !b.performance().results.history.empty() })
	return b
}

// tick ticks only these targets, by their names.
func tick(p *Panel, names ...string) {
	for _, c := range p.plan.targets.boxes {
		c.SetChecked(slices.Contains(names, c.Text))
	}
}

func TestMeasureShowsBars(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 4
	b := measured(t, d)
	p := b.performance()
	got := d.Measurements()[0]
	want := []devices.Target{{Device: "cpu", Threads: 1}, {Device: "cpu", Threads: 2}, {Device: "cpu", Threads: 4}}
	if got.Model != "starter-embed" || !slices.Equal(got.Targets, want) || got.Thorough || got.Curve {
		t.Errorf("asked for %+v", got)
	}
	if len(p.results.speed.charts) != 1 || len(p.results.speed.charts[0].Rows) != 3 {
		t.Fatalf("%d charts", len(p.results.speed.charts))
	}
	for i, want := range []chart.BarRow{
		{Name: "CPU, 1 thread", Detail: "reference", Value: 100, Low: 90, High: 110, Text: "100", Note: "varied by 20 %", Fill: kit.Paler(theme.ColorNamePrimary, 2)},
		{Name: "CPU, 2 threads", Detail: "same results", Value: 200, Low: 180, High: 220, Text: "200", Note: "varied by 20 %", Fill: kit.Paler(theme.ColorNamePrimary, 1)},
	} {
		got := p.results.speed.charts[0].Rows[i]
		if math.Abs(got.High-want.High) > 1e-9 {
			t.Errorf("row %d reaches %v", i, got.High)
		}
		got.High = want.High
		if got != want {
			t.Errorf("row %d is %+v, want %+v", i, got, want)
		}
	}
	text := uitest.AllText(p.results.speed.view)
	for _, want := range []string{"Reading texts", "texts/s, 32 texts in one call", "CPU, 4 threads", "400"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
	if !strings.Contains(b.Said, " 3 ways.") || p.run.Progress.Visible() || !p.run.measure.Visible() {
		t.Errorf("at the end: %q", b.Said)
	}
}

func TestMeasureIsCancelled(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 2
	free := make(chan struct{})
	release := sync.OnceFunc(func() { close(free) })
	d.Measured.Slow = func(context.Context) { <-free } // a model that ignores its context
	b := inPerformance(t, d)
	t.Cleanup(release)
	p := b.performance()
	p.run.start()
	b.Loop.Until(t, "the first bar", func() bool { return len(p.results.speed.charts) == 1 })
	if p.run.Left.Text != "3 s left" || p.run.Stage.Text != "Reading texts" || p.run.where.Text != "CPU, 2 threads" || p.run.Bar.Value != 0.5 {
		b.Loop.Until(t, "progress", func() bool {
			return p.run.Left.Text == "3 s left" && p.run.Stage.Text == "Reading texts" && p.run.where.Text == "CPU, 2 threads" && p.run.Bar.Value == 0.5
		})
	}
	b.Host.Keys.Key(uitest.Key(fyne.KeyEscape))
	if p.run.under != nil || !p.run.measure.Visible() || p.run.Progress.Visible() {
		t.Error("Escape does not free the panel at once")
	}
	if !strings.Contains(b.Said, "What was finished is kept: 1 way.") {
		t.Errorf("it says %q", b.Said)
	}
	release()
	b.Loop.Until(t, "what was finished", func() bool { return p.record.result != nil })
	b.Idle()
	if kept := d.KeptMeasurements(); len(kept) != 1 || !kept[0].Cancelled || kept[0].Measured() != 1 || len(p.record.result.Rows) != 1 || p.run.measure.Disabled() {
		t.Errorf("kept is %+v, shown %+v", kept, p.record.result)
	}
	if text := p.results.facts.Segment.Text; !strings.Contains(text, "was cancelled") {
		t.Errorf("the page says %q", text)
	}
}

func TestMemoryByContext(t *testing.T) {
	uitest.LightApp(t)
	p := newCurvePage(&ways.Colors{})
	row := func(threads int, peak int64) measure.Row {
		return measure.Row{Target: devices.Target{Device: "cpu", Threads: threads}, Curve: []measure.CurvePoint{{Size: 128, Value: 30}, {Size: 256, Value: 28}}, Memory: []measure.MemoryPoint{{Context: 128, Predicted: 100e6, Peak: peak}, {Context: 256, Predicted: 110e6}}}
	}
	p.show([]measure.Row{row(1, 0), row(2, 104e6)}, library.Model{Kind: library.KindChat})
	if got := p.memory.Lines; len(got) != 2 || got[0].Name != "CPU, predicted" || got[0].Values[1] != 110 || got[1].Name != "CPU, measured" || got[1].Values[0] != 104 || !math.IsNaN(got[1].Values[1]) {
		t.Errorf("%+v", got)
	}
	if len(p.plot.Lines) != 2 || !strings.Contains(uitest.AllText(p.view), "MB for the model, without the program") {
		t.Errorf("%+v %q", p.plot.Lines, uitest.AllText(p.view))
	}
	p.show([]measure.Row{{Curve: []measure.CurvePoint{{Size: 1, Value: 900}}}}, library.Model{Kind: library.KindEmbedding})
	if strings.Contains(uitest.AllText(p.view), "Memory") {
		t.Error("an embedding model has memory by context")
	}
}

func TestAFailingDeviceEndsItsRow(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 2
	d.Measured.Row = func(p devices.Target) measure.Row {
		if p.Threads == 2 {
			return measure.Row{Target: p, Failed: "The device was lost."}
		}
		return uitest.RowOf(p)
	}
	b := measured(t, d)
	rows := b.performance().results.speed.charts[0].Rows
	if p := b.performance(); len(p.results.summary.chart.Rows) != 2 || !strings.Contains(p.results.facts.Segment.Text, "CPU, 2 threads: The device was lost.") {
		t.Errorf("the first page has %+v and says %q", p.results.summary.chart.Rows, p.results.facts.Segment.Text)
	}
	if rows[0].Failed != "" || rows[1].Failed != "The device was lost." || rows[1].Value != 0 {
		t.Errorf("%+v", rows)
	}
	d.Mu.Lock()
	d.Measured.Row = func(p devices.Target) measure.Row { return measure.Row{Target: p, Failed: "Nothing works."} }
	d.Mu.Unlock()
	b.performance().run.start()
	b.Loop.Until(t, "the end", func() bool { return b.performance().run.under == nil })
	if text := uitest.AllText(b.performance().results.speed.view); !strings.Contains(text, "Nothing works.") {
		t.Errorf("all failed: %q", text)
	}
}

func TestMeasureErrorsAreShown(t *testing.T) {
	d := uitest.NewApp()
	d.Measured.Failing = errors.New("the model cannot be opened")
	b := inPerformance(t, d)
	b.performance().run.start()
	b.Loop.Until(t, "the error", func() bool { return b.performance().frame.notice.Message() == "The model cannot be opened." })
	if b.performance().run.under != nil || b.performance().record.result != nil {
		t.Error("something still runs")
	}
	d.Mu.Lock()
	d.Measured.Failing, d.Measured.Keeping = nil, errors.New("the disk is full")
	d.Mu.Unlock()
	b.performance().run.start()
	b.Loop.Until(t, "the result", func() bool { return b.performance().record.result != nil })
	if b.performance().frame.notice.Message() != "The disk is full." {
		t.Errorf("the notice is %q", b.performance().frame.notice.Message())
	}
}

func TestPlaces(t *testing.T) {
	uitest.LightApp(t)
	l := newTargetList(panel.Host{Keys: &kit.Keyboard{}}, &ways.Colors{}, func() {})
	devices := []devices.Device{
		{ID: "cpu", Available: true, Threads: 6, Name: "A processor"},
		{ID: "metal", Reason: "Metal is a part of macOS"},
		{ID: "metal-emulated", Available: true},
	}
	l.fill(devices, library.Model{Kind: library.KindChat, DType: "f16"})
	var names []string
	for _, b := range l.boxes {
		names = append(names, b.Text)
	}
	want := []string{"CPU, 1 thread", "CPU, 2 threads", "CPU, 4 threads", "CPU, 6 threads", "CPU, 6 threads, 8-bit weights", "CPU, 6 threads, 4-bit weights", "Metal, emulated"}
	if !slices.Equal(names, want) {
		t.Errorf("offers %q", names)
	}
	if got := l.chosen(); len(got) != 5 || got[4].Weights != "q8_0" {
		t.Errorf("ticked at first: %+v", got)
	}
	if text := uitest.AllText(l.view); !strings.Contains(text, "No supported GPU.") || !strings.Contains(text, "For testing, not for speed") {
		t.Errorf("hints: %q", text)
	}
	l.boxes[0].SetChecked(false)
	l.fill(devices, library.Model{Kind: library.KindEmbedding})
	if got := l.chosen(); len(got) != 4 || got[0].Threads != 2 || len(l.boxes) != 6 {
		t.Errorf("after another model: %+v", got)
	}
	l.fill(devices, library.Model{Kind: library.KindChat, DType: "q4_k"})
	if got := l.chosen(); len(got) != 3 {
		t.Errorf("of a model that is small already: %+v", got)
	}
}

func TestMeasureNeedsAPlace(t *testing.T) {
	b := inPerformance(t, uitest.NewApp())
	tick(b.performance())
	if !b.performance().run.measure.Disabled() {
		t.Error("Measure can be pressed without a device")
	}
	if !b.performance().run.untold.Flat.Visible() {
		t.Error("why Measure is grey is not said")
	}
	b.performance().run.start()
	if b.performance().run.under != nil {
		t.Error("it runs")
	}
	tick(b.performance(), "CPU, 1 thread")
	if b.performance().run.measure.Disabled() {
		t.Error("Measure cannot be pressed")
	}
	if b.performance().run.untold.Flat.Visible() {
		t.Error("it goes on asking for a tick")
	}
}

func TestPerformancePages(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads, d.Kept.Developer = 2, true
	b := inPerformance(t, d)
	p := b.performance()
	visible := func() (list []int) {
		for i, page := range p.results.pages {
			if page.Visible() {
				list = append(list, i)
			}
		}
		return list
	}
	if len(visible()) != 0 || strings.TrimSpace(p.results.hint.Title.Text) != "" { // nobody knows yet whether it was measured
		t.Errorf("at first: %v, %q", visible(), p.results.hint.Title.Text)
	}
	p.plan.curve.SetChecked(true)
	p.plan.norm.SetChecked(true)
	p.run.start()
	b.Loop.Until(t, "a measurement", func() bool { return p.record.result != nil && !p.results.history.empty() })
	for page, want := range []string{"texts a second", "each model in its fastest way", "Over time", "Takes 105 MB of memory.", "same results", "Linear", "rows of 1,024 numbers", "ms, by the number"} {
		p.pick(page)
		b.Loop.Until(t, fmt.Sprint("page ", page), func() bool {
			return strings.Contains(uitest.AllText(p.results.pages[page]), strings.TrimPrefix(want, "ms"))
		})
		if got := visible(); !slices.Equal(got, []int{page}) || p.results.blank.Visible() {
			t.Errorf("page %d shows %v", page, got)
		}
	}
	ops := uitest.AllText(p.results.ops.view)
	if linear, add := strings.Index(ops, "Linear"), strings.Index(ops, "Add"); linear > add || !strings.Contains(ops, "90 %") {
		t.Errorf("operations: %q", ops)
	}
	if got := p.results.byCurve.plot; len(got.Lines) != 2 || !slices.Equal(got.Places, []string{"1", "16"}) || got.Lines[0].Values[1] != 300 {
		t.Errorf("curves: %+v", got.Lines)
	}
	if got := p.results.norms.plots; len(got) != 4 || !slices.Equal(got[0].Places, []string{"1", "64"}) || got[0].Lines[1].Values[1] != 40 || got[3].Lines[0].Values[0] != 8 {
		t.Errorf("norms: %+v", got)
	}
	if table := uitest.AllText(p.results.compat.view); strings.Contains(table, "Metal") || !strings.Contains(table, "No supported GPU.") {
		t.Errorf("what runs where: %q", table)
	}
	if d.Measured.Compats != len(d.Offered)+1 { // and how much memory the one that was measured takes
		t.Errorf("asked %d times about %d models", d.Measured.Compats, len(d.Offered))
	}
}

func TestHistoryComparesOverTime(t *testing.T) {
	uitest.LightApp(t)
	speed := func(minute int, median float64, thorough bool) measure.Result {
		return measure.Result{
			When: time.Date(2026, 3, 1, 10, minute, 0, 0, time.UTC), Kind: library.KindEmbedding, Thorough: thorough,
			Rows: []measure.Row{{Target: devices.Target{Device: "cpu"}, Measures: []measure.Measure{{Work: fit.WorkEmbed, Unit: "texts/s", Median: median}}}, {Target: devices.Target{Device: "metal"}, Failed: "It was lost."}},
		}
	}
	p := newHistoryPage(nil, &ways.Colors{})
	p.show([]measure.Result{speed(3, 150, false), speed(2, 7, true), speed(1, 100, false)})
	if got := p.plot.Lines; len(got) != 1 || !slices.Equal(got[0].Values, []float64{100, 150}) {
		t.Errorf("%+v", got)
	}
	text := uitest.AllText(p.view)
	if !strings.Contains(text, "150 texts a second (+50 %)") {
		t.Errorf("the change is missing: %q", text)
	}
	if !strings.Contains(text, "Only quick measurements are drawn") || !strings.Contains(text, "7 texts a second") {
		t.Errorf("of the thorough one it says %q", text)
	}
	if !strings.Contains(text, "It was lost.") || strings.Contains(text, "-93") {
		t.Errorf("%q", text)
	}
}

// An earlier measurement that was not reliable says so, in the plot and in its own section.
func TestHistoryMarksWhatIsNotReliable(t *testing.T) {
	uitest.LightApp(t)
	speed := func(minute int, others float64) measure.Result {
		return measure.Result{
			When: time.Date(2026, 3, 1, 10, minute, 0, 0, time.UTC), Kind: library.KindEmbedding,
			Rows: []measure.Row{{Target: devices.Target{Device: "cpu"}, Others: others, Measures: []measure.Measure{{Work: fit.WorkEmbed, Unit: "texts/s", Median: 100}}}},
		}
	}
	p := newHistoryPage(nil, &ways.Colors{})
	p.show([]measure.Result{speed(2, 0.4), speed(1, 0)})
	if got := p.plot.Lines; !slices.Equal(got[0].Doubts, []bool{false, true}) {
		t.Errorf("%+v", got)
	}
	if text := uitest.AllText(p.view); strings.Count(text, "Not reliable: other programs were busy (up to 40 % of the CPU).") != 1 || !strings.Contains(text, "An open dot") {
		t.Errorf("%q", text)
	}
	p.show([]measure.Result{speed(1, 0)})
	if text := uitest.AllText(p.view); strings.Contains(text, "eliable") || strings.Contains(text, "An open dot") {
		t.Errorf("%q", text)
	}
}

// A measurement is seen from the tabs that do not show what it finds.
func TestMeasurementIsSeen(t *testing.T) {
	for _, tab := range []int{pageHistory, pageCompat} {
		b := inPerformance(t, uitest.NewApp())
		p := b.performance()
		p.results.tabs.Pick(tab)
		p.run.start()
		if p.results.page() != pageSpeed {
			t.Errorf("it stays on %s", tabNames[tab])
		}
		b.Loop.Until(t, "a measurement", func() bool { return p.record.result != nil && !p.results.history.empty() })
	}
}

func TestWhatOthersTakeIsTold(t *testing.T) {
	rows := []measure.Row{{Target: devices.Target{Device: "cpu"}, Others: 0.35}, {Target: devices.Target{Device: "metal"}, Others: 0.05}, {Others: -1}}
	if got := unreliable(rows, fit.WorkEmbed); !strings.HasPrefix(got, "Not reliable: other programs were busy (up to 35 %") {
		t.Errorf("%q", got)
	}
}

func TestAgreementIsNotRoundedUp(t *testing.T) {
	for v, want := range map[float64]string{1: "100 %", 0.9999999: "99.99 %", 0.5: "50 %", 0.998997: "99.89 %"} {
		if got := alikeness(v); got != want {
			t.Errorf("%v is written %s", v, got)
		}
	}
}

// The text beside a row's bar and the remarks below the bars never contradict each other.
func TestOneJudgementOfARow(t *testing.T) {
	for _, c := range []struct {
		weights string
		cosine  float64
		beside  string
		warned  bool
	}{
		{"", 1, "same results", false},
		{"", 0.998997, "different results", true},
		{"q8_0", 0.998997, "nearly the same results", false},
		{"q8_0", 0.98, "different results", true},
		{"q4_k", 0.97, "nearly the same results", false},
		{"q4_k", 0.9, "different results", true},
	} {
		row := measure.Row{Target: devices.Target{Device: "cpu", Hold: devices.Hold{Weights: c.weights}}, Measures: []measure.Measure{{Work: fit.WorkEmbed}}, Compared: true, Agreement: c.cosine}
		beside, below := agreementText(row), strings.Join(remarksOn([]measure.Row{row}), " ")
		if !strings.HasPrefix(beside, c.beside) || strings.Contains(below, "Do not rely on it") != c.warned {
			t.Errorf("%q, cosine %v: %q beside, %q below", c.weights, c.cosine, beside, below)
		}
	}
}

// What is measured beside the speed is offered with the details, and seen on every page while it
// is ticked: nothing hidden is measured.
func TestBoxesThatCountAreSeen(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Developer = true
	p := inPerformance(t, d).performance()
	if p.plan.norm.Visible() {
		t.Error("the first page offers what is for those who look at the details")
	}
	p.results.tabs.Pick(pageFigures)
	if !p.plan.norm.Visible() {
		t.Error("the details do not offer it")
	}
	p.plan.norm.SetChecked(true)
	p.results.tabs.Pick(pageSpeed)
	if !p.plan.norm.Visible() {
		t.Error("what will be measured is hidden")
	}
	p.plan.norm.SetChecked(false)
	p.results.tabs.Pick(pageHistory)
	if p.plan.norm.Visible() {
		t.Error("it stays although it is not ticked")
	}
}

// People outside Details read of words and texts a second, never of tokens.
func TestHistoryOfWriting(t *testing.T) {
	uitest.LightApp(t)
	p := newHistoryPage(nil, &ways.Colors{})
	p.show([]measure.Result{{When: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), Kind: library.KindChat, Rows: []measure.Row{{Target: devices.Target{Device: "cpu"}, Measures: []measure.Measure{{Work: fit.WorkGenerate, Unit: "tokens/s", Median: 16}}}}}})
	if text := uitest.AllText(p.view); !strings.Contains(text, "12 words a second") || strings.Contains(text, "token") || p.plot.Lines[0].Values[0] != 12 {
		t.Errorf("%q, %v", text, p.plot.Lines)
	}
}

// saves replaces the dialogs: it saves into a folder at once.
type saves struct {
	kit.FileDialogs
	t   *testing.T
	dir string
}

func (s saves) Save(name string, chosen func(fyne.URIWriteCloser)) {
	w, err := storage.Writer(storage.NewFileURI(filepath.Join(s.dir, name)))
	if err != nil {
		s.t.Fatal(err)
	}
	chosen(w)
}

func TestPerformanceIsSaved(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 2
	b := measured(t, d)
	dir := t.TempDir()
	b.performance().saver.Files = func() kit.FileDialogs { return saves{t: t, dir: dir} }
	b.Press(fyne.KeyS)
	b.performance().saver.saveJSON()
	b.performance().saver.savePNG()
	b.Idle()
	if message := b.performance().frame.notice.Message(); message != "" {
		t.Fatal(message)
	}
	open := func(name string) *os.File {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	if rows, err := csv.NewReader(open("performance.csv")).ReadAll(); err != nil || len(rows) != 3 || rows[2][9] != "200" {
		t.Errorf("CSV: %v, %v", rows, err)
	}
	var back measure.Result
	if err := json.NewDecoder(open("performance.json")).Decode(&back); err != nil || back.Rows[1].Measures[0].Median != 200 {
		t.Errorf("JSON: %+v, %v", back, err)
	}
	m, err := png.Decode(open("performance.png"))
	if err != nil || m.Bounds().Dx() != 2*int(kit.PictureWidth) || m.Bounds().Dy() < 200 {
		t.Fatalf("PNG: %v, %v", m.Bounds(), err)
	}
	orange := 0
	for y := range m.Bounds().Dy() {
		for x := 0; x < m.Bounds().Dx(); x += 8 {
			r, g, bl, _ := m.At(x, y).RGBA()
			if r > 0x9000 && r > 2*g && r > 2*bl || r > 0xe000 && g < 0xa000 && bl < 0x7000 {
				orange++
			}
		}
	}
	if orange < 500 {
		t.Errorf("the picture shows no bars: %d", orange)
	}
}

// What was found while a model was measured is told with the details, and not in the sentence
// that everybody reads.
func TestNotesAreDetails(t *testing.T) {
	d := uitest.NewApp()
	d.Measured.Row = func(p devices.Target) measure.Row {
		r := uitest.RowOf(p)
		r.Notes = []string{"The weights stay in caches."}
		return r
	}
	p := measured(t, d).performance()
	if got := p.results.facts.Segment.Text; strings.Contains(got, "caches") {
		t.Errorf("the first page says %q", got)
	}
	if got := notesOn([]measure.Row{{Target: devices.Target{Device: "cpu", Threads: 1}, Notes: []string{"A.", "B."}}, {Target: devices.Target{Device: "cpu", Threads: 2}, Notes: []string{"A."}}}); !slices.Equal(got, []string{"CPU, 1 thread; CPU, 2 threads: A.", "CPU, 1 thread: B."}) {
		t.Errorf("notes of several rows: %q", got)
	}
	if p.results.tabs.Pick(pageFigures); !strings.Contains(p.results.facts.Segment.Text, "The weights stay in caches.") {
		t.Errorf("the details say %q", p.results.facts.Segment.Text)
	}
}
