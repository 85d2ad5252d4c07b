package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// What the eye in a field for a secret says.
const (
	showTyped = "Show what is typed"
	hideTyped = "Hide what is typed"
)

// NewSecret is a field for a password: it shows dots until a person clicks on the eye in it.
func NewSecret(k *Keyboard, hint string) *Entry {
	e := NewEntry(k)
	e.Password = true
	e.eye = NewSmallIcon(k, theme.VisibilityIcon(), showTyped, func() {
		e.conceal(!e.Password)
		if c := fyne.CurrentApp().Driver().CanvasForObject(e); c != nil {
			c.Focus(e)
		}
	})
	e.ActionItem = e.eye // before the field is drawn for the first time, as in NewSearch
	e.SetPlaceHolder(hint)
	return e
}

// Conceal shows dots again.
func (e *Entry) Conceal() { e.conceal(true) }

func (e *Entry) conceal(on bool) {
	e.Password = on
	e.eye.Icon, e.eye.Tip = theme.VisibilityIcon(), showTyped
	if !on {
		e.eye.Icon, e.eye.Tip = theme.VisibilityOffIcon(), hideTyped
	}
	e.eye.Refresh()
	e.Refresh()
}
