package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Choice is a drop-down list.
type Choice struct {
	widget.Select
	keys *Keyboard
}

func NewChoice(k *Keyboard, options []string, changed func(string)) *Choice {
	c := &Choice{keys: k}
	c.Options, c.OnChanged = options, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey opens the list with Enter too.
func (c *Choice) TypedKey(e *fyne.KeyEvent) {
	switch {
	case c.keys.Key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter:
		c.Select.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		c.Select.TypedKey(e)
	}
}
