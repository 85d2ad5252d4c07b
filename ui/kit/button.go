package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Button is a button that Enter presses too.
type Button struct {
	widget.Button
	keys *Keyboard
}

func NewButton(k *Keyboard, label string, icon fyne.Resource, tapped func()) *Button {
	b := &Button{keys: k}
	b.Text, b.Icon, b.OnTapped = Brief(label), icon, tapped
	b.ExtendBaseWidget(b)
	return b
}

// SetText changes the label.
func (b *Button) SetText(label string) { b.Button.SetText(Brief(label)) }

// NewQuietButton is a button without a background, for what is done less often.
func NewQuietButton(k *Keyboard, label string, icon fyne.Resource, tapped func()) *Button {
	b := NewButton(k, label, icon, tapped)
	b.Importance = widget.LowImportance
	return b
}

// TypedKey presses the button with Enter.
func (b *Button) TypedKey(e *fyne.KeyEvent) {
	switch {
	case b.keys.Key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter:
		if !b.Disabled() && b.OnTapped != nil {
			b.OnTapped()
		}
	default:
		b.Button.TypedKey(e)
	}
}

// SetEnabled enables or disables the button.
func (b *Button) SetEnabled(on bool) {
	if on {
		b.Enable()
	} else {
		b.Disable()
	}
}
