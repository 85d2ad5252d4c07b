package performance

import (
	"fyne.io/fyne/v2"

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

// Watch begins to read what the computer and the program use, for whoever looks later.
func (p *Panel) Watch() { p.computer.Watch() }

// ShowComputer turns to the page about the computer.
func (p *Panel) ShowComputer() { p.turnTo(areaComputer) }

// turnTo turns to an area.
func (p *Panel) turnTo(area int) {
	if p.areas.Index != area {
		p.areas.Select(area)
		p.turnArea()
	}
}

// turnArea shows the area that was chosen.
func (p *Panel) turnArea() {
	p.panes.SetAside(p.areas.Index != areaModels)
	kit.Show(p.computer.Content(), p.areas.Index == areaComputer)
	p.view.Refresh()
	if p.inView {
		p.enterArea()
	}
}

// enterArea begins what the area in view needs, and ends what only the other one does.
func (p *Panel) enterArea() {
	if p.areas.Index == areaComputer {
		p.endPrediction()
		p.computer.Enter()
		return
	}
	p.computer.Leave()
	p.predict()
}

// choosing makes an action one on what is to be measured, which comes into view.
func (p *Panel) choosing(act func()) func() {
	return p.inModels(func() {
		p.panes.Front(panel.PaneWork)
		act()
	})
}

// inModels makes an action one that is seen: it turns to the models first.
func (p *Panel) inModels(act func()) func() {
	return func() {
		p.turnTo(areaModels)
		act()
	}
}
