package classify

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// Several texts get a label at once, and one Undo takes it from all of them.
func TestSeveralGetALabel(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	r.rows.Choose(3)
	r.rows.ChooseAlso([]int{1, 2})
	r.rows.Several()
	if got := r.other.Segment.Text; got != "Click a label to give it to all 3, or press its key, 1 to 2." || r.shown.Text != "3 chosen, shown is text 4" || r.at != 3 {
		t.Errorf("it says %q, %q, and shows %d", got, r.shown.Text, r.at)
	}
	r.give("parcels")
	if own := b.page.found.own; own[1] != "parcels" && !slices.Equal(b.page.found.Of(1), []string{"parcels"}) || own[2] != "parcels" || own[3] != "parcels" {
		t.Fatalf("given are %v", own)
	}
	n := len(b.page.found.own)
	b.page.Undo()
	if len(b.page.found.own) != 0 || !strings.Contains(b.Said, "texts labelled “parcels” by hand") {
		t.Errorf("%v, it says %q", b.page.found.own, b.Said)
	}
	if b.page.Redo(); len(b.page.found.own) != n {
		t.Errorf("done again: %v", b.page.found.own)
	}
}

// A label by hand is offered to the texts that say the same, and one Undo takes it from all of these.
func TestEqualTextsGetTheLabel(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat", "thank you", "thank you", "a dog", "thank you")
	b.classified(t)
	b.Window.Resize(fyne.NewSize(1240, 800))
	r := b.page.results
	r.rows.Pick(1)
	if r.equal.Visible() {
		t.Error("it is offered without a label by hand")
	}
	r.give("money")
	if !r.equal.Visible() || r.equalItem().Label != "Give it to 2 equal texts" {
		t.Fatal("it is not offered")
	}
	test.Tap(r.equal)
	if own := b.page.found.own; len(own) != 3 || own[2] != "money" || own[4] != "money" || r.equal.Visible() {
		t.Errorf("given are %v", own)
	}
	if b.page.Undo(); len(b.page.found.own) != 1 {
		t.Errorf("taken back, %v", b.page.found.own)
	}
	if b.page.found.lessons() != 1 {
		t.Error("equal texts teach more than one")
	}
}

// The rows can be ordered: those that need to be looked at first, or by their labels.
func TestOrder(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	r.order.SetSelectedIndex(orderUnsure)
	sure := func(rows []int) (list []float64) {
		for _, i := range rows {
			list = append(list, b.page.found.sureness(i))
		}
		return list
	}
	if !slices.IsSorted(sure(r.rowsOf)) || len(r.rowsOf) != 4 || b.page.found.doubt(r.rowsOf[0]) == "" {
		t.Errorf("least sure first: %v, sure %v", r.rowsOf, sure(r.rowsOf))
	}
	unsure := slices.Clone(r.rowsOf)
	r.order.SetSelectedIndex(orderSure)
	if slices.Equal(unsure, r.rowsOf) {
		t.Error("the surest come in the same order")
	}
	r.order.SetSelectedIndex(orderLabel)
	var labels []string
	for _, i := range r.rowsOf {
		what, _ := b.page.found.best(i)
		labels = append(labels, what)
	}
	if n := len(labels) - 1; labels[n] != "maybe bills" {
		t.Errorf("by label, the last is %q", labels[n])
	} else {
		labels = labels[:n]
	}
	if !slices.IsSorted(labels) {
		t.Errorf("by label: %q", labels)
	}
	r.rows.Pick(2)
	at := r.at
	r.order.SetSelectedIndex(orderListed)
	if !slices.Equal(r.rowsOf, []int{0, 1, 2, 3}) || r.at != at || r.rows.Current != at {
		t.Errorf("as listed: %v, %d is shown instead of %d", r.rowsOf, r.at, at)
	}
}

// What is exported is said before, and it can be the texts of one label alone.
func TestExportSaysWhatItHolds(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	if items := b.page.exports(); len(items) != 4 || items[0].Label != "Copy 4 texts with their labels (CSV)" {
		t.Fatalf("offered are %v", items)
	}
	i := slices.IndexFunc(r.filter.heaps, func(h heap) bool { return h.name == "parcels" })
	only := r.filter.heaps[i].texts
	test.Tap(r.filter.chips.Objects[i+1].(*kit.Chip))
	items := b.page.exports()
	if len(items) != 7 || !strings.HasPrefix(items[3].Label, "Copy only “parcels”: ") {
		t.Fatalf("offered are %v", items)
	}
	items[3].Action()
	lines := strings.Split(strings.TrimSpace(b.FyneApp.Clipboard().Content()), "\n")
	if !strings.HasPrefix(lines[2], strconv.Itoa(only[1]+1)+",") {
		t.Errorf("the second is exported as %q, and is text %d", lines[2], only[1]+1)
	}
	if len(lines) != len(only)+1 || !strings.Contains(lines[1], b.page.found.lines[only[0]]) {
		t.Errorf("copied are %q", lines)
	}
}

// Labels given by hand can be shown alone, and nothing can be exported before anything was classified.
func TestByHandAlone(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	if slices.ContainsFunc(r.filter.heaps, func(h heap) bool { return h.name == heapHand }) {
		t.Error("it is offered without any")
	}
	r.show(3)
	r.give("parcels")
	r.filter.choose(heapHand)
	if got := b.rows(); len(got) != 1 || !strings.Contains(got[0], "hello") {
		t.Errorf("shown are %q", got)
	}
	if fresh := entered(t, uitest.NewApp(), "a cat"); !fresh.page.export.Disabled() {
		t.Error("there is something to export before anything was classified")
	}
}

// In a low card no label looks chosen where none fits, and it is said that none does.
func TestLowCardWhereNoneFits(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	on := func() (list []bool) {
		r.low, r.briefed = true, false
		r.showBrief()
		r.showDoubt()
		for _, o := range r.brief.chips.Objects {
			if chip, ok := o.(*kit.Chip); ok {
				list = append(list, chip.On)
			}
		}
		return list
	}
	r.show(3)
	if got := on(); slices.Contains(got, true) || !strings.Contains(uitest.AllText(r.brief.chips), "None fits well") || r.doubt.Flat.Visible() {
		t.Errorf("marked are %v, beside them is said %q, and below each other: %v", got, uitest.AllText(r.brief.chips), r.doubt.Flat.Visible())
	}
	r.show(0)
	if got := on(); !slices.Equal(got, []bool{false, true}) || strings.Contains(uitest.AllText(r.brief.chips), "None") {
		t.Errorf("of a text with a label, marked are %v", got)
	}
}
