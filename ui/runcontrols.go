package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// runControls are what a panel shows in place of its start button while it works: how
// far it is, and a way to end it.
type runControls struct {
	cancel   *button
	progress *fyne.Container
	stage    *line
	left     *line
	bar      *bar
}

func newRunControls(keys *keyboard, stop func()) runControls {
	r := runControls{
		cancel: newButton(keys, "Cancel", theme.CancelIcon(), stop),
		stage:  newLine("", textSmall, theme.ColorNameForeground), left: newCaption(""), bar: newBar(6),
	}
	r.left.whole = true
	r.progress = container.NewBorder(nil, nil, nil, r.cancel,
		inset(column(6, container.NewBorder(nil, nil, nil, r.left, r.stage), r.bar), 0, gapSmall))
	r.progress.Hide()
	return r
}
