package ui

import (
	"runtime"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// keyboard is what the keys do in the whole window. Fyne gives a key to the
// focused widget alone, so every focusable widget of ours asks it first.
type keyboard struct {
	escape    func()
	shortcuts []shortcut                     // of the whole window
	panel     func(func(shortcut) bool) bool // runs a shortcut of the panel in view; false: it has none such
}

// handle says what shortcuts of the window, those of the panel in view and Escape do.
func (k *keyboard) handle(shortcuts []shortcut, panel func(is func(shortcut) bool) bool, escape func()) {
	k.shortcuts, k.panel, k.escape = shortcuts, panel, escape
}

// keyGroup are the shortcuts of one panel.
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

// newShortcut is a shortcut of the main modifier and a key: what it does, and how the
// key is called in Settings. Without a name it is not listed there.
func newShortcut(key fyne.KeyName, name, keys string, run func()) shortcut {
	return shortcut{key: key, name: name, keys: keys, run: run}
}

// newShiftShortcut is the same with Shift.
func newShiftShortcut(key fyne.KeyName, name, keys string, run func()) shortcut {
	return shortcut{key: key, shift: true, name: name, keys: keys, run: run}
}

// newKeyGroup names some shortcuts.
func newKeyGroup(name string, keys []shortcut) keyGroup { return keyGroup{name, keys} }

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
	return k.panel(is)
}

// install makes the shortcuts of all panels work where no widget of ours has the
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
