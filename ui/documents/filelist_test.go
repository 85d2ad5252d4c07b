package documents

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/documents"
	"inglenook/ui/kit"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// listFiles opens the list of files.
func (b *bench) listFiles(t *testing.T, title string) {
	t.Helper()
	test.Tap(b.panel.collections.files)
	b.sheet(t, title)
}

// sheetRows are the rows of the list in the sheet.
func (b *bench) sheetRows(t *testing.T) *kit.Rows {
	t.Helper()
	rows, ok := uitest.Find(b.panel.sheet.Popup.Content, func(*kit.Rows) bool { return true })
	if !ok {
		t.Fatal("no list is in the sheet")
	}
	return rows
}

func TestListOfFiles(t *testing.T) {
	b := withLease(t)
	b.kept.LeftOut = []documents.File{{Path: "/papers/scan.pdf", Format: "pdf", State: "skipped", Reason: "it has pictures of pages, but no text"}}
	b.listFiles(t, "All files")
	said := uitest.AllText(b.panel.sheet.Popup.Content)
	for _, want := range []string{"lease.txt", "Plain text · 166 B · 4 passages", "PDF · 0 B · not searched: it has pictures of pages, but no text", "3 files"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in %q", want, said)
		}
	}
	search, ok := uitest.Find(b.panel.sheet.Popup.Content, func(*kit.Entry) bool { return true })
	if !ok {
		t.Fatal("no search is in the sheet")
	}
	search.SetText("LEASE")
	if said := uitest.AllText(b.panel.sheet.Popup.Content); !strings.Contains(said, "\n1 file\n") {
		t.Errorf("a search leaves %q", said)
	}
	b.sheetRows(t).Clicked(0)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	h, _ := b.panel.hit()
	if got := nameOf(h.file.File); got != "lease.txt" || !b.panel.listed || b.panel.viewer.ofPassage[0].Visible() {
		t.Errorf("%s is in view, as a passage: %v", got, !b.panel.listed)
	}
	b.listFiles(t, "All files")
	b.sheetRows(t).Clicked(1)
	b.Loop.Until(t, "the other document", func() bool {
		return b.panel.shows && strings.Contains(b.panel.viewer.laid.Document.Text, "beer traps")
	})
	b.search(t, "sixty days")
	if b.panel.listed || len(b.panel.found) != 1 {
		t.Error("a search does not end the view of the file")
	}
}

// The files are listed in the order that a person chooses, also the next time.
func TestOrderOfFiles(t *testing.T) {
	b := withLease(t)
	b.kept.LeftOut = []documents.File{{Path: "/papers/aaa.pdf", State: "skipped", Reason: "it has no text", Size: 9000, Modified: time.Date(2024, 5, 6, 12, 0, 0, 0, time.Local)}}
	names := func() (list []string) {
		for _, row := range uitest.RowsOf(b.sheetRows(t)) {
			name, _, _ := strings.Cut(strings.TrimSpace(uitest.AllText(row)), "\n")
			list = append(list, name)
		}
		return list
	}
	b.listFiles(t, "All files")
	if got := names(); !slices.Equal(got, []string{"aaa.pdf", "lease.txt", "minutes.txt"}) {
		t.Errorf("by name: %q", got)
	}
	if said := uitest.AllText(b.panel.sheet.Popup.Content); !strings.Contains(said, "9.0 kB · 6 May 2024") {
		t.Errorf("when a file was changed is not said: %q", said)
	}
	by, ok := uitest.Find(b.panel.sheet.Popup.Content, func(*kit.Choice) bool { return true })
	if !ok {
		t.Fatal("no order is offered")
	}
	for order, first := range map[string]string{"Largest first": "aaa.pdf", "By kind": "aaa.pdf", "Newest first": "aaa.pdf", "Unreadable first": "aaa.pdf"} {
		by.SetSelected("By name")
		if by.SetSelected(order); names()[0] != first {
			t.Errorf("%s: %q", order, names())
		}
	}
	b.kept.LeftOut[0].Path = "/papers/zzz.pdf"
	b.panel.sheet.Close()
	by.SetSelected("Largest first")
	b.Saver.Flush()
	b.listFiles(t, "All files")
	if got := names(); got[0] != "zzz.pdf" {
		t.Errorf("the next time: %q", got)
	}
}

