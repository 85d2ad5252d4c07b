package models

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/downloads"
	"inglenook/hub/fault"
	"inglenook/ui/uitest"
)

// A model of the catalogue can be downloaded before the model store has answered, in the file that the
// catalogue names; one with terms to accept cannot.
func TestDownloadWhileItIsChecked(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the catalogue", func() bool { return len(b.models.items) > 0 })
	pickModel(t, b, "Giant 70B")
	if get := pageButton(b, "Download"); b.models.page.asking == "" || get == nil || !get.Disabled() {
		t.Error("what is gated can be downloaded unchecked")
	}
	pickModel(t, b, "Talker 1B")
	get := pageButton(b, "Download")
	if b.models.page.asking == "" || get == nil || get.Disabled() {
		t.Fatal("nothing can be downloaded while it is checked")
	}
	test.Tap(get)
	b.Loop.Until(t, "the download", func() bool { return len(d.Downloads()) == 1 })
	d.Mu.Lock()
	started := d.Hub.Started[0]
	d.Mu.Unlock()
	if started.ID != "org/talker-GGUF" || !slices.Equal(started.Files, []string{"talker-q4.gguf"}) {
		t.Errorf("downloaded is %+v", started)
	}
	d.SetDownload("org/talker-GGUF", func(x *downloads.Download) { x.State = downloads.DownloadDone })
	b.Idle()
}

// What the model store answered about a model is shown at the next look at it, also offline or where
// the store does not answer any more.
func TestCheckedFiguresStay(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": uitest.TalkerPreview()}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the catalogue", func() bool { return len(b.models.items) > 0 })
	look := func() string {
		pickModel(t, b, "Other")
		pickModel(t, b, "Talker 1B")
		b.Loop.Until(t, "an answer", func() bool { return b.models.page.asking == "" })
		return pageText(b)
	}
	checked := look()
	if !strings.Contains(checked, "What will be downloaded") || strings.Contains(checked, checkedBefore) {
		t.Fatalf("the page says\n%s", checked)
	}
	d.Mu.Lock()
	d.Hub.Failing = fault.New(fault.ErrUnreachable, nil, "hub.test cannot be reached")
	d.Mu.Unlock()
	if text := look(); !strings.Contains(text, "What will be downloaded") || !strings.Contains(text, notAgain) || strings.Contains(text, notAsked) {
		t.Errorf("without a connection the page says\n%s", text)
	}
	d.Mu.Lock()
	d.Hub.Failing, d.Hub.Offline = nil, true
	d.Mu.Unlock()
	if text := look(); !strings.Contains(text, "What will be downloaded") || !strings.Contains(text, checkedBefore) {
		t.Errorf("offline the page says\n%s", text)
	}
	if get := pageButton(b, "Download"); get == nil || !get.Disabled() {
		t.Error("offline it can be downloaded")
	}
}

// The download is of the version that is chosen, also while the model store is asked about it.
func TestDownloadOfTheChosenVersion(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": uitest.TalkerPreview()}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the catalogue", func() bool { return len(b.models.items) > 0 })
	pickModel(t, b, "Talker 1B")
	page := b.models.page
	b.Loop.Until(t, "the versions", func() bool { return page.preview != nil })
	before, _ := page.variant()
	other := slices.IndexFunc(page.forms, func(f modelForm) bool { return f.repo == page.preview.ID && f.variant != before.Name })
	if other < 0 {
		t.Fatal("there is one version only")
	}
	page.form = other
	page.ask()
	if v, ok := page.variant(); !ok || v.Name != page.forms[other].variant {
		t.Errorf("while %q is asked about, %q would be downloaded", page.forms[other].variant, v.Name)
	}
}

// A model whose download has just ended is not offered for download again until it is on the list.
func TestNothingIsOfferedTwice(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": uitest.TalkerPreview()}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the catalogue", func() bool { return len(b.models.items) > 0 })
	if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/talker-GGUF"}); err != nil {
		t.Fatal(err)
	}
	pickModel(t, b, "Talker 1B")
	under := d.Downloads()
	b.models.follow(under)
	offered := func() bool { get := pageButton(b, "Download"); return get != nil && !get.Disabled() }
	d.SetDownload("org/talker-GGUF", func(x *downloads.Download) { x.State = downloads.DownloadDone })
	b.models.follow(under) // the window knows of nothing yet
	b.models.page.draw()
	if offered() || pageButton(b, "One moment…") == nil {
		t.Error("it is offered before its end is seen")
	}
	b.models.follow(d.Downloads())
	if offered() || pageButton(b, "One moment…") == nil {
		t.Error("it is offered before the installed models are read")
	}
	b.Idle()
	b.Loop.Until(t, "an answer", func() bool { return b.models.page.asking == "" && len(b.models.landed) == 0 })
	if b.models.page.draw(); !offered() { // the double installs nothing
		t.Error("what is not there although its download ended cannot be downloaded again")
	}
}
