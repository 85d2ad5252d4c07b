package performance

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// noisy is an application on a busy computer, and what makes it quiet.
func noisy() (*uitest.App, func()) {
	d := uitest.NewApp()
	d.Kept.Threads, d.Measured.Busy = 2, true
	quiet := make(chan struct{})
	d.Measured.Quiet = func(ctx context.Context, report func(others float64)) error {
		report(0.45)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-quiet:
			return nil
		}
	}
	return d, func() { close(quiet) }
}

// On a busy computer there is a rough figure, and a button that measures as soon as it is quiet.
func TestMeasureWhenItIsQuiet(t *testing.T) {
	d, hush := noisy()
	b := inPerformance(t, d)
	p := b.performance()
	b.Loop.Until(t, "the rough figure", func() bool { return p.results.summary.chart != nil })
	text := uitest.AllText(p.results.summary.page)
	if !strings.Contains(text, "Perhaps 28 to 330 texts a second: other programs are busy.") || !p.results.summary.chart.Rows[0].Doubtful {
		t.Errorf("it says %q", text)
	}
	press := func() { test.Tap(uitest.FindButton(t, p.results.summary.page, "Measure when it is quiet")) }
	press()
	b.Loop.Until(t, "what others take", func() bool { return p.run.where.Text == "other programs use 45 % of the CPU" })
	if p.results.hint.Title.Text != "Waiting for a quiet moment" || !p.results.blank.Visible() || !p.run.Progress.Visible() || len(d.Measurements()) > 0 {
		t.Errorf("while it waits, the page says %q", p.results.hint.Title.Text)
	}
	p.Escape()
	if p.run.under != nil || p.run.Progress.Visible() || p.results.summary.chart == nil || !strings.Contains(b.Said, "does not wait") {
		t.Error("it cannot be cancelled")
	}
	b.Idle()
	press()
	hush()
	b.Loop.Until(t, "a measurement", func() bool { return p.record.result != nil })
	if asked := d.Measurements(); len(asked) != 1 || len(asked[0].Shown) > 0 {
		t.Errorf("measured %+v", asked)
	}
}

// So can all models be measured.
func TestMeasureAllWhenItIsQuiet(t *testing.T) {
	d, hush := noisy()
	b := inPerformance(t, d)
	p := b.performance()
	p.results.tabs.Pick(pageAll)
	b.Idle()
	test.Tap(p.results.all.later)
	b.Loop.Until(t, "what others take", func() bool { return strings.Contains(p.results.all.Stage.Text, "45 %") })
	if len(d.Measurements()) > 0 || p.results.all.later.Visible() {
		t.Error("it does not wait")
	}
	hush()
	b.Loop.Until(t, "all models", func() bool { return p.series.under == nil })
	if len(d.Measurements()) != len(p.models.comparable()) || !p.results.all.later.Visible() {
		t.Errorf("measured %d of %d", len(d.Measurements()), len(p.models.comparable()))
	}
}

// What varied by itself is measured more thoroughly; what other programs disturbed, when they are quiet.
func TestRemedies(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 1
	row := uitest.RowOf(devices.Target{Device: "cpu", Threads: 1})
	row.Measures[0].Least, row.Measures[0].Most = 20, 180
	d.Measured.Row = func(devices.Target) measure.Row { return row }
	b := measured(t, d)
	p := b.performance()
	test.Tap(uitest.FindButton(t, p.results.summary.page, "Measure thoroughly"))
	b.Loop.Until(t, "the second one", func() bool { return p.run.under == nil && len(d.KeptMeasurements()) == 2 })
	if asked := d.Measurements(); len(asked) != 2 || asked[0].Thorough || !asked[1].Thorough || p.plan.effort.Index != 1 {
		t.Errorf("measured %+v", asked)
	}
	b.Idle()
	if button, ok := uitest.Find(p.results.summary.page, func(*kit.Button) bool { return true }); !ok || button.Text != "Measure when it is quiet" {
		t.Error("after a thorough measurement nothing more is offered")
	}
}

// A model that answers tells how long it reads a page before; a word says how fast it is for who waits.
func TestReadingAPage(t *testing.T) {
	row := func(prompt, written float64) measure.Row {
		return measure.Row{Target: devices.Target{Device: "cpu"}, Measures: []measure.Measure{{Work: fit.WorkPrompt, Median: prompt}, {Work: fit.WorkGenerate, Median: written}}}
	}
	writes := deedOf(fit.WorkGenerate)
	for prompt, want := range map[float64]string{100: "in about 4 s.", 1000: "in less than a second.", 2: "in about 3 min 20 s."} {
		if got := writes.pageText(row(prompt, 10)); !strings.HasSuffix(got, want) {
			t.Errorf("at %v tokens a second it says %q", prompt, got)
		}
	}
	if got := deedOf(fit.WorkEmbed).pageText(row(100, 10)); got != "" {
		t.Errorf("of a model that answers nothing it says %q", got)
	}
	for written, want := range map[float64]string{2: "slow", 6: "comfortable", 40: "fast"} {
		if word, _ := writes.judge([]measure.Row{row(100, written)}, nil).tempo().inAWord(); word != want {
			t.Errorf("%v tokens a second are called %s", written, word)
		}
	}
}
