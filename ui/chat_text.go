package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// pieceBytes is about how many bytes one label draws: the layout of a label takes
// longer than in proportion to its text.
const pieceBytes = 2000

// ownText is what a person wrote, as it was written.
type ownText struct {
	text string
	box  *fyne.Container
}

func (p *chat) newOwnText(text string) *ownText {
	t := &ownText{text: text, box: column(0)}
	for _, part := range pieces(text, pieceBytes) {
		t.box.Add(selectable(part))
	}
	return t
}

func (t *ownText) view() fyne.CanvasObject { return t.box }
func (t *ownText) set(string, bool)        {}
func (t *ownText) seen(_, _ float32)       {}

// width is that of the longest line, or all that is available.
func (t *ownText) width(available float32) float32 {
	if len(t.text) > 600 {
		return available
	}
	widest := float32(0)
	for line := range strings.Lines(t.text) {
		widest = max(widest, fyne.MeasureText(strings.TrimRight(line, "\r\n"), textBody, fyne.TextStyle{}).Width)
	}
	return min(available, widest+2)
}

// selectable is wrapped text that can be selected and copied, without the room
// that Fyne leaves around it.
func selectable(text string) fyne.CanvasObject {
	l := widget.NewLabel(text)
	l.Wrapping, l.Selectable, l.SizeName = fyne.TextWrapWord, true, theme.SizeNameText
	return inset(l, -gap, -gap)
}

// pieces cuts text at line ends, or where lines are long within them, into
// pieces of about so many bytes.
func pieces(text string, about int) []string {
	var list []string
	for len(text) > about {
		cut := strings.LastIndexByte(text[:about], '\n')
		end := cut + 1 // the line end is not drawn: the next label begins a line
		if cut <= 0 {
			cut = about
			for cut > 1 && text[cut]&0xC0 == 0x80 {
				cut--
			}
			if space := strings.LastIndexByte(text[:cut], ' '); space > about/2 {
				cut = space
			}
			end = cut
		}
		list = append(list, text[:cut])
		text = text[end:]
	}
	return append(list, text)
}
