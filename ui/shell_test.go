package ui

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"inglenook/app"
	"inglenook/ui/scripted"
)

// windowBench is the whole window with a double behind it.
type windowBench struct {
	*shell
	double *double
	loop   *loop
}

// newWindow opens a window on Similarity; start begins its work.
func newWindow(t *testing.T, d *double) *windowBench {
	t.Helper()
	a := test.NewTempApp(t)
	l := &loop{}
	s := newShell(a, d, scripted.New(), l.do)
	s.attach(a.NewWindow("test"))
	s.window.Resize(fyne.NewSize(firstWidth, firstHeight))
	t.Cleanup(func() {
		s.quit()
		s.busy.Wait()
	})
	s.show(roomSimilarity)
	return &windowBench{s, d, l}
}

// started is a window with its first result.
func started(t *testing.T, d *double) *windowBench {
	t.Helper()
	b := newWindow(t, d)
	b.start(Options{})
	b.awaitComparison(t, 1)
	return b
}

// awaitComparison waits until the nth comparison is shown.
func (b *windowBench) awaitComparison(t *testing.T, n int) {
	t.Helper()
	shown := b.similarity.content()
	b.loop.until(t, "a result", func() bool {
		return len(b.double.requests()) >= n && findButton(t, shown, "Compare").Visible() && !findButton(t, shown, "Copy CSV").Disabled()
	})
}

// field is the text field of Similarity.
func (b *windowBench) field(t *testing.T) *entry {
	t.Helper()
	e, ok := find(b.similarity.content(), func(e *entry) bool { return e.PlaceHolder != "Put before each text" })
	if !ok {
		t.Fatal("there is no field for texts")
	}
	return e
}

func TestPanelsByKeyboard(t *testing.T) {
	b := started(t, newDouble())
	canvas := b.window.Canvas().(interface{ TypedShortcut(fyne.Shortcut) })
	canvas.TypedShortcut(ctrl(fyne.Key6)) // with the focus nowhere
	if b.current != roomSettings || b.similarity.content().Visible() || !b.settings.content().Visible() {
		t.Fatal("Ctrl+6 does not lead to Settings")
	}
	b.saver.flush()
	if b.double.Settings().Window.Panel != roomSettings {
		t.Error("the panel is not kept")
	}
	b.field(t).TypedShortcut(ctrl(fyne.Key3)) // with the focus in a text field
	if b.current != roomSimilarity {
		t.Error("Ctrl+3 does not lead to Similarity")
	}
	b.items[5].TypedKey(key(fyne.KeyReturn))
	if b.current != roomSettings {
		t.Error("Enter on the rail does nothing")
	}
	test.Tap(b.items[2])
	if b.current != roomSimilarity || !b.items[2].active || b.items[5].active {
		t.Error("a click on the rail does nothing")
	}
}

// Every combination is taken once in a panel.
func TestShortcutsAreDistinct(t *testing.T) {
	b := started(t, newDouble())
	window := b.keyGroups()[0]
	for _, g := range b.keyGroups()[1:] {
		seen := map[string]string{}
		for _, s := range append(slices.Clone(window.keys), g.keys...) {
			id := string(s.key)
			if s.shift {
				id = "Shift+" + id
			}
			if before, ok := seen[id]; ok {
				t.Errorf("%s: %s is both %q and %q", g.name, id, before, s.name)
			}
			seen[id] = s.name
		}
	}
	if b.keys.typed(ctrl(fyne.KeyF12)) || b.keys.typed(&fyne.ShortcutCopy{}) {
		t.Error("a key that means nothing was taken")
	}
}

func TestShortcutsOverADialog(t *testing.T) {
	b := started(t, newDouble())
	b.enter(roomSettings)
	b.keys.typed(ctrl(fyne.KeyM))
	if b.current != roomSimilarity || b.window.Canvas().Overlays().Top() == nil {
		t.Fatal("Ctrl+M does not open the models")
	}
	b.keys.typed(ctrl(fyne.KeyReturn))
	if len(b.double.requests()) != 1 {
		t.Error("a comparison starts under an open list")
	}
	b.escape()
	b.keys.typed(ctrl(fyne.KeyReturn))
	b.awaitComparison(t, 2)
}

// The window can be as small as 800 by 560, and nothing lies outside it.
func TestSmallWindow(t *testing.T) {
	b := newWindow(t, newDouble())
	for _, size := range []fyne.Size{{Width: 800, Height: 560}, {Width: 1240, Height: 800}, {Width: 2200, Height: 1300}} {
		for _, p := range b.panels {
			b.show(p.info().id)
			if m := b.view.MinSize(); m.Width > 800 || m.Height > 560 {
				t.Errorf("%s needs %v", p.info().id, m)
			}
			b.window.Resize(size)
		}
	}
}

