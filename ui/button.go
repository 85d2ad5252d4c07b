package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// button is a button that Enter presses too.
type button struct {
	widget.Button
	keys *keyboard
}

func newButton(k *keyboard, label string, icon fyne.Resource, tapped func()) *button {
	b := &button{keys: k}
	b.Text, b.Icon, b.OnTapped = label, icon, tapped
	b.ExtendBaseWidget(b)
	return b
}

// quiet is a button without a background, for what is done less often.
func quiet(k *keyboard, label string, icon fyne.Resource, tapped func()) *button {
	b := newButton(k, label, icon, tapped)
	b.Importance = widget.LowImportance
	return b
}

// TypedKey presses the button with Enter.
func (b *button) TypedKey(e *fyne.KeyEvent) {
	switch {
	case b.keys.key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter:
		if !b.Disabled() && b.OnTapped != nil {
			b.OnTapped()
		}
	default:
		b.Button.TypedKey(e)
	}
}

// setEnabled enables or disables the button.
func (b *button) setEnabled(on bool) {
	if on {
		b.Enable()
	} else {
		b.Disable()
	}
}
