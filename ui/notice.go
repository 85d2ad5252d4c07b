package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// notice says something in a panel, in a sentence, with one thing to do about
// it.
type notice struct {
	view  *fyne.Container
	back  *surface
	icon  *widget.Icon
	text  *paragraph
	act   *button
	close *button
}

func newNotice(k *keyboard) *notice {
	n := &notice{back: newSurface(colorNotice, "", 8), icon: widget.NewIcon(nil), text: newParagraph("", theme.ColorNameForeground)}
	n.act = newButton(k, "", nil, nil)
	n.close = quiet(k, "Close", nil, n.hide)
	icon := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(18), n.icon))
	right := container.NewCenter(row(gapSmall, n.act, n.close))
	n.view = container.NewStack(n.back, inset(container.NewBorder(nil, nil, icon, right, n.text.RichText), 3, 10))
	n.hide()
	return n
}

func (n *notice) hide() { n.view.Hide() }

// fail shows an error.
func (n *notice) fail(message string) {
	n.back.fill = colorAlert
	n.icon.SetResource(theme.NewColoredResource(theme.ErrorIcon(), theme.ColorNameError))
	n.show(message, "", nil)
	n.close.Show()
}

// say shows a hint with something to do about it.
func (n *notice) say(message, action string, act func()) {
	n.back.fill = colorNotice
	n.icon.SetResource(theme.NewColoredResource(theme.InfoIcon(), theme.ColorNameWarning))
	n.show(message, action, act)
	n.close.Hide()
}

func (n *notice) show(message, action string, act func()) {
	n.text.set(message)
	n.act.SetText(action)
	n.act.OnTapped = act
	if act == nil {
		n.act.Hide()
	} else {
		n.act.Show()
	}
	n.view.Show()
	n.view.Refresh()
}

// shown returns the message; empty when there is none.
func (n *notice) message() string {
	if !n.view.Visible() {
		return ""
	}
	return n.text.segment.Text
}
