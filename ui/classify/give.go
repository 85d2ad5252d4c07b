package classify

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

// mostDigits is how many labels have a key of their own.
const mostDigits = 9

// digit gives the chosen texts the label with that number; 0 takes away the one that a person gave them.
func (r *results) digit(c rune) bool {
	if c < '0' || c > '9' || r.of == nil || !r.of.mayGive() {
		return false
	}
	if n := int(c - '1'); c == '0' {
		r.give("")
	} else if n < len(r.list) {
		r.give(r.list[n].name)
	}
	return true
}

// takeAway takes the label that a person gave away from the chosen texts.
func (r *results) takeAway(e *fyne.KeyEvent) bool {
	if e.Name != fyne.KeyBackspace && e.Name != fyne.KeyDelete || r.of == nil || !r.of.mayGive() {
		return false
	}
	r.give("")
	return true
}

// menu offers what can be done with the text in a row, and with the others that are chosen with it.
func (r *results) menu(row int, at fyne.Position) {
	c := fyne.CurrentApp().Driver().CanvasForObject(r.rows)
	if c == nil || row >= len(r.rowsOf) {
		return
	}
	if !slices.Contains(r.rows.Chosen(), row) {
		r.rows.ChooseAlso(nil)
		r.rows.Pick(row)
	}
	kit.ShowMenu(r.rows.Keys(), c, r.offers(), at, 0)
}

// offers are the labels, in their order, and what else can be done with the chosen texts.
func (r *results) offers() (items []*fyne.MenuItem) {
	if r.of.mayGive() {
		has := r.of.labelsOf(r.at)
		for k, l := range r.list {
			name := kit.Brief(l.name)
			if k < mostDigits {
				name = fmt.Sprintf("%d   %s", k+1, name)
			}
			item := fyne.NewMenuItem(name, func() { r.give(l.name) })
			item.Checked = slices.Contains(has, l.name)
			items = append(items, item)
		}
		away := fyne.NewMenuItem("0   Take my label away", func() { r.give("") })
		away.Disabled = !slices.ContainsFunc(r.chosenTexts(), r.of.byHand)
		items = append(items, fyne.NewMenuItemSeparator(), away)
		if equal := r.equalItem(); equal != nil {
			items = append(items, equal)
		}
		if r.of.mayLearn() {
			learn := fyne.NewMenuItem("Learn from my labels", r.learn)
			learn.Disabled = r.of.taught() == 0
			items = append(items, learn)
		}
		items = append(items, fyne.NewMenuItemSeparator())
	}
	return append(items, fyne.NewMenuItem("Copy text", func() { r.copy(r.at) }))
}

// siftAgain shows other rows, and the first of them.
func (r *results) siftAgain() {
	if r.of == nil {
		return
	}
	if r.sift(); len(r.rowsOf) > 0 {
		r.chosen(r.rowsOf[0])
	}
}

// having are those of some texts that have all of some words.
func (f *found) having(words string, some []int) []int {
	list := strings.Fields(strings.ToLower(words))
	if len(list) == 0 {
		return some
	}
	var have []int
	for _, i := range some {
		line := strings.ToLower(f.lines[i])
		if !slices.ContainsFunc(list, func(word string) bool { return !strings.Contains(line, word) }) {
			have = append(have, i)
		}
	}
	return have
}

// sayOther says what a click on a label does.
func (r *results) sayOther(kind string) {
	n, keys := len(r.chosenTexts()), ""
	if r.of.mayGive() {
		keys = fmt.Sprintf(", or press its key, 1 to %d", min(mostDigits, len(r.list)))
	}
	switch {
	case !r.of.mayGive():
		r.other.Set("")
	case n > 1:
		r.shown.Set(fmt.Sprintf("%d chosen, shown is %s %d", n, kind, r.at+1))
		r.other.Set(fmt.Sprintf("Click a label to give it to all %d%s.", n, keys))
	case len(r.rowsOf) > 1:
		r.other.Set("Click a label to give it to this " + kind + keys + ". Hold Shift or Ctrl to choose several in the list.")
	default:
		r.other.Set("Click a label to give it to this " + kind + keys + ".")
	}
}
