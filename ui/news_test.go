package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// noModels returns a window on Chat without any model.
func noModels(t *testing.T) (*bench, *scripted.Conversations) {
	t.Helper()
	conversations, d := scripted.New(), uitest.NewApp()
	conversations.SetModels(nil)
	d.Offered = nil
	b := windowWith(t, d, conversations)
	b.start(Options{})
	for _, p := range b.panels { // each panel has seen that there is none
		b.enter(p.Info().ID)
	}
	b.enter(panel.Chat)
	b.loop.Until(t, "that Chat has no model", func() bool { return strings.Contains(uitest.AllText(b.chat.Content()), "Let's get you a model") })
	return b, conversations
}

// "See all models" and "Find a model" lead to the models that can be downloaded, from Chat's first page and
// from the list of every picker.
func TestFindAModelLeadsToDiscover(t *testing.T) {
	b, _ := noModels(t)
	discovers := func(from string) {
		t.Helper()
		b.loop.Run()
		search := uitest.FindButton(t, b.models.Content(), "Search online")
		if b.current != panel.Models || !inView(b.window.Canvas(), search) {
			t.Errorf("%s does not lead to Discover", from)
		}
		if _, ok := b.window.Canvas().Focused().(*kit.Entry); !ok {
			t.Errorf("%s: the keyboard is not in the search field", from)
		}
	}
	b.loop.Until(t, "the models of the card", func() bool {
		_, there := uitest.Find(b.chat.Content(), func(k *kit.Button) bool { return k.Text == "See all models" })
		return there
	})
	test.Tap(uitest.FindButton(t, b.chat.Content(), "See all models"))
	discovers("the first page of Chat")
	for _, p := range b.panels {
		picker, ok := uitest.Find(p.Content(), func(*panel.ModelPicker) bool { return true })
		if !ok {
			continue
		}
		b.enter(p.Info().ID)
		b.loop.Run()
		picker.Open()
		test.Tap(uitest.FindButton(t, b.window.Canvas().Overlays().Top(), "Browse models…"))
		discovers("the picker of " + p.Info().Name)
	}
}

// inView reports whether an object and everything around it is visible.
func inView(c fyne.Canvas, o fyne.CanvasObject) bool {
	found := false
	var walk func(fyne.CanvasObject)
	walk = func(at fyne.CanvasObject) {
		if !at.Visible() || found {
			return
		}
		found = at == o
		switch at := at.(type) {
		case *fyne.Container:
			for _, child := range at.Objects {
				walk(child)
			}
		case fyne.Widget:
			for _, child := range test.WidgetRenderer(at).Objects() {
				walk(child)
			}
		}
	}
	walk(c.Content())
	return found
}

// A model that was downloaded while another panel is in view can be chosen there, and in every
// picker, at once.
func TestFinishedDownloadIsNoticed(t *testing.T) {
	b, conversations := noModels(t)
	if err := b.double.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/new"}); err != nil {
		t.Fatal(err)
	}
	b.models.Watch()
	b.loop.Until(t, "the look at the download", func() bool { return strings.Contains(uitest.AllText(b.models.Content()), "Downloads 1") })
	arrived := library.Model{ID: "org/new", Name: "org/new", Kind: library.KindChat, Source: library.SourceHubCache, Usable: true, Dimension: 8}
	b.double.Mu.Lock()
	b.double.Offered = []library.Model{arrived}
	b.double.Mu.Unlock()
	conversations.SetModels([]chat.ModelChoice{{Model: arrived, Fits: fit.FitsWell}})
	b.double.SetDownload("org/new", func(d *downloads.Download) { d.State = downloads.DownloadDone })
	offered := func(p panel.Panel) bool {
		picker, ok := uitest.Find(p.Content(), func(*panel.ModelPicker) bool { return true })
		return !ok || len(picker.Models) == 1 && picker.Models[0].ID == "org/new"
	}
	for _, p := range b.panels {
		b.loop.Until(t, "the new model in "+p.Info().Name, func() bool { return offered(p) })
	}
	card := uitest.FindButton(t, b.chat.Content(), "See all models")
	b.loop.Until(t, "Chat to have a model", func() bool { return !inView(b.window.Canvas(), card) })
	if b.current != panel.Chat {
		t.Errorf("%s is in view", b.current)
	}
}

