package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/dustin/go-humanize"

	"inglenook/app"
)

// compatPage is the table of models and devices: what would run where, how much
// memory it takes, and why something would not.
type compatPage struct {
	keys  *keyboard
	page  *fyne.Container
	view  fyne.CanvasObject
	known map[string]app.Compat // by model
	asked bool
}

func newCompatPage(k *keyboard) *compatPage {
	p := &compatPage{keys: k, known: map[string]app.Compat{}}
	p.page, p.view = scrolled()
	return p
}

// clear forgets the answers: the models have changed.
func (p *compatPage) clear() { p.asked, p.known = false, map[string]app.Compat{} }

// fillCompat asks about each model, one after the other.
func (p *performance) fillCompat() {
	if p.compat.asked || len(p.models) == 0 {
		return
	}
	p.compat.asked = true
	models := p.models
	p.compat.show(models)
	p.work(func(ctx context.Context) {
		for _, m := range models {
			got, err := p.app.Compat(ctx, app.CompatRequest{Model: m.ID})
			if ctx.Err() != nil {
				return
			}
			p.do(func() {
				if err != nil {
					got = app.Compat{Model: m.ID, Notes: []string{sentence(err.Error())}}
				}
				p.compat.known[m.ID] = got
				p.compat.show(p.models)
			})
		}
	})
}

// show draws the table.
func (p *compatPage) show(models []app.Model) {
	p.page.Objects = nil
	for _, m := range models {
		got, known := p.known[m.ID]
		caption := describe(m)
		if !known {
			caption = "looking…"
		}
		rows := column(3)
		for _, d := range got.Devices {
			rows.Add(compatRow(d))
		}
		for _, n := range got.Notes {
			rows.Add(newParagraph(n, colorMuted).small().flat)
		}
		p.page.Add(section(m.Name, caption, rows))
	}
	p.page.Refresh()
}

// compatRow is the verdict about one device.
func compatRow(d app.CompatDevice) fyne.CanvasObject {
	name := newLine(placeName(app.Target{Device: d.Device}), textBody, theme.ColorNameForeground)
	dot, word, color := verdictLook(d.Verdict)
	verdict := newLine(word, textBody, color)
	verdict.style.Bold = true
	mark := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(8), newSurface(dot, "", 4)))
	left := row(gap, container.New(&fixedWidth{120}, name), mark, container.New(&fixedWidth{64}, verdict))
	text := newParagraph(compatText(d), colorMuted).small()
	return container.NewBorder(nil, nil, container.NewVBox(left), nil, inset(text.flat, 2, 0))
}

// verdictLook is how a verdict looks: the colour of its dot, its word and the
// colour of that.
func verdictLook(verdict string) (dot fyne.ThemeColorName, word string, color fyne.ThemeColorName) {
	switch verdict {
	case app.VerdictFull:
		return colorSuccess, "full", colorSuccess
	case app.VerdictPartial:
		return theme.ColorNameWarning, "partial", theme.ColorNameWarning
	}
	return theme.ColorNameDisabled, "no", colorMuted
}

// compatText says why it is not full, and how much memory it takes.
func compatText(d app.CompatDevice) string {
	text := ""
	if m := d.Memory; m.Total > 0 {
		text = "Takes " + humanize.IBytes(uint64(m.Total))
		if m.Available > 0 {
			text += " of " + humanize.IBytes(uint64(m.Available)) + " free"
		}
		text += ". "
	}
	if d.Reason != "" {
		text += sentence(d.Reason)
	}
	return text
}
