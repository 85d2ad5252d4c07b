package models

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/ui/kit"
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
		if items[want].run == nil || items[want].off != "" || (pageButton(b, want) == nil) != items[want].rare {
			t.Errorf("it lacks %q", want)
		}
	}
	if !items["Verify"].rare || pageTip(b, "What else can be done with this model") == nil {
		t.Error("no button leads to what few people want")
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
	if !strings.Contains(b.models.disk.Text, "50 GB of disk free") {
		t.Errorf("the disk: %q", b.models.disk.Text)
	}
}

// The Delete key does with a model what can be taken back at once: one of the Hub goes to the
// trash, a folder leaves the list, and what is in use or comes with the program stays.
func TestDeleteKey(t *testing.T) {
	d := withCard()
	d.Offered = append(d.Offered,
		library.Model{ID: "/m/folder", Name: "folder", Path: "/m/folder", Source: library.SourceFolder, Kind: library.KindEmbedding, Usable: true},
		library.Model{ID: "bundled", Name: "bundled", Source: library.SourceBundled, Kind: library.KindEmbedding, Usable: true},
		library.Model{ID: "org/busy", Name: "org/busy", Source: library.SourceHubCache, Kind: library.KindEmbedding, Usable: true})
	d.Hub.Open = []pool.OpenModel{{Model: "org/busy", InUse: true}}
	b := inModels(t, d)
	press := func(name string) {
		pickModel(t, b, name)
		b.models.list.TypedKey(uitest.Key(fyne.KeyDelete))
	}
	press("bundled")
	if !strings.Contains(b.Said, "cannot be deleted") {
		t.Errorf("of the bundled one is said %q", b.Said)
	}
	press("org/busy")
	if !strings.Contains(b.Said, "is in use") {
		t.Errorf("of one in use is said %q", b.Said)
	}
	press("folder")
	b.Loop.Until(t, "the folder to leave the list", func() bool { return !b.models.installed.has("/m/folder") })
	b.Loop.Until(t, "the list", func() bool { return len(b.models.items) == 3 })
	if at := b.models.list.Current; at != 1 || b.models.page.item.name() != b.models.items[1].name() {
		t.Errorf("in its place is row %d with %s", at, b.models.page.item.name())
	}
	press("org/other")
	b.Loop.Until(t, "the downloaded one to go", func() bool {
		return len(d.Trash()) == 1 && strings.HasPrefix(b.models.notice.Message(), "Deleted Other")
	})
	turnTo(b, tabDiscover)
	if b.models.list.TypedKey(uitest.Key(fyne.KeyDelete)); len(d.Trash()) != 1 {
		t.Error("one that is not here was deleted")
	}
}

// Who looks for a model and has chosen none is asked what it should do, and sees those that do it.
// Where the catalogue has none, a button asks the model store.
func TestWhatFor(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	if b.models.page.aims.Visible() {
		t.Error("among the installed models it is asked what for")
	}
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the catalogue", func() bool { return len(b.models.items) > 1 })
	all := len(b.models.items)
	for _, aim := range aims {
		test.Tap(uitest.FindButton(t, b.models.page.aims, aim.name))
		if b.models.filter.aim.name.Text != aim.name || !b.models.filter.aim.view.Visible() {
			t.Errorf("%q looks for %q", aim.name, b.models.filter.aim.name.Text)
		}
	}
	if n := len(b.models.items); n == 0 || n >= all {
		t.Errorf("of %d models, %d search documents", all, n)
	}
	test.Tap(b.models.filter.aim.chip)
	if len(b.models.items) != all || b.models.filter.aim.view.Visible() {
		t.Errorf("with the aim taken off, %d of %d are listed", len(b.models.items), all)
	}
	b.models.filter.text.SetText("nothing such")
	if !b.models.online.Visible() {
		t.Fatal("nothing leads online from what the catalogue has not")
	}
	test.Tap(b.models.online)
	b.Loop.Until(t, "the model store", func() bool { return b.models.query == "nothing such" })
	if b.models.online.Visible() {
		t.Error("it may be asked again")
	}
}

// All models leave the memory at once; those that work stay, and that is said.
func TestUnloadAll(t *testing.T) {
	d := withCard()
	b := inModels(t, d)
	if b.models.freeAll.Visible() {
		t.Error("there is a button although no model is in memory")
	}
	d.Mu.Lock()
	d.Hub.Open = []pool.OpenModel{{Model: "org/other", Bytes: 5e6}, {Model: "org/other", Bytes: 5e6, Job: "chat"}, {Model: "bundled", Bytes: 1e6}}
	d.Mu.Unlock()
	b.models.reload()
	b.Loop.Until(t, "the button", func() bool { return b.models.freeAll.Visible() })
	test.Tap(b.models.freeAll)
	b.Loop.Until(t, "an empty memory", func() bool { return !b.models.freeAll.Visible() && len(d.Hub.Closed) == 2 })
	if !strings.HasPrefix(b.Said, "2 models no longer in memory, which frees about ") {
		t.Errorf("said is %q", b.Said)
	}
}

// Of the rooms that use an installed model the first is in colour, and nothing else on its page.
func TestTheNextStepIsInColour(t *testing.T) {
	b := inModels(t, withCard())
	var coloured []string
	eachObject(b.models.page.body, func(o fyne.CanvasObject) {
		if x, ok := o.(*kit.Button); ok && x.Importance == widget.HighImportance {
			coloured = append(coloured, x.Text)
		}
	})
	first, _ := b.models.installed.use("org/other", b.models.page.uses)
	if !slices.Equal(coloured, []string{first}) {
		t.Errorf("in colour are %q, want %q", coloured, first)
	}
}
