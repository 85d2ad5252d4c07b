package similarity

import (
	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Page is the other area of the room: it says what texts are about.
type Page interface {
	Content() fyne.CanvasObject
	Enter()
	Escape()
	Drop(panel.Dropped)
	ModelsChanged()
	ShowError(error)
	Use(model string)

	Start()
	Compose()
	OpenFile()
	OpenModel()
	ChooseModel()
	Undo()
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
	kit.Show(p.panes, !classify)
	kit.Show(p.page.Content(), classify)
	kit.Show(p.buttons, !classify)
	if classify {
		p.page.Enter()
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

// comparing is a key of the first area, which comes into view.
func (p *Panel) comparing(act func()) func() {
	return func() {
		p.turnTo(areaCompare)
		act()
	}
}

// headLayout puts the buttons at the right of the title and the areas, or below these where there
// is no room.
type headLayout struct{ width float32 } // that it had last

// below reports whether the buttons stand in a row of their own.
func (l *headLayout) below(o []fyne.CanvasObject) bool {
	return o[1].Visible() && l.width < o[0].MinSize().Width+kit.GapWide+o[1].MinSize().Width
}

func (l *headLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	title, buttons := o[0].MinSize(), o[1].MinSize()
	height := max(title.Height, buttons.Height)
	if l.below(o) {
		height = title.Height + kit.GapSmall + buttons.Height
	}
	return fyne.NewSize(max(title.Width, buttons.Width), height)
}

func (l *headLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	title, buttons := o[0].MinSize(), o[1].MinSize()
	y := float32(0)
	if l.below(o) {
		y = title.Height + kit.GapSmall
	}
	o[0].Resize(title)
	o[1].Move(fyne.NewPos(size.Width-buttons.Width, y))
	o[1].Resize(buttons)
}
