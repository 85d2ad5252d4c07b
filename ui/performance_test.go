package ui

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
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
	"fyne.io/fyne/v2/storage"

	"inglenook/app"
)

// performanceBench is a window that shows Performance.
type performanceBench struct {
	*stage
	shown *performance
}

func (b *performanceBench) performance() *performance { return b.shown }

// inPerformance is a window that shows Performance, with its models; weights are
// held as in their files.
func inPerformance(t *testing.T, d *double) *performanceBench {
	t.Helper()
	b := &performanceBench{stage: newStage(t, d)}
	b.shown = newPerformance(b.host, d)
	b.put(b.shown)
	b.shown.enter()
	b.loop.until(t, "models", func() bool { return b.performance().models != nil })
	for i, place := range b.performance().places.places {
		if place.Weights != "" {
			b.performance().places.boxes[i].SetChecked(false)
		}
	}
	return b
}

// measured is a window with a finished measurement.
func measured(t *testing.T, d *double) *performanceBench {
	t.Helper()
	b := inPerformance(t, d)
	b.press(fyne.KeyReturn)
	b.loop.until(t, "a measurement", func() bool { return b.performance().result != nil && !b.performance().history.empty() })
	return b
}

// tick ticks just these places, by their names.
func tick(p *performance, names ...string) {
	for _, c := range p.places.boxes {
		c.SetChecked(slices.Contains(names, c.Text))
	}
}

