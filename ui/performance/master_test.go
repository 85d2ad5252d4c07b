package performance

import (
	"slices"
	"testing"

	"inglenook/ui/master"
	"inglenook/ui/uitest"
)

// pick turns to a page.
func (p *Panel) pick(page int) {
	p.results.tabs.Pick(min(page, pageFigures))
	if page >= pageFigures {
		p.results.details.Pick(slices.Index(p.results.offered, page))
	}
}

// The masters show the panel before a measurement and each page after one.
func TestMasters(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads, d.Kept.Developer = 2, true
	b := inPerformance(t, d)
	p := b.performance()
	b.Loop.Until(t, "predictions", func() bool { return len(p.results.speed.charts) == 1 && len(p.results.speed.charts[0].Rows) == 2 })
	b.Idle()
	master.CheckCanvas(t, "predicted", b.Window.Canvas())
	p.plan.curve.SetChecked(true)
	p.plan.norm.SetChecked(true)
	p.run.start()
	b.Loop.Until(t, "a measurement", func() bool { return p.record.result != nil && !p.results.history.empty() })
	for page, name := range map[int]string{pageSpeed: "speed", pageFigures: "figures", pageOps: "operations", pageNorms: "norms", pageCurve: "by-size", pageCompat: "compatibility"} {
		p.pick(page)
		b.Idle()
		master.CheckCanvas(t, name, b.Window.Canvas())
	}
}
