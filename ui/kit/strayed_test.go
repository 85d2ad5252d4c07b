package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

// A widget that has gone does nothing more: the next key goes to what a person writes in.
func TestKeysOfWhatHasGone(t *testing.T) {
	test.NewTempApp(t)
	k := &Keyboard{}
	field, pressed := NewEntry(k), 0
	row := container.NewHBox()
	button, text, chip := NewButton(k, "Remove", nil, func() { pressed++ }), NewTextButton(k, "Undo", func() { pressed++ }), NewChip(k, NewCaption("a"), func() { pressed++ })
	w := test.NewTempWindow(t, container.NewVBox(field, row))
	k.Home = func() { w.Canvas().Focus(field) }
	for _, one := range []fyne.Focusable{button, text, chip} {
		pressed = 0
		row.Objects = []fyne.CanvasObject{one.(fyne.CanvasObject)}
		row.Refresh()
		w.Canvas().Focus(one)
		if one.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}); pressed != 1 || w.Canvas().Focused() != one {
			t.Errorf("%T: pressed %d times, %T has the keyboard", one, pressed, w.Canvas().Focused())
		}
		row.Objects = nil
		row.Refresh()
		if one.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}); pressed != 1 || w.Canvas().Focused() != field {
			t.Errorf("%T that has gone: pressed %d times, %T has the keyboard", one, pressed, w.Canvas().Focused())
		}
		row.Objects = []fyne.CanvasObject{one.(fyne.CanvasObject)}
		row.Refresh()
		w.Canvas().Focus(one)
		row.Objects = nil
		row.Refresh()
		field.SetText("")
		if one.TypedRune('x'); field.Text != "x" {
			t.Errorf("%T that has gone: the field has %q", one, field.Text)
		}
	}
}
