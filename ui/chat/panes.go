package chat

import (
	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

const (
	listWidth    float32 = 252 // where a person chose none
	listLeast    float32 = 180
	optionsWidth float32 = 290
	paneGap      float32 = 12
	// wideEnough is the width from which the list is open by itself, and beside the
	// options.
	wideEnough float32 = 900
	// besideFrom is the width from which the messages have room beside either of them.
	besideFrom float32 = 620
)

// panes puts the list on the left, the options on the right, and the messages
// between. Where there is little room only one of the two is open.
type panes struct {
	list    *bool   // whether a person opened or closed the list; nil: neither
	chosen  float32 // how wide a person made the list; 0: they did not
	options bool
	width   float32
	toggle  fyne.CanvasObject // opens the list; the open list has one of its own at the same place
}

// listWidth is how wide the list is: at most 0.45 of the window.
func (l *panes) listWidth() float32 {
	width := l.chosen
	if width == 0 {
		width = listWidth
		if l.width > 1600 {
			width += 48
		}
	}
	return max(listLeast, min(width, 0.45*l.width))
}

func (l *panes) wide() bool { return l.width == 0 || l.width >= wideEnough }

// listOpen reports whether the list is in view.
func (l *panes) listOpen() bool {
	if l.list == nil {
		return l.wide()
	}
	return *l.list && (l.wide() || !l.options)
}

// covers reports whether the list or the options take the place of the messages.
func (l *panes) covers() bool {
	return l.width > 0 && l.width < besideFrom && (l.listOpen() || l.options)
}

func (l *panes) MinSize(o []fyne.CanvasObject) fyne.Size {
	middle := o[1].MinSize()
	return fyne.NewSize(max(middle.Width, 300), middle.Height)
}

func (l *panes) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	list, middle, options, edge := o[0], o[1], o[2], o[3]
	kit.Show(list, l.listOpen())
	kit.Show(options, l.options)
	kit.Show(edge, l.listOpen())
	kit.Show(l.toggle, !l.listOpen())
	kit.Show(middle, !l.covers())
	if l.covers() {
		kit.Show(edge, false)
		only := options
		if l.listOpen() {
			only = list
		}
		only.Move(fyne.NewPos(0, 0))
		only.Resize(size)
		return
	}
	left, right := float32(0), size.Width
	if l.listOpen() {
		list.Move(fyne.NewPos(0, 0))
		width := l.listWidth()
		list.Resize(fyne.NewSize(width, size.Height))
		left = width + paneGap
		edge.Move(fyne.NewPos(width, 0))
		edge.Resize(fyne.NewSize(paneGap, size.Height))
	}
	if l.options {
		right -= optionsWidth
		options.Move(fyne.NewPos(right, 0))
		options.Resize(fyne.NewSize(optionsWidth, size.Height))
		right -= paneGap
	}
	middle.Move(fyne.NewPos(left, 0))
	middle.Resize(fyne.NewSize(max(0, right-left), size.Height))
}

// headLayout puts a button, the title, the model and more buttons in a row; the
// title and the model share what there is. The settings have their name where there is room for
// it, and else the icon alone.
type headLayout struct{}

// namedFrom is the width from which the settings have their name.
const namedFrom float32 = 600

func (headLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	height := float32(0)
	for _, c := range o {
		height = max(height, c.MinSize().Height)
	}
	return fyne.NewSize(300, height)
}

func (headLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	kit.Show(o[3], size.Width >= namedFrom)
	kit.Show(o[4], size.Width < namedFrom)
	settings := o[4]
	if o[3].Visible() {
		settings = o[3]
	}
	more := o[5].MinSize().Width
	first, last := o[0].MinSize().Width, settings.MinSize().Width+more
	if !o[0].Visible() {
		first = 0
	}
	model := min(max((size.Width-first-last)*0.45, 140), 250)
	x := float32(0)
	row := []fyne.CanvasObject{o[0], o[1], o[2], settings, o[5]}
	for i, w := range []float32{first, size.Width - first - last - model - 2*kit.Gap, model, last - more, more} {
		h := row[i].MinSize().Height
		row[i].Move(fyne.NewPos(x, (size.Height-h)/2))
		row[i].Resize(fyne.NewSize(max(0, w), h))
		x += w
		if i < 2 {
			x += kit.Gap
		}
	}
}

// column800 gives its one object the width of the messages, in the middle.
type column800 struct{}

func (column800) MinSize(o []fyne.CanvasObject) fyne.Size {
	if !o[0].Visible() { // it takes no room while it is closed
		return fyne.Size{}
	}
	return o[0].MinSize()
}

func (column800) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := min(size.Width, columnWidth+2*kit.GapWide)
	o[0].Resize(fyne.NewSize(w, size.Height))
	o[0].Move(fyne.NewPos((size.Width-w)/2, 0))
}
