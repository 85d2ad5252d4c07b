package textlist

import (
	"slices"
	"strings"
)

// undoDepth bounds how many changes of the list can be taken back.
const undoDepth = 50

// version is the list as it was before a change, or after one that was taken back.
type version struct {
	items   []item
	what    string // the change, in the past tense
	samples bool   // samples went with it, which nobody asked for
	aside   *Aside // a change of something else, in the place of items; nil: of the list
	with    With   // what else changes with items; nil: nothing
}

// With brings back what went with other texts, once those are back, and returns what reverses that.
type With func() With

// both does one after the other.
func both(a, b With) With {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return func() With { return both(a(), b()) }
}

// AlsoWent is for a room that took something away as the list changed: it is said beside the change, and back
// brings it back with the texts.
func (l *List) AlsoWent(what string, back With) {
	if l.undoing || len(l.texts.past) == 0 {
		return
	}
	last := &l.texts.past[len(l.texts.past)-1]
	last.with = both(last.with, back)
	if what = " " + what; !strings.HasSuffix(last.what, what) {
		last.what += what
	}
	if l.undoBar.Visible() {
		l.undoText.Set(last.what + ".")
		l.View.Refresh()
	}
}

// Aside is a change of something beside the list, such as of what was found in its texts. It stands in
// the same history, so that Undo takes back whatever a person did last.
type Aside struct {
	What  string // in the past tense
	Back  func()
	Again func()
}

// remember puts the list as it is before a change into the history. What was taken back before that can
// not be done again.
func (t *Texts) remember(what string) { t.put(version{items: slices.Clone(t.items), what: what}) }

// put appends a change to the history.
func (t *Texts) put(v version) {
	t.future = nil
	t.past = append(t.past, v)
	if len(t.past) > undoDepth {
		t.past = slices.Delete(t.past, 0, 1)
	}
}

// undo takes the last change back; nil: there is none.
func (t *Texts) undo() *version {
	if len(t.past) == 0 {
		return nil
	}
	last := t.past[len(t.past)-1]
	t.past = t.past[:len(t.past)-1]
	t.future = append(t.future, t.turn(last, true))
	return &last
}

// redo does again what was taken back last; nil: nothing was.
func (t *Texts) redo() *version {
	if len(t.future) == 0 {
		return nil
	}
	last := t.future[len(t.future)-1]
	t.future = t.future[:len(t.future)-1]
	t.past = append(t.past, t.turn(last, false))
	return &last
}

// turn makes v true, and returns what turns it back.
func (t *Texts) turn(v version, back bool) version {
	switch {
	case v.aside == nil:
		was := version{items: t.items, what: v.what, samples: v.samples}
		t.items = slices.Clone(v.items)
		return was
	case back:
		v.aside.Back()
	default:
		v.aside.Again()
	}
	return v
}

// lastChange returns what undo would undo, "" if nothing.
func (t *Texts) lastChange() string {
	if len(t.past) == 0 {
		return ""
	}
	return t.past[len(t.past)-1].what
}

// Remember puts a change of something beside the list into its history, and offers to take it back.
func (l *List) Remember(a Aside) {
	l.hideUndo()
	l.texts.put(version{what: a.What, aside: &a})
	l.offerUndo()
	l.View.Refresh()
}

// RememberQuietly puts a change of something beside the list into its history, of which a person sees enough: the
// keyboard takes it back.
func (l *List) RememberQuietly(a Aside) {
	l.hideUndo()
	l.texts.put(version{what: a.What, aside: &a})
	l.View.Refresh()
}

// Undo takes the last change back, and says which.
func (l *List) Undo() {
	cut := l.cuts
	v := l.texts.undo()
	if v == nil {
		return
	}
	l.undoing = true
	l.turned(v)
	l.undoing = false
	if v.aside == nil && cut != nil && cut.before != nil {
		l.offer(cut.before)
	}
	if v.with != nil {
		l.texts.future[len(l.texts.future)-1].with = v.with()
	}
	l.host.Tell("Taken back: " + v.what + ".")
}

// Redo does again what was taken back last.
func (l *List) Redo() {
	if v := l.texts.redo(); v != nil {
		l.turned(v)
		if v.with != nil {
			last := &l.texts.past[len(l.texts.past)-1]
			last.with = both(v.with(), last.with)
		}
		l.offerUndo()
		l.View.Refresh()
		l.host.Tell("Done again: " + v.what + ".")
	}
}

// turned shows the list after a change was taken back or done again.
func (l *List) turned(v *version) {
	if v.aside != nil {
		l.hideUndo()
		l.View.Refresh()
		return
	}
	l.StopEditing()
	l.edited(false)
	l.Chosen(l.Selected)
}
