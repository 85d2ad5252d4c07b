package panel

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/ui/kit"
)

// OneOf shows one of several notices at a time: the first that has something to say; none while over,
// which stands elsewhere and may be nil, says something.
func OneOf(over *kit.Notice, notices ...*kit.Notice) *fyne.Container {
	places := make([]fyne.CanvasObject, len(notices))
	for i, n := range notices {
		places[i] = container.NewStack(n.View)
	}
	return container.New(oneLayout{over, notices}, places...)
}

type oneLayout struct {
	over    *kit.Notice
	notices []*kit.Notice
}

// front is the notice in view; -1: none.
func (l oneLayout) front() int {
	if l.over != nil && l.over.View.Visible() {
		return -1
	}
	return slices.IndexFunc(l.notices, func(n *kit.Notice) bool { return n.View.Visible() })
}

func (l oneLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	front := l.front()
	for i, one := range o {
		kit.Show(one, i == front)
	}
	if front < 0 {
		return fyne.Size{}
	}
	return o[front].MinSize()
}

func (l oneLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.MinSize(o)
	for _, one := range o {
		one.Move(fyne.Position{})
		one.Resize(size)
	}
}
