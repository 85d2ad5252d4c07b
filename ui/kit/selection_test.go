package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// TestFirstCharacter: whatever a person does to an empty field before writing, no character
// that follows is lost. Fyne keeps a selection of nothing, which the first character would
// lie in and the second one replace.
func TestFirstCharacter(t *testing.T) {
	test.NewTempApp(t)
	at := desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(20, 15)}, Button: desktop.MouseButtonPrimary}
	shift := &fyne.KeyEvent{Name: desktop.KeyShiftLeft}
	click := func(e *Entry) { e.MouseDown(&at); e.MouseUp(&at) }
	double := func(e *Entry) { click(e); click(e); e.DoubleTapped(&at.PointEvent) }
	for _, c := range []struct {
		what string
		do   func(*Entry)
	}{
		{"nothing", func(*Entry) {}},
		{"a click", click},
		{"a double click", double},
		{"a triple click", func(e *Entry) { double(e); click(e) }},
		{"a click with Shift", func(e *Entry) { e.KeyDown(shift); click(e); e.KeyUp(shift) }},
		{"all is selected", func(e *Entry) { e.TypedShortcut(&fyne.ShortcutSelectAll{}) }},
		{"all is selected, then a click", func(e *Entry) { e.TypedShortcut(&fyne.ShortcutSelectAll{}); click(e) }},
		{"arrows with Shift", func(e *Entry) {
			e.KeyDown(shift)
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
			e.KeyUp(shift)
		}},
		{"Delete", func(e *Entry) { e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete}) }},
		{"a selected text went as it was sent", func(e *Entry) {
			e.SetText("Once upon\na time")
			e.TypedShortcut(&fyne.ShortcutSelectAll{})
			e.SetText("")
		}},
		{"a selected text went, then a click", func(e *Entry) {
			e.SetText("Once upon\na time")
			e.TypedShortcut(&fyne.ShortcutSelectAll{})
			e.SetText("")
			click(e)
		}},
		{"a word was selected by a double click, the text went", func(e *Entry) {
			e.SetText("Once upon")
			double(e)
			e.SetText("")
		}},
		{"text was selected with Shift, then went", func(e *Entry) {
			e.SetText("Once upon")
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
			e.KeyDown(shift)
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
			e.KeyUp(shift)
			e.SetText("")
		}},
	} {
		for _, multi := range []bool{true, false} {
			for _, first := range []string{"R", "r"} {
				e := NewEntry(&Keyboard{})
				if e.MultiLine = multi; multi {
					e.Wrapping = fyne.TextWrapWord
				}
				w := test.NewTempWindow(t, e)
				w.Resize(fyne.NewSize(400, 100))
				w.Canvas().Focus(e)
				c.do(e)
				if first == "R" {
					e.KeyDown(shift)
				}
				e.TypedRune([]rune(first)[0])
				if first == "R" {
					e.KeyUp(shift)
				}
				for _, r := range "ead this" {
					e.TypedRune(r)
				}
				if want := first + "ead this"; e.Text != want {
					t.Errorf("%s, lines %v: %q, want %q", c.what, multi, e.Text, want)
				}
			}
		}
	}
}

// TestEmptySelection: where nothing is selected Backspace takes a character, what was pasted
// stays as a person writes on, and a new text has nothing selected; what is selected is
// replaced.
func TestEmptySelection(t *testing.T) {
	app := test.NewTempApp(t)
	shift, end := &fyne.KeyEvent{Name: desktop.KeyShiftLeft}, &fyne.KeyEvent{Name: fyne.KeyEnd}
	begin := func(text string) *Entry {
		e := NewEntry(&Keyboard{})
		test.NewTempWindow(t, e).Resize(fyne.NewSize(400, 60))
		e.SetText(text)
		e.TypedKey(end)
		return e
	}
	at := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(390, 15)}, Button: desktop.MouseButtonPrimary}
	clickWithShift := func(e *Entry) {
		e.KeyDown(shift)
		e.MouseDown(at)
		e.MouseUp(at)
		e.KeyUp(shift)
	}
	want := func(what string, e *Entry, text string) {
		t.Helper()
		if e.Text != text {
			t.Errorf("%s: %q, want %q", what, e.Text, text)
		}
	}

	e := begin("cats")
	clickWithShift(e)
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	want("Backspace", e, "cat")

	e = begin("")
	clickWithShift(e)
	app.Clipboard().SetContent("cats")
	e.TypedShortcut(&fyne.ShortcutPaste{Clipboard: app.Clipboard()})
	e.TypedRune('!')
	want("pasted", e, "cats!")

	e = begin("a long text")
	e.TypedShortcut(&fyne.ShortcutSelectAll{})
	e.SetText("a long text about cats")
	if e.SelectedText() != "" {
		t.Errorf("%q is selected of a new text", e.SelectedText())
	}

	e = begin("cats")
	e.KeyDown(shift)
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	e.KeyUp(shift)
	e.TypedRune('d')
	want("what is selected", e, "d")

	e = begin("cats")
	e.KeyDown(shift)
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	e.KeyUp(shift)
	if e.SelectedText() != "ts" {
		t.Errorf("arrows with Shift select %q", e.SelectedText())
	}
}
