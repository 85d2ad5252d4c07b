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
	c.OnChanged = changed
	c.ExtendBaseWidget(c)
	c.Offer(options, -1)
	return c
}

// Offer shows these options, the one at an index chosen; -1: none. It tells nobody.
func (c *Choice) Offer(options []string, chosen int) {
	c.Options = make([]string, len(options))
	for i, name := range options {
		c.Options[i] = Brief(name)
	}
	c.Selected = ""
	if chosen >= 0 && chosen < len(options) {
		c.Selected = c.Options[chosen]
	}
	c.Refresh()
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
