package classify

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// sorted is a bench whose model is sure of the first two texts, in doubt about the third, and has no
// label for the fourth.
func sorted(t *testing.T) *bench {
	d := uitest.NewApp()
	d.Kept.Classify.Labels = "bills, parcels"
	d.Classified.Then = func(r *texts.ClassifyResult) {
		label := func(name string, value float32) texts.Label { return texts.Label{Name: name, Value: value} }
		r.Labels = [][]texts.Label{
			{label("parcels", 0.9), label("bills", 0.1)},
			{label("parcels", 0.8), label("bills", 0.2)},
			{label("bills", 0.52), label("parcels", 0.48)},
			{label("bills", 0.9), label("parcels", 0.1)},
		}
		r.NoneFits = []bool{false, false, false, true}
	}
	b := entered(t, d, "late", "crushed", "charged for a lost parcel", "hello")
	b.classified(t)
	return b
}

// chips are what the filter offers.
func (b *bench) chips() (says []string) {
	for _, o := range b.page.results.filter.chips.Objects {
		if o == fyne.CanvasObject(b.page.results.filter.more) {
			continue
		}
		says = append(says, strings.Join(strings.Fields(uitest.AllText(o)), " "))
	}
	return says
}

func (b *bench) rows() (says []string) {
	for _, o := range uitest.RowsOf(b.page.results.rows) {
		if !o.Visible() {
			continue
		}
		says = append(says, strings.Join(strings.Fields(uitest.AllText(o)), " "))
	}
	return says
}

// The labels stand above the rows with the number of their texts, and a click shows these alone; another
// one shows all again. A text that is in doubt says so.
func TestFilter(t *testing.T) {
	b := sorted(t)
	if got, want := b.chips(), []string{"All 4", "Unsure 1", "No label fits 1", "bills 1", "parcels 2"}; !slices.Equal(got, want) {
		t.Fatalf("the filter offers %q, not %q", got, want)
	}
	r := b.page.results
	unsure := r.filter.chips.Objects[1].(*kit.Chip)
	test.Tap(unsure)
	if got := b.rows(); len(got) != 1 || !strings.HasPrefix(got[0], "3 charged for a lost parcel bills or parcels? 52 %") {
		t.Errorf("the rows of unsure texts are %q", got)
	}
	if r.text.String() != "charged for a lost parcel" || !strings.Contains(r.doubt.Segment.Text, "“bills” and “parcels” fit almost equally well") {
		t.Errorf("%q: %q", r.text.String(), r.doubt.Segment.Text)
	}
	if b.page.list.Selected != b.page.found.asked.ids[2] {
		t.Error("the list marks another text")
	}
	b.page.list.Rows.Pick(0)
	if r.text.String() != "late" || r.rows.Current != -1 {
		t.Errorf("a text that the filter hides is shown as %q, row %d", r.text.String(), r.rows.Current)
	}
	test.Tap(unsure)
	if got := b.rows(); len(got) != 4 || unsure.On {
		t.Errorf("shown again: %q", got)
	}
}

// A person can give a text another label: the row, the counts and the CSV follow, and Undo takes it back.
func TestByHand(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	r.rows.Pick(3)
	r.lines.Clicked(1)
	if got, want := b.chips(), []string{"All 4", "Unsure 1", "bills 1", "parcels 3", "By hand 1"}; !slices.Equal(got, want) {
		t.Errorf("counted %q, not %q", got, want)
	}
	if got := b.rows()[3]; !strings.Contains(got, "parcels by hand") || r.none || r.doubt.Segment.Text != "You gave it this label." || r.lines.Current != 1 {
		t.Errorf("the row says %q, the text %q", got, r.doubt.Segment.Text)
	}
	b.page.CopyCSV()
	if got := b.FyneApp.Clipboard().Content(); !strings.Contains(got, "4,hello,parcels,by hand,,0.9,0.1\n") || !strings.Contains(got, "3,charged for a lost parcel,bills,model,unsure,") {
		t.Errorf("the CSV is %q", got)
	}
	test.Tap(r.undo)
	if got := b.chips(); len(got) != 5 || r.undo.Visible() || r.lines.Current != -1 {
		t.Errorf("taken back, the filter offers %q", got)
	}
	r.rows.Pick(0)
	if r.lines.Clicked(1); b.page.found.own[0] != "parcels" || b.page.found.taught() != 1 || !strings.Contains(b.rows()[0], "by hand") || !slices.Contains(b.chips(), "By hand 1") {
		t.Errorf("the label that a text has already is not confirmed: %v, %q", b.page.found.own, b.chips())
	}
}

