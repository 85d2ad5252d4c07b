package firstmodel

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// shown is a panel with the card alone.
type shown struct {
	panel.Still
	*Card
}

func (s *shown) Info() panel.Info           { return panel.Info{ID: "shown", Name: "Shown"} }
func (s *shown) Content() fyne.CanvasObject { return s.View }
func (s *shown) Enter()                     {}
func (s *shown) ShowError(error)            {}

// bench is a window with the card.
type bench struct {
	*uitest.Stage
	*Card
	arrived []string
	began   int
	asked   int
	back    int
}

// showCard shows the card of a computer, and waits until it knows what suits it.
func showCard(t *testing.T, change func(*uitest.App)) *bench {
	t.Helper()
	d := uitest.NewApp()
	if change != nil {
		change(d)
	}
	b := &bench{Stage: uitest.NewStage(t, d)}
	b.Card = New(b.Host, d, Host{
		Arrived: func(repo string) { b.arrived = append(b.arrived, repo) }, Began: func() { b.began++ }, Asked: func() { b.asked++ },
		OpenFile: func() {}, OpenFolder: func() {}, NotNow: func() { b.back++ }, Resized: func() {},
	})
	b.Put(&shown{Card: b.Card})
	b.Card.Show(true, false)
	b.Idle()
	return b
}

func (b *bench) text() string { return uitest.AllText(b.View) }

func (b *bench) tap(t *testing.T, button string) {
	t.Helper()
	test.Tap(uitest.FindButton(t, b.View, button))
	b.Idle()
}

// follow shows the downloads as they are now.
func (b *bench) follow(id string, change func(*downloads.Download)) {
	b.Double.SetDownload(id, change)
	b.Follow(b.Double.Downloads())
}

// One click gets the recommended model: its progress takes the place of the button, and its
// arrival is told once.
func TestOneClick(t *testing.T) {
	b := showCard(t, nil)
	for _, says := range []string{"Let's get you a model", "Small 1B", "Recommended for this computer", "600 MB to download", "about 15 words a second", "Apache-2.0", "Large 4B", "knows more, and is slower", "See all models", "I have a file…", "I have a folder…"} {
		if !strings.Contains(b.text(), says) {
			t.Errorf("the card lacks %q: %q", says, b.text())
		}
	}
	b.tap(t, "Download 600 MB")
	if r := b.Double.Hub.Started; len(r) != 1 || r[0].ID != "org/small-GGUF" || len(r[0].Files) != 1 || r[0].Files[0] != "small-q4.gguf" || b.began != 1 || b.asked != 1 {
		t.Fatalf("%+v was started, %d were told", r, b.began)
	}
	if text := b.text(); !strings.Contains(text, "In line") || strings.Contains(text, "Large 4B") {
		t.Errorf("after the click the card says %q", text)
	}
	b.follow("org/small-GGUF", func(d *downloads.Download) {
		d.State, d.Done, d.Total = "downloading", 150e6, 600e6
	})
	if text := b.text(); !strings.Contains(text, "Downloading · 150 MB of 600 MB") || strings.Contains(text, "to download") {
		t.Errorf("in the middle the card says %q", text)
	}
	for range 2 {
		b.follow("org/small-GGUF", func(d *downloads.Download) { d.State = downloads.DownloadDone })
	}
	if len(b.arrived) != 1 || b.arrived[0] != "org/small-GGUF" {
		t.Errorf("the arrival was told as %q", b.arrived)
	}
}

// Another model is chosen with a click, and stands where the recommended one stood.
func TestAnother(t *testing.T) {
	b := showCard(t, nil)
	chip, ok := uitest.Find(b.View, func(*kit.Chip) bool { return true })
	if !ok {
		t.Fatal("there is no other model")
	}
	test.Tap(chip)
	if text := b.text(); !strings.Contains(text, "Harder questions") || strings.Contains(text, "Recommended") || !strings.Contains(text, "quicker, and knows less") {
		t.Errorf("the card says %q", text)
	}
	b.tap(t, "Download 2.5 GB")
	if r := b.Double.Hub.Started; len(r) != 1 || r[0].ID != "org/large-GGUF" {
		t.Errorf("%+v was started", r)
	}
}

// A model that came while the card was in view is used, and not offered as a download once more.
func TestAModelThatCame(t *testing.T) {
	b := showCard(t, nil)
	get := uitest.FindButton(t, b.View, "Download 600 MB")
	came, used := library.Model{}, ""
	b.host.Here = func(s fit.Suggestion) (library.Model, bool) {
		return came, came.ID != "" && s.Download.Repo == "org/small-GGUF"
	}
	b.host.Use = func(m library.Model) { used = m.ID }
	came = library.Model{ID: "org/small-GGUF", Name: "small"}
	test.Tap(get)
	if len(b.Double.Hub.Started) > 0 || used != came.ID {
		t.Errorf("a click on the old button begins %v and uses %q", b.Double.Hub.Started, used)
	}
	b.Show(true, false)
	if text := b.text(); !strings.Contains(text, "Use small") || strings.Contains(text, "Download 600 MB") {
		t.Errorf("the card says %q", text)
	}
}

