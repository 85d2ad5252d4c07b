package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// hint says in one sentence how to fill an empty place.
type hint struct {
	view  *fyne.Container
	title *line
	text  *paragraph
}

func newHint(icon fyne.Resource) *hint {
	h := &hint{title: newSection(""), text: newParagraph("", colorMuted)}
	h.title.align = fyne.TextAlignCenter
	h.text.segment.Style.Alignment = fyne.TextAlignCenter
	image := widget.NewIcon(theme.NewColoredResource(icon, colorMuted))
	h.view = container.New(&middleLayout{}, column(gap,
		container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(28), image)), h.title, h.text.flat))
	return h
}

// say shows the hint.
func (h *hint) say(title, text string) {
	h.title.set(title)
	h.text.set(text)
	h.view.Show()
	h.view.Refresh()
}

// middleLayout gives its object the whole width, in the middle of the height.
type middleLayout struct{}

func (middleLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(80, 60) }

func (middleLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := min(size.Width, 360)
	o[0].Resize(fyne.NewSize(w, o[0].MinSize().Height)) // a wrapped text needs its width first
	h := o[0].MinSize().Height
	o[0].Resize(fyne.NewSize(w, h))
	o[0].Move(fyne.NewPos((size.Width-w)/2, max(0, (size.Height-h)/2)))
}
