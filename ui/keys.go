package ui

import (
	"runtime"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// keyboard is what the keys do in the whole window. Fyne gives a key to the
// focused widget alone, so every focusable widget of ours asks it first.
type keyboard struct {
	escape    func()
	shortcuts []shortcut                     // of the whole window
	room      func(func(shortcut) bool) bool // runs a shortcut of the room in view; false: it has none such
}

// keyGroup are the shortcuts of one room.
type keyGroup struct {
	name string
	keys []shortcut
}

// shortcut is one combination of the main modifier (Ctrl, on a Mac Command)
// and a key.
type shortcut struct {
	key   fyne.KeyName
	shift bool
	name  string // what it does, for the list in Settings
	keys  string // how the key is called there, without the modifier
	run   func()
}

func (s shortcut) modifier() fyne.KeyModifier {
	if s.shift {
		return fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift
	}
	return fyne.KeyModifierShortcutDefault
}

// modifierName is what the main modifier is called on this system.
func modifierName() string {
	if runtime.GOOS == "darwin" {
		return "⌘"
	}
	return "Ctrl"
}

// label writes the combination as people read it.
func (s shortcut) label() string {
	if s.shift {
		return modifierName() + "+Shift+" + s.keys
	}
	return modifierName() + "+" + s.keys
}

// typed runs the shortcut that belongs to s; false: there is none.
func (k *keyboard) typed(s fyne.Shortcut) bool {
	if _, undo := s.(*fyne.ShortcutUndo); undo {
		s = &desktop.CustomShortcut{KeyName: fyne.KeyZ, Modifier: fyne.KeyModifierShortcutDefault}
	}
	custom, ok := s.(*desktop.CustomShortcut)
	if !ok {
		return false
	}
	is := func(have shortcut) bool { return custom.KeyName == have.key && custom.Modifier == have.modifier() }
	if i := slices.IndexFunc(k.shortcuts, is); i >= 0 {
		k.shortcuts[i].run()
		return true
	}
	return k.room(is)
}

// install makes the shortcuts of all rooms work where no widget of ours has the
// focus.
func (k *keyboard) install(c fyne.Canvas, groups []keyGroup) {
	for _, g := range groups {
		for _, s := range g.keys {
			c.AddShortcut(&desktop.CustomShortcut{KeyName: s.key, Modifier: s.modifier()}, func(s fyne.Shortcut) { k.typed(s) })
		}
	}
	c.AddShortcut(&fyne.ShortcutUndo{}, func(s fyne.Shortcut) { k.typed(s) })
	c.SetOnTypedKey(func(e *fyne.KeyEvent) { k.key(e) })
}

// key handles the keys that mean the same everywhere; false: not one of them.
func (k *keyboard) key(e *fyne.KeyEvent) bool {
	if e.Name == fyne.KeyEscape && k.escape != nil {
		k.escape()
		return true
	}
	return false
}

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

// choice is a drop-down list.
type choice struct {
	widget.Select
	keys *keyboard
}

func newChoice(k *keyboard, options []string, changed func(string)) *choice {
	c := &choice{keys: k}
	c.Options, c.OnChanged = options, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey opens the list with Enter too.
func (c *choice) TypedKey(e *fyne.KeyEvent) {
	switch {
	case c.keys.key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter:
		c.Select.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		c.Select.TypedKey(e)
	}
}