// A file of a folder is taken off its collection, and comes back with Undo as its folder was covered before.
func TestFileIsRemovedFromItsCollection(t *testing.T) {
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/old.txt": "A dog.", "/papers/new.txt": "A cat."})
	covers := documents.Folder{Path: "/papers", Exclude: []string{"*.bak"}}
	kept.Alter("Home", func(c *documents.Collection) { c.Folders = []documents.Folder{covers} })
	b := newBench(t, kept)
	b.listFiles(t, "All files")
	f := listed{documents.File{Path: "/papers/old.txt"}, b.panel.session.collections[0]}
	folder, ok := folderOf(f)
	if !ok || folder.Path != "/papers" {
		t.Fatalf("the file is covered by %+v", folder)
	}
	newFileList(b.panel, nil).leave(f, folder)
	b.Loop.Until(t, "that it is taken off", func() bool {
		b.kept.Mu.Lock()
		defer b.kept.Mu.Unlock()
		return slices.Equal(b.kept.Off, []string{"/papers/old.txt"})
	})
	test.Tap(uitest.FindButton(t, b.panel.view, "Undo"))
	b.Loop.Until(t, "the folder as it was covered", func() bool {
		b.kept.Mu.Lock()
		defer b.kept.Mu.Unlock()
		n := len(b.kept.Added)
		return n > 0 && b.kept.Added[n-1].Again && slices.Equal(b.kept.Added[n-1].Exclude, covers.Exclude)
	})
}

// The filter offers the kinds that the files are of, and no others.
func TestFilterOffersWhatIsThere(t *testing.T) {
	b := withPages(t, false)
	test.Tap(b.panel.filters.button)
	b.Loop.Until(t, "the kinds", func() bool {
		return slices.Equal(b.panel.filters.kind.Options, []string{"Any kind", "PDF", "Notes and plain text"})
	})
	b.panel.filters.kind.SetSelected("Notes and plain text")
	if got := kinds[b.panel.narrow.kind].name; got != "Notes and plain text" {
		t.Errorf("the search is among %s", got)
	}
}

// Of a file that cannot be read the reason is shown in the place of its text; a locked one takes its
// password there, and is in view when that opens it.
func TestReasonOfAFile(t *testing.T) {
	b := withLease(t)
	b.kept.LeftOut = []documents.File{
		{Path: "/papers/scan.docx", State: "skipped", Reason: "it has pictures of pages, but no text"},
		{Path: "/papers/secret.md", State: "failed", Reason: "it is locked with a password"},
	}
	b.kept.Alter("Home", func(c *documents.Collection) { c.Failed = 2 })
	b.panel.list()
	why := b.panel.collections.why
	b.Loop.Until(t, "why", func() bool { return why.Visible() && why.Text == "Why 2 files cannot be read…" })
	if m := b.panel.collections.manage; !m.Visible() || m.Text != manageName {
		t.Errorf("the collection is managed with %q", m.Text)
	}
	for i, want := range []string{"It has pictures of pages, but no text.", "It is locked with a password."} {
		b.listFiles(t, "All files")
		if said := uitest.AllText(b.panel.sheet.Popup.Content); !strings.Contains(said, "Text document · 0 B") || !strings.Contains(said, "Markdown · 0 B") {
			t.Errorf("the list says %q", said)
		}
		b.sheetRows(t).Clicked(2 + i)
		if said := uitest.AllText(b.panel.viewer.view); !strings.Contains(said, want) || b.panel.viewer.locks.Visible() != (i == 1) {
			t.Errorf("in view is %q", said)
		}
	}
	b.kept.Mu.Lock()
	b.kept.Texts["/papers/secret.md"] = "The key is under the pot."
	b.kept.Mu.Unlock()
	test.Tap(b.panel.viewer.locks)
	entry, ok := uitest.Find(b.panel.sheet.Popup.Content, func(*kit.Entry) bool { return true })
	if !ok {
		t.Fatal("no password is asked for")
	}
	entry.SetText("open")
	entry.Submit()
	b.Loop.Until(t, "the text", func() bool {
		return b.panel.shows && strings.Contains(b.panel.viewer.laid.Document.Text, "under the pot")
	})
}

// A collection has a menu: it is managed, listed and removed from there.
func TestMenuOfACollection(t *testing.T) {
	b := withLease(t)
	b.panel.collections.rows.Secondary(1, fyne.NewPos(10, 10))
	if b.Window.Canvas().Overlays().Top() == nil {
		t.Fatal("no menu opens")
	}
	titles := []string{"Manage the collection", "The files of “Home”", "Remove “Home”?"}
	for i, item := range b.panel.collections.actions(b.panel.session.collections[0]) {
		item.Action()
		b.sheet(t, titles[i])
		b.panel.sheet.Close()
	}
}
