package panel

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/ui/kit"
)

// Panes are what a person works on and what comes of it: beside each other, or one of the two
// where there is no room for both. Then a switch in the head of the room turns between them.
type Panes struct {
	View   *fyne.Container
	Switch *kit.Segments
	Turned func(pane int) // another one may be in front; may be nil

	work, result fyne.CanvasObject
	tail         *fyne.Container   // the buttons of the head
	head         *fyne.Container   // nil: there is none
	joined       []*fyne.Container // of other panes that the switch turns too
	of           *Panes            // whose switch it is; nil: its own
}

// The two panes.
const (
	PaneWork = iota
	PaneResult
)

// panesWidth is from which width on both are shown.
const panesWidth float32 = 680

// NewPanes joins two panes, with their names on the switch.
func NewPanes(k *kit.Keyboard, work, result fyne.CanvasObject, names [2]string) *Panes {
	p := &Panes{work: work, result: result}
	p.Switch = kit.NewSegments(k, names[:], func(int) { p.refresh() })
	p.View = container.New(panesLayout{p}, work, result)
	return p
}

// Front brings a pane into view.
func (p *Panes) Front(pane int) {
	if p.Switch.Index != pane {
		p.Switch.Select(pane)
		p.refresh()
	}
}

// Join has the switch of other panes, which take turns with these, turn these too.
func (p *Panes) Join(of *Panes) {
	p.of, p.Switch = of, of.Switch
	of.joined = append(of.joined, p.View)
}

func (p *Panes) refresh() {
	if p.of != nil {
		p.of.refresh()
		return
	}
	p.View.Refresh()
	for _, v := range p.joined {
		v.Refresh()
	}
	if p.head != nil {
		p.head.Refresh()
	}
	if p.Turned != nil {
		p.Turned(p.Switch.Index)
	}
}

// alone reports whether a room of that width has room for one pane alone.
func (p *Panes) alone(width float32) bool { return width < panesWidth }

// panesLayout puts both panes beside each other, or one over all of the room.
type panesLayout struct{ *Panes }

func (l panesLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return l.work.MinSize().Max(l.result.MinSize())
}

func (l panesLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	if !l.alone(size.Width) {
		l.work.Show()
		l.result.Show()
		kit.PanesLayout{}.Layout(o, size)
		return
	}
	for i, one := range o {
		kit.Show(one, i == l.Switch.Index)
		one.Move(fyne.Position{})
		one.Resize(size)
	}
}

// Head is the head of the room: its title, and buttons for the result at the right, or below
// where there is no room. Of several groups of buttons one is visible at most.
func (p *Panes) Head(title fyne.CanvasObject, buttons ...fyne.CanvasObject) *fyne.Container {
	p.tail = container.NewStack(buttons...)
	p.Switch.Hide()
	p.head = container.New(&headLayout{Panes: p}, title, p.Switch, p.tail)
	return p.head
}

// headLayout places a title, the switch and the buttons.
type headLayout struct {
	*Panes
	width float32 // that it had last
}

// buttons is the size of those that are shown.
func (l *headLayout) buttons() (size fyne.Size) {
	if l.alone(l.width) && l.Switch.Index == PaneWork {
		return size
	}
	for _, o := range l.tail.Objects {
		if o.Visible() {
			size = size.Max(o.MinSize())
		}
	}
	return size
}

// below reports whether the buttons stand in a row of their own.
func (l *headLayout) below(o []fyne.CanvasObject) bool {
	buttons := l.buttons()
	return buttons.Height > 0 && (l.alone(l.width) || l.width < o[0].MinSize().Width+kit.GapWide+buttons.Width)
}

func (l *headLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	title, buttons := o[0].MinSize(), l.buttons()
	height := max(title.Height, l.Switch.MinSize().Height)
	switch {
	case l.below(o):
		height += kit.GapSmall + buttons.Height
	case buttons.Height > 0:
		height = max(height, buttons.Height)
	}
	return fyne.NewSize(title.Width+kit.Gap+l.Switch.MinSize().Width, height)
}

func (l *headLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	alone := l.alone(size.Width)
	kit.Show(l.Switch, alone)
	title, turn, buttons := o[0].MinSize(), l.Switch.MinSize(), l.buttons()
	row := max(title.Height, turn.Height)
	kit.Show(l.tail, buttons.Height > 0)
	o[0].Move(fyne.NewPos(0, (row-title.Height)/2))
	o[0].Resize(title)
	l.Switch.Move(fyne.NewPos(size.Width-turn.Width, (row-turn.Height)/2))
	l.Switch.Resize(turn)
	y := (row - buttons.Height) / 2
	if l.below(o) {
		y = row + kit.GapSmall
	}
	l.tail.Move(fyne.NewPos(max(0, size.Width-buttons.Width), max(0, y)))
	l.tail.Resize(fyne.NewSize(min(size.Width, buttons.Width), buttons.Height))
}

// Whole is a choice of views with their names in full, whatever the room.
func Whole(s *kit.Segments) *fyne.Container { return container.New(wholeNames{s}, s) }

type wholeNames struct{ of *kit.Segments }

func (w wholeNames) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(w.of.Natural(), o[0].MinSize().Height)
}

func (w wholeNames) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }
