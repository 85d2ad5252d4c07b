package performance

import (
	"context"
	"log/slog"
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
	panel.Host
	app     App
	foreign func(measure.Result) bool // it was measured elsewhere
	page    *fyne.Container
	view    *container.Scroll
	known   map[string]fit.Compat       // by model
	past    map[string][]measure.Result // what was measured, by model
	asked   bool
	list    []library.Model // that were asked about
	chosen  string          // id of the model that is first
}

func newCompatPage(h panel.Host, a App, foreign func(measure.Result) bool) *compatPage {
	p := &compatPage{Host: h, app: a, foreign: foreign, known: map[string]fit.Compat{}, past: map[string][]measure.Result{}}
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
		rows := panel.CompatRows(p.App, got.Devices, panel.SpeedBelow(p.past[m.ID], "Its speed has not been measured here yet.", panel.MeasureAgain))
		for _, n := range got.Notes {
			rows.Add(kit.NewParagraph(n, kit.ColorMuted).Small().Flat)
		}
		p.page.Add(kit.Section(m.Title(), caption, rows))
	}
	if !panel.HasGPU(p.App.Devices()) {
		p.page.Add(panel.NoGPU(p.Host))
	}
	p.page.Refresh()
	if p.chosen != chosen { // another one is first
		p.chosen = chosen
		p.view.ScrollToTop()
	}
}

// fill asks about each of these models, one after the other, the chosen one first.
func (p *compatPage) fill(list []library.Model, chosen string) {
	if len(list) == 0 {
		return
	}
	if p.asked {
		if p.chosen != chosen {
			p.show(list, chosen)
		}
		return
	}
	p.asked, p.list = true, list
	p.show(list, chosen)
	p.Work(func(ctx context.Context) {
		for _, m := range ordered(list, chosen) {
			got, err := p.app.Compat(ctx, fit.CompatRequest{Model: m.ID})
			past, unread := p.app.PerformanceHistory(m.ID)
			if ctx.Err() != nil {
				return
			}
			if unread != nil {
				p.App.Log().Warn("performance", slog.Any("error", unread)) // History says so
			}
			p.Do(func() {
				p.past[m.ID] = slices.DeleteFunc(past, p.foreign)
				if err != nil {
					got = fit.Compat{Model: m.ID, Notes: []string{kit.Sentence(err.Error())}}
				}
				p.known[m.ID] = got
				p.show(p.list, p.chosen)
			})
		}
	})
}
