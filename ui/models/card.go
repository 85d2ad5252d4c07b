package models

import (
	"context"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/markdown"
	"inglenook/ui/kit"
	"inglenook/ui/prose"
)

// Sizes of a model's card, where the window has room for it.
const (
	cardWidth  float32 = 760
	cardHeight float32 = 560
)

// readCard shows the README of the model in view. It fetches nothing: pictures stay the
// addresses that they are, and a link opens only when a person opens it.
func (p *modelPage) readCard() {
	m := *p.item.installed
	p.Work(func(ctx context.Context) {
		text, err := p.app.Card(ctx, m.ID)
		p.Do(func() {
			switch {
			case err != nil:
				p.host.fail(err)
			case text == "":
				p.Tell(m.Title() + " has no card.")
			default:
				p.showCard(m.Title(), text)
			}
		})
	})
}

func (p *modelPage) showCard(title, text string) {
	body := prose.New(p.Keys, p.openLink)
	body.Copy = p.Copy
	body.Set(markdown.Parse(text))
	scroll := container.NewVScroll(kit.Inset(body, kit.GapSmall, kit.Gap))
	scroll.OnScrolled = func(at fyne.Position) { body.InView(at.Y, at.Y+scroll.Size().Height) }
	body.Wheel = scroll.Scrolled
	body.InView(0, cardHeight)
	p.sheet.Width, p.sheet.Height = cardWidth, cardHeight
	p.sheet.Open(title, scroll, false, kit.SheetButton{Name: "Close", Main: true})
}

// openLink opens a link of a card where it leads to a web page; it is told where.
func (p *modelPage) openLink(address string) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		p.Tell("Only http and https links can be opened from here: " + kit.Brief(address))
		return
	}
	p.sheet.Width, p.sheet.Height = 0, 0
	p.sheet.Open("Open a link?", kit.Column(kit.Gap, kit.NewParagraph("This link leads to:", kit.ColorMuted).Flat, kit.NewParagraph(address, "foreground").Flat), true,
		kit.SheetButton{Name: "Cancel"}, kit.SheetButton{Name: "Copy", Run: func() { p.Copy(address, "address.txt") }}, kit.SheetButton{Name: "Open", Run: func() { p.Browse(u) }})
}
