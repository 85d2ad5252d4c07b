package documents

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// withHandbook is a room in which a long document is open, at its first passage.
func withHandbook(t *testing.T) *bench {
	t.Helper()
	kept := scripted.NewDocuments()
	handbook := "The kettle is in the kitchen." + strings.Repeat("\n\nNothing of note happens here.", 60) +
		"\n\nKeep the Kettle’s lid shut." + strings.Repeat("\n\nNothing of note happens here either.", 60) + "\n\nOld kettles go to the café."
	kept.Put("Home", map[string]string{"/papers/handbook.txt": handbook, "/papers/other.txt": "The tea is on the shelf in the kitchen, not in the kettle."})
	b := newBench(t, kept)
	b.search(t, "kitchen")
	b.pick(t, 0)
	return b
}

// find types what is to be found in the document and waits for the places.
func (b *bench) find(t *testing.T, sought string) {
	t.Helper()
	f := b.panel.viewer.find
	f.Field.SetText(sought)
	b.Loop.Until(t, "the places", func() bool { return f.sought == sought && f.Count.Text != "" })
}

func TestFindInTheDocument(t *testing.T) {
	b := withHandbook(t)
	f := b.panel.viewer.find
	b.panel.lookFor()
	if !f.View.Visible() || b.Window.Canvas().Focused() != f.Field {
		t.Fatal("Ctrl+F in a document does not lead to the field of finding")
	}
	b.find(t, "kettle")
	if f.Count.Text != "1 of 3" {
		t.Fatalf("it says %q", f.Count.Text)
	}
	for _, want := range []string{"2 of 3", "3 of 3", "1 of 3"} {
		f.Field.TypedKey(uitest.Key(fyne.KeyReturn))
		b.Idle()
		if f.Count.Text != want {
			t.Fatalf("it says %q, not %q", f.Count.Text, want)
		}
		text := f.viewer.texts[int64(f.places[f.here].piece)]
		if text == nil {
			t.Fatalf("%s is not in view", want)
		}
		if _, _, ok := text.FoundAt(); !ok {
			t.Errorf("%s is not marked", want)
		}
		if y := f.list.Scroll.Offset.Y; (y == 0) != (want == "1 of 3") {
			t.Errorf("%s stands at %v", want, y)
		}
	}
	test.Tap(f.Back)
	if f.Count.Text != "3 of 3" {
		t.Errorf("before the first comes %q", f.Count.Text)
	}
	b.find(t, "cafe")
	if f.Count.Text != "1 of 1" {
		t.Errorf("without its accent: %q", f.Count.Text)
	}
	b.find(t, "unicorn")
	if f.Count.Text != "Not found" || !f.Next.Disabled() {
		t.Errorf("it says %q of what is not there", f.Count.Text)
	}
}

func TestFindEnds(t *testing.T) {
	b := withHandbook(t)
	f := b.panel.viewer.find
	test.Tap(f.open)
	b.find(t, "kettle")
	b.panel.lookFor()
	if b.Window.Canvas().Focused() != b.panel.field {
		t.Error("Ctrl+F in the field of finding does not lead to the search of all documents")
	}
	b.panel.lookFor()
	f.Field.TypedKey(uitest.Key(fyne.KeyEscape))
	if f.View.Visible() || f.sought != "" || b.panel.picked < 0 || b.Window.Canvas().Focused() != f.list {
		t.Error("Escape does not end finding alone")
	}
	test.Tap(f.open)
	b.Loop.Until(t, "what was sought before", func() bool { return f.Count.Text == "3 places" })
	b.pick(t, 1)
	b.Loop.Until(t, "the other document", func() bool { return f.Count.Text == "1 place" })
	b.panel.closePassage()
	if f.View.Visible() || f.open.Visible() {
		t.Error("what finds in a document stays without one")
	}
	b.panel.lookFor()
	if b.Window.Canvas().Focused() != b.panel.field {
		t.Error("Ctrl+F without a document does not lead to the search")
	}
}
