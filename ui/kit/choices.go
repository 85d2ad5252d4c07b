package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
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
	ShowMenuBelow(c.keys, c, c.items, c.Size().Width)
}

// items are the options of the menu.
func (c *Choice) items() []*fyne.MenuItem {
	items := make([]*fyne.MenuItem, len(c.Options))
	for i, name := range c.Options {
		items[i] = fyne.NewMenuItem(name, func() { c.SetSelectedIndex(i) })
		items[i].Checked = name == c.Selected
	}
	return items
}

// FocusGained shows the frame of the keyboard.
func (c *Choice) FocusGained() {
	c.ring.Gained()
	c.keys.reveal(c)
	c.Refresh()
}

// FocusLost hides it.
func (c *Choice) FocusLost() {
	c.ring.Lost()
	c.Refresh()
}

// CreateRenderer draws the field, with a ring while it has the keyboard.
func (c *Choice) CreateRenderer() fyne.WidgetRenderer {
	return newRinged(c.Select.CreateRenderer(), 6, func() bool { return c.ring.On }, ringColor)
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
	Fill fyne.ThemeColorName // of the box with a tick; "": the primary colour
	keys *Keyboard
	ring Ring
}

func NewCheck(k *Keyboard, label string, changed func(bool)) *Check {
	c := &Check{keys: k}
	c.Text, c.OnChanged = Brief(label), changed
	c.ExtendBaseWidget(c)
	return c
}

// FocusGained shows the ring of the keyboard.
func (c *Check) FocusGained() { c.ring.Gained(); c.keys.reveal(c); c.Refresh() }

// FocusLost hides it.
func (c *Check) FocusLost() { c.ring.Lost(); c.Refresh() }

// CreateRenderer draws the box and its label, with a ring while it has the keyboard.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	r := &checkRenderer{newRinged(c.Check.CreateRenderer(), 6, func() bool { return c.ring.On }, ringColor), c}
	r.paint()
	return r
}

// checkRenderer gives Fyne's box without a tick a frame that stands out, where Fyne draws it in
// the colour of the line around a field, and one with a tick its own colour.
type checkRenderer struct {
	*ringed
	check *Check
}

func (r *checkRenderer) Refresh() {
	r.ringed.Refresh()
	r.paint()
}

// paint colours the box.
func (r *checkRenderer) paint() {
	for _, o := range r.WidgetRenderer.Objects() {
		icon, is := o.(*canvas.Image)
		if !is {
			continue
		}
		box, themed := icon.Resource.(*theme.ThemedResource)
		switch {
		case !themed:
		case box.ColorName == theme.ColorNameInputBorder:
			box.ColorName = ColorMuted
			icon.Refresh()
		case box.ColorName == theme.ColorNamePrimary && r.check.Fill != "":
			box.ColorName = r.check.Fill
			icon.Refresh()
		}
	}
}

// Tapped ticks the box. Who uses the mouse needs no ring.
func (c *Check) Tapped(e *fyne.PointEvent) {
	c.ring.clicked = true
	c.Check.Tapped(e)
	c.ring.clicked = false
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
	ring Ring
}

// NewSlider makes one with steps from 0 to last, at one of them.
func NewSlider(k *Keyboard, last, at int, changed func(step int)) *Slider {
	s := &Slider{keys: k}
	s.Min, s.Max, s.Step, s.Value = 0, float64(last), 1, float64(at)
	s.OnChanged = func(v float64) { changed(int(v + 0.5)) }
	s.ExtendBaseWidget(s)
	return s
}

// FocusGained shows the ring of the keyboard.
func (s *Slider) FocusGained() { s.ring.Gained(); s.keys.reveal(s); s.Refresh() }

// FocusLost hides it.
func (s *Slider) FocusLost() { s.ring.Lost(); s.Refresh() }

// CreateRenderer draws the slider, with a ring while it has the keyboard.
func (s *Slider) CreateRenderer() fyne.WidgetRenderer {
	r := &sliderRenderer{newRinged(s.Slider.CreateRenderer(), 6, func() bool { return s.ring.On }, ringColor)}
	r.paint()
	return r
}

// sliderRenderer gives Fyne's slider colours that stand out from a card.
type sliderRenderer struct{ *ringed }

func (r *sliderRenderer) Refresh() {
	r.ringed.Refresh()
	r.paint()
}

// paint colours the whole track, the part before the knob, and the knob, in Fyne's order.
func (r *sliderRenderer) paint() {
	for i, name := range []fyne.ThemeColorName{ColorTrack, theme.ColorNamePrimary, theme.ColorNamePrimary} {
		if objects := r.WidgetRenderer.Objects(); i < len(objects) {
			switch o := objects[i].(type) {
			case *canvas.Rectangle:
				o.FillColor = Themed(name)
			case *canvas.Circle:
				o.FillColor = Themed(name)
			}
			canvas.Refresh(r.WidgetRenderer.Objects()[i])
		}
	}
}

// Tapped goes to a place. Who uses the mouse needs no ring.
func (s *Slider) Tapped(e *fyne.PointEvent) {
	s.ring.clicked = true
	s.Slider.Tapped(e)
	s.ring.clicked = false
}

// Dragged moves the slider.
func (s *Slider) Dragged(e *fyne.DragEvent) {
	s.ring.clicked = true
	s.Slider.Dragged(e)
	s.ring.clicked = false
}

// TypedKey gives Escape its meaning.
func (s *Slider) TypedKey(e *fyne.KeyEvent) {
	if !s.keys.Key(e) {
		s.Slider.TypedKey(e)
	}
}
