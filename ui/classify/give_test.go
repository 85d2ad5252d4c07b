package classify

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/uitest"
)

// The keys 1 to 9 give the chosen text a label, in the order of the labels, and 0 or Backspace takes it away; arrows
// go on.
func TestKeysGiveLabels(t *testing.T) {
	b := sorted(t)
	rows := b.page.results.rows
	rows.TypedRune('1')
	rows.TypedKey(key(fyne.KeyDown))
	rows.TypedKey(key(fyne.KeyDown))
	rows.TypedRune('2')
	rows.TypedRune('9')
	if own := b.page.found.own; own[0] != "bills" || own[2] != "parcels" || len(own) != 2 {
		t.Fatalf("given are %v", own)
	}
	rows.TypedRune('0')
	rows.TypedKey(key(fyne.KeyUp))
	rows.TypedKey(key(fyne.KeyUp))
	rows.TypedKey(key(fyne.KeyBackspace))
	if len(b.page.found.own) != 0 {
		t.Errorf("given are %v", b.page.found.own)
	}
	lines := b.page.results.lines
	if lines.TypedRune('1'); b.page.found.own[0] != "bills" {
		t.Error("on the labels of the text the keys do nothing")
	}
}

// The other button of the mouse offers the labels, in the same order for every text, with what can be done besides.
func TestMenuOfLabels(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	for _, i := range []int{0, 2} {
		r.rows.Pick(i)
		items := r.offers()
		if items[0].Label != "1   bills" || items[1].Label != "2   parcels" || items[0].Checked == items[1].Checked {
			t.Fatalf("text %d is offered %q, %q", i, items[0].Label, items[1].Label)
		}
		if !items[3].Disabled || items[4].Label != "Learn from my labels" || !items[4].Disabled {
			t.Errorf("without labels by hand %+v", items[3:])
		}
	}
	r.offers()[1].Action()
	if b.page.found.own[2] != "parcels" {
		t.Errorf("given are %v", b.page.found.own)
	}
	if items := r.offers(); items[3].Disabled || items[4].Disabled {
		t.Error("the label by hand cannot be taken away")
	}
	r.offers()[3].Action()
	if len(b.page.found.own) != 0 {
		t.Errorf("given are %v", b.page.found.own)
	}
	items := r.offers()
	items[len(items)-1].Action()
	if got := b.FyneApp.Clipboard().Content(); got != "charged for a lost parcel" {
		t.Errorf("copied %q", got)
	}
}

// Labels keep their places in the list of a text and above the rows, whatever is given.
func TestLabelsKeepTheirPlaces(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	names := func() (list []string) {
		for _, l := range r.list {
			list = append(list, l.name)
		}
		return list
	}
	for i := range 4 {
		if r.show(i); !slices.Equal(names(), []string{"bills", "parcels"}) {
			t.Errorf("of text %d the labels are %q", i, names())
		}
	}
	before := b.chips()
	r.show(0)
	r.give("bills")
	after := b.chips()
	if len(after) != len(before)+1 || after[3] != "bills 2" || after[4] != "parcels 1" || before[3] != "bills 1" {
		t.Errorf("counted %q, before %q", after, before)
	}
}

// A search leaves the rows with all of its words, whatever the filter; without any it says so.
func TestSearchInResults(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	r.search.SetText("PARCEL lost")
	if got := b.rows(); len(got) != 1 || r.at != 2 || r.nothing.Flat.Visible() {
		t.Errorf("found are %q", got)
	}
	if got, want := b.chips(), []string{"All 1", "Unsure 1", "No label fits 0", "bills 1", "parcels 0"}; !slices.Equal(got, want) {
		t.Errorf("counted are %q, not %q", got, want)
	}
	r.search.SetText("unicorn")
	if len(r.rowsOf) != 0 || !r.nothing.Flat.Visible() {
		t.Errorf("found are %v", r.rowsOf)
	}
	r.search.TypedKey(key(fyne.KeyEscape))
	if r.search.Text != "" || b.chips()[0] != "All 4" || len(r.rowsOf) != 4 || r.nothing.Flat.Visible() {
		t.Errorf("shown are %v", r.rowsOf)
	}
}

// Of many labels those that have no place above the rows are in a menu.
func TestManyLabelsAreFolded(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat")
	b.page.results.filter.heaps = nil
	b.classified(t)
	f := b.page.results.filter
	for k := range 60 {
		name := string(rune('a'+k%26)) + " label of some length " + string(rune('a'+k/26))
		f.heaps = append(f.heaps, heap{name: name, texts: []int{0}})
	}
	f.showChips()
	b.page.panes.View.Refresh()
	b.Idle()
	if f.fold.shown < 3 || f.fold.shown > 40 || !f.more.Visible() || f.chips.Size().Height > filterMost*filterLine+18 {
		t.Fatalf("%d of %d chips are in view, height %v", f.fold.shown, len(f.chips.Objects), f.chips.Size().Height)
	}
	items := f.restItems()
	if len(items)+f.fold.shown != len(f.heaps)+1 {
		t.Errorf("%d in the menu, %d in view, of %d", len(items), f.fold.shown, len(f.heaps)+1)
	}
	items[len(items)-1].Action()
	if f.name != f.heaps[len(f.heaps)-1].name || !f.more.On || !strings.HasPrefix(f.rest.Text, "h label") || !strings.HasSuffix(f.rest.Text, " more…") {
		t.Errorf("chosen is %q, the chip for the others says %q", f.name, f.rest.Text)
	}
}
