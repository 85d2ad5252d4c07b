package performance

import (
	"fyne.io/fyne/v2"

	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// compatPage is the table of models and devices: what would run where, how much
// memory it takes, and why something would not.
type compatPage struct {
	host  panel.Host
	page  *fyne.Container
	view  fyne.CanvasObject
	known map[string]fit.Compat       // by model
	past  map[string][]measure.Result // what was measured, by model
	asked bool
}

func newCompatPage(h panel.Host) *compatPage {
	p := &compatPage{host: h, known: map[string]fit.Compat{}, past: map[string][]measure.Result{}}
	p.page, p.view = scrolled()
	return p
}

// clear forgets the answers: the models have changed, or one was measured.
func (p *compatPage) clear() { p.asked, p.known = false, map[string]fit.Compat{} }

// show draws the table.
func (p *compatPage) show(models []library.Model) {
	p.page.Objects = nil
	for _, m := range models {
		got, known := p.known[m.ID]
		caption := panel.Describe(m)
		if !known {
			caption = "looking…"
		}
		rows := panel.CompatRows(p.host.App, got.Devices, panel.SpeedBelow(p.past[m.ID], "Its speed has not been measured here yet."))
		for _, n := range got.Notes {
			rows.Add(kit.NewParagraph(n, kit.ColorMuted).Small().Flat)
		}
		p.page.Add(kit.Section(m.Title(), caption, rows))
	}
	if !panel.HasGPU(p.host.App.Devices()) {
		p.page.Add(panel.NoGPU(p.host))
	}
	p.page.Refresh()
}
