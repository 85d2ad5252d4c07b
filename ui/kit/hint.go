package kit

import (
	_ "embed"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// An empty place shows a hearth, with a sign where the fire is.
var (
	//go:embed hearth.svg
	hearthSVG []byte
	//go:embed flame.svg
	flameSVG []byte
)

const (
	hearthSide float32 = 60
	hearthSign float32 = 24 // of the sign in it
	hearthFire         = 31. / 48
)

// Flame is the sign of a place where nothing else belongs into the fire.
func Flame() fyne.Resource { return fyne.NewStaticResource("flame.svg", flameSVG) }

// Hint says in one sentence how to fill an empty place.
type Hint struct {
	View  *fyne.Container
	Title *Line
	text  *Paragraph
	words *fyne.Container // with what can be done about it, if anything
}

// NewHint makes a hint with a sign of what belongs there.
func NewHint(sign fyne.Resource) *Hint {
	h := &Hint{Title: NewSection(""), text: NewParagraph("", ColorMuted)}
	h.Title.Align = fyne.TextAlignCenter
	h.text.Segment.Style.Alignment = fyne.TextAlignCenter
	hearth := canvas.NewImageFromResource(theme.NewColoredResource(fyne.NewStaticResource("hearth.svg", hearthSVG), ColorMuted))
	fire := canvas.NewImageFromResource(theme.NewColoredResource(sign, ColorAccent))
	h.words = Column(Gap, h.Title, h.text.Flat)
	h.View = container.New(&middleLayout{}, container.New(&hearthLayout{}, hearth, fire), h.words)
	return h
}

// Say shows the hint.
func (h *Hint) Say(title, text string) {
	h.Title.Set(title)
	h.text.Set(text)
	h.View.Show()
	h.View.Refresh()
}

// Offer puts a button, or several, below the words.
func (h *Hint) Offer(o fyne.CanvasObject) {
	h.words.Add(container.NewCenter(o))
}

// hearthLayout puts a sign into the hearth.
type hearthLayout struct{}

func (hearthLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSquareSize(hearthSide) }

func (hearthLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos((size.Width-hearthSide)/2, 0))
	o[0].Resize(fyne.NewSquareSize(hearthSide))
	o[1].Move(fyne.NewPos((size.Width-hearthSign)/2, hearthSide*hearthFire-hearthSign/2))
	o[1].Resize(fyne.NewSquareSize(hearthSign))
}

// middleLayout gives its objects the whole width, one below the other in the middle of the
// height. Where there is little room, the picture goes.
type middleLayout struct{}

func (middleLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(80, 60) }

func (middleLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := min(size.Width, 360)
	o[1].Resize(fyne.NewSize(w, o[1].MinSize().Height)) // a wrapped text needs its width first
	h := o[1].MinSize().Height
	all := h + hearthSide + GapWide
	Show(o[0], size.Height >= all+2*Gap)
	if !o[0].Visible() {
		all = h
	}
	top := max(0, (size.Height-all)/2)
	o[0].Move(fyne.NewPos((size.Width-w)/2, top))
	o[0].Resize(fyne.NewSize(w, hearthSide))
	o[1].Move(fyne.NewPos((size.Width-w)/2, top+all-h))
	o[1].Resize(fyne.NewSize(w, h))
}
