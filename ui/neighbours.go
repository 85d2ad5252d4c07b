package ui

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"
)

// fullTextHeight is how much of the selected text is in view at once.
const fullTextHeight float32 = 64

// neighbours lists the texts nearest to the selected one, the best first.
type neighbours struct {
	chosen func(i int)

	view  *fyne.Container
	title *line
	full  *paragraph
	list  *rows
	hint  *hint
	found []app.Neighbour
	texts []string
	scale *scale
}

func newNeighbours(k *keyboard) *neighbours {
	n := &neighbours{chosen: func(int) {}, title: newSection("Nearest texts"), full: newParagraph("", theme.ColorNameForeground)}
	n.list = newRows(k, func() int { return len(n.found) }, newNeighbourRow, n.fill)
	n.list.clicked = func(i int) { n.chosen(n.found[i].Index) }
	n.list.opened = n.list.clicked
	n.hint = newHint(theme.ListIcon())
	full := container.New(&cappedLayout{fullTextHeight}, container.NewVScroll(n.full.flat))
	n.view = card(bordered(gapSmall, column(gapSmall, n.title, full), container.NewStack(n.list, n.hint.view), nil))
	n.clear("", "")
	return n
}

// show lists the neighbours of text i.
func (n *neighbours) show(i int, r *app.SimilarityResult, s *scale) {
	n.texts, n.scale = r.Texts, s
	n.found = r.Nearest(i, len(r.Texts))
	n.title.set(fmt.Sprintf("Nearest to text %d", i+1))
	n.full.set(longBrief(r.Texts[i]))
	n.full.flat.Show()
	n.hint.view.Hide()
	n.list.current = -1
	n.list.scroll.ScrollToTop()
	n.list.Refresh()
	n.view.Refresh()
}

// clear lists nothing and says why.
func (n *neighbours) clear(title, why string) {
	n.found = nil
	n.title.set("Nearest texts")
	n.full.set("")
	n.full.flat.Hide()
	n.hint.say(title, why)
	n.list.Refresh()
	n.view.Refresh()
}

// longBrief bounds a text that is shown in full.
func longBrief(text string) string {
	const most = 4000
	runes := 0
	for i := range text {
		if runes++; runes > most {
			return text[:i] + "…"
		}
	}
	return text
}

// newNeighbourRow is a row: number, text and cosine above a bar.
func newNeighbourRow() fyne.CanvasObject {
	number := newCaption("")
	number.align = fyne.TextAlignTrailing
	value := newLine("", textBody, theme.ColorNameForeground)
	value.style.Bold, value.align = true, fyne.TextAlignTrailing
	return container.New(&neighbourLayout{
		number: fyne.MeasureText("000", textSmall, fyne.TextStyle{}).Width,
		value:  fyne.MeasureText("-0.00", textBody, fyne.TextStyle{Bold: true}).Width,
	}, number, newLine("", textBody, theme.ColorNameForeground), value, newBar(4))
}

func (n *neighbours) fill(i int, o fyne.CanvasObject) {
	parts := o.(*fyne.Container).Objects
	found := n.found[i]
	parts[0].(*line).set(strconv.Itoa(found.Index + 1))
	parts[1].(*line).set(n.texts[found.Index])
	parts[2].(*line).set(cosine(found.Score))
	parts[3].(*bar).set(n.scale.share(found.Score))
}

// neighbourLayout places number, text, value and, below text and value, the
// bar.
type neighbourLayout struct{ number, value float32 }

func (l *neighbourLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.number+l.value+80, o[1].MinSize().Height+5+4+14)
}

func (l *neighbourLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const top = 6
	height := o[1].MinSize().Height
	left, right := gapSmall+l.number+gap, size.Width-gap
	o[0].Move(fyne.NewPos(gapSmall, top))
	o[0].Resize(fyne.NewSize(l.number, height))
	o[1].Move(fyne.NewPos(left, top))
	o[1].Resize(fyne.NewSize(max(0, right-l.value-gap-left), height))
	o[2].Move(fyne.NewPos(right-l.value, top))
	o[2].Resize(fyne.NewSize(l.value, height))
	o[3].Move(fyne.NewPos(left, top+height+5))
	o[3].Resize(fyne.NewSize(max(0, right-left), 4))
}

// cappedLayout is as high as its scrolled content, up to a limit.
type cappedLayout struct{ most float32 }

func (c *cappedLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	scroll := o[0].(*container.Scroll)
	if !scroll.Content.Visible() {
		return fyne.Size{}
	}
	return fyne.NewSize(40, min(c.most, scroll.Content.MinSize().Height))
}

func (c *cappedLayout) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }
