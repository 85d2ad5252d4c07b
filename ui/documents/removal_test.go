package documents

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/app/documents"
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
	next.panel = New(next.Host, b.kept, next.Double, next.panel.asking, next.panel.openPath)
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

// What was found in a folder goes with it, and so does a document of it that is in view. A collection
// without folders says that it has no files, and takes those that are added next.
func TestFolderIsRemoved(t *testing.T) {
	b := withLease(t)
	b.search(t, "dog tenant")
	if len(b.panel.found) < 3 {
		t.Fatalf("%d passages", len(b.panel.found))
	}
	home := b.panel.session.collections[0]
	b.panel.showDocument(documents.File{Path: "/papers/lease.txt"}, home)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	b.kept.Alter("Home", func(c *documents.Collection) { c.Files = 0 })
	for _, f := range home.Folders {
		b.kept.Mu.Lock()
		delete(b.kept.Texts, f.Path)
		b.kept.Mu.Unlock()
		b.panel.leaveOut(home, f.Path, f)
	}
	b.Loop.Until(t, "no folder", func() bool {
		return len(b.panel.session.collections[0].Folders) == 0 && len(b.panel.found) == 0 && !b.panel.busy
	})
	if b.panel.shows || b.panel.picked >= 0 {
		t.Error("the document of a folder that was removed is in view")
	}
	b.listFiles(t, "All files")
	if said := uitest.AllText(b.panel.sheet.Popup.Content); !strings.Contains(said, "There are no files yet.") || strings.Contains(said, "these words") {
		t.Errorf("the list of files says %q", said)
	}
	b.panel.sheet.Close()
	if said := uitest.AllText(b.panel.collections.view); !strings.Contains(said, "“Home” has no files. Add a folder") {
		t.Errorf("beside the search %q is said", said)
	}
	b.panel.showDetails(b.panel.session.collections[0])
	b.sheet(t, "Manage the collection")
	if said := uitest.AllText(b.panel.sheet.Popup.Content); !strings.Contains(said, "This collection has no files.") || strings.Contains(said, "is searched.") {
		t.Errorf("its sheet says %q", said)
	}
	b.panel.sheet.Close()
	b.panel.add(b.panel.takes(), []string{"/papers"}, func(documents.Collection) {})
	b.Loop.Until(t, "the folder", func() bool { return len(b.panel.session.collections[0].Folders) == 1 })
}

// Where all collections are in view, none of them is managed.
func TestAllCollectionsAreNotManaged(t *testing.T) {
	b := withLease(t)
	b.kept.Put("Work", map[string]string{"/work/plan.txt": "The plan."})
	b.kept.Alter("Work", func(c *documents.Collection) { c.Paused = true })
	b.panel.list()
	b.Loop.Until(t, "both", func() bool { return len(b.panel.session.collections) == 2 })
	if b.panel.collections.manage.Visible() || !b.panel.collections.run.Visible() {
		t.Error("one of all collections is managed, or does not say what it does")
	}
	b.panel.choose("Work")
	if !b.panel.collections.manage.Visible() {
		t.Error("the collection in view is not managed")
	}
}

// A password that is given while files are being read is tried at once, and the file is read after the others.
func TestPasswordWaitsForARun(t *testing.T) {
	b := withLease(t)
	b.kept.Mu.Lock()
	b.kept.LeftOut = []documents.File{{Path: "/papers/secret.pdf", State: "failed", Reason: "it is locked with a password"}}
	b.kept.Reading = make(chan struct{})
	b.kept.Mu.Unlock()
	b.panel.unlock(b.panel.session.collections[0], b.kept.LeftOut[0], "wrong") // is told before the others have been read
	b.sheet(t, "Open a locked file")
	if said := saidIn(b.panel.sheet.Popup.Content); b.Said != "" || !strings.Contains(said, "does not open") {
		t.Errorf("of a wrong password it says %q and %q", b.Said, said)
	}
	b.panel.sheet.Close()
	b.panel.unlock(b.panel.session.collections[0], b.kept.LeftOut[0], "open")
	b.Loop.Until(t, "the sentence", func() bool { return strings.Contains(b.Said, "The password is kept. secret.pdf is read") })
	close(b.kept.Reading)
	b.Loop.Until(t, "the file", func() bool { return strings.Contains(b.Said, "secret.pdf is searched now") })
}

// A folder that comes back is searched at once for the question that stands there, with the button and
// with the keys; and Enter always searches.
func TestUndoSearchesAgain(t *testing.T) {
	b := withLease(t)
	home := b.panel.session.collections[0]
	lease := home.Folders[0]
	text := b.kept.Texts[lease.Path]
	put := func(text string) {
		b.kept.Mu.Lock()
		defer b.kept.Mu.Unlock()
		if delete(b.kept.Texts, lease.Path); text != "" {
			b.kept.Texts[lease.Path] = text
		}
	}
	b.search(t, "sixty days")
	finds := func(n int) func() bool { return func() bool { return len(b.panel.found) == n && !b.panel.busy } }
	undo := &fyne.ShortcutUndo{}
	for _, back := range []func(){
		func() { test.Tap(uitest.FindButton(t, b.panel.toast.View, "Undo")) },
		func() { b.panel.field.TypedShortcut(undo) },
	} {
		put("")
		b.panel.leaveOut(home, lease.Path, lease)
		b.Loop.Until(t, "nothing", finds(0))
		put(text)
		back()
		b.Loop.Until(t, "the passage", finds(1))
		if b.panel.field.Text != "sixty days" || b.panel.toast.View.Visible() {
			t.Errorf("after Undo the field has %q", b.panel.field.Text)
		}
	}
	if b.panel.undo() {
		t.Error("what came back comes back once more")
	}
	put("")
	b.panel.search()
	b.Loop.Until(t, "nothing", finds(0))
	put(text)
	b.panel.field.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Loop.Until(t, "the passage after Enter", finds(1))
}

// After a restart the question, the way to search and the collection are as they were left; nothing is searched, and
// no model opened, before a person asks.
func TestTheQuestionStaysForTheNextStart(t *testing.T) {
	b := withLease(t)
	b.search(t, "dog")
	b.panel.modes.Pick(2)
	b.panel.choose(b.panel.session.collections[0].ID)
	b.Loop.Until(t, "the search", func() bool { return !b.panel.busy && b.panel.of == b.panel.asks() })
	b.Saver.Flush()
	asked := len(b.kept.Asked)
	b.panel = New(b.Host, b.kept, b.Double, b.panel.asking, b.panel.openPath)
	b.Put(b.panel)
	b.panel.Enter()
	b.Loop.Until(t, "the collections", func() bool { return b.panel.known })
	p := b.panel
	if p.field.Text != "dog" || p.modes.Index != 2 || p.chosen != "Home" || len(p.found) > 0 || len(b.kept.Asked) != asked {
		t.Fatalf("%q is asked, mode %d, of %q; %d passages", p.field.Text, p.modes.Index, p.chosen, len(p.found))
	}
	if p.results.hint.Title.Text != "What you searched for last" {
		t.Errorf("it says %q", p.results.hint.Title.Text)
	}
	p.field.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Loop.Until(t, "the search", func() bool { return len(p.found) > 0 && !p.busy })
	if last := b.kept.Asked[len(b.kept.Asked)-1]; last.Mode != documents.Modes()[2] || !slices.Equal(last.Collections, []string{"Home"}) {
		t.Errorf("it searches %+v", last)
	}
}
