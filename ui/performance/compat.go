package performance

import (
	"context"

	"fyne.io/fyne/v2"

	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// compatPage is the table of models and devices: what would run where, how much
// memory it takes, and why something would not.
type compatPage struct {
	keys  *kit.Keyboard
	page  *fyne.Container
	view  fyne.CanvasObject
	known map[string]fit.Compat // by model
	asked bool
}

func newCompatPage(k *kit.Keyboard) *compatPage {
	p := &compatPage{keys: k, known: map[string]fit.Compat{}}
	p.page, p.view = scrolled()
	return p
}

// clear forgets the answers: the models have changed.
func (p *compatPage) clear() { p.asked, p.known = false, map[string]fit.Compat{} }

// fillCompat asks about each model, one after the other.
func (p *Panel) fillCompat() {
	if p.compat.asked || len(p.models) == 0 {
		return
	}
	p.compat.asked = true
	models := p.models
	p.compat.show(models)
	p.Work(func(ctx context.Context) {
		for _, m := range models {
			got, err := p.app.Compat(ctx, fit.CompatRequest{Model: m.ID})
			if ctx.Err() != nil {
				return
			}
			p.Do(func() {
				if err != nil {
					got = fit.Compat{Model: m.ID, Notes: []string{kit.Sentence(err.Error())}}
				}
				p.compat.known[m.ID] = got
				p.compat.show(p.models)
			})
		}
	})
}

// show draws the table.
func (p *compatPage) show(models []library.Model) {
	p.page.Objects = nil
	for _, m := range models {
		got, known := p.known[m.ID]
		caption := panel.Describe(m)
		if !known {
			caption = "looking…"
		}
		rows := kit.Column(3)
		for _, d := range got.Devices {
			rows.Add(panel.CompatRow(d))
		}
		for _, n := range got.Notes {
			rows.Add(kit.NewParagraph(n, kit.ColorMuted).Small().Flat)
		}
		p.page.Add(kit.Section(m.Name, caption, rows))
	}
	p.page.Refresh()
}
