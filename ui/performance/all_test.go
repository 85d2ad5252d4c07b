package performance

import (
	"strings"
	"testing"
	"time"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/uitest"
)

// Models are compared by what was measured last, the fastest first; one click measures them all, and each
// is kept as soon as it is.
func TestAllModels(t *testing.T) {
	d := uitest.NewApp()
	d.Offered = []library.Model{{ID: "slow", Name: "slow", Kind: library.KindEmbedding, Usable: true}, {ID: "quick", Name: "quick", Kind: library.KindEmbedding, Usable: true}, {ID: "broken", Name: "broken", Reason: "no weights"}}
	b := inPerformance(t, d)
	p := b.performance()
	b.Idle()
	p.results.tabs.Pick(pageAll)
	b.Idle()
	if text := uitest.AllText(p.results.all.page); !strings.Contains(text, "No model has been measured yet") || p.results.all.begin.Disabled() {
		t.Fatalf("it says %q", text)
	}
	p.series.begin(false)
	b.Loop.Until(t, "all models", func() bool { return p.series.under == nil })
	b.Idle()
	asked := d.Measurements()
	if len(asked) != 2 || asked[0].Model != "slow" || asked[1].Model != "quick" || len(asked[0].Targets) == 0 || len(d.Measured.Kept) != 2 {
		t.Fatalf("measured %+v, kept %d", asked, len(d.Measured.Kept))
	}
	if len(p.results.all.shown) != 2 || !p.results.all.begin.Visible() || p.results.all.begin.Text != "Measure all 2 models" || p.results.all.Progress.Visible() {
		t.Fatalf("shown are %+v, the button says %q", p.results.all.shown, p.results.all.begin.Text)
	}
	p.results.all.show([]measure.Result{
		{Model: "quick", Rows: []measure.Row{uitest.RowOf(devices.Target{Device: "cpu", Threads: 2})}},
	}, p.models.comparable())
	if text := uitest.AllText(p.results.all.page); !strings.Contains(text, "Not measured yet: slow.") || !strings.Contains(text, "texts a second") {
		t.Errorf("it says %q", text)
	}
}

// A measurement of all models can be cancelled, and keeps what it has: also the ways that are finished of
// the model that is being measured.
func TestCancelAllModels(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 2
	d.Offered = []library.Model{{ID: "first", Name: "first", Kind: library.KindEmbedding, Usable: true}, {ID: "second", Name: "second", Kind: library.KindEmbedding, Usable: true}}
	begun, release := make(chan struct{}, 8), make(chan struct{})
	d.Measured.Row = func(place devices.Target) measure.Row {
		begun <- struct{}{}
		<-release
		return uitest.RowOf(place)
	}
	b := inPerformance(t, d)
	p := b.performance()
	b.Idle()
	p.series.begin(false)
	b.Loop.Until(t, "the first model", func() bool { return len(begun) > 0 })
	if !p.run.measure.Disabled() || !p.results.all.Progress.Visible() || !strings.Contains(p.results.all.Stage.Text, "of 2") {
		t.Errorf("while it measures: %q", p.results.all.Stage.Text)
	}
	p.Escape()
	if p.series.under != nil || p.results.all.Progress.Visible() || p.run.measure.Disabled() {
		t.Error("it goes on")
	}
	close(release)
	b.Loop.Until(t, "what was finished", func() bool { return len(d.KeptMeasurements()) == 1 })
	if kept := d.KeptMeasurements()[0]; !kept.Cancelled || kept.Model != "first" || kept.Measured() != 1 {
		t.Errorf("kept is %+v", kept)
	}
	b.Loop.Until(t, "it is shown", func() bool { return len(p.results.history.list) == 1 })
	if leftOf(10*time.Second, 0.25) != 30*time.Second || leftOf(time.Second, 0) != 0 {
		t.Error("the rest is not foreseen by the pace so far")
	}
}

// An earlier measurement opens with all that was found, and can be saved then.
func TestOpenEarlier(t *testing.T) {
	d := uitest.NewApp()
	b := inPerformance(t, d)
	p := b.performance()
	b.Idle()
	for range 2 {
		p.run.start()
		b.Loop.Until(t, "the result", func() bool { return p.run.under == nil && p.record.result != nil })
		b.Idle()
	}
	p.results.tabs.Pick(pageHistory)
	if len(p.results.history.list) != 2 {
		t.Fatalf("%d earlier measurements", len(p.results.history.list))
	}
	old := p.results.history.list[1]
	p.results.history.open(old)
	if !p.record.result.When.Equal(old.When) || p.results.page() != pageSpeed || p.saver.buttons[0].Disabled() || !strings.Contains(p.results.facts.Segment.Text, "Measured on "+moment(old.When)) {
		t.Errorf("shown is the measurement of %v, with %q", p.record.result.When, p.results.facts.Segment.Text)
	}
}
