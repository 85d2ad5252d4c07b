package performance

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/uitest"
	"inglenook/ui/ways"
)

// After a run that found nothing, the earlier result is in view again and can be saved.
func TestEarlierResultComesBack(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 2
	b := measured(t, d)
	p := b.performance()
	before := p.record.result
	free := make(chan struct{})
	release := sync.OnceFunc(func() { close(free) })
	t.Cleanup(release)
	d.Mu.Lock()
	d.Measured.Slow = func(context.Context) { <-free }
	d.Mu.Unlock()
	p.run.start()
	b.Loop.Until(t, "the run", func() bool { return p.run.under != nil && len(p.run.under.rows) > 0 })
	if p.record.result != nil {
		t.Error("while it is measured, the earlier result is in view")
	}
	b.Host.Keys.Key(uitest.Key(fyne.KeyEscape))
	if p.record.result != before || p.results.summary.chart == nil || p.saver.buttons[0].Disabled() {
		t.Errorf("after Cancel the result is %v, the chart %v", p.record.result, p.results.summary.chart)
	}
	release()
	b.Loop.Until(t, "what was finished", func() bool { return len(d.KeptMeasurements()) == 2 && len(p.results.history.list) == 2 })
	if p.record.result != before {
		t.Error("one way takes the place of the comparison that was in view")
	}
	if got := p.frame.notice.Message(); got != "Cancelled. What was finished is kept: 1 way." {
		t.Errorf("beside the earlier result it says %q", got)
	}
	test.Tap(uitest.FindButton(t, p.frame.notice.View, "Show it"))
	if p.record.result == before || !p.record.result.Cancelled || p.frame.notice.View.Visible() {
		t.Errorf("Show it shows %+v", p.record.result)
	}
	p.record.open(*before)
	before = p.record.result
	d.Mu.Lock()
	d.Measured.Slow, d.Measured.Failing = nil, errors.New("the disk is gone")
	d.Mu.Unlock()
	p.run.start()
	b.Loop.Until(t, "the failure", func() bool { return p.run.under == nil })
	if p.record.result != before || !strings.Contains(p.frame.notice.Message(), "The disk is gone") {
		t.Errorf("after a failure the result is %v, and it says %q", p.record.result, p.frame.notice.Message())
	}
}

// Speeds that are not to be relied on are grey.
func TestUnreliableSpeedsAreGrey(t *testing.T) {
	uitest.LightApp(t)
	row := measure.Row{Target: devices.Target{Device: "cpu"}, Others: 0.5, Measures: []measure.Measure{{Work: fit.WorkEmbed, Unit: "texts/s", Median: 62}}}
	for _, others := range []float64{0.5, 0} {
		row.Others = others
		summary, speed := newSummaryPage(&ways.Colors{}), newSpeedPage(&ways.Colors{})
		summary.show([]measure.Row{row}, "")
		speed.show([]measure.Row{row}, -1, nil)
		for name, c := range map[string]*chart.BarChart{"the first page": summary.chart, "Details": speed.charts[0]} {
			if got := c.Rows[0].Doubtful; got != (others > 0) {
				t.Errorf("with others at %v, %s has doubts: %v", others, name, got)
			}
		}
	}
}

// The bar of an operation is as long as its share of the time.
func TestOperationsAreDrawnByTheirShare(t *testing.T) {
	uitest.LightApp(t)
	p := newOpsPage(&ways.Colors{})
	p.show([]measure.Row{{Target: devices.Target{Device: "cpu"}, Measures: []measure.Measure{{Work: fit.WorkEmbed, Ops: []measure.Op{{Op: "matmul", Device: "cpu", Count: 1, Seconds: 83}, {Op: "add", Device: "cpu", Count: 1, Seconds: 17}}}}}})
	var drawn *chart.BarChart
	uitest.Each(p.view, func(o fyne.CanvasObject) {
		if c, ok := o.(*chart.BarChart); ok {
			drawn = c
		}
	})
	if drawn == nil || drawn.Whole != 100 || drawn.Rows[0].Value != 83 {
		t.Errorf("%+v", drawn)
	}
}
