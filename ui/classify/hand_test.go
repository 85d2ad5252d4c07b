package classify

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
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
}

// relabelled are results as the model gives them for other labels: the first of them for every text.
func relabelled(b *bench) {
	b.Double.Classified.Then = func(r *texts.ClassifyResult) {
		for i := range r.Labels {
			r.Labels[i] = nil
			for k, name := range r.Names {
				r.Labels[i] = append(r.Labels[i], texts.Label{Name: name, Value: []float32{0.9, 0.1}[min(k, 1)]})
			}
		}
		r.NoneFits = nil
	}
}

// A label given by hand is never lost: also one that is not on the list any more stays on its text, is counted and
// kept for the next start. A single label that was replaced can be renamed, and Undo takes that back.
func TestHandWithoutItsLabel(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	r.show(3)
	r.give("parcels")
	relabelled(b)
	b.page.labels.SetText("bills, lost parcels")
	b.classified(t)
	if got := b.rows()[3]; b.page.found.own[3] != "parcels" || !strings.Contains(got, "parcels by hand") || !slices.Contains(b.chips(), "parcels 1") {
		t.Fatalf("labels %v, the row says %q, counted %q", b.page.found.own, got, b.chips())
	}
	r.show(3)
	if got := r.doubt.Segment.Text; got != "You gave it the label “parcels”, which is not on the list of labels now." {
		t.Errorf("of the text it says %q", got)
	}
	if again := b.restarted(t); again.page.found == nil || again.page.found.own[3] != "parcels" {
		t.Error("it is lost after a restart")
	}
	if got := b.page.notice.Message(); !strings.HasPrefix(got, "1 text that you labelled “parcels” by hand kept that label") {
		t.Fatalf("it offers %q", got)
	}
	test.Tap(b.page.notice.Act)
	if b.page.found.own[3] != "lost parcels" || b.page.notice.View.Visible() {
		t.Errorf("renamed: %v", b.page.found.own)
	}
	if b.page.Undo(); b.page.found.own[3] != "parcels" {
		t.Errorf("taken back: %v", b.page.found.own)
	}
}

// Labels given by hand from one list are there again with that list, also where the text got one of another since.
func TestHandOfAnotherList(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	r.show(3)
	r.give("parcels")
	relabelled(b)
	b.page.labels.SetText("glad, angry")
	b.classified(t)
	r.show(3)
	r.give("angry")
	again := b.restarted(t)
	relabelled(again)
	for _, b := range []*bench{b, again} {
		b.page.labels.SetText("bills, parcels")
		b.classified(t)
		if b.page.found.own[3] != "parcels" {
			t.Errorf("labels %v", b.page.found.own)
		}
		b.page.labels.SetText("glad, angry")
		b.classified(t)
		if b.page.found.own[3] != "angry" {
			t.Errorf("labels %v", b.page.found.own)
		}
	}
}

// The label of a text that is deleted is there again with the text.
func TestHandOfADeletedText(t *testing.T) {
	b := sorted(t)
	b.page.results.show(3)
	b.page.results.give("parcels")
	relabelled(b)
	lines := b.page.texts.Lines()
	b.page.list.Replace(lines[:3])
	b.classified(t)
	if !strings.HasSuffix(b.Said, "1 label that you gave by hand will be there again when the text is.") || len(b.page.found.own) != 0 {
		t.Errorf("labels %v, it says %q", b.page.found.own, b.Said)
	}
	b.page.list.Replace(lines)
	b.classified(t)
	if b.page.found.own[3] != "parcels" {
		t.Errorf("labels %v", b.page.found.own)
	}
}

// Texts that say the same as those of the result are those, however they came.
func TestEqualTexts(t *testing.T) {
	b := sorted(t)
	lines := b.page.texts.Lines()
	b.page.results.show(3)
	b.page.results.give("parcels")
	b.page.list.Replace([]string{"other"})
	if b.page.results.view.Visible() {
		t.Error("the result of other texts is in view")
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

// A click on the label that an unsure text has already confirms it, and so does the key of one that is sure.
func TestConfirmed(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	r.rows.Pick(2)
	r.lines.Clicked(0)
	if b.page.found.own[2] != "bills" || slices.Contains(b.chips(), "Unsure 1") {
		t.Errorf("labels %v, counted %q", b.page.found.own, b.chips())
	}
	r.rows.Pick(1)
	if r.rows.TypedRune('2'); b.page.found.own[1] != "parcels" || b.page.found.taught() != 2 || !strings.HasPrefix(b.page.teach.Message(), "You gave 2 labels by hand.") {
		t.Errorf("labels %v, it offers %q", b.page.found.own, b.page.teach.Message())
	}
}
