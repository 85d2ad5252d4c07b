package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Hint says in one sentence how to fill an empty place.
type Hint struct {
	View  *fyne.Container
	Title *Line
	text  *Paragraph
}

func NewHint(icon fyne.Resource) *Hint {
	h := &Hint{Title: NewSection(""), text: NewParagraph("", ColorMuted)}
	h.Title.Align = fyne.TextAlignCenter
	h.text.Segment.Style.Alignment = fyne.TextAlignCenter
	image := widget.NewIcon(theme.NewColoredResource(icon, ColorMuted))
	h.View = container.New(&middleLayout{}, Column(Gap,
		container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(28), image)), h.Title, h.text.Flat))
	return h
}

// Say shows the hint.
func (h *Hint) Say(title, text string) {
	h.Title.Set(title)
	h.text.Set(text)
	h.View.Show()
	h.View.Refresh()
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
