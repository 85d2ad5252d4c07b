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

// ShowSamples puts samples in the place of all texts, as a person asks for. They go once a person adds a text of their
// own; Undo brings back what was there.
func (l *List) ShowSamples(lines []string) {
	l.StopEditing()
	l.texts.replace(lines)
	for i := range l.texts.items {
		l.texts.items[i].sample = true
	}
	l.edited(true)
	l.Chosen(0)
}

// Resample shows other samples in the place of these, where a person has no texts of their own. Nobody
// is told: a person's own list has not changed.
func (l *List) Resample(lines []string) {
	if l.texts.resample(lines) {
		l.Selected = 0
		l.refresh()
	}
}
