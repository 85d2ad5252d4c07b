package documents

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/ui/uitest"
)

// A collection that was removed can be brought back. What it holds is deleted afterwards, or at
// the next start if the program ends before.
func TestRemovalIsTakenBack(t *testing.T) {
	b := withLease(t)
	removed := func() []string {
		b.kept.Mu.Lock()
		defer b.kept.Mu.Unlock()
		return slices.Clone(b.kept.Removed)
	}
	kept := func() []string {
		b.Saver.Flush()
		return b.Host.App.Settings().Documents.Removing
	}
	b.search(t, "dog")
	home := b.panel.session.collections[0]
	gone := func() bool { return len(b.panel.session.collections) == 0 && len(b.panel.found) == 0 && !b.panel.busy }
	there := func() bool { return len(b.panel.session.collections) == 1 && len(b.panel.found) == 2 && !b.panel.busy }
	b.panel.remove(home)
	b.Loop.Until(t, "no collection", gone)
	if len(removed()) > 0 || !slices.Equal(kept(), []string{"Home"}) {
		t.Fatalf("deleted %q, to be deleted %q", removed(), kept())
	}
	test.Tap(uitest.FindButton(t, b.panel.toast.View, "Undo"))
	b.Loop.Until(t, "the collection, and what was found in it", there)
	if len(kept()) > 0 || b.panel.toast.View.Visible() || b.panel.session.collections[0].Paused {
		t.Fatalf("%d passages, to be deleted %q", len(b.panel.found), kept())
	}
	b.panel.remove(home)
	b.Loop.Until(t, "no collection again", gone)

	next := newBench(t, b.kept) // the program was killed: a new one knows what it was about to do
	next.Host.Keep(func(s *base.Settings) { s.Documents.Removing = []string{"Home"} })
	next.Saver.Flush()
	next.panel = New(next.Host, b.kept, next.panel.asking, next.panel.openPath)
	next.Put(next.panel)
	next.panel.Enter()
	next.panel.Watch()
	next.Loop.Until(t, "the deletion", func() bool { return slices.Equal(removed(), []string{"Home"}) && len(next.panel.hidden) == 0 })

	b.kept.Put("Home", map[string]string{"/papers/lease.txt": lease})
	b.panel.list()
	b.panel.endRemoval()
	b.Loop.Until(t, "the end of the removal", func() bool { return len(removed()) == 2 && len(b.panel.hidden) == 0 })
	b.panel.undoRemoval()
	if len(kept()) > 0 || b.panel.removing != nil {
		t.Errorf("what is deleted can be brought back; to be deleted %q", kept())
	}
}
