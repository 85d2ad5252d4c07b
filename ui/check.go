package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// check is a box to tick that leaves the window's keys to the window.
type check struct {
	widget.Check
	keys *keyboard
}

func newCheck(k *keyboard, label string, changed func(bool)) *check {
	c := &check{keys: k}
	c.Text, c.OnChanged = label, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey gives Escape its meaning.
func (c *check) TypedKey(e *fyne.KeyEvent) {
	if !c.keys.key(e) {
		c.Check.TypedKey(e)
	}
}
