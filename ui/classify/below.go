package classify

import (
	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

// below holds what stands below the result, and an offer that comes in its place. There is room for the offer also
// before it comes.
type below struct{ may func() bool }

func (l *below) MinSize(o []fyne.CanvasObject) fyne.Size {
	size := o[0].MinSize()
	if l.may() {
		size.Height = max(size.Height, o[1].MinSize().Height)
	}
	return size
}

func (l *below) Layout(o []fyne.CanvasObject, size fyne.Size) {
	kit.Show(o[0], !o[1].Visible())
	for _, one := range o {
		one.Resize(size)
	}
}
