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
	p.tabs.Pick(pageAll)
	b.Idle()
	if text := uitest.AllText(p.all.page); !strings.Contains(text, "No model has been measured yet") || p.all.begin.Disabled() {
		t.Fatalf("it says %q", text)
	}
	p.measureAll(false)
	b.Loop.Until(t, "all models", func() bool { return p.batch == nil })
	b.Idle()
	asked := d.Measurements()
	if len(asked) != 2 || asked[0].Model != "slow" || asked[1].Model != "quick" || len(asked[0].Targets) == 0 || len(d.Measured.Kept) != 2 {
		t.Fatalf("measured %+v, kept %d", asked, len(d.Measured.Kept))
	}
	if len(p.all.shown) != 2 || !p.all.begin.Visible() || p.all.begin.Text != "Measure all 2 models" || p.all.Progress.Visible() {
		t.Fatalf("shown are %+v, the button says %q", p.all.shown, p.all.begin.Text)
	}
	p.all.show([]measure.Result{
		{Model: "quick", Rows: []measure.Row{uitest.RowOf(devices.Target{Device: "cpu", Threads: 2})}},
	}, p.comparable())
	if text := uitest.AllText(p.all.page); !strings.Contains(text, "Not measured yet: slow.") || !strings.Contains(text, "texts a second") {
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
	p.measureAll(false)
	b.Loop.Until(t, "the first model", func() bool { return len(begun) > 0 })
	if !p.measure.Disabled() || !p.all.Progress.Visible() || !strings.Contains(p.all.Stage.Text, "of 2") {
		t.Errorf("while it measures: %q", p.all.Stage.Text)
	}
	p.Escape()
	if p.batch != nil || p.all.Progress.Visible() || p.measure.Disabled() {
		t.Error("it goes on")
	}
	close(release)
	b.Loop.Until(t, "what was finished", func() bool { return len(d.KeptMeasurements()) == 1 })
	if kept := d.KeptMeasurements()[0]; !kept.Cancelled || kept.Model != "first" || kept.Measured() != 1 {
		t.Errorf("kept is %+v", kept)
	}
	b.Loop.Until(t, "it is shown", func() bool { return len(p.history.list) == 1 })
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
		p.start()
		b.Loop.Until(t, "the result", func() bool { return p.running == nil && p.result != nil })
		b.Idle()
	}
	p.tabs.Pick(pageHistory)
	if len(p.history.list) != 2 {
		t.Fatalf("%d earlier measurements", len(p.history.list))
	}
	old := p.history.list[1]
	p.history.open(old)
	if !p.result.When.Equal(old.When) || p.page() != pageSpeed || p.exports[0].Disabled() || !strings.Contains(p.facts.Segment.Text, "Measured on "+moment(old.When)) {
		t.Errorf("shown is the measurement of %v, with %q", p.result.When, p.facts.Segment.Text)
	}
}
