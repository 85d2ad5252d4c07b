package similarity

import (
	"fyne.io/fyne/v2"

	"inglenook/app/base"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Page is the other area of the room: it says what texts are about.
type Page interface {
	Content() fyne.CanvasObject
	Panes() *panel.Panes
	Buttons() *fyne.Container // for its result
	Enter()
	Escape()
	Drop(panel.Dropped)
	ModelsChanged()
	ShowError(error)
	Use(model string)

	Start()
	WritesIn() fyne.Focusable
	OpenFile()
	OpenModel()
	ChooseModel()
	Undo()
	Redo()
	CopyCSV()
	SaveCSV()

	Own() []string                          // its texts, but for samples
	Take(lines []string)                    // puts these in the place of its own
	OnCompare(compare func(lines []string)) // is told what its texts are to be compared with
}

// The areas of the room.
const (
	areaCompare = iota
	areaClassify
)

// Classify turns to the page that says what texts are about, with this model.
func (p *Panel) Classify(model string) {
	p.areas.Select(areaClassify)
	p.turnArea()
	p.page.Use(model)
}

// turnTo turns to an area.
func (p *Panel) turnTo(area int) {
	if p.areas.Index != area {
		p.areas.Select(area)
		p.turnArea()
	}
}

// turnArea shows the area that was chosen.
func (p *Panel) turnArea() {
	classify := p.areas.Index == areaClassify
	p.Keep(func(s *base.Settings) { s.SimilarityClassify = classify })
	kit.Show(p.panes.View, !classify)
	kit.Show(p.page.Content(), classify)
	kit.Show(p.buttons, !classify)
	kit.Show(p.page.Buttons(), classify)
	p.bringAlong(classify)
	if classify {
		p.page.Enter()
	} else if p.inView() != nil {
		p.panes.Front(panel.PaneResult)
	}
	p.view.Refresh()
}

// either is what a key does: the one in the first area, the other in the second.
func (p *Panel) either(compare, classify func()) func() {
	return func() {
		if p.areas.Index == areaClassify {
			classify()
			return
		}
		compare()
	}
}

// working is what a key does to the texts or the model, which come into view.
func (p *Panel) working(act func()) func() {
	return func() {
		p.panes.Front(panel.PaneWork)
		act()
	}
}

// comparing is a key of the first area, which comes into view.
func (p *Panel) comparing(act func()) func() {
	return func() {
		p.turnTo(areaCompare)
		act()
	}
}
