package documents

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// withPages returns a panel with a PDF file of four pages, all of which have a ship.
func withPages(t *testing.T, pictures bool) *bench {
	t.Helper()
	kept := scripted.NewDocuments()
	if pictures {
		kept.Pages = 4
	}
	kept.Put("Home", map[string]string{"/papers/log.pdf": "A ship leaves.\n\nA ship sails.\n\nA ship lands.\n\nA ship rests.", "/papers/note.txt": "A ship in a bottle."})
	b := newBench(t, kept)
	b.search(t, "ship")
	return b
}

func (b *bench) pick(t *testing.T, i int) {
	t.Helper()
	b.panel.pick(i)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
}

func TestPageIsShown(t *testing.T) {
	b := withPages(t, true)
	v := b.panel.viewer.page
	b.pick(t, 2)
	b.Loop.Until(t, "the picture", func() bool { return v.view.Visible() })
	if v.shown != 3 || v.place.Text != "Page 3 of 4" || v.picture.image.Size().Height < 100 {
		t.Errorf("page %d, %q, %v", v.shown, v.place.Text, v.picture.image.Size())
	}
	test.Tap(v.on)
	b.Loop.Until(t, "page 4", func() bool { return v.shown == 4 })
	if !v.on.Disabled() || b.panel.viewer.pieces[b.panel.viewer.list.Current].page != 4 {
		t.Error("the text does not follow, or there is a page 5")
	}
	if b.panel.openPicked(); b.openedAt != 4 {
		t.Errorf("it opens at page %d, where page 4 is in view", b.openedAt)
	}
	test.Tap(v.picture)
	if v.large.Popup == nil {
		t.Fatal("the page is not enlarged")
	}
	test.Tap(uitest.FindButton(t, v.large.Popup.Content, "Page before"))
	b.Loop.Until(t, "page 3, large", func() bool { return v.shown == 3 && v.large.Title == "Page 3 of 4" })
	b.panel.Escape()
	if v.large.Popup != nil || b.panel.picked < 0 {
		t.Error("Escape does not close the large page alone")
	}
	b.pick(t, 4) // a text
	if v.view.Visible() {
		t.Error("a text has a picture")
	}
}

// If pages are chosen quickly one after the other, the last one is shown, and the drawing of
// those before is cancelled.
func TestPageThatIsLeftIsNotDrawn(t *testing.T) {
	b := withPages(t, true)
	v := b.panel.viewer.page
	b.kept.Mu.Lock()
	b.kept.Drawing = make(chan struct{})
	b.kept.Mu.Unlock()
	drawing := func() []int {
		b.kept.Mu.Lock()
		defer b.kept.Mu.Unlock()
		return slices.Clone(b.kept.Drawn)
	}
	b.pick(t, 0)
	b.Loop.Until(t, "page 1", func() bool { return slices.Equal(drawing(), []int{1}) })
	if v.view.Visible() {
		t.Error("there is an empty frame")
	}
	first := v.cancel
	b.pick(t, 1)
	b.Loop.Until(t, "page 2", func() bool { return slices.Equal(drawing(), []int{1, 2}) })
	first() // it had finished already
	close(b.kept.Drawing)
	b.Loop.Until(t, "the picture", func() bool { return v.view.Visible() })
	if v.shown != 2 {
		t.Errorf("page %d is shown", v.shown)
	}
}

// Without a program that draws pages, only the text is shown.
func TestWithoutPictures(t *testing.T) {
	b := withPages(t, false)
	b.pick(t, 0)
	if v := b.panel.viewer; v.page.view.Visible() || len(b.kept.Drawn) > 0 || v.list.Size().Width < v.body.Size().Width {
		t.Error("a picture is tried, or its place is kept free")
	}
}

// A wide viewer shows the page beside the text, a narrow one above it.
func TestPageLayout(t *testing.T) {
	b := withPages(t, true)
	b.pick(t, 0)
	v := b.panel.viewer
	b.Loop.Until(t, "the picture", func() bool { return v.page.view.Visible() })
	for width, beside := range map[float32]bool{820: false, 1900: true} {
		b.Window.Resize(fyne.NewSize(width, 800))
		b.Idle()
		text, page := v.body.Objects[0], v.page.view
		if got := page.Position().X > text.Size().Width; got != beside {
			t.Errorf("in a window of %v: text %v at %v, page %v at %v", width, text.Size(), text.Position(), page.Size(), page.Position())
		}
		if !beside && page.Position().Y+page.Size().Height > text.Position().Y {
			t.Errorf("in a window of %v the page lies on the text", width)
		}
	}
}
