package documents

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// One button gets a small model for closer reading, shows how far it is, and the model reads once it
// is here. Of several the largest small one is got.
func TestOneButtonGetsAReader(t *testing.T) {
	b := withLease(t)
	without := slices.DeleteFunc(b.Double.Offered, func(m library.Model) bool {
		return m.Kind == library.KindReranker || m.Kind == library.KindEmbedding
	})
	b.Double.Offered = without
	entry := func(repo string, bytes int64) library.CatalogueEntry {
		return library.CatalogueEntry{ID: repo, Name: repo, Task: library.KindReranker, Downloads: []library.CatalogueDownload{{Repo: repo, Bytes: bytes}}}
	}
	b.Double.Hub.Entries = []library.CatalogueEntry{entry("org/least", 17e6), entry("org/reader", 91e6), entry("org/vast", 2e9)}
	b.panel = New(b.Host, b.kept, b.Double, func(string, string) (int, error) { return 0, nil }, func(string, int) {})
	b.Put(b.panel)
	b.panel.Enter()
	b.Idle()
	r := b.panel.sorting
	r.toggle()
	test.Tap(uitest.FindButton(t, r.getter.view, "Download one, 91 MB"))
	b.Idle()
	if list := b.Double.Downloads(); len(list) != 1 || list[0].ID != "org/reader" {
		t.Fatalf("got %+v", list)
	}
	b.Double.SetDownload("org/reader", func(d *downloads.Download) { d.Done, d.Total = 45, 90 })
	b.panel.FollowDownloads(b.Double.Downloads())
	if got := uitest.AllText(r.getter.view); !strings.Contains(got, "50 %") || !strings.Contains(got, "Show the download") {
		t.Errorf("while it comes, it says %q", got)
	}
	b.Double.SetDownload("org/reader", func(d *downloads.Download) {
		d.State, d.Why = downloads.DownloadFailed, "The network is unplugged."
	})
	b.panel.FollowDownloads(b.Double.Downloads())
	if got := uitest.AllText(r.getter.view); !strings.Contains(got, "The network is unplugged.") {
		t.Errorf("of a download that failed it says %q", got)
	}
	test.Tap(uitest.FindButton(t, r.getter.view, "Try again"))
	b.Idle()
	if d := b.Double.Downloads()[0]; d.State == downloads.DownloadFailed {
		t.Error("it is not tried again")
	}
	b.panel.FollowDownloads(b.Double.Downloads())
	b.Double.Offered = append(without, library.Model{ID: "org/reader", Name: "org/reader", Kind: library.KindReranker, Usable: true})
	b.Double.SetDownload("org/reader", func(d *downloads.Download) { d.State = downloads.DownloadDone })
	b.panel.ModelsChanged()
	b.Idle()
	if b.panel.reader.wanted() != "org/reader" || !r.some.Visible() || r.getter.view.Visible() {
		t.Errorf("once it is here, %q reads", b.panel.reader.wanted())
	}
	b.panel.readWith("")
	b.panel.ModelsChanged()
	b.Idle()
	if got := b.panel.reader.wanted(); got != "" {
		t.Errorf("switched off, %q reads", got)
	}
}

// What is shown stays while files are read: another search is offered, and a click or Enter makes it.
func TestWhatIsShownStaysWhileFilesAreRead(t *testing.T) {
	for _, by := range []string{"the button", "Enter"} {
		b := withLease(t)
		b.search(t, "dog")
		n, r := len(b.panel.found), b.panel.results
		b.panel.Watch()
		b.kept.Change("/papers/minutes.txt", "A dog.\n\nThe dog barks.\n\nNo dog is allowed.\n\nA dog sleeps.")
		b.Loop.Until(t, "the offer", func() bool { return r.newer.Visible() })
		if len(b.panel.found) != n {
			t.Errorf("%d passages became %d by themselves", n, len(b.panel.found))
		}
		if by == "Enter" {
			b.panel.field.Submit()
		} else {
			test.Tap(r.newer)
		}
		b.Loop.Until(t, by, func() bool { return len(b.panel.found) > n && !r.newer.Visible() })
	}
}

// The button that adds a folder stands out only while there is nothing to search.
func TestTheSearchLeadsOnceThereAreDocuments(t *testing.T) {
	for there, want := range map[bool]widget.Importance{false: widget.HighImportance, true: widget.MediumImportance} {
		kept := scripted.NewDocuments()
		if there {
			kept.Put("Home", map[string]string{"/papers/lease.txt": lease})
		}
		b := newBench(t, kept)
		b.Idle()
		if got := b.panel.collections.folder.Importance; got != want {
			t.Errorf("with documents: %v; it has the importance %v", there, got)
		}
	}
}
