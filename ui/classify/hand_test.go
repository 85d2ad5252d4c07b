package classify

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
)

// Undo takes a label given by hand back before it touches the texts, says so, and can do it again.
func TestUndoOfALabel(t *testing.T) {
	b := sorted(t)
	b.page.list.Add([]string{"one", "two"})
	b.page.list.Rows.Pick(3)
	r := b.page.results
	r.give("parcels")
	b.page.Undo()
	if n := b.page.texts.Len(); n != 6 || len(b.page.found.own) != 0 || b.Said != "Taken back: Text 4 labelled “parcels” by hand." {
		t.Fatalf("%d texts, labels %v, it says %q", n, b.page.found.own, b.Said)
	}
	if b.page.Redo(); b.page.found.own[3] != "parcels" || !strings.Contains(b.rows()[3], "parcels") {
		t.Errorf("done again: %v", b.page.found.own)
	}
	test.Tap(r.undo)
	b.page.Undo()
	if b.page.found.own[3] != "parcels" {
		t.Error("the label that was taken back with a click does not come back")
	}
	b.page.Undo()
	b.page.Undo()
	if n := b.page.texts.Len(); n != 4 || len(b.page.found.own) != 0 {
		t.Errorf("%d texts, labels %v", n, b.page.found.own)
	}
}

// The keys of Undo and Redo reach the page from a field without text.
func TestKeysOfUndo(t *testing.T) {
	b := sorted(t)
	b.page.results.show(3)
	b.page.results.give("parcels")
	b.page.list.Composer.TypedShortcut(&fyne.ShortcutUndo{})
	if len(b.page.found.own) != 0 {
		t.Error("Undo does not take the label back")
	}
	b.page.list.Composer.TypedShortcut(&fyne.ShortcutRedo{})
	if b.page.found.own[3] != "parcels" {
		t.Error("Redo does not give it again")
	}
}

// Classifying again keeps the labels given by hand, and the filter.
func TestHandIsKept(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	r.show(3)
	r.give("parcels")
	test.Tap(r.filter.chips.Objects[slices.IndexFunc(b.chips(), func(s string) bool { return s == "parcels 3" })].(*kit.Chip))
	b.classified(t)
	if b.page.found.own[3] != "parcels" || !strings.HasSuffix(b.Said, "Kept 1 label that you gave by hand.") {
		t.Errorf("labels %v, it says %q", b.page.found.own, b.Said)
	}
	if r.filter.name != "parcels" || len(b.rows()) != 3 {
		t.Errorf("the filter is %q, with %q", r.filter.name, b.rows())
	}
	b.page.list.Add([]string{"late"})
	b.Double.Classified.Then = nil
	b.page.labels.SetText("bills, letters")
	b.classified(t)
	if len(b.page.found.own) != 0 || !strings.HasSuffix(b.Said, "1 label that you gave by hand could not be kept: the text or the label is gone.") || r.filter.name != "" {
		t.Errorf("labels %v, filter %q, it says %q", b.page.found.own, r.filter.name, b.Said)
	}
}

// Texts that say the same as those of the result are those, however they came.
func TestEqualTexts(t *testing.T) {
	b := sorted(t)
	lines := b.page.texts.Lines()
	b.page.results.show(3)
	b.page.results.give("parcels")
	b.page.list.Replace([]string{"other"})
	if b.page.stale.Message() == "" {
		t.Error("other texts are not told")
	}
	b.page.list.Replace(lines)
	if got := b.page.stale.Message(); got != "" || b.page.found.own[3] != "parcels" {
		t.Errorf("of equal texts it says %q, labels %v", got, b.page.found.own)
	}
	b.page.list.Rows.Pick(2)
	if b.page.results.at != 2 {
		t.Error("the text is not found in the result")
	}
}

// A click on the label that an unsure text has already confirms it.
func TestConfirmed(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	r.rows.Pick(2)
	r.lines.Clicked(0)
	if b.page.found.own[2] != "bills" || slices.Contains(b.chips(), "Unsure 1") {
		t.Errorf("labels %v, counted %q", b.page.found.own, b.chips())
	}
}
