package classify

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/app/texts"
	"inglenook/ui/uitest"
)

// The labels have the rows that they need, up to six, and in a low window the texts come first: the labels are behind
// a line that says how many there are.
func TestRoomForLabels(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat")
	b.Window.Resize(fyne.NewSize(1280, 800))
	b.Idle()
	view := b.page.labels.View
	low := view.Size().Height
	b.page.labels.SetText(strings.Repeat("delivery ", 3) + strings.Join(strings.Split("abcdefghijklmnopqrstuvwxyz", ""), ", "))
	b.Idle()
	high := view.Size().Height
	if high <= low || high > mostTagRows*tagRow {
		t.Errorf("many labels have a height of %v, few %v", high, low)
	}
	if b.page.labels.SetText("cats, dogs"); view.Size().Height > low {
		t.Error("it does not get low again")
	}
	b.Window.Resize(fyne.NewSize(1280, 480))
	b.Idle()
	f := b.page.folding
	if !f.row.Visible() || b.page.settings.Visible() || !b.page.list.View.Visible() || !strings.HasPrefix(f.says.Text, "2 labels") {
		t.Fatalf("in a low window: %v, settings %v, texts %v, %q", f.row.Visible(), b.page.settings.Visible(), b.page.list.View.Visible(), f.says.Text)
	}
	f.turn.Tapped(nil)
	b.Idle()
	if !b.page.settings.Visible() || b.page.list.View.Visible() || !b.page.classify.Visible() {
		t.Error("the settings do not come into view")
	}
	b.Window.Resize(fyne.NewSize(1280, 800))
	b.Idle()
	if !b.page.settings.Visible() || !b.page.list.View.Visible() || f.row.Visible() {
		t.Error("in a high window something is behind a line")
	}
}

// A label that gets another name keeps its texts and its place, and Undo gives it the old name.
func TestRenamedLabel(t *testing.T) {
	b := sorted(t)
	b.page.results.show(3)
	b.page.results.give("parcels")
	before := b.chips()
	tags := b.page.labels
	tags.begin(1)
	tags.edit.SetText("lost parcels")
	tags.edit.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if tags.Text() != "bills, lost parcels" || b.page.found.own[3] != "lost parcels" {
		t.Fatalf("labels %q, by hand %v", tags.Text(), b.page.found.own)
	}
	if got := b.chips(); len(got) != len(before) || !slices.Contains(got, "lost parcels 3") {
		t.Errorf("counted %q, before %q", got, before)
	}
	if got := b.page.stale.Message(); got != "The labels have changed since this result." {
		t.Errorf("of what the model read it says %q", got)
	}
	if again := b.restarted(t); again.page.found == nil || again.page.found.own[3] != "lost parcels" || again.page.stale.Message() == "" {
		t.Error("after a restart it is lost")
	}
	if b.page.Undo(); tags.Text() != "bills, parcels" || b.page.found.own[3] != "parcels" || !slices.Equal(b.chips(), before) {
		t.Errorf("taken back: %q, %v, %q", tags.Text(), b.page.found.own, b.chips())
	}
	if b.page.Redo(); b.page.found.own[3] != "lost parcels" {
		t.Errorf("done again: %v", b.page.found.own)
	}
}

// Where the vectors of the texts are known, other labels are read at once, and the text in view stays.
func TestOtherLabelsAtOnce(t *testing.T) {
	d := uitest.NewApp()
	d.Classified.Vectors = true
	b := entered(t, d, "a cat", "money money", "trains")
	b.classified(t)
	b.page.results.rows.Pick(1)
	b.page.labels.next.SetText("coins")
	b.page.labels.next.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.Idle()
	asked := d.Classifications()
	if len(asked) != 2 || !slices.Contains(asked[1].Labels, "coins") || len(asked[1].Vectors) != 3 || slices.ContainsFunc(asked[1].Vectors, func(v []float32) bool { return v == nil }) {
		t.Fatalf("asked %d times, last for %q", len(asked), asked[len(asked)-1].Labels)
	}
	if b.page.stale.Message() != "" || b.page.results.at != 1 || !slices.Contains(b.page.found.LabelNames(), "coins") {
		t.Errorf("stale %q, text %d in view", b.page.stale.Message(), b.page.results.at)
	}
	b.page.kind.SetSelectedIndex(1)
	b.Idle()
	if asked := d.Classifications(); len(asked) != 3 || asked[2].Sentence != texts.FeelingSentence {
		t.Errorf("feelings are not read at once: asked %d times", len(asked))
	}
	b.page.labels.move(0, 1)
	b.Idle()
	if len(d.Classifications()) != 3 || b.page.stale.Message() != "" || b.page.found.fixed()[0] != "travel" {
		t.Errorf("of the same labels in another order: asked %d times, %q, %q", len(d.Classifications()), b.page.stale.Message(), b.page.found.fixed())
	}
	b.page.list.Add([]string{"one more"})
	b.page.labels.SetText("cats, dogs")
	b.Idle()
	if len(d.Classifications()) != 3 || b.page.stale.Message() == "" {
		t.Error("a text that was not read yet is read without being asked for")
	}
	b.classified(t)
	if last := d.Classifications()[3]; last.Vectors[3] != nil || last.Vectors[0] == nil {
		t.Error("known texts are read again, or a new one is not")
	}
}

// The labels of the samples are told where a person's own texts stand beside them, until there are others.
func TestSampleLabels(t *testing.T) {
	b := entered(t, uitest.NewApp())
	if b.page.ours.Visible() {
		t.Error("beside the samples it is said")
	}
	b.page.list.Add([]string{"the goalkeeper"})
	if !b.page.ours.Visible() {
		t.Fatal("beside own texts it is not said")
	}
	press(t, b.page.ours, "Write my own")
	if len(b.page.labels.names) != 0 || b.page.ours.Visible() || b.Window.Canvas().Focused() != b.page.labels.next {
		t.Errorf("labels %q", b.page.labels.names)
	}
	b.page.Undo()
	if b.page.labels.Text() != sampleLabels {
		t.Errorf("taken back: %q", b.page.labels.Text())
	}
	press(t, b.page.ours, "Keep these")
	if b.page.ours.Visible() {
		t.Error("it is said after a person keeps them")
	}
}