func TestMeasureShowsBars(t *testing.T) {
	d := newDouble()
	d.settings.Threads = 4
	b := measured(t, d)
	p := b.performance()
	got := d.measurements()[0]
	want := []app.Target{{Device: "cpu", Threads: 1}, {Device: "cpu", Threads: 2}, {Device: "cpu", Threads: 4}}
	if got.Model != "starter-embed" || !slices.Equal(got.Targets, want) || got.Thorough || got.Curve {
		t.Errorf("asked for %+v", got)
	}
	if len(p.speed.charts) != 1 || len(p.speed.charts[0].rows) != 3 {
		t.Fatalf("%d charts", len(p.speed.charts))
	}
	for i, want := range []barRow{
		{name: "CPU, 1 thread", detail: "the reference for the others", value: 100, low: 90, high: 110, text: "100", note: "±10 % of 5"},
		{name: "CPU, 2 threads", detail: "agrees: cosine 0.999999", value: 200, low: 180, high: 220, text: "200", note: "±10 % of 5"},
	} {
		got := p.speed.charts[0].rows[i]
		if math.Abs(got.high-want.high) > 1e-9 {
			t.Errorf("row %d reaches %v", i, got.high)
		}
		got.high = want.high
		if got != want {
			t.Errorf("row %d is %+v, want %+v", i, got, want)
		}
	}
	text := allText(p.speed.view)
	for _, want := range []string{"Embedding", "texts/s, 32 texts in one call", "CPU, 4 threads", "400"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
	if !strings.Contains(b.said, "in 3 places") || p.progress.Visible() || !p.measure.Visible() {
		t.Errorf("at the end: %q", b.said)
	}
}

func TestMeasureIsCancelled(t *testing.T) {
	d := newDouble()
	d.settings.Threads = 2
	free := make(chan struct{})
	release := sync.OnceFunc(func() { close(free) })
	d.measured.slow = func(context.Context) { <-free } // does not even notice
	b := inPerformance(t, d)
	t.Cleanup(release)
	p := b.performance()
	p.start()
	b.loop.until(t, "the first bar", func() bool { return len(p.speed.charts) == 1 })
	if p.left.text != "3.0 s left" || p.stage.text != "Embedding · CPU, 2 threads" || p.bar.value != 0.5 {
		b.loop.until(t, "progress", func() bool {
			return p.left.text == "3.0 s left" && p.stage.text == "Embedding · CPU, 2 threads" && p.bar.value == 0.5
		})
	}
	began := time.Now()
	b.host.keys.key(key(fyne.KeyEscape))
	if took := time.Since(began); p.running != nil || !p.measure.Visible() || p.progress.Visible() || took > 200*time.Millisecond {
		t.Errorf("Escape does not free the panel at once (%v)", took)
	}
	release()
	b.idle()
	if p.result != nil || len(d.measured.kept) > 0 || p.measure.Disabled() {
		t.Error("a cancelled measurement is shown or kept")
	}
}

// What is foreseen stands where nothing is measured yet, then beside what was.
func TestPredictionsAreShown(t *testing.T) {
	d := newDouble()
	d.settings.Threads = 2
	d.measured.row = func(p app.Target) app.PerformanceRow {
		r := rowOf(p)
		r.Measures[0].Predicted = 110 * float64(p.Threads)
		return r
	}
	b := inPerformance(t, d)
	p := b.performance()
	b.loop.until(t, "predictions", func() bool { return len(p.speed.charts) == 1 && len(p.speed.charts[0].rows) == 2 })
	if got := p.speed.charts[0].rows[1]; got.value != 220 || !got.guess || got.note != "predicted" || p.blank.Visible() {
		t.Errorf("before: %+v", got)
	}
	asked := d.measured.foreseen
	tick(p, "CPU, 1 thread")
	tick(p, "CPU, 1 thread", "CPU, 2 threads")
	if len(p.speed.charts[0].rows) != 2 || d.measured.foreseen != asked {
		t.Errorf("what is known is asked again: %d, %d", d.measured.foreseen, asked)
	}
	p.start()
	b.loop.until(t, "a measurement", func() bool { return p.result != nil && !p.history.empty() })
	if got := p.speed.charts[0].rows[1]; got.guess || got.mark != 220 || got.more != "predicted 220 (+10 %)" {
		t.Errorf("after: %+v", got)
	}
	if text := allText(p.speed.view); !strings.Contains(text, "holds all of them") || !strings.Contains(text, "was predicted from") {
		t.Errorf("the bars are not explained: %q", text)
	}
	if text := allText(p.history.view); !strings.Contains(text, "predicted 220 (+10 %)") {
		t.Errorf("the history: %q", text)
	}
	p.leave()
	if p.inView || p.forecast.open != nil {
		t.Error("predicting goes on in a room that nobody sees")
	}
}

func TestMemoryByContext(t *testing.T) {
	lightApp(t)
	p := newCurvePage()
	row := func(threads int, peak int64) app.PerformanceRow {
		return app.PerformanceRow{Target: app.Target{Device: "cpu", Threads: threads}, Curve: []app.CurvePoint{{Size: 128, Value: 30}, {Size: 256, Value: 28}}, Memory: []app.MemoryPoint{{Context: 128, Predicted: 100 << 20, Peak: peak}, {Context: 256, Predicted: 110 << 20}}}
	}
	p.show([]app.PerformanceRow{row(1, 0), row(2, 104<<20)}, app.Model{Kind: app.KindChat})
	if got := p.memory.lines; len(got) != 2 || got[0].name != "CPU, foreseen" || got[0].values[1] != 110 || got[1].name != "CPU, measured" || got[1].values[0] != 104 || !math.IsNaN(got[1].values[1]) {
		t.Errorf("%+v", got)
	}
	if len(p.plot.lines) != 2 || !strings.Contains(allText(p.view), "MiB of weights") {
		t.Errorf("%+v %q", p.plot.lines, allText(p.view))
	}
	p.show([]app.PerformanceRow{{Curve: []app.CurvePoint{{Size: 1, Value: 900}}}}, app.Model{Kind: app.KindEmbedding})
	if strings.Contains(allText(p.view), "Memory") {
		t.Error("an embedding model has memory by context")
	}
}

func TestAFailingDeviceEndsItsRow(t *testing.T) {
	d := newDouble()
	d.settings.Threads = 2
	d.measured.row = func(p app.Target) app.PerformanceRow {
		if p.Threads == 2 {
			return app.PerformanceRow{Target: p, Failed: "The device was lost."}
		}
		return rowOf(p)
	}
	b := measured(t, d)
	rows := b.performance().speed.charts[0].rows
	if rows[0].failed != "" || rows[1].failed != "The device was lost." || rows[1].value != 0 {
		t.Errorf("%+v", rows)
	}
	d.mu.Lock()
	d.measured.row = func(p app.Target) app.PerformanceRow { return app.PerformanceRow{Target: p, Failed: "Nothing works."} }
	d.mu.Unlock()
	b.performance().start()
	b.loop.until(t, "the end", func() bool { return b.performance().running == nil })
	if text := allText(b.performance().speed.view); !strings.Contains(text, "Nothing works.") {
		t.Errorf("all failed: %q", text)
	}
}

func TestMeasureErrorsAreShown(t *testing.T) {
	d := newDouble()
	d.measured.failing = errors.New("the model cannot be opened")
	b := inPerformance(t, d)
	b.performance().start()
	b.loop.until(t, "the error", func() bool { return b.performance().notice.message() == "The model cannot be opened." })
	if b.performance().running != nil || b.performance().result != nil {
		t.Error("something still runs")
	}
	d.mu.Lock()
	d.measured.failing, d.measured.keeping = nil, errors.New("the disk is full")
	d.mu.Unlock()
	b.performance().start()
	b.loop.until(t, "the result", func() bool { return b.performance().result != nil })
	if b.performance().notice.message() != "The disk is full." {
		t.Errorf("the notice is %q", b.performance().notice.message())
	}
}

func TestPlaces(t *testing.T) {
	lightApp(t)
	l := newPlaceList(&keyboard{}, func() {})
	devices := []app.Device{
		{ID: "cpu", Available: true, Threads: 6, Name: "A processor"},
		{ID: "metal", Reason: "Metal is a part of macOS"},
		{ID: "metal-emulated", Available: true},
	}
	l.fill(devices, app.Model{Kind: app.KindChat, DType: "f16"})
	var names []string
	for _, b := range l.boxes {
		names = append(names, b.Text)
	}
	want := []string{"CPU, 1 thread", "CPU, 2 threads", "CPU, 4 threads", "CPU, 6 threads", "CPU, 6 threads, 8-bit weights", "CPU, 6 threads, 4-bit weights", "Metal", "Metal, emulated"}
	if !slices.Equal(names, want) {
		t.Errorf("offers %q", names)
	}
	if got := l.chosen(); len(got) != 5 || got[4].Weights != "q8_0" {
		t.Errorf("ticked at first: %+v", got)
	}
	if text := allText(l.view); !strings.Contains(text, "Metal is a part of macOS.") || !strings.Contains(text, "For checking, not for speed") {
		t.Errorf("hints: %q", text)
	}
	l.boxes[0].SetChecked(false)
	l.fill(devices, app.Model{Kind: app.KindEmbedding})
	if got := l.chosen(); len(got) != 4 || got[0].Threads != 2 || len(l.boxes) != 7 {
		t.Errorf("after another model: %+v", got)
	}
	l.fill(devices, app.Model{Kind: app.KindChat, DType: "q4_k"})
	if got := l.chosen(); len(got) != 3 {
		t.Errorf("of a model that is small already: %+v", got)
	}
}

func TestMeasureNeedsAPlace(t *testing.T) {
	b := inPerformance(t, newDouble())
	tick(b.performance())
	if !b.performance().measure.Disabled() {
		t.Error("Measure can be pressed without a device")
	}
	b.performance().start()
	if b.performance().running != nil {
		t.Error("it runs")
	}
	tick(b.performance(), "CPU, 1 thread")
	if b.performance().measure.Disabled() {
		t.Error("Measure cannot be pressed")
	}
}

func TestPerformancePages(t *testing.T) {
	d := newDouble()
	d.settings.Threads = 2
	b := inPerformance(t, d)
	p := b.performance()
	visible := func() (list []int) {
		for i, page := range p.pages {
			if page.Visible() {
				list = append(list, i)
			}
		}
		return list
	}
	if len(visible()) != 0 || p.hint.title.text != "Nothing measured yet" {
		t.Errorf("at first: %v, %q", visible(), p.hint.title.text)
	}
	p.curve.SetChecked(true)
	p.norm.SetChecked(true)
	p.start()
	b.loop.until(t, "a measurement", func() bool { return p.result != nil && !p.history.empty() })
	for page, want := range []string{"agrees", "Linear", "rows of 1,024 numbers", "ms, by the number", "Over time", "Takes 100 MiB of 8.0 GiB free."} {
		p.tabs.pick(page)
		b.loop.until(t, "page "+pageNames[page], func() bool { return strings.Contains(allText(p.pages[page]), strings.TrimPrefix(want, "ms")) })
		if got := visible(); !slices.Equal(got, []int{page}) || p.blank.Visible() {
			t.Errorf("page %d shows %v", page, got)
		}
	}
	ops := allText(p.ops.view)
	if linear, add := strings.Index(ops, "Linear"), strings.Index(ops, "Add"); linear > add || !strings.Contains(ops, "90 %") {
		t.Errorf("operations: %q", ops)
	}
	if got := p.byCurve.plot; len(got.lines) != 2 || !slices.Equal(got.places, []string{"1", "16"}) || got.lines[0].values[1] != 300 {
		t.Errorf("curves: %+v", got.lines)
	}
	if got := p.norms.plots; len(got) != 4 || !slices.Equal(got[0].places, []string{"1", "64"}) || got[0].lines[1].values[1] != 40 || got[3].lines[0].values[0] != 8 {
		t.Errorf("norms: %+v", got)
	}
	if table := allText(p.compat.view); !strings.Contains(table, "Metal exists on Apple computers only.") {
		t.Errorf("what runs where: %q", table)
	}
	if d.measured.compats != len(d.models) {
		t.Errorf("asked %d times about %d models", d.measured.compats, len(d.models))
	}
}

func TestHistoryComparesOverTime(t *testing.T) {
	lightApp(t)
	speed := func(minute int, median float64, thorough bool) app.Performance {
		return app.Performance{
			When: time.Date(2026, 3, 1, 10, minute, 0, 0, time.UTC), Kind: app.KindEmbedding, Thorough: thorough,
			Rows: []app.PerformanceRow{{Target: app.Target{Device: "cpu"}, Measures: []app.Measure{{Work: app.WorkEmbed, Unit: "texts/s", Median: median}}}, {Target: app.Target{Device: "metal"}, Failed: "It was lost."}},
		}
	}
	p := newHistoryPage()
	p.show([]app.Performance{speed(3, 150, false), speed(2, 7, true), speed(1, 100, false)})
	if got := p.plot.lines; len(got) != 1 || !slices.Equal(got[0].values, []float64{100, 7, 150}) {
		t.Errorf("%+v", got)
	}
	text := allText(p.view)
	if !strings.Contains(text, "150 texts/s  (+50 %)") && !strings.Contains(text, "150 texts/s (+50 %)") {
		t.Errorf("the change is missing: %q", text)
	}
	if !strings.Contains(text, "It was lost.") || strings.Contains(text, "-93") {
		t.Errorf("%q", text)
	}
}

func TestWhatOthersTakeIsTold(t *testing.T) {
	rows := []app.PerformanceRow{{Target: app.Target{Device: "cpu"}, Others: 0.35}, {Target: app.Target{Device: "metal"}, Others: 0.05}, {Others: -1}}
	if got := remarksOn(rows); len(got) != 1 || !strings.HasPrefix(got[0], "Other programs took up to 35 %") {
		t.Errorf("%q", got)
	}
}

func TestAgreementIsNotRoundedUp(t *testing.T) {
	for v, want := range map[float64]string{1: "1.000000", 0.9999999: "0.999999", 0.5: "0.500000", -0.25: "-0.250000"} {
		if got := agreementNumber(v); got != want {
			t.Errorf("%v is written %s", v, got)
		}
	}
	off := app.PerformanceRow{Target: app.Target{Device: "metal"}, Measures: []app.Measure{{Work: app.WorkEmbed}}, Compared: true, Agreement: 0.98}
	if got := remarksOn([]app.PerformanceRow{off}); len(got) != 1 || !strings.Contains(got[0], "do not trust it") {
		t.Errorf("remarks: %q", got)
	}
}

// saves takes the place of the dialogs: it saves into a folder at once.
type saves struct {
	fileDialogs
	t   *testing.T
	dir string
}

func (s saves) save(name string, chosen func(fyne.URIWriteCloser)) {
	w, err := storage.Writer(storage.NewFileURI(filepath.Join(s.dir, name)))
	if err != nil {
		s.t.Fatal(err)
	}
	chosen(w)
}

func TestPerformanceIsSaved(t *testing.T) {
	d := newDouble()
	d.settings.Threads = 2
	b := measured(t, d)
	dir := t.TempDir()
	b.performance().files = func() fileDialogs { return saves{t: t, dir: dir} }
	b.press(fyne.KeyS)
	b.performance().saveJSON()
	b.performance().savePNG()
	b.idle()
	if message := b.performance().notice.message(); message != "" {
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
	var back app.Performance
	if err := json.NewDecoder(open("performance.json")).Decode(&back); err != nil || back.Rows[1].Measures[0].Median != 200 {
		t.Errorf("JSON: %+v, %v", back, err)
	}
	m, err := png.Decode(open("performance.png"))
	if err != nil || m.Bounds().Dx() != 2*int(pictureWidth) || m.Bounds().Dy() < 200 {
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
