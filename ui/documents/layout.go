package documents

import (
	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

// pairLayout puts two objects beside each other, with the edge between them, or one of them alone
// where there is no room for both.
type pairLayout struct {
	second func() bool // the second is wanted
	narrow func(bool)  // told whether there is room for one alone
	share  float32     // of the room that the first has; 0: the usual one
	width  float32     // of both, as it was last
}

const (
	pairWidth  float32 = 640 // from which width on both are shown
	pairGap    float32 = 12  // between them
	usualShare float32 = 0.4
	leastHalf  float32 = 240 // width of either
)

// drag moves the edge.
func (l *pairLayout) drag(by float32) {
	if room := l.width - pairGap; room >= 2*leastHalf {
		l.share = (l.first() + by) / room
		l.share = l.first() / room
	}
}

// first is the width of the first of both.
func (l *pairLayout) first() float32 {
	room, share := l.width-pairGap, l.share
	if share == 0 {
		return room * usualShare
	}
	return min(max(room*share, leastHalf), room-leastHalf)
}

func (l *pairLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(260, max(o[0].MinSize().Height, 160))
}

func (l *pairLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	narrow := size.Width < pairWidth
	l.narrow(narrow)
	kit.Show(o[2], !narrow)
	if narrow {
		kit.Show(o[0], !l.second())
		kit.Show(o[1], l.second())
		o[0].Resize(size)
		o[1].Resize(size)
		o[1].Move(fyne.NewPos(0, 0))
		return
	}
	o[0].Show()
	o[1].Show()
	w := l.first()
	o[0].Resize(fyne.NewSize(w, size.Height))
	o[1].Move(fyne.NewPos(w+pairGap, 0))
	o[1].Resize(fyne.NewSize(size.Width-w-pairGap, size.Height))
	o[2].Move(fyne.NewPos(w, 0))
	o[2].Resize(fyne.NewSize(pairGap, size.Height))
}

// modesWidth is that of the choice of how to search, where there is room.
const modesWidth float32 = 440

// howLayout puts what narrows a search at the right of the choice of how to search, or below
// where there is no room. The first way has a short name where its own does not fit.
type howLayout struct {
	modes *kit.Segments
	width float32 // that it had last
}

// The names of the first way to search.
const (
	bothWays      = "Meaning and words"
	bothWaysShort = "Both"
)

// below reports whether the rest stands below.
func (l *howLayout) below(o []fyne.CanvasObject) bool {
	return l.width < l.modes.Natural()+kit.GapSmall+o[1].MinSize().Width
}

func (l *howLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	modes, rest := o[0].MinSize(), o[1].MinSize()
	height := max(modes.Height, rest.Height)
	if l.below(o) {
		height = modes.Height + kit.GapSmall + rest.Height
	}
	return fyne.NewSize(max(200, rest.Width), height)
}

func (l *howLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	l.modes.Rename(0, bothWays)
	if l.below(o) {
		l.modes.Rename(0, bothWaysShort)
	}
	modes, rest := o[0].MinSize(), o[1].MinSize()
	room, y := size.Width-rest.Width-kit.GapSmall, (modes.Height-rest.Height)/2
	if l.below(o) {
		room, y = size.Width, modes.Height+kit.GapSmall
	}
	o[0].Resize(fyne.NewSize(min(modesWidth, room), modes.Height))
	o[1].Move(fyne.NewPos(size.Width-rest.Width, max(0, y)))
	o[1].Resize(rest)
}

// asideLayout puts a text at the right of a control, or below it where there is no room.
type asideLayout struct{ width float32 } // that it had last

// asideWidth is from which width on there is room beside each other.
const asideWidth float32 = 560

func (l *asideLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	control, text := o[0].MinSize(), o[1].MinSize()
	if l.width >= asideWidth {
		return fyne.NewSize(control.Width, max(control.Height, text.Height))
	}
	return fyne.NewSize(control.Width, control.Height+kit.GapSmall+text.Height)
}

func (l *asideLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	control := o[0].MinSize()
	o[0].Resize(control)
	at, width := fyne.NewPos(0, control.Height+kit.GapSmall), size.Width
	if size.Width >= asideWidth {
		at, width = fyne.NewPos(control.Width+kit.Gap, 0), size.Width-control.Width-kit.Gap
	}
	o[1].Move(at)
	o[1].Resize(fyne.NewSize(width, size.Height-at.Y)) // a wrapped text needs its width first
	o[1].Resize(fyne.NewSize(width, o[1].MinSize().Height))
}
