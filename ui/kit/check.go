package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Check is a box to tick that leaves the window's keys to the window.
type Check struct {
	widget.Check
	keys *Keyboard
}

func NewCheck(k *Keyboard, label string, changed func(bool)) *Check {
	c := &Check{keys: k}
	c.Text, c.OnChanged = Brief(label), changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey gives Escape its meaning.
func (c *Check) TypedKey(e *fyne.KeyEvent) {
	if !c.keys.Key(e) {
		c.Check.TypedKey(e)
	}
}
