package performance

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// compatPage is the table of models and devices: what would run where, how much
// memory it takes, and why something would not. The chosen model is first.
type compatPage struct {
	host   panel.Host
	page   *fyne.Container
	view   *container.Scroll
	known  map[string]fit.Compat       // by model
	past   map[string][]measure.Result // what was measured, by model
	asked  bool
	chosen string // id of the model that is first
}

func newCompatPage(h panel.Host) *compatPage {
	p := &compatPage{host: h, known: map[string]fit.Compat{}, past: map[string][]measure.Result{}}
	p.page, p.view = scrolled()
	return p
}

// clear forgets the answers: the models have changed, or one was measured.
func (p *compatPage) clear() { p.asked, p.known = false, map[string]fit.Compat{} }

// ordered puts the chosen model before the others.
func ordered(models []library.Model, chosen string) []library.Model {
	i := slices.IndexFunc(models, func(m library.Model) bool { return m.ID == chosen })
	if i < 0 {
		return models
	}
	return append([]library.Model{models[i]}, slices.Delete(slices.Clone(models), i, i+1)...)
}

// compatMemoryText says what the figures of memory are, since other pages count it in other ways.
const compatMemoryText = "Memory is that of the weights as in the file, with the program itself; with 8-bit weights it is less."

// show draws the table.
func (p *compatPage) show(models []library.Model, chosen string) {
	p.page.Objects = []fyne.CanvasObject{kit.NewParagraph(compatMemoryText, kit.ColorMuted).Small().Flat}
	for i, m := range ordered(models, chosen) {
		if i == 1 && chosen != "" {
			p.page.Add(kit.NewName("Your other models"))
		}
		got, known := p.known[m.ID]
		caption := panel.Describe(m)
		if !known {
			caption = "looking…"
		}
		rows := panel.CompatRows(p.host.App, got.Devices, panel.SpeedBelow(p.past[m.ID], "Its speed has not been measured here yet.", panel.MeasureAgain))
		for _, n := range got.Notes {
			rows.Add(kit.NewParagraph(n, kit.ColorMuted).Small().Flat)
		}
		p.page.Add(kit.Section(m.Title(), caption, rows))
	}
	if !panel.HasGPU(p.host.App.Devices()) {
		p.page.Add(panel.NoGPU(p.host))
	}
	p.page.Refresh()
	if p.chosen != chosen { // another one is first
		p.chosen = chosen
		p.view.ScrollToTop()
	}
}
