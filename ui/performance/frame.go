package performance

import (
	"log/slog"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Computer is the page about what this computer has. It draws while it is in view.
type Computer interface {
	Content() fyne.CanvasObject
	Watch() // begins to read what is used
	Enter()
	Leave()
}

// The areas of the panel.
const (
	areaModels = iota
	areaComputer
)

// frame is what stands around the work of the room: its two areas, the panes of the one about models, and
// the notice of what went wrong.
type frame struct {
	host     panel.Host
	view     *fyne.Container
	areas    *kit.Segments
	panes    *panel.Panes // what is about models
	computer Computer
	notice   *kit.Notice
	inView   bool
	came     func() // the models have come into view
	went     func() // they are in view no longer
}

func newFrame(h panel.Host, computer Computer) *frame {
	f := &frame{host: h, computer: computer, notice: kit.NewNotice(h.Keys)}
	f.areas = kit.NewSegments(h.Keys, []string{"Models", "This computer"}, func(int) { f.turn() })
	return f
}

// build puts what is to be measured beside what was found.
func (f *frame) build(left, results fyne.CanvasObject) {
	right := kit.Bordered(kit.Gap, f.notice.View, results, nil)
	f.panes = panel.NewPanes(f.host.Keys, left, right, [2]string{"Measure", "Result"})
	header := f.panes.Head(kit.Row(kit.GapWide, kit.NewTitleWhole("Performance"), container.NewCenter(panel.Whole(f.areas))))
	f.computer.Content().Hide()
	f.view = kit.Inset(kit.Bordered(10, header, container.NewStack(f.panes.View, f.computer.Content()), nil), 12, kit.GapWide)
}

// turnTo turns to an area.
func (f *frame) turnTo(area int) {
	if f.areas.Index != area {
		f.areas.Select(area)
		f.turn()
	}
}

// turn shows the area that was chosen.
func (f *frame) turn() {
	f.panes.SetAside(f.areas.Index != areaModels)
	kit.Show(f.computer.Content(), f.areas.Index == areaComputer)
	f.view.Refresh()
	if f.inView {
		f.enter()
	}
}

// enter begins what the area in view needs, and ends what only the other one does.
func (f *frame) enter() {
	if f.areas.Index == areaComputer {
		f.went()
		f.computer.Enter()
		return
	}
	f.computer.Leave()
	f.came()
}

// choosing makes an action one on what is to be measured, which comes into view.
func (f *frame) choosing(act func()) func() {
	return f.inModels(func() {
		f.panes.Front(panel.PaneWork)
		act()
	})
}

// inModels makes an action one that is seen: it turns to the models first.
func (f *frame) inModels(act func()) func() {
	return func() {
		f.turnTo(areaModels)
		act()
	}
}

// fail shows what went wrong in the panel.
func (f *frame) fail(err error) {
	f.host.App.Log().Warn("performance", slog.Any("error", err))
	f.notice.Fail(kit.Sentence(err.Error()))
	f.panes.Front(panel.PaneResult)
	f.view.Refresh()
}
