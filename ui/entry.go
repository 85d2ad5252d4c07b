package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// editLimit is the length in bytes up to which a text can be edited in the
// window: a text field lays out all of its text with every key.
const editLimit = 20_000

// entry is a text field that leaves the window's shortcuts to the window.
type entry struct {
	widget.Entry
	keys   *keyboard
	submit func()                    // Enter; nil: Enter is a key like others
	paste  func(text string) bool    // pasted text; true: taken, not to be inserted
	escape func() bool               // Escape; true: done
	typed  func(*fyne.KeyEvent) bool // any key first; true: done
	lost   func()                    // it lost the keyboard; may be nil

	newLine bool // Shift+Enter begins a line where Enter submits
	shift   bool // is held down
}

func newEntry(k *keyboard) *entry {
	e := &entry{keys: k}
	e.ExtendBaseWidget(e)
	return e
}

// KeyDown notices Shift.
func (e *entry) KeyDown(key *fyne.KeyEvent) {
	if key.Name == desktop.KeyShiftLeft || key.Name == desktop.KeyShiftRight {
		e.shift = true
	}
	e.Entry.KeyDown(key)
}

// KeyUp notices Shift.
func (e *entry) KeyUp(key *fyne.KeyEvent) {
	if key.Name == desktop.KeyShiftLeft || key.Name == desktop.KeyShiftRight {
		e.shift = false
	}
	e.Entry.KeyUp(key)
}

// FocusLost tells that the keyboard is elsewhere.
func (e *entry) FocusLost() {
	e.shift = false
	e.Entry.FocusLost()
	if e.lost != nil {
		e.lost()
	}
}

// TypedKey gives Enter and Escape their meaning.
func (e *entry) TypedKey(key *fyne.KeyEvent) {
	switch {
	case e.typed != nil && e.typed(key):
	case key.Name == fyne.KeyEscape:
		if e.escape == nil || !e.escape() {
			e.keys.key(key)
		}
	case e.submit != nil && !(e.newLine && e.shift) && (key.Name == fyne.KeyReturn || key.Name == fyne.KeyEnter):
		e.submit()
	default:
		e.Entry.TypedKey(key)
	}
}

// TypedShortcut keeps editing to itself and gives the window's shortcuts to
// the window.
func (e *entry) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutPaste:
		if e.paste != nil && e.paste(s.Clipboard.Content()) {
			return
		}
	case *fyne.ShortcutUndo:
		if e.Text == "" && e.keys.typed(s) {
			return
		}
	case *desktop.CustomShortcut:
		if e.keys.typed(s) {
			return
		}
	}
	e.Entry.TypedShortcut(s)
}
