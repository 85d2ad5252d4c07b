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
	Aside  bool           // the room shows something else now, and no switch
	Slim   bool           // what a person works on is a narrow list, and the result has the room

	work, result fyne.CanvasObject
	tail         *fyne.Container   // the buttons of the head
	names        []named           // of these buttons
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

// SetAside hides both panes with their switch while the room shows something else, or brings
// them back.
func (p *Panes) SetAside(aside bool) {
	p.Aside = aside
	kit.Show(p.View, !aside)
	p.head.Refresh()
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
		kit.PanesLayout{Slim: l.Slim}.Layout(o, size)
		return
	}
	for i, one := range o {
		kit.Show(one, i == l.Switch.Index)
		one.Move(fyne.Position{})
		one.Resize(size)
	}
}

// named is a button with the name that it has where there is room.
type named struct {
	*kit.Button
	name string
}

// Head is the head of the room: its title, and buttons for the result at the right, or below
// where there is no room. Where one pane has the room alone, a button with an icon goes without its
// name, which it tells as a tip. Of several groups of buttons one is visible at most.
func (p *Panes) Head(title fyne.CanvasObject, buttons ...fyne.CanvasObject) *fyne.Container {
	p.tail = container.NewStack(buttons...)
	for _, group := range buttons {
		row, ok := group.(*fyne.Container)
		if !ok {
			continue
		}
		for _, o := range row.Objects {
			if b, ok := o.(*kit.Button); ok && b.Icon != nil {
				p.names = append(p.names, named{b, b.Text})
			}
		}
	}
	p.Switch.Hide()
	p.head = container.New(&headLayout{Panes: p}, title, p.Switch, p.tail)
	return p.head
}

// name gives the buttons their names, or takes them away.
func (p *Panes) name(alone bool) {
	for _, b := range p.names {
		name, tip := b.name, ""
		if alone {
			name, tip = "", b.name
		}
		if b.Text != name {
			b.Tip = tip
			b.SetText(name)
		}
	}
}

// headLayout places a title, the switch and the buttons.
type headLayout struct {
	*Panes
	width float32 // that it had last
}

// buttons is the size of those that are shown.
func (l *headLayout) buttons() (size fyne.Size) {
	if l.alone(l.width) && !l.Aside && l.Switch.Index == PaneWork {
		return size
	}
	for _, o := range l.tail.Objects {
		if o.Visible() {
			size = size.Max(o.MinSize())
		}
	}
	return size
}

// stacked reports whether the switch stands in a row of its own.
func (l *headLayout) stacked(o []fyne.CanvasObject) bool {
	return l.width > 0 && l.alone(l.width) && !l.Aside && l.width < o[0].MinSize().Width+kit.Gap+l.Switch.MinSize().Width
}

// below reports whether the buttons stand in a row of their own.
func (l *headLayout) below(o []fyne.CanvasObject) bool {
	buttons := l.buttons()
	switch {
	case buttons.Height == 0:
		return false
	case l.stacked(o):
		return l.width < l.Switch.MinSize().Width+kit.GapWide+buttons.Width
	case l.alone(l.width) && !l.Aside:
		return l.width < o[0].MinSize().Width+kit.GapWide+buttons.Width+kit.GapSmall+l.Switch.MinSize().Width
	}
	return l.width < o[0].MinSize().Width+kit.GapWide+buttons.Width
}

// rows are the heights of the three rows: of the title, of the switch and of the buttons; 0:
// there is no such row.
func (l *headLayout) rows(o []fyne.CanvasObject) (rows [3]float32) {
	at := 0
	rows[0] = o[0].MinSize().Height
	if l.stacked(o) {
		at = 1
	}
	rows[at] = max(rows[at], l.Switch.MinSize().Height)
	if l.below(o) {
		at = 2
	}
	rows[at] = max(rows[at], l.buttons().Height)
	return rows
}

func (l *headLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	l.name(l.alone(l.width))
	height := -kit.GapSmall
	for _, row := range l.rows(o) {
		if row > 0 {
			height += row + kit.GapSmall
		}
	}
	return fyne.NewSize(max(o[0].MinSize().Width, l.Switch.MinSize().Width), height)
}

func (l *headLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	l.name(l.alone(l.width))
	kit.Show(l.Switch, l.alone(size.Width) && !l.Aside)
	title, turn, buttons := o[0].MinSize(), l.Switch.MinSize(), l.buttons()
	kit.Show(l.tail, buttons.Height > 0)
	y := float32(0)
	place := func(one fyne.CanvasObject, x, width, height, row float32) {
		one.Move(fyne.NewPos(max(0, x), y+max(0, (row-height)/2)))
		one.Resize(fyne.NewSize(width, height))
	}
	rows, stacked, below := l.rows(o), l.stacked(o), l.below(o)
	place(o[0], 0, title.Width, title.Height, rows[0])
	row := rows[0]
	if stacked {
		y, row = y+row+kit.GapSmall, rows[1]
		place(l.Switch, 0, turn.Width, turn.Height, row)
	} else {
		place(l.Switch, size.Width-turn.Width, turn.Width, turn.Height, row)
	}
	right := size.Width
	switch {
	case below:
		y, row = y+row+kit.GapSmall, rows[2]
	case l.Switch.Visible() && !stacked:
		right -= turn.Width + kit.GapSmall
	}
	place(l.tail, right-buttons.Width, min(size.Width, buttons.Width), buttons.Height, row)
}

// Whole is a choice of views with their names in full, whatever the room.
func Whole(s *kit.Segments) *fyne.Container { return container.New(wholeNames{s}, s) }

type wholeNames struct{ of *kit.Segments }

func (w wholeNames) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(w.of.Natural(), o[0].MinSize().Height)
}

func (w wholeNames) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }
