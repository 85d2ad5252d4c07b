package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// choice is a drop-down list.
type choice struct {
	widget.Select
	keys *keyboard
}

func newChoice(k *keyboard, options []string, changed func(string)) *choice {
	c := &choice{keys: k}
	c.Options, c.OnChanged = options, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey opens the list with Enter too.
func (c *choice) TypedKey(e *fyne.KeyEvent) {
	switch {
	case c.keys.key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter:
		c.Select.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		c.Select.TypedKey(e)
	}
}
