package classify

import "fyne.io/fyne/v2"

// halves puts two cards beside each other where there is room, else one above the other.
type halves struct{}

// narrow is the width below which they stand one above the other.
const narrow float32 = 760

// leastHalf is what the lower one needs for a line of text and one of labels.
const leastHalf float32 = 94

// lowHalves is the height below which the upper one gets more.
const lowHalves float32 = 500

func (halves) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 240) }

func (halves) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const space = 12
	if size.Width < narrow {
		half := (size.Height - space) / 2
		if size.Height < lowHalves { // the list of all texts needs it most
			half = min(size.Height*0.72, size.Height-space-leastHalf)
		}
		o[0].Move(fyne.NewPos(0, 0))
		o[0].Resize(fyne.NewSize(size.Width, half))
		o[1].Move(fyne.NewPos(0, half+space))
		o[1].Resize(fyne.NewSize(size.Width, size.Height-half-space))
		return
	}
	left := (size.Width - space) * 0.62
	o[0].Move(fyne.NewPos(0, 0))
	o[0].Resize(fyne.NewSize(left, size.Height))
	o[1].Move(fyne.NewPos(left+space, 0))
	o[1].Resize(fyne.NewSize(size.Width-left-space, size.Height))
}