func TestDroppedFiles(t *testing.T) {
	b := started(t, newDouble())
	folder := t.TempDir()
	text := tempFile(t, "notes.txt", "")
	weights := tempFile(t, "model.safetensors", "")
	b.double.files[text] = app.Texts{Lines: []string{"from a file", "and more"}, Note: "Read as UTF-16."}
	b.enter(roomSettings)
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{storage.NewFileURI(text)})
	b.loop.until(t, "the texts", func() bool { return strings.HasPrefix(b.status.message.text, "Added") })
	if b.current != roomSimilarity || b.status.message.text != "Added 2 texts from notes.txt. Read as UTF-16." {
		t.Errorf("in %s the strip says %q", b.current, b.status.message.text)
	}
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{storage.NewFileURI(folder)})
	b.awaitComparison(t, 2)
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{storage.NewFileURI(weights)})
	b.awaitComparison(t, 3)
	if !slices.Equal(b.double.added, []string{folder, weights}) || b.double.requests()[2].Model != weights {
		t.Errorf("models added: %q", b.double.added)
	}
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{storage.NewFileURI(tempFile(t, "picture.jpg", ""))})
	b.loop.until(t, "the error", func() bool { return strings.Contains(b.similarity.failure(), "binary data") })
	link, err := storage.ParseURI("https://example.org/a.txt")
	if err != nil {
		t.Fatal(err)
	}
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{link})
	if !strings.Contains(b.similarity.failure(), "Only files and folders") {
		t.Errorf("a link: %q", b.similarity.failure())
	}
}

func TestQuitWhileWorking(t *testing.T) {
	d := newDouble()
	ended := make(chan struct{})
	d.slow = func(ctx context.Context, _ int) bool {
		<-ctx.Done()
		close(ended)
		return false
	}
	b := newWindow(t, d)
	b.start(Options{})
	b.loop.until(t, "work", func() bool { return len(d.requests()) == 1 })
	test.Type(b.field(t), "typed just before")
	b.field(t).TypedKey(key(fyne.KeyReturn))
	b.quit()
	b.wait()
	<-ended // for ever, if quitting did not end the work
	s := d.Settings()
	if s.Window.Width != firstWidth || s.Window.Height != firstHeight || !slices.Contains(s.SimilarityTexts, "typed just before") {
		t.Errorf("kept: %+v, %d texts", s.Window, len(s.SimilarityTexts))
	}
}

func TestModelOfTheCommandLine(t *testing.T) {
	b := newWindow(t, newDouble())
	focus := make(chan string, 1)
	b.start(Options{Model: "org/other", Focus: focus})
	b.awaitComparison(t, 1)
	if b.double.requests()[0].Model != "org/other" {
		t.Errorf("compared with %q", b.double.requests()[0].Model)
	}
	b.enter(roomSettings)
	focus <- "nothing/such"
	b.loop.until(t, "the error", func() bool { return strings.Contains(b.similarity.failure(), "no model nothing/such") })
	if b.current != roomSimilarity {
		t.Error("the message is not in view")
	}
}

func TestNoticesOfTheStart(t *testing.T) {
	d := newDouble()
	d.notices = []string{"The settings were damaged and were set aside."}
	d.settings.SimilarityTexts = []string{}
	b := newWindow(t, d)
	b.start(Options{})
	if got := allText(b.similarity.content()); !strings.Contains(got, d.notices[0]) {
		t.Errorf("the panel says %q", got)
	}
}

func TestTheChipLeadsToDevices(t *testing.T) {
	b := newWindow(t, newDouble())
	test.Tap(b.status.chip)
	if b.current != roomDevices {
		t.Fatalf("it leads to %s", b.current)
	}
	devices := b.panel(roomDevices).content()
	b.loop.until(t, "the devices", func() bool { return strings.Contains(allText(devices), "Metal exists") })
	text := allText(devices)
	for _, want := range []string{"Test processor", "8.0 GiB", "avx2", "Metal exists on Apple computers only.", "not available"} {
		if !strings.Contains(text, want) {
			t.Errorf("Devices lacks %q: %q", want, text)
		}
	}
	b.enter(roomSimilarity)
	b.status.chip.TypedKey(key(fyne.KeyReturn))
	if b.current != roomDevices {
		t.Error("Enter on the chip does nothing")
	}
}

func TestTheStripNamesTheDevice(t *testing.T) {
	b := started(t, newDouble())
	if got := b.status.device.text; !strings.Contains(got, "Test processor") {
		t.Errorf("the strip says %q", got)
	}
}

func TestSnapshot(t *testing.T) {
	if testing.Short() {
		t.Skip("drawing eight million pixels takes seconds")
	}
	test.NewTempApp(t)
	dir := filepath.Join(t.TempDir(), "pictures")
	if err := Snapshot(newDouble(), scripted.New(), dir, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"similarity-light", "similarity-dark", "settings-light", "settings-dark"} {
		f, err := os.Open(filepath.Join(dir, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		c, err := png.DecodeConfig(f)
		f.Close()
		if err != nil || c.Width != 2*int(firstWidth) || c.Height != 2*int(firstHeight) {
			t.Errorf("%s: %d by %d, %v", name, c.Width, c.Height, err)
		}
	}
	if err := Snapshot(newDouble(), scripted.New(), dir, Options{Model: "nothing"}); err == nil || !strings.Contains(err.Error(), "no model nothing") {
		t.Errorf("a model that is not there: %v", err)
	}
	if err := Snapshot(newDouble(), scripted.New(), filepath.Join(dir, "settings-dark.png"), Options{}); err == nil {
		t.Error("a file was taken for a folder")
	}
}

// The double satisfies what the window asks for, and so does the application.
var (
	_ App = (*double)(nil)
	_ App = (*app.App)(nil)

	_ Talks = (*scripted.Talks)(nil)
)
