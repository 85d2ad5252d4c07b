package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Choice is a drop-down list.
type Choice struct {
	widget.Select
	keys *Keyboard
	ring Ring
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

// Tapped opens the list.
func (c *Choice) Tapped(*fyne.PointEvent) {
	c.keys.Explain(c, false, "", "")
	if !c.Disabled() {
		c.ring.Click(c)
		c.open()
	}
}

// open shows the options below the field.
func (c *Choice) open() {
	on := fyne.CurrentApp().Driver().CanvasForObject(c)
	if on == nil {
		return
	}
	items := make([]*fyne.MenuItem, len(c.Options))
	for i, name := range c.Options {
		items[i] = fyne.NewMenuItem(name, func() { c.SetSelectedIndex(i) })
		items[i].Checked = name == c.Selected
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(c).AddXY(0, c.Size().Height+2)
	ShowMenu(c.keys, on, items, at, c.Size().Width)
}

// FocusGained shows the frame of the keyboard.
func (c *Choice) FocusGained() {
	if c.ring.Gained(); c.ring.On {
		c.Select.FocusGained()
	}
}

// FocusLost hides it.
func (c *Choice) FocusLost() {
	c.ring.Lost()
	c.Select.FocusLost()
}

// MouseIn marks the field, and tells the whole of a name that is cut.
func (c *Choice) MouseIn(e *desktop.MouseEvent) {
	c.Select.MouseIn(e)
	if room := c.Size().Width - 4*Gap - theme.IconInlineSize(); fyne.MeasureText(c.Selected, TextBody, fyne.TextStyle{}).Width > room {
		c.keys.Explain(c, true, c.Selected, "")
	}
}

// MouseOut takes both away.
func (c *Choice) MouseOut() {
	c.Select.MouseOut()
	c.keys.Explain(c, false, "", "")
}

// TypedKey opens the list with Enter too.
func (c *Choice) TypedKey(e *fyne.KeyEvent) {
	if !c.ring.On { // from now on the keyboard is in use
		c.FocusGained()
	}
	switch {
	case c.keys.Key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace:
		if !c.Disabled() {
			c.open()
		}
	default:
		c.Select.TypedKey(e)
	}
}

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

// Slider chooses one of some steps, and leaves the window's keys to the window.
type Slider struct {
	widget.Slider
	keys *Keyboard
}

// NewSlider makes one with steps from 0 to last, at one of them.
func NewSlider(k *Keyboard, last, at int, changed func(step int)) *Slider {
	s := &Slider{keys: k}
	s.Min, s.Max, s.Step, s.Value = 0, float64(last), 1, float64(at)
	s.OnChanged = func(v float64) { changed(int(v + 0.5)) }
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey gives Escape its meaning.
func (s *Slider) TypedKey(e *fyne.KeyEvent) {
	if !s.keys.Key(e) {
		s.Slider.TypedKey(e)
	}
}
