package models

import (
	"net/url"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/ui/prose"
	"inglenook/ui/uitest"
)

// withCard is an application with one downloaded model, which has a card.
func withCard() *uitest.App {
	d := uitest.NewApp()
	d.Offered = []library.Model{{
		ID: "org/other", Name: "org/other", Source: library.SourceHubCache, Kind: library.KindEmbedding, Usable: true, Bytes: 3e9, Path: "/cache/org",
		Files: []library.ModelFile{{Path: "README.md", Bytes: 20}},
	}}
	d.Hub.Cards = map[string]string{"org/other": "# Other\n\nSee [its paper](https://example.org/paper) or ![a picture](https://example.org/p.png) or [this](file:///etc/passwd)."}
	return d
}

// The card of a model is drawn from its file. A link is told before it opens, and leads to a
// web page or nowhere.
func TestReadTheCard(t *testing.T) {
	b := inModels(t, withCard())
	var browsed []string
	b.models.page.Browse = func(u *url.URL) { browsed = append(browsed, u.String()) }
	test.Tap(pageButton(b, "Read its card"))
	b.Loop.Until(t, "the card", func() bool { return b.models.page.sheet.Title == "org/other" })
	card, ok := uitest.Find(b.Window.Canvas().Overlays().Top(), func(*prose.Text) bool { return true })
	if !ok {
		t.Fatal("the card is not in view")
	}
	card.TypedShortcut(&fyne.ShortcutSelectAll{})
	card.TypedShortcut(&fyne.ShortcutCopy{Clipboard: b.FyneApp.Clipboard()})
	if got := b.FyneApp.Clipboard().Content(); !strings.Contains(got, "See its paper or") || strings.Contains(got, "license") {
		t.Errorf("the card says %q", got)
	}
	b.models.page.openLink("file:///etc/passwd")
	if b.models.page.sheet.Title != "org/other" || !strings.Contains(b.Said, "Only http and https") {
		t.Errorf("a link to a file opens %q, and says %q", b.models.page.sheet.Title, b.Said)
	}
	b.models.page.openLink("https://example.org/paper")
	if text := uitest.AllText(b.Window.Canvas().Overlays().Top()); !strings.Contains(text, "https://example.org/paper") || len(browsed) > 0 {
		t.Errorf("a link is not told: %q, opened %q", text, browsed)
	}
	test.Tap(uitest.FindButton(t, b.Window.Canvas().Overlays().Top(), "Open"))
	if len(browsed) != 1 || browsed[0] != "https://example.org/paper" {
		t.Errorf("opened %q", browsed)
	}
	b.models.page.readCard()
	b.Loop.Until(t, "the card again", func() bool { return b.models.page.sheet.Title == "org/other" })
	b.models.Escape()
	if b.models.page.sheet.Title != "" {
		t.Error("Escape does not close the card")
	}
}

// A long card scrolls in a sheet that fits into the window, also once that is smaller.
func TestALongCardFits(t *testing.T) {
	d := withCard()
	d.Hub.Cards["org/other"] = strings.Repeat("A paragraph of a long card.\n\n", 200)
	b := inModels(t, d)
	b.Window.Resize(fyne.NewSize(900, 600))
	test.Tap(pageButton(b, "Read its card"))
	b.Loop.Until(t, "the card", func() bool { return b.models.page.sheet.Title == "org/other" })
	for _, window := range []fyne.Size{{Width: 900, Height: 600}, {Width: 1000, Height: 640}, {Width: 700, Height: 500}} {
		b.Window.Resize(window)
		sheet := b.Window.Canvas().Overlays().Top()
		sheet.Resize(b.Window.Canvas().Size()) // as the window does
		end := uitest.FindButton(t, sheet, "Close")
		low := fyne.CurrentApp().Driver().AbsolutePositionForObject(end).Y + end.Size().Height
		if room := b.Window.Canvas().Size().Height; low > room {
			t.Errorf("in %v, Close ends at %v of %v", window, low, room)
		}
	}
}

// A click with the other button offers what the page does, for that row.
func TestContextMenu(t *testing.T) {
	d := withCard()
	b := inModels(t, d)
	var browsed []string
	b.models.page.Browse = func(u *url.URL) { browsed = append(browsed, u.String()) }
	b.models.list.Secondary(0, fyne.NewPos(10, 10))
	if b.Window.Canvas().Overlays().Top() == nil {
		t.Fatal("no menu opens")
	}
	items := map[string]action{}
	for _, a := range b.models.page.actions(*b.models.page.item.installed) {
		items[a.name] = a
	}
	for _, want := range []string{"Use in Similarity", "Read its card", "Open its page", "Verify", "Open folder", "Delete, 3.0 GB"} {
		if items[want].run == nil || items[want].off != "" || pageButton(b, want) == nil {
			t.Errorf("it lacks %q", want)
		}
	}
	items["Open its page"].run()
	if len(browsed) != 1 || browsed[0] != "https://huggingface.co/org/other" {
		t.Errorf("opened %q", browsed)
	}
	d.Mu.Lock()
	d.Hub.Open = []pool.OpenModel{{Model: "org/other", Job: "embed", InUse: true}}
	d.Mu.Unlock()
	b.models.reload()
	b.Idle()
	if got := pageButton(b, "Delete"); got == nil || !got.Disabled() {
		t.Error("a model in use can be deleted with one click")
	}
}

// A download that waits can be tried at once.
func TestTryNow(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/waits"}); err != nil {
		t.Fatal(err)
	}
	turnTo(b, tabDownloads)
	card := b.models.downloads.cards[0]
	if card.again.Visible() {
		t.Error("what does not wait can be tried")
	}
	d.SetDownload("org/waits", func(x *downloads.Download) { x.State = downloads.DownloadWaiting })
	b.models.downloads.show(d.Downloads())
	if !card.again.Visible() {
		t.Fatal("there is no button")
	}
	test.Tap(card.again)
	b.Loop.Until(t, "another try", func() bool { return d.Downloads()[0].State == downloads.DownloadQueued })
	d.SetDownload("org/waits", func(x *downloads.Download) { x.State = downloads.DownloadDone })
	b.Idle()
}

// Each tab has its own search.
func TestSearchesOfTabs(t *testing.T) {
	b := inModels(t, uitest.NewApp())
	b.models.filter.text.SetText("judge")
	if got := modelNames(b); len(got) != 1 {
		t.Errorf("found are %v", got)
	}
	turnTo(b, tabDiscover)
	if got := b.models.filter.text.Text; got != "" {
		t.Errorf("the other tab searches %q", got)
	}
	b.models.filter.text.SetText("talker")
	turnTo(b, tabDownloads)
	turnTo(b, tabInstalled)
	if got := b.models.filter.text.Text; got != "judge" {
		t.Errorf("on return it searches %q", got)
	}
	turnTo(b, tabDiscover)
	if got := b.models.filter.text.Text; got != "talker" || len(b.models.items) != 1 {
		t.Errorf("on return the other one searches %q", got)
	}
	if !strings.Contains(b.models.disk.Text, "50 GB free") {
		t.Errorf("the disk: %q", b.models.disk.Text)
	}
}
