package models

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/hub/fault"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// Where the store refuses a model, its page is a click away, and so is the field for a token.
func TestRefusedLeadsToTheToken(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Failing = fault.New(fault.ErrGated, nil, "huggingface.co gives no access to org/talker")
	b := inModels(t, d)
	led := false
	b.models.SetToken = func() { led = true }
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	b.Loop.Until(t, "a refusal", func() bool { return b.models.page.failed != "" })
	if pageButton(b, "Open its page") == nil || pageButton(b, "Set a token…") == nil {
		t.Fatalf("the page says\n%s", pageText(b))
	}
	if test.Tap(pageButton(b, "Set a token…")); !led {
		t.Error("it does not lead to the token")
	}
}

// What was checked is not said to be unchecked.
func TestUncheckedUntilItIsChecked(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Entries = uitest.NewApp().Catalogue()
	d.Hub.Entries[0].Unchecked = true
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": uitest.TalkerPreview()}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	const unchecked = "Size and licence may have changed"
	if !strings.Contains(pageText(b), unchecked) {
		t.Error("before it was checked, nothing says so")
	}
	b.Loop.Until(t, "a preview", func() bool { return b.models.page.preview != nil })
	if strings.Contains(pageText(b), unchecked) {
		t.Error("once it was checked, it is said to be unchecked")
	}
}

// A click that was meant for Cancel does not open the model whose download ended under it.
func TestNoUseUnderTheCancel(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/other"}); err != nil {
		t.Fatal(err)
	}
	turnTo(b, tabDownloads)
	d.SetDownload("org/other", func(x *downloads.Download) { x.State = downloads.DownloadDone })
	b.models.downloads.show(d.Downloads())
	card := b.models.downloads.cards[0]
	if test.Tap(card.use); len(b.used) != 0 {
		t.Error("a click at once opens the model")
	}
	card.ended = time.Now().Add(-2 * settles)
	if test.Tap(card.use); len(b.used) != 1 {
		t.Error("a click later does not")
	}
}

// While the first download runs, the disk is not said to hold none.
func TestFirstDownloadIsOnItsWay(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	b.models.installed = nil
	if b.models.showDisk(0); b.models.disk.Text != "No downloads yet" {
		t.Errorf("with none, it says %q", b.models.disk.Text)
	}
	if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/first"}); err != nil {
		t.Fatal(err)
	}
	if b.models.follow(d.Downloads()); b.models.disk.Text != "The first download is on its way" {
		t.Errorf("with one that runs, it says %q", b.models.disk.Text)
	}
	d.SetDownload("org/first", func(x *downloads.Download) { x.State = downloads.DownloadDone })
	b.Idle()
}

// In a window with room for one pane, Discover opens on its list.
func TestDiscoverOpensOnTheList(t *testing.T) {
	b := inModels(t, uitest.NewApp())
	b.models.panes.Front(panel.PaneResult)
	if turnTo(b, tabDiscover); b.models.panes.Switch.Index != panel.PaneWork {
		t.Error("it opens on a model")
	}
}

// The page of a model whose download is under way can pause it, go on and cancel, and offers it again after that.
func TestPageOfADownloadHasItsButtons(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Entries = []library.CatalogueEntry{entryFor("org/a", library.KindChat, "a", 1e9)}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the list", func() bool { return len(b.models.items) == 1 })
	b.models.choose(0)
	has := func(name string) bool {
		for _, o := range b.models.page.buttons() {
			if button, ok := o.(*kit.Button); ok && button.Text == name {
				return true
			}
		}
		return false
	}
	if has("Pause") || has("Cancel") {
		t.Error("what is not being downloaded can be paused")
	}
	if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/a"}); err != nil {
		t.Fatal(err)
	}
	if !has("Pause") || !has("Cancel") || has("Resume") {
		t.Error("a download under way has no buttons")
	}
	d.SetDownload("org/a", func(x *downloads.Download) { x.State = downloads.DownloadPaused })
	if !has("Resume") || !has("Cancel") || has("Pause") {
		t.Error("a download that rests has no buttons")
	}
	b.models.page.draw()
	b.models.follow(nil)
	if b.models.page.item != nil && strings.Contains(pageText(b), "Resume") && !b.models.page.loads {
		t.Error("after it was cancelled, its buttons stay")
	}
	b.Idle()
}

// A refusal because of the token does not say that an open model has terms.
func TestARefusalAloneIsNoTerms(t *testing.T) {
	b := inModels(t, uitest.NewApp())
	p := b.models.page
	p.item = &modelItem{entry: &library.CatalogueEntry{ID: "org/open"}}
	p.refused = true
	if !p.gated() || p.hasTerms() {
		t.Error("an open model is said to have terms")
	}
	p.item.entry.Gated = true
	if !p.hasTerms() {
		t.Error("a gated model is not")
	}
	p.item = nil
}
