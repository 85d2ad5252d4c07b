package models

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/ui/uitest"
)

// A person who turns offline mode off and comes back finds the model in view as if it had never been
// on: it is asked about and can be downloaded, and no gap is left where the notice stood.
func TestModelsOnlineAgain(t *testing.T) {
	top := func(b *bench) float32 {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(b.models.panes.View).Y
	}
	never := inModels(t, uitest.NewApp())
	turnTo(never, tabDiscover)
	usual := top(never)

	d := uitest.NewApp()
	d.Hub.Offline = true
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": uitest.TalkerPreview()}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	if !pageButton(b, "Download").Disabled() || top(b) <= usual {
		t.Fatalf("offline the page shows\n%s", pageText(b))
	}
	b.models.Leave()
	d.Mu.Lock()
	d.Hub.Offline = false
	d.Mu.Unlock()
	b.models.Enter()
	b.Loop.Until(t, "a preview", func() bool { return b.models.page.preview != nil })
	if pageButton(b, "Download").Disabled() {
		t.Errorf("online again the page shows\n%s", pageText(b))
	}
	if got := top(b); got != usual {
		t.Errorf("the panels begin at %v, not at %v", got, usual)
	}
}

// What was being asked when a person left the room is asked anew when they come back.
func TestModelsAsksAnew(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": uitest.TalkerPreview()}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	b.models.Leave()
	b.Idle()
	if b.models.page.preview != nil {
		t.Fatal("nothing was given up")
	}
	b.models.Enter()
	b.Loop.Until(t, "a preview", func() bool { return b.models.page.preview != nil })
}

// The page, the list and the cards say the same of a download at any time, and a look that brings
// nothing new draws no page anew.
func TestOneProgressEverywhere(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": uitest.TalkerPreview()}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	b.Loop.Until(t, "a preview", func() bool { return b.models.page.preview != nil })
	at := func(done int64) {
		d.SetDownload("org/talker-GGUF", func(x *downloads.Download) { x.State, x.Done, x.Total = "downloading", done, 100 })
	}
	says := func(want, row, card string) {
		t.Helper()
		p := b.models
		if pageButton(b, want) == nil || p.items[p.list.Current].coming != row || len(p.downloads.cards) != 1 || !strings.HasPrefix(p.downloads.cards[0].figures.Text, card) {
			t.Errorf("the row says %q, the page\n%s", p.items[p.list.Current].coming, pageText(b))
		}
	}
	b.models.watching = true // by the test
	if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/talker-GGUF"}); err != nil {
		t.Fatal(err)
	}
	at(30)
	b.models.follow(d.Downloads())
	at(60)
	b.models.page.draw() // for another reason
	says("Downloading 30", "downloading 30 %", "30 B")
	b.models.follow(d.Downloads())
	says("Downloading 60", "downloading 60 %", "60 B")
	before := b.models.page.body.Objects[0]
	if b.models.follow(d.Downloads()); b.models.page.body.Objects[0] != before {
		t.Error("the page is drawn anew for nothing")
	}
	b.models.downloads.do(d.Downloads()[0], d.PauseDownload)
	b.Loop.Until(t, "the pause", func() bool { return pageButton(b, "Resume") != nil })
	says("Paused 60", "paused", "60 B")
}

// Downloads that have ended stand below those under way, and moving one passes over them.
func TestEndedDownloadsStandBelow(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	for _, id := range []string{"org/a", "org/b", "org/c"} {
		if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	d.SetDownload("org/b", func(x *downloads.Download) { x.State = downloads.DownloadDone })
	order := func() (ids string) {
		for _, c := range b.models.downloads.cards {
			ids += strings.TrimPrefix(c.d.ID, "org/")
		}
		return ids
	}
	b.models.downloads.show(d.Downloads())
	cards := b.models.downloads.cards
	if order() != "acb" || !cards[0].up.Disabled() || cards[0].down.Disabled() || cards[1].up.Disabled() || !cards[1].down.Disabled() {
		t.Errorf("they stand as %q", order())
	}
	test.Tap(cards[1].up)
	b.Loop.Until(t, "the other order", func() bool { return order() == "cab" })
}

// What is typed leads with the models that name it, not with those that can do it as well.
func TestNamedForWhatIsTyped(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Entries = slices.Clone(d.Catalogue())
	last := slices.IndexFunc(d.Hub.Entries, func(e library.CatalogueEntry) bool { return e.Name == "Other" })
	d.Hub.Entries[last].Use = "Translation between languages"
	d.Hub.Entries[last].Languages, d.Hub.Entries[last].Task = "many", library.KindChat
	for i := range d.Hub.Entries {
		d.Hub.Entries[i].Languages, d.Hub.Entries[i].Task = "many", library.KindChat
	}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.models.filter.text.SetText("translate")
	if names := modelNames(b); len(names) < 2 || names[0] != d.Hub.Entries[last].Name {
		t.Errorf("listed are %q", names)
	}
}

// That the disk has no room for a model is on the list, and on its page before the model store was asked.
func TestDiskTooSmallBeforeAsking(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Disk, d.Hub.Offline = 1000, true
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	if mark, text := b.models.items[b.models.list.Current].mark(), pageText(b); !strings.HasSuffix(mark, " · disk too full") || !strings.Contains(text, "The disk has too little room") {
		t.Errorf("the row says %q, the page\n%s", mark, text)
	}
}
