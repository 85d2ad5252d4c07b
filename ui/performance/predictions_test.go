package performance

import (
	"strings"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/uitest"
)

// Predictions are shown where nothing is measured yet, and later beside the measured values.
func TestPredictionsAreShown(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 2
	d.Measured.Row = func(p devices.Target) measure.Row {
		r := uitest.RowOf(p)
		r.Measures[0].Predicted = 110 * float64(p.Threads)
		return r
	}
	b := inPerformance(t, d)
	p := b.performance()
	b.Loop.Until(t, "predictions", func() bool { return len(p.results.speed.charts) == 1 && len(p.results.speed.charts[0].Rows) == 2 })
	if got := p.results.speed.charts[0].Rows[1]; got.Value != 220 || !got.Guess || got.Note != "predicted" || p.results.blank.Visible() {
		t.Errorf("before: %+v", got)
	}
	if text := uitest.AllText(p.results.summary.view); !p.results.summary.view.Visible() || !strings.Contains(text, "About 110 to 330 texts a second, depending on the way (estimate).") || !p.results.summary.chart.Rows[0].Guess || !strings.Contains(text, "An estimate") {
		t.Errorf("before it is measured, the room opens with %q", text)
	}
	asked := d.Measured.Predicted
	tick(p, "CPU, 1 thread")
	tick(p, "CPU, 1 thread", "CPU, 2 threads")
	if len(p.results.speed.charts[0].Rows) != 2 || d.Measured.Predicted != asked {
		t.Errorf("what is known is asked again: %d, %d", d.Measured.Predicted, asked)
	}
	p.run.start()
	b.Loop.Until(t, "a measurement", func() bool { return p.record.result != nil && !p.results.history.empty() })
	if got := p.results.speed.charts[0].Rows[1]; got.Guess || got.Mark != 220 || got.More != "predicted 220, 10 % too high" {
		t.Errorf("after: %+v", got)
	}
	if text := uitest.AllText(p.results.summary.view); !strings.Contains(text, "Measured on this computer.") || strings.Contains(text, "estimate") {
		t.Errorf("once it is measured, the room opens with %q", text)
	}
	p.record.result.Machine = "Another processor"
	p.results.draw(library.Model{})
	if text := uitest.AllText(p.results.summary.view); strings.Contains(text, "this computer") || !strings.Contains(text, "Measured on another computer, with the processor Another processor.") {
		t.Errorf("measured elsewhere, the room opens with %q", text)
	}
	if text := uitest.AllText(p.results.speed.view); !strings.Contains(text, "how much they varied") || !strings.Contains(text, "is the prediction") || strings.Contains(text, "outlined bar") {
		t.Errorf("the bars are not explained: %q", text)
	}
	if text := uitest.AllText(p.results.history.view); !strings.Contains(text, "predicted 220, 10 % too high") {
		t.Errorf("the history: %q", text)
	}
	p.Leave()
	if p.frame.inView || p.forecast.open != nil {
		t.Error("predicting goes on in a room that nobody sees")
	}
}

// What busy processors would give is shown as a rough figure alone, beside which nothing is held later;
// and it is said where more threads look slower.
func TestPredictionsThatSurprise(t *testing.T) {
	one, two := devices.Target{Device: "cpu", Threads: 1}, devices.Target{Device: "cpu", Threads: 2}
	says := func(first, second fit.Prediction) (*forecast, string) {
		f := &forecast{known: predictions{}, asked: measure.Request{Model: "m"}}
		f.known[one], f.known[two] = []fit.Prediction{first}, []fit.Prediction{second}
		return f, f.remark()
	}
	speed := func(v float64, busy bool) fit.Prediction {
		return fit.Prediction{Work: fit.WorkEmbed, Unit: "texts/s", Value: v, Busy: busy}
	}
	if f, why := says(speed(60, false), speed(32, true)); len(f.shownFor("m", false)) != 1 || why != "" {
		t.Errorf("of a busy computer %v is shown, with %q", f.known, why)
	}
	if f, why := says(speed(60, false), speed(32, false)); len(f.known) != 2 || !strings.Contains(why, "More threads") {
		t.Errorf("two threads are slower: %q", why)
	}
	f, why := says(speed(60, false), speed(100, false))
	if why != "" {
		t.Errorf("nothing surprises, and it says %q", why)
	}
	if shown := f.shownFor("another", false); shown == nil || len(shown) != 0 {
		t.Errorf("for another model there is %v", shown)
	}
}
