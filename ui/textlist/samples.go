package textlist

import (
	"slices"
)

// resample puts other samples in the place of these, as long as all texts are samples; true: they are
// other texts now. That is no change of a person's, so that there is nothing to undo.
func (t *Texts) resample(lines []string) bool {
	mine := func(it item) bool { return !it.sample }
	if len(t.items) == 0 || slices.ContainsFunc(t.items, mine) || slices.Equal(t.Lines(), lines) {
		return false
	}
	t.items = t.fresh(lines)
	for i := range t.items {
		t.items[i].sample = true
	}
	return true
}

// Resample shows other samples in the place of these, where a person has no texts of their own. Nobody
// is told: a person's own list has not changed.
func (l *List) Resample(lines []string) {
	if l.texts.resample(lines) {
		l.Selected = 0
		l.refresh()
	}
}