// While a model comes, the rail says how far it is. Its arrival is told in any room, with a
// button that leads to where it can be used.
func TestArrivalIsTold(t *testing.T) {
	b, conversations := noModels(t)
	b.enter(panel.Documents)
	if err := b.double.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/new"}); err != nil {
		t.Fatal(err)
	}
	b.double.SetDownload("org/new", func(d *downloads.Download) { d.State, d.Done, d.Total = "downloading", 30, 120 })
	b.models.Watch()
	badge := func() string { return b.items[2].badge }
	b.loop.Until(t, "the badge on the rail", func() bool { return badge() == "25 %" })
	arrived := library.Model{ID: "org/new", Name: "org/new", Kind: library.KindChat, Source: library.SourceHubCache, Usable: true}
	b.double.Mu.Lock()
	b.double.Offered = []library.Model{arrived}
	b.double.Mu.Unlock()
	conversations.SetModels([]chat.ModelChoice{{Model: arrived, Fits: fit.FitsWell}})
	b.double.SetDownload("org/new", func(d *downloads.Download) { d.State = downloads.DownloadDone })
	b.loop.Until(t, "the news", func() bool {
		return b.toast.View.Visible() && strings.Contains(uitest.AllText(b.toast.View), "org/new is ready.")
	})
	if b.current != panel.Documents || badge() != "" {
		t.Errorf("the room is %s, the badge %q", b.current, badge())
	}
	test.Tap(uitest.FindButton(t, b.toast.View, "Use in Chat"))
	b.settle()
	if b.current != panel.Chat || b.toast.View.Visible() {
		t.Errorf("the button leads to %s", b.current)
	}
}

// The news of a model that Chat has taken goes once Chat is in view. Until then it lies on nothing
// that a room shows.
func TestNewsGoesWhereItLedTo(t *testing.T) {
	b, conversations := noModels(t)
	get := func(k *kit.Button) bool { return strings.HasPrefix(k.Text, "Download ") }
	b.loop.Until(t, "the card", func() bool { _, there := uitest.Find(b.chat.Content(), get); return there })
	button, _ := uitest.Find(b.chat.Content(), get)
	test.Tap(button)
	var id string
	b.loop.Until(t, "the download", func() bool {
		for _, d := range b.double.Downloads() {
			id = d.ID
		}
		return id != ""
	})
	b.enter(panel.Performance)
	arrived := library.Model{ID: id, Name: id, Kind: library.KindChat, Source: library.SourceHubCache, Usable: true}
	b.double.Mu.Lock()
	b.double.Offered = []library.Model{arrived}
	b.double.Mu.Unlock()
	conversations.SetModels([]chat.ModelChoice{{Model: arrived, Fits: fit.FitsWell}})
	b.models.Watch()
	b.double.SetDownload(id, func(d *downloads.Download) { d.State = downloads.DownloadDone })
	b.loop.Until(t, "the news", func() bool { return b.toast.View.Visible() })
	b.settle()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.toast.View)
	if room := b.panel(panel.Performance).Content(); at.Y < room.Size().Height-13 { // the margin below its cards
		t.Errorf("the news lies at %v on the room, which is %v high", at.Y, room.Size().Height)
	}
	b.enter(panel.Documents)
	if !b.toast.View.Visible() {
		t.Error("the news is gone in another room")
	}
	if b.enter(panel.Chat); b.toast.View.Visible() {
		t.Error("the news leads to where the person is")
	}
}

// What says that a model has arrived goes away once that model is used in a room.
func TestNewsGoesWhenTheModelIsUsed(t *testing.T) {
	b, _ := noModels(t)
	b.enter(panel.Models)
	b.arrived("org/talker", "Talker", "Use in Chat", func() {})
	b.usedNow(library.Model{ID: "org/other"})
	if b.news == "" {
		t.Fatal("another model takes it away")
	}
	if b.usedNow(library.Model{ID: "org/talker"}); b.news != "" {
		t.Error("it is offered although it is in use")
	}
}
