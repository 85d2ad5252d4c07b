package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// RunControls are what a panel shows in place of its start button while it works: how
// far it is, and a way to end it.
type RunControls struct {
	Cancel   *Button
	Progress *fyne.Container
	Stage    *Line
	Left     *Line
	Bar      *Bar
}

func NewRunControls(keys *Keyboard, stop func()) RunControls {
	r := RunControls{
		Cancel: NewButton(keys, "Cancel", theme.CancelIcon(), stop),
		Stage:  NewLine("", TextSmall, theme.ColorNameForeground), Left: NewCaption(""), Bar: NewBar(6),
	}
	r.Left.Whole = true
	r.Progress = container.NewBorder(nil, nil, nil, r.Cancel,
		Inset(Column(6, container.NewBorder(nil, nil, nil, r.Left, r.Stage), r.Bar), 0, GapSmall))
	r.Progress.Hide()
	return r
}