// A download that failed says why, and goes on or ends as a person wants; one of an earlier
// start is shown from the beginning.
func TestAFailedDownload(t *testing.T) {
	b := showCard(t, func(d *uitest.App) {
		if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/small-GGUF"}); err != nil {
			t.Fatal(err)
		}
		d.SetDownload("org/small-GGUF", func(d *downloads.Download) {
			d.State, d.Done, d.Total, d.Why = downloads.DownloadFailed, 10, 20, "the disk is full"
		})
	})
	if text := b.text(); !strings.Contains(text, "The disk is full.") || !strings.Contains(text, "Failed; the part that arrived is kept") {
		t.Errorf("the card says %q", text)
	}
	b.tap(t, "Go on")
	b.tap(t, "Cancel")
	if did := strings.Join(b.Double.Hub.Did, " "); !strings.Contains(did, "resume org/small-GGUF") || !strings.Contains(did, "cancel org/small-GGUF") {
		t.Errorf("it did %q", did)
	}
	b.Follow(nil)
	if !strings.Contains(b.text(), "Download 600 MB") || len(b.arrived) > 0 {
		t.Errorf("after the end the card says %q, %q arrived", b.text(), b.arrived)
	}
}

// A download that cannot go on says that it tries again by itself; a person need not wait for that,
// and can take a file instead.
func TestAWaitingDownload(t *testing.T) {
	b := showCard(t, nil)
	b.tap(t, "Download 600 MB")
	b.follow("org/small-GGUF", func(d *downloads.Download) {
		d.State, d.Why = downloads.DownloadWaiting, "hub.test cannot be reached; check the connection"
	})
	for _, says := range []string{"Waiting to try again", "Hub.test cannot be reached. The download tries again by itself", "I have a file…"} {
		if !strings.Contains(strings.ToLower(b.text()), strings.ToLower(says)) {
			t.Errorf("the card lacks %q: %q", says, b.text())
		}
	}
	if b.far.Size().Width < width*0.8 {
		t.Errorf("beside its buttons what the download does has %v of %v", b.far.Size().Width, width)
	}
	b.tap(t, "Try now")
	if did := strings.Join(b.Double.Hub.Did, " "); !strings.Contains(did, "pause org/small-GGUF") || !strings.Contains(did, "resume org/small-GGUF") {
		t.Errorf("it did %q", did)
	}
	b.follow("org/small-GGUF", func(d *downloads.Download) { d.State, d.Why = "downloading", "" })
	if text := b.text(); strings.Contains(text, "I have a file…") || strings.Contains(text, "tries again") {
		t.Errorf("while it goes on the card says %q", text)
	}
}

// Where nothing can be recommended or downloaded the card says why, and what else there is.
func TestNothingToOffer(t *testing.T) {
	b := showCard(t, func(d *uitest.App) { d.Hub.Failing = errors.New("no device can be asked") })
	if text := b.text(); !strings.Contains(text, "No device can be asked.") {
		t.Errorf("the card says %q", text)
	}
	b.tap(t, "See all models")
	if !b.Found {
		t.Error("it does not lead to all models")
	}
	b = showCard(t, func(d *uitest.App) { d.Hub.Offline = true })
	if !uitest.FindButton(t, b.View, "Download 600 MB").Disabled() {
		t.Error("a download can be started in offline mode")
	}
	b.tap(t, "Open Settings")
	if b.Entered != panel.Settings {
		t.Errorf("it leads to %q", b.Entered)
	}
}

// There is a way back only where there was something before.
func TestBack(t *testing.T) {
	b := showCard(t, nil)
	if strings.Contains(b.text(), "Back") {
		t.Error("there is a way back to nothing")
	}
	b.Card.Show(true, true)
	b.tap(t, "Back")
	if b.back != 1 {
		t.Error("Back does nothing")
	}
}

// A model that the disk has no room for says so before its download.
func TestCardOnAFullDisk(t *testing.T) {
	b := showCard(t, func(d *uitest.App) { d.Hub.Disk = 1000 })
	if got := b.text(); !strings.Contains(got, "The disk has too little room") {
		t.Errorf("the card says %q", got)
	}
	if got := showCard(t, nil).text(); strings.Contains(got, "too little room") {
		t.Errorf("with room the card says %q", got)
	}
}

// A model that is here already is used and not downloaded, whichever of the card's it is.
func TestOneOfTheModelsIsHere(t *testing.T) {
	for _, repo := range []string{"org/small-GGUF", "org/large-GGUF"} {
		b := showCard(t, nil)
		used := ""
		b.host.Here = func(s fit.Suggestion) (library.Model, bool) {
			return library.Model{ID: s.Download.Repo, Name: "mine"}, s.Download.Repo == repo
		}
		b.host.Use = func(m library.Model) { used = m.ID }
		b.draw()
		if repo == "org/large-GGUF" {
			if shown := b.text(); !strings.Contains(shown, "here already") || !strings.Contains(shown, "Download 600 MB") {
				t.Errorf("the card says %q", shown)
			}
			b.chosen = 1
			b.draw()
		}
		if shown := b.text(); strings.Contains(shown, "Download ") || !strings.Contains(shown, "on this computer already") {
			t.Errorf("%s: the card says %q", repo, shown)
		}
		b.tap(t, "Use mine")
		if used != repo {
			t.Errorf("%q is used, not %s", used, repo)
		}
	}
}
