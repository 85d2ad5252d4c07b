package ui

import (
	"net/url"
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/app"
)

// replyText shows an answer: finished parts of it stay as they are, only the last
// grows.
type replyText struct {
	box  *fyne.Container
	text string // that is shown
	from int    // where the last part begins
}

func (p *chat) newReplyText(int64) *replyText { return &replyText{box: column(0)} }

func (t *replyText) view() fyne.CanvasObject         { return t.box }
func (t *replyText) width(available float32) float32 { return available }
func (t *replyText) seen(_, _ float32)               {}

func (t *replyText) set(text string, _ bool) {
	if !strings.HasPrefix(text, t.text) {
		t.box.Objects, t.from = nil, 0
	}
	t.text = text
	parts := pieces(text[t.from:], pieceBytes)
	if n := len(t.box.Objects); n > 0 {
		t.box.Objects = t.box.Objects[:n-1]
	}
	for i, part := range parts {
		t.box.Add(selectable(part))
		if i < len(parts)-1 {
			t.from += len(part)
			if strings.HasPrefix(text[t.from:], "\n") {
				t.from++
			}
		}
	}
}

// askLink shows where a link leads before anything opens it.
func (p *chat) askLink(address string) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		p.showLink(address, nil)
		return
	}
	p.showLink(address, func() { p.browse(u) })
}

func (p *chat) missingFonts(app.ChatMessage) string { return "" }