// Kinds of names are counted by texts, in words.
func TestKindsOfNames(t *testing.T) {
	d := withModel(uitest.NewApp(), library.Model{ID: "/models/names", Name: "names", Kind: library.KindEncoder, Classifies: "entities"})
	d.Classified.Then = func(r *texts.ClassifyResult) {
		r.Entities[0][0].Label, r.Entities[0][1].Label = "PER", "PER"
	}
	b := entered(t, d, "Ada met Bob", "nobody")
	b.classified(t)
	if got, want := b.chips(), []string{"All 2", "Nothing found 1", "Person 1"}; !slices.Equal(got, want) {
		t.Errorf("the filter offers %q, not %q", got, want)
	}
	if got := b.page.results.text.String(); got != "Ada Person met Bob Person" {
		t.Errorf("the text is shown as %q", got)
	}
	if got := b.page.found.details(); got != "In the model's own words: Person is PER." {
		t.Errorf("details: %q", got)
	}
}

// In a low window the labels of a text stand side by side, so that more than one is in view, and a click
// gives the text one all the same.
func TestLowWindow(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	if r.brief.view.Visible() || !r.lines.Visible() {
		t.Error("in a large window the labels stand side by side")
	}
	b.Window.Resize(fyne.NewSize(556, 450))
	b.page.panes.Front(panel.PaneResult)
	b.Idle()
	if !r.brief.view.Visible() || r.lines.Visible() || r.other.Flat.Visible() || r.meaning.Flat.Visible() {
		t.Fatal("in a low window the labels stand one above the other")
	}
	if got := strings.Fields(uitest.AllText(r.brief.chips)); !slices.Equal(got, []string{"bills", "10", "%", "parcels", "90", "%"}) {
		t.Errorf("it shows %q", got)
	}
	test.Tap(r.brief.chips.Objects[0].(*kit.Chip))
	if name := b.page.found.own[0]; name != "bills" || !r.brief.chips.Objects[0].(*kit.Chip).On {
		t.Errorf("the text has the label %q", name)
	}
}

// A label that is too long for its place is cut, and the rows stay as high as they are; the mark of a label given by
// hand stands by itself.
func TestLongLabels(t *testing.T) {
	b := sorted(t)
	r := b.page.results
	low := r.rows.Height
	long := "a late or a missing delivery of the goods that were ordered"
	for _, list := range b.page.found.Labels {
		for i := range list {
			if list[i].Name == "parcels" {
				list[i].Name = long
			}
		}
	}
	r.set(b.page.found, false)
	b.Idle()
	what, _ := uitest.Find(uitest.RowsOf(r.rows)[0], func(l *kit.Line) bool { return l.Text == long })
	if what == nil {
		t.Fatal("the label is not in its row")
	}
	if r.rows.Height != low || what.Text != long || what.Size().Width >= natural(long) || what.Size().Height != what.MinSize().Height {
		t.Fatalf("rows of %v, before %v; the label %q has %v", r.rows.Height, low, what.Text, what.Size())
	}
	r.show(3)
	r.give(long)
	if got := b.rows()[3]; !strings.Contains(got, "by hand") {
		t.Errorf("the row says %q", got)
	}
}

// Four lines of labels are in view where there is room, and two in a low window.
func TestRoomForTheFilter(t *testing.T) {
	f := newFilter(nil)
	if f.fit(600); f.fold.lines != 4 {
		t.Errorf("%d lines", f.fold.lines)
	}
	if f.fit(200); f.fold.lines != 2 {
		t.Errorf("in a low window %d lines", f.fold.lines)
	}
	if f.fit(150); f.fold.lines != 1 {
		t.Errorf("in the lowest window %d lines", f.fold.lines)
	}
}
