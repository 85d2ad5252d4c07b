package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// heldKeys are the keys held down that change what a click means: Shift, Ctrl, and Cmd of a Mac.
var heldKeys = func() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// ToChoose is what a person holds down to choose one row more.
const ToChoose = fyne.KeyModifierShortcutDefault

// Chosen are the rows that a person chose, in order: with Shift or Ctrl there may be several.
func (r *Rows) Chosen() (list []int) {
	for i := range r.also {
		if i < r.length() && i != r.Current {
			list = append(list, i)
		}
	}
	if r.Current >= 0 && r.Current < r.length() {
		list = append(list, r.Current)
	}
	slices.Sort(list)
	return list
}

// ChooseAlso shows these rows as chosen beside the selected one, without telling anybody; nil: none.
func (r *Rows) ChooseAlso(rows []int) {
	r.also = nil
	for _, i := range rows {
		r.addAlso(i)
	}
	r.area.arrange()
}

func (r *Rows) addAlso(i int) {
	if r.also == nil {
		r.also = map[int]bool{}
	}
	r.also[i] = true
}

// isChosen reports whether row i is, alone or with others.
func (r *Rows) isChosen(i int) bool { return i == r.Current || r.also[i] }

// pickMore is a click on row i, or an arrow key that leads there, with keys held down: Shift chooses all rows up to
// it, Ctrl that one more or less. false: it means what it always does, and then only that row is chosen.
func (r *Rows) pickMore(i int) bool {
	keys := heldKeys()
	i = min(r.length()-1, i)
	if r.Several == nil || i < 0 || r.Current < 0 || keys&(fyne.KeyModifierShift|ToChoose) == 0 {
		if r.also != nil {
			r.also = nil
			r.area.arrange()
		}
		return false
	}
	switch {
	case keys&fyne.KeyModifierShift != 0:
		if r.from < 0 || len(r.also) == 0 {
			r.from = r.Current
		}
		r.also = nil
		for k := min(r.from, i); k <= max(r.from, i); k++ {
			r.addAlso(k)
		}
		r.Choose(i)
		r.Several()
		return true
	case r.also[i] && i != r.Current:
		delete(r.also, i)
	case i == r.Current:
		delete(r.also, i)
		if others := r.Chosen(); len(others) > 1 { // another one is shown in its place
			next := others[0]
			if next == i {
				next = others[1]
			}
			r.Choose(next)
		}
	default:
		r.addAlso(r.Current)
		r.addAlso(i)
		r.Choose(i)
	}
	r.area.arrange()
	r.Several()
	return true
}
