package textlist

import (
	"slices"
	"testing"
)

// Undo takes back whatever was done last, of the list or beside it, and Redo does it again in the same
// order, until something new is done.
func TestHistory(t *testing.T) {
	b, l := few(t)
	label := ""
	l.Add([]string{"d", "e"})
	label = "cats"
	l.Remember(Aside{What: "Text 1 labelled", Back: func() { label = "" }, Again: func() { label = "cats" }})
	if got := l.undoText.Segment.Text; !l.undoBar.Visible() || got != "Text 1 labelled." {
		t.Errorf("undo offers %q", got)
	}
	l.Undo()
	if label != "" || l.texts.Len() != 5 || b.Said != "Taken back: Text 1 labelled." {
		t.Errorf("taken back: label %q, %d texts, it says %q", label, l.texts.Len(), b.Said)
	}
	l.Undo()
	if l.texts.Len() != 3 || b.Said != "Taken back: 2 texts added." {
		t.Errorf("taken back: %d texts, it says %q", l.texts.Len(), b.Said)
	}
	l.Redo()
	if got := l.texts.Lines(); !slices.Equal(got, []string{"alpha", "beta", "gamma", "d", "e"}) || label != "" || l.undoText.Segment.Text != "2 texts added." {
		t.Errorf("done again: %q, label %q, undo offers %q", got, label, l.undoText.Segment.Text)
	}
	if l.Redo(); label != "cats" || b.Said != "Done again: Text 1 labelled." {
		t.Errorf("done again: label %q, it says %q", label, b.Said)
	}
	l.Undo()
	l.Add([]string{"f"})
	if l.Redo(); label != "" || l.texts.Len() != 6 {
		t.Errorf("after something new: label %q, %d texts", label, l.texts.Len())
	}
}
