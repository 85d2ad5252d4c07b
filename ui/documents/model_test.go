package documents

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/library"
	"inglenook/ui/uitest"
)

// A model from Models asks which collection it is to search, and reads nothing before that.
func TestUseAModel(t *testing.T) {
	b := withLease(t)
	m := library.Model{ID: "org/finder", Name: "Finder", Kind: library.KindEmbedding, Usable: true}
	if _, ok := Fits(m); !ok {
		t.Error("an embedding model does not fit")
	}
	if why, ok := Fits(library.Model{Name: "Talker", Kind: library.KindChat, Usable: true}); ok || why == "" {
		t.Error("a chat model fits")
	}
	b.panel.Use(m)
	b.sheet(t, "Search by meaning with Finder")
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Cancel"))
	b.Idle()
	before := b.panel.session.collections[0].Model
	b.panel.Use(m)
	b.sheet(t, "Search by meaning with Finder")
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Use it"))
	b.Loop.Until(t, "the other model", func() bool {
		c := b.panel.session.collections[0]
		return (c.Model == "org/finder" || c.Next == "org/finder") && before != "org/finder"
	})
	b.panel.askFor(m, nil)
	b.sheet(t, "There are no documents yet")
}
