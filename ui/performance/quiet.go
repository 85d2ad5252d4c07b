package performance

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// remedy offers to measure again so that the speeds are reliable: when other programs are quiet, or, where
// the speed varied by itself, more thoroughly.
func (p *Panel) remedy(busy bool) fyne.CanvasObject {
	if !busy && p.effort.Index == 0 {
		return kit.NewButton(p.Keys, "Measure thoroughly", theme.MediaPlayIcon(), p.choosing(func() {
			p.effort.Pick(1)
			p.start()
		}))
	}
	return kit.NewButton(p.Keys, "Measure when it is quiet", theme.HistoryIcon(), p.choosing(func() { p.begin(true) }))
}

// waiting shows that a run waits for other programs, and what they take.
func (p *Panel) waiting(run *measurement) func(others float64) {
	return func(others float64) {
		p.Do(func() {
			if p.running != run {
				return
			}
			p.Stage.Set("Waiting until it is quiet")
			p.where.Set(othersText(others))
			p.Progress.Refresh()
		})
	}
}

// batchWaits does the same while all models are measured.
func (p *Panel) batchWaits(b *batch) func(others float64) {
	return func(others float64) {
		p.Do(func() {
			if p.batch != b {
				return
			}
			p.all.Stage.Set("Waiting until it is quiet: " + othersText(others))
			p.all.Left.Set("")
			p.all.Progress.Refresh()
		})
	}
}

func othersText(others float64) string {
	return "other programs use " + kit.Percent(others) + " of the CPU"
}
