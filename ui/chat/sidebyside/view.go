package sidebyside

import (
	_ "embed"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

//go:embed columns.svg
var columnsSVG []byte

// Icon stands for two answers side by side.
func Icon() fyne.Resource {
	return theme.NewThemedResource(fyne.NewStaticResource("columns.svg", columnsSVG))
}

const (
	// besideFrom is the width from which the answers stand beside each other.
	besideFrom float32 = 640
	// widest is the width of both at most.
	widest float32 = 1500
	// headHeight is that of the line with the name and the buttons.
	headHeight float32 = 44

	inset, between float32 = 16, 12
)

// View shows two answers.
type View struct {
	widget.BaseWidget
	sides [2]*side
	width float32
}

// Answer is one of them.
type Answer struct {
	Name    string // above it
	Content fyne.CanvasObject
	Writing bool
}

// side is an answer with what is around it.
type side struct {
	back, mark *kit.Surface
	name       *kit.Line
	stop, keep *kit.Button
	content    fyne.CanvasObject
}

// Host is what a View asks of what is around it.
type Host struct {
	Keys       *kit.Keyboard
	Stop, Keep func(answer int) // answer 0 or 1
}

// New shows two answers.
func New(h Host, answers [2]Answer) *View {
	v := &View{}
	for i, a := range answers {
		s := &side{
			back: kit.NewSurface(kit.ColorCard, kit.ColorLine, 12), mark: kit.NewSurface(theme.ColorNamePrimary, "", 2),
			name: kit.NewCaption(a.Name), content: a.Content,
		}
		s.stop = kit.NewQuietButton(h.Keys, "Stop this one", theme.MediaStopIcon(), func() { h.Stop(i) })
		s.keep = kit.NewButton(h.Keys, "Keep this one", theme.ConfirmIcon(), func() { h.Keep(i) })
		s.keep.Tip = "Go on with this one (" + string(rune('1'+i)) + "). The other version is kept: use the arrows"
		kit.Show(s.stop, a.Writing)
		kit.Show(s.keep, !a.Writing)
		s.mark.Hide()
		v.sides[i] = s
	}
	v.ExtendBaseWidget(v)
	return v
}

// SetMarked marks both answers as selected.
func (v *View) SetMarked(on bool) {
	for _, s := range v.sides {
		kit.Show(s.mark, on)
	}
}

// Top is where the content of an answer begins.
func (v *View) Top(answer int) float32 { return v.sides[answer].content.Position().Y }

// place gives each part of the answers its place, and returns the height of all.
func (v *View) place(width float32) (height float32) {
	left, each, beside := kit.GapWide, width-2*kit.GapWide, width >= besideFrom
	if beside {
		all := min(each, widest)
		left, each = (width-all)/2, (all-between)/2
	}
	each = max(each, 100)
	y, x := float32(0), left
	for _, s := range v.sides {
		h := s.place(fyne.NewPos(x, y), each)
		if beside {
			x += each + between
			height = max(height, h)
		} else {
			y += h + between
			height = y - between
		}
	}
	for _, s := range v.sides {
		if beside { // both end at the same height
			s.back.Resize(fyne.NewSize(each, height))
			s.mark.Resize(fyne.NewSize(3, height))
		}
	}
	return height + kit.Gap
}

// place puts an answer at a place and returns how high it is.
func (s *side) place(at fyne.Position, width float32) (height float32) {
	s.content.Resize(fyne.NewSize(width, s.content.MinSize().Height)) // wrapped texts need their width first
	inner := s.content.MinSize().Height
	s.content.Resize(fyne.NewSize(width, inner))
	s.content.Move(at.AddXY(0, headHeight))
	height = headHeight + inner
	s.back.Move(at)
	s.back.Resize(fyne.NewSize(width, height))
	s.mark.Move(at.SubtractXY(6, 0))
	s.mark.Resize(fyne.NewSize(3, height))
	right := at.X + width - inset/2
	for _, b := range []*kit.Button{s.stop, s.keep} {
		if b.Visible() {
			size := b.MinSize()
			right -= size.Width
			b.Resize(size)
			b.Move(fyne.NewPos(right, at.Y+(headHeight-size.Height)/2+2))
		}
	}
	name := s.name.MinSize().Height
	s.name.Move(fyne.NewPos(at.X+inset, at.Y+(headHeight-name)/2+2))
	s.name.Resize(fyne.NewSize(max(0, right-at.X-2*inset), name))
	return height
}

// CreateRenderer lays the answers out.
func (v *View) CreateRenderer() fyne.WidgetRenderer { return &renderer{v} }

type renderer struct{ view *View }

func (r *renderer) Destroy() {}
func (r *renderer) Refresh() { canvas.Refresh(r.view) }

func (r *renderer) Objects() (list []fyne.CanvasObject) {
	for _, s := range r.view.sides {
		list = append(list, s.back, s.mark, s.content, s.name, s.stop, s.keep)
	}
	return list
}

func (r *renderer) MinSize() fyne.Size {
	return fyne.NewSize(200, r.view.place(max(r.view.width, 200)))
}

func (r *renderer) Layout(size fyne.Size) {
	r.view.width = size.Width
	r.view.place(size.Width)
}
