package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// EditLimit is the length in bytes up to which a text can be edited in the
// window: a text field lays out all of its text with every key.
const EditLimit = 20_000

// Entry is a text field that leaves the window's shortcuts to the window.
type Entry struct {
	widget.Entry
	keys   *Keyboard
	Submit func()                    // Enter; nil: Enter is a key like others
	Paste  func(text string) bool    // pasted text; true: taken, not to be inserted
	Escape func() bool               // Escape; true: done
	Typed  func(*fyne.KeyEvent) bool // any key first; true: done
	Lost   func()                    // it lost the keyboard; may be nil

	NewLine bool // Shift+Enter begins a line where Enter submits
	shift   bool // is held down
}

func NewEntry(k *Keyboard) *Entry {
	e := &Entry{keys: k}
	e.ExtendBaseWidget(e)
	return e
}

// AcceptsTab reports false: Tab goes to the next widget, also from a field of several
// lines. Whoever uses the keyboard alone could not leave it otherwise.
func (e *Entry) AcceptsTab() bool { return false }

// KeyDown notices Shift.
func (e *Entry) KeyDown(key *fyne.KeyEvent) {
	if key.Name == desktop.KeyShiftLeft || key.Name == desktop.KeyShiftRight {
		e.shift = true
	}
	e.Entry.KeyDown(key)
}

// KeyUp notices Shift.
func (e *Entry) KeyUp(key *fyne.KeyEvent) {
	if key.Name == desktop.KeyShiftLeft || key.Name == desktop.KeyShiftRight {
		e.shift = false
	}
	e.Entry.KeyUp(key)
}

// FocusLost tells that the keyboard is elsewhere.
func (e *Entry) FocusLost() {
	e.shift = false
	e.Entry.FocusLost()
	if e.Lost != nil {
		e.Lost()
	}
}

// TypedKey gives Enter and Escape their meaning.
func (e *Entry) TypedKey(key *fyne.KeyEvent) {
	switch {
	case e.Typed != nil && e.Typed(key):
	case key.Name == fyne.KeyEscape:
		if e.Escape == nil || !e.Escape() {
			e.keys.Key(key)
		}
	case e.Submit != nil && !(e.NewLine && e.shift) && (key.Name == fyne.KeyReturn || key.Name == fyne.KeyEnter):
		e.Submit()
	default:
		e.Entry.TypedKey(key)
	}
}

// TypedShortcut keeps editing to itself and gives the window's shortcuts to
// the window.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy, *fyne.ShortcutCut:
		if len(e.SelectedText()) > ClipboardLimit {
			return // Fyne would put it on the clipboard
		}
	case *fyne.ShortcutPaste:
		if e.Paste != nil && e.Paste(s.Clipboard.Content()) {
			return
		}
	case *fyne.ShortcutUndo:
		if e.Text == "" && e.keys.Typed(s) {
			return
		}
	case *desktop.CustomShortcut:
		if e.keys.Typed(s) {
			return
		}
	}
	e.Entry.TypedShortcut(s)
}
