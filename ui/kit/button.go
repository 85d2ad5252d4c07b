package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Button is a button that Enter presses too.
type Button struct {
	widget.Button
	keys    *Keyboard
	Tip     string // what it is for, where its label does not say
	ring    Ring
	hovered bool
}

// CreateRenderer draws the button, with a ring while it has the keyboard.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	drawn := newRinged(b.Button.CreateRenderer(), 6, func() bool { return b.ring.On }, func() fyne.ThemeColorName {
		if b.Importance == widget.HighImportance {
			return theme.ColorNameForegroundOnPrimary
		}
		return ringColor()
	})
	return &buttonRenderer{drawn, b, b.looks()}
}

// buttonRenderer draws a button anew only where it looks different: Fyne's own reads the SVG of the icon
// six times over at each refresh, and a container refreshes all buttons in it.
type buttonRenderer struct {
	*ringed
	button *Button
	drawn  looks
}

func (r *buttonRenderer) Refresh() {
	now := r.button.looks()
	if now == r.drawn {
		return
	}
	r.drawn = now
	r.ringed.Refresh()
}

// looks is all that decides how a button is drawn, but for its size.
type looks struct {
	text                            string
	icon                            fyne.Resource
	importance                      widget.Importance
	align                           widget.ButtonAlign
	placement                       widget.ButtonIconPlacement
	hidden, disabled, hovered, ring bool
	theme                           fyne.Theme
	variant                         fyne.ThemeVariant
	scale                           float32 // of its canvas; 0: it is on none yet
}

func (b *Button) looks() looks {
	l := looks{
		b.Text, b.Icon, b.Importance, b.Alignment, b.IconPlacement, b.Hidden, b.Disabled(), b.hovered, b.ring.On,
		b.Theme(), fyne.CurrentApp().Settings().ThemeVariant(), 0,
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(b); c != nil {
		l.scale = c.Scale()
	}
	return l
}

func NewButton(k *Keyboard, label string, icon fyne.Resource, tapped func()) *Button {
	b := &Button{keys: k}
	b.Text, b.Icon, b.OnTapped = Brief(label), icon, tapped
	b.ExtendBaseWidget(b)
	return b
}

// SetText changes the label.
func (b *Button) SetText(label string) { b.Button.SetText(Brief(label)) }

// NewIconButton is a quiet button without a label. The tip says what it is for: with the
// name of a shortcut it tells that too.
func NewIconButton(k *Keyboard, icon fyne.Resource, tip string, tapped func()) *Button {
	b := NewQuietButton(k, "", icon, tapped)
	b.Tip = tip
	return b
}

// NewQuietButton is a button without a background, for what is done less often.
func NewQuietButton(k *Keyboard, label string, icon fyne.Resource, tapped func()) *Button {
	b := NewButton(k, label, icon, tapped)
	b.Importance = widget.LowImportance
	return b
}

// MouseIn marks the button and explains it.
func (b *Button) MouseIn(e *desktop.MouseEvent) {
	b.hovered = true
	b.Button.MouseIn(e)
	b.keys.Explain(b, true, b.Tip, b.Text)
}

// MouseOut takes both away.
func (b *Button) MouseOut() {
	b.hovered = false
	b.Button.MouseOut()
	b.keys.Explain(b, false, "", "")
}

// FocusGained marks the button and explains it.
func (b *Button) FocusGained() {
	b.ring.Gained()
	b.keys.reveal(b)
	b.Refresh()
	b.keys.Explain(b, true, b.Tip, b.Text)
}

// FocusLost takes both away.
func (b *Button) FocusLost() {
	b.ring.Lost()
	b.Refresh()
	b.keys.Explain(b, false, "", "")
}

// Tapped does what the button is for.
func (b *Button) Tapped(e *fyne.PointEvent) {
	b.keys.Explain(b, false, "", "")
	b.Button.Tapped(e)
	b.keys.strayed(b)
}

// TypedKey presses the button with Enter.
func (b *Button) TypedKey(e *fyne.KeyEvent) {
	switch {
	case b.keys.Key(e), b.keys.strayed(b):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter:
		if !b.Disabled() && b.OnTapped != nil {
			b.OnTapped()
			b.keys.strayed(b)
		}
	default:
		b.Button.TypedKey(e)
		b.keys.strayed(b)
	}
}

// TypedRune does nothing, unless the button is gone.
func (b *Button) TypedRune(r rune) { b.keys.strayedRune(b, r) }

// SetEnabled enables or disables the button.
func (b *Button) SetEnabled(on bool) {
	if on {
		b.Enable()
	} else {
		b.Disable()
	}
}
