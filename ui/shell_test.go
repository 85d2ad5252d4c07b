package ui

import (
	"context"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"inglenook/app"
	"inglenook/app/pool"
	"inglenook/app/texts"
	"inglenook/server"
	"inglenook/ui/chat"
	"inglenook/ui/documents"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// bench is the whole window over a double of the application.
type bench struct {
	*shell
	double *uitest.App
	loop   *uitest.Loop
}

// newWindow opens a window on Similarity; start begins its work.
func newWindow(t *testing.T, d *uitest.App) *bench {
	t.Helper()
	return windowWith(t, d, scripted.New())
}

// windowWith opens a window with the given conversations.
func windowWith(t *testing.T, d *uitest.App, conversations *scripted.Conversations) *bench {
	t.Helper()
	a := uitest.SharedApp(t)
	l := &uitest.Loop{}
	s := newShell(a, d, Stores{Chats: conversations, Documents: scripted.NewDocuments(), Server: scripted.NewServer(t.TempDir())}, l.Do)
	s.attach(a.NewWindow("test"))
	s.window.Resize(fyne.NewSize(firstWidth, firstHeight))
	t.Cleanup(func() {
		s.quit()
		s.busy.Wait()
	})
	s.show(panel.Similarity)
	return &bench{s, d, l}
}

// started returns a window with its first result.
func started(t *testing.T, d *uitest.App) *bench {
	t.Helper()
	b := newWindow(t, d)
	b.start(Options{})
	b.awaitComparison(t, 1)
	return b
}

// awaitComparison waits until the nth comparison is shown.
func (b *bench) awaitComparison(t *testing.T, n int) {
	t.Helper()
	shown := b.similarity.Content()
	b.loop.Until(t, "a result", func() bool {
		return len(b.double.Requests()) >= n && uitest.FindButton(t, shown, "Compare").Visible() && !uitest.FindButton(t, shown, "Export…").Disabled()
	})
}

// field returns the text field of Similarity.
func (b *bench) field(t *testing.T) *kit.Entry {
	t.Helper()
	e, ok := uitest.Find(b.similarity.Content(), func(e *kit.Entry) bool { return e.PlaceHolder != "Put before each text" })
	if !ok {
		t.Fatal("there is no field for texts")
	}
	return e
}

func TestPanelsByKeyboard(t *testing.T) {
	b := started(t, uitest.NewApp())
	canvas := b.window.Canvas().(interface{ TypedShortcut(fyne.Shortcut) })
	canvas.TypedShortcut(uitest.Ctrl(fyne.Key7)) // with the focus nowhere
	if b.current != panel.Settings || b.similarity.Content().Visible() || !b.settings.Content().Visible() {
		t.Fatal("Ctrl+7 does not lead to Settings")
	}
	b.saver.Flush()
	if b.double.Settings().Window.Panel != panel.Settings {
		t.Error("the panel is not kept")
	}
	b.field(t).TypedShortcut(uitest.Ctrl(fyne.Key4)) // with the focus in a text field
	if b.current != panel.Similarity {
		t.Error("Ctrl+4 does not lead to Similarity")
	}
	b.items[6].TypedKey(uitest.Key(fyne.KeyReturn))
	if b.current != panel.Settings {
		t.Error("Enter on the rail does nothing")
	}
	test.Tap(b.items[3])
	if b.current != panel.Similarity || !b.items[3].active || b.items[6].active {
		t.Error("a click on the rail does nothing")
	}
}

// What is typed in a room is not for a field of the room before.
func TestTypingStaysInTheRoom(t *testing.T) {
	b := started(t, uitest.NewApp())
	b.show(panel.Chat)
	if b.window.Canvas().Focused() == nil {
		t.Fatal("Chat does not take the keyboard")
	}
	b.show(panel.Rerank)
	if f := b.window.Canvas().Focused(); f != nil {
		t.Errorf("the keyboard is still with %T of Chat", f)
	}
	b.window.Canvas().Focus(b.items[4])
	b.items[5].TypedKey(uitest.Key(fyne.KeyReturn))
	if b.window.Canvas().Focused() != b.items[4] {
		t.Error("the rail loses the keyboard")
	}
}

// No panel uses a key combination twice.
func TestShortcutsAreDistinct(t *testing.T) {
	b := started(t, uitest.NewApp())
	window := b.keyGroups()[0]
	for _, g := range b.keyGroups()[1:] {
		seen := map[string]string{}
		for _, s := range append(slices.Clone(window.Keys), g.Keys...) {
			id := string(s.Key)
			if s.Shift {
				id = "Shift+" + id
			}
			if before, ok := seen[id]; ok {
				t.Errorf("%s: %s is both %q and %q", g.Name, id, before, s.Name)
			}
			seen[id] = s.Name
		}
	}
	if b.keys.Typed(uitest.Ctrl(fyne.KeyF12)) || b.keys.Typed(&fyne.ShortcutCopy{}) {
		t.Error("a key that means nothing was taken")
	}
}

func TestShortcutsOverADialog(t *testing.T) {
	b := started(t, uitest.NewApp())
	b.enter(panel.Settings)
	b.keys.Typed(uitest.Ctrl(fyne.KeyM))
	if b.current != panel.Similarity || b.window.Canvas().Overlays().Top() == nil {
		t.Fatal("Ctrl+M does not open the models")
	}
	b.keys.Typed(uitest.Ctrl(fyne.KeyReturn))
	if len(b.double.Requests()) != 1 {
		t.Error("a comparison starts under an open list")
	}
	b.escape()
	b.keys.Typed(uitest.Ctrl(fyne.KeyReturn))
	b.awaitComparison(t, 2)
}

// Keys change the size of text that is read, in any room, and it is kept.
func TestTextSize(t *testing.T) {
	d := uitest.NewApp()
	b := started(t, d)
	for _, step := range []struct {
		key  fyne.KeyName
		want float32
	}{
		{fyne.KeyEqual, 18}, {fyne.KeyPlus, 21}, {fyne.KeyPlus, 21}, {fyne.KeyMinus, 18}, {fyne.Key0, 16}, {fyne.KeyMinus, 13}, {fyne.KeyMinus, 13},
	} {
		if !b.keys.Typed(uitest.Ctrl(step.key)) || kit.Reading() != step.want {
			t.Errorf("Ctrl and %s: %v, want %v", step.key, kit.Reading(), step.want)
		}
		name := strings.ToLower(kit.ReadingNames[slices.Index(kit.ReadingSizes, step.want)])
		if said := b.status.message.Text; said != "Text of answers and opened documents: "+name+"." {
			t.Errorf("Ctrl and %s: said is %q", step.key, said)
		}
	}
	b.saver.Flush()
	if size := d.Settings().TextSize; size != 13 {
		t.Errorf("kept %v", size)
	}
	b.setTheme(kit.ThemeDark)
	if kit.Reading() != 13 || !kit.InDark() {
		t.Error("another theme has another size of text")
	}
}

// Of several names one is picked over the room, or none.
func TestChoose(t *testing.T) {
	b := started(t, uitest.NewApp())
	picked := -1
	ask := func() { b.choose("Which one?", []string{"first", "second"}, func(i int) { picked = i }) }
	ask()
	test.Tap(uitest.FindButton(t, b.window.Canvas().Overlays().Top(), "Cancel"))
	if picked != -1 || b.sheet.Title != "" {
		t.Errorf("picked is %d, %q is open", picked, b.sheet.Title)
	}
	ask()
	test.Tap(uitest.FindButton(t, b.window.Canvas().Overlays().Top(), "second"))
	if picked != 1 || b.sheet.Title != "" {
		t.Errorf("picked is %d, %q is open", picked, b.sheet.Title)
	}
}

// The size of everything is kept, and holds with other colours.
func TestScaleOfEverything(t *testing.T) {
	d := uitest.NewApp()
	b := started(t, d)
	b.setScale(1.5)
	b.saver.Flush()
	if got := d.Settings().Scale; got != 1.5 {
		t.Errorf("kept %v", got)
	}
	b.setTheme(kit.ThemeDark)
	if b.theme.Scale() != 1.5 || !kit.InDark() {
		t.Error("other colours have another size")
	}
}

// A menu that is open goes with its room.
func TestNothingFloatsOverAnotherRoom(t *testing.T) {
	b := started(t, uitest.NewApp())
	b.enter(panel.Chat)
	c := b.window.Canvas()
	kit.ShowMenu(b.keys, c, []*fyne.MenuItem{fyne.NewMenuItem("Of this room", nil)}, fyne.NewPos(200, 200), 0)
	b.sheet.Open("A question", kit.NewCaption("of this room"), false, kit.SheetButton{Name: "Yes"})
	b.keys.Typed(uitest.Ctrl(fyne.Key1))
	if top := c.Overlays().Top(); b.current != b.panels[0].Info().ID || (b.panels[0].Info().ID == panel.Chat) != (top != nil) {
		t.Errorf("in %s %T lies over the room", b.current, top)
	}
	b.keys.Typed(uitest.Ctrl(fyne.Key2))
	if top := c.Overlays().Top(); b.current != b.panels[1].Info().ID || top != nil || b.sheet.Title != "" {
		t.Errorf("in %s %T lies over the room", b.current, top)
	}
}

// The window can be as small as 640 by 480, and nothing is outside it.
func TestSmallWindow(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	for _, size := range []fyne.Size{{Width: 640, Height: 480}, {Width: 1240, Height: 800}, {Width: 2200, Height: 1300}} {
		for _, p := range b.panels {
			b.show(p.Info().ID)
			if m := b.view.MinSize(); m.Width > 640 || m.Height > 480 {
				t.Errorf("%s needs %v", p.Info().ID, m)
			}
			b.window.Resize(size)
		}
	}
}

// What is typed into Settings and not applied does not widen the smallest window.
func TestMarkedTabsInASmallWindow(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	small := fyne.NewSize(640, 480)
	b.show(panel.Settings)
	b.window.Resize(small)
	typed := 0
	for _, tab := range []string{"Connections", "Other programs", "Advanced"} {
		uitest.Each(b.settings.Content(), func(o fyne.CanvasObject) {
			if s, ok := o.(*kit.Segments); ok && len(s.Options) == 5 {
				s.Pick(slices.IndexFunc(s.Options, func(name string) bool { return strings.HasPrefix(name, tab) }))
			}
		})
		uitest.Each(b.settings.Content(), func(o fyne.CanvasObject) {
			if e, ok := o.(*kit.Entry); ok && e.PlaceHolder != "Find a setting" {
				e.SetText("7")
				typed++
			}
		})
		if m := b.view.MinSize(); m.Width > small.Width || m.Height > small.Height {
			t.Errorf("after typing in %s the window needs %v", tab, m)
		}
	}
	if got := b.settings.Unapplied(); len(got) < 4 || typed < 4 {
		t.Errorf("typed into %d fields, not applied are %q", typed, got)
	}
}

// Nor is anything outside the smallest window, or cut short, on any page of the rooms with the
// most pages.
func TestSmallWindowOnEveryPage(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Open = []pool.OpenModel{{Model: "org/one", Bytes: 1_300_000_000}, {Model: "org/two", Bytes: 2_400_000_000}}
	b := newWindow(t, d)
	small := fyne.NewSize(640, 480)
	b.window.Resize(small)
	for _, id := range []string{panel.Models, panel.Performance} {
		b.show(id)
		b.window.Resize(small)
		pages := 0
		var turn func(done []*kit.Segments)
		turn = func(done []*kit.Segments) {
			var next *kit.Segments
			uitest.Each(b.panel(id).Content(), func(o fyne.CanvasObject) {
				if s, ok := o.(*kit.Segments); ok && next == nil && !slices.Contains(done, s) {
					next = s
				}
			})
			if next == nil {
				return
			}
			for i, name := range next.Options {
				next.Pick(i)
				b.stage.Refresh()
				b.loop.Run()
				b.window.Resize(small)
				pages++
				if m := b.view.MinSize(); m.Width > small.Width || m.Height > small.Height {
					t.Errorf("%s, %s needs %v", id, name, m)
				}
				uitest.Each(b.panel(id).Content(), func(o fyne.CanvasObject) {
					if s, ok := o.(*kit.Segments); ok && s.Size().Width < s.Natural() {
						t.Errorf("%s, %s: %q has %v of %v", id, name, s.Options, s.Size().Width, s.Natural())
					}
				})
				turn(append(slices.Clone(done), next))
			}
		}
		if turn(nil); pages < 6 {
			t.Errorf("%s: only %d pages were seen", id, pages)
		}
	}
}

func TestDroppedFiles(t *testing.T) {
	b := started(t, uitest.NewApp())
	folder := filepath.Dir(uitest.TempFile(t, "config.json", "{}"))
	text := uitest.TempFile(t, "notes.txt", "")
	weights := uitest.TempFile(t, "model.safetensors", "")
	b.double.Files[text] = texts.Texts{Lines: []string{"from a file", "and more"}, Note: "Read as UTF-16."}
	b.enter(panel.Settings)
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{storage.NewFileURI(text)})
	b.loop.Until(t, "the texts", func() bool { return strings.HasPrefix(b.status.message.Text, "Added") })
	if b.current != panel.Similarity || b.status.message.Text != "Added 2 texts from notes.txt. Read as UTF-16." {
		t.Errorf("in %s the strip says %q", b.current, b.status.message.Text)
	}
	papers := storage.NewFileURI(t.TempDir())
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{papers})
	if b.current != panel.Similarity || b.sheet.Title != "Search these documents?" {
		t.Errorf("a folder without a model in %s: %q", b.current, b.sheet.Title)
	}
	b.keys.Key(uitest.Key(fyne.KeyEscape))
	if b.sheet.Title != "" || b.current != panel.Similarity {
		t.Error("Escape does not close the question")
	}
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{papers})
	test.Tap(uitest.FindButton(t, b.sheet.Popup.Content, "Add to this list"))
	b.loop.Until(t, "that there is nothing in it", func() bool {
		return strings.Contains(uitest.AllText(b.panel(panel.Similarity).Content()), "no file with texts in it")
	})
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{papers})
	test.Tap(uitest.FindButton(t, b.sheet.Popup.Content, "Search in Documents"))
	if b.current != panel.Documents {
		t.Errorf("a folder without a model leads to %s", b.current)
	}
	b.enter(panel.Similarity)
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{storage.NewFileURI(folder)})
	b.awaitComparison(t, 2)
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{storage.NewFileURI(weights)})
	b.awaitComparison(t, 3)
	if !slices.Equal(b.double.Added, []string{folder, weights}) || b.double.Requests()[2].Model != weights {
		t.Errorf("models added: %q", b.double.Added)
	}
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{storage.NewFileURI(uitest.TempFile(t, "program.dat", ""))})
	b.loop.Until(t, "the error", func() bool { return strings.Contains(b.similarity.Failure(), "binary data") })
	link, err := storage.ParseURI("https://example.org/a.txt")
	if err != nil {
		t.Fatal(err)
	}
	b.dropped(fyne.NewPos(1, 1), []fyne.URI{link})
	if !strings.Contains(b.similarity.Failure(), "Only files and folders") {
		t.Errorf("a link: %q", b.similarity.Failure())
	}
}

func TestQuitWhileWorking(t *testing.T) {
	d := uitest.NewApp()
	ended := make(chan struct{})
	d.Slow = func(ctx context.Context, _ int) bool {
		<-ctx.Done()
		close(ended)
		return false
	}
	b := newWindow(t, d)
	b.start(Options{})
	b.loop.Until(t, "work", func() bool { return len(d.Requests()) == 1 })
	test.Type(b.field(t), "typed just before")
	b.field(t).TypedKey(uitest.Key(fyne.KeyReturn))
	b.quit()
	b.wait()
	<-ended // waits for ever unless quitting ends the work
	s := d.Settings()
	if s.Window.Width != firstWidth || s.Window.Height != firstHeight || !slices.Contains(s.SimilarityTexts, "typed just before") {
		t.Errorf("kept: %+v, %d texts", s.Window, len(s.SimilarityTexts))
	}
}

func TestModelOfTheCommandLine(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	focus := make(chan string, 1)
	b.start(Options{Model: "org/other", Focus: focus})
	b.awaitComparison(t, 1)
	if b.double.Requests()[0].Model != "org/other" {
		t.Errorf("compared with %q", b.double.Requests()[0].Model)
	}
	b.enter(panel.Settings)
	focus <- "nothing/such"
	b.loop.Until(t, "the error", func() bool { return strings.Contains(b.similarity.Failure(), "no model nothing/such") })
	if b.current != panel.Similarity {
		t.Error("the message is not in view")
	}
}

func TestNoticesOfTheStart(t *testing.T) {
	d := uitest.NewApp()
	d.Warnings = []string{"The settings were damaged and were set aside."}
	d.Kept.SimilarityTexts = []string{}
	b := newWindow(t, d)
	b.start(Options{})
	if got := uitest.AllText(b.similarity.Content()); !strings.Contains(got, d.Warnings[0]) {
		t.Errorf("the panel says %q", got)
	}
}

func TestTheChipLeadsToDevices(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	test.Tap(b.status.chip)
	if b.current != panel.Performance {
		t.Fatalf("it leads to %s", b.current)
	}
	devices := b.panel(panel.Performance).Content()
	b.loop.Until(t, "the devices", func() bool { return strings.Contains(uitest.AllText(devices), "Metal exists") })
	if text := uitest.AllText(devices); strings.Contains(text, "avx2") {
		t.Errorf("details are shown before anybody asked: %q", text)
	}
	test.Tap(uitest.FindButton(t, devices, "Technical details"))
	text := uitest.AllText(devices)
	for _, want := range []string{"Test processor", "8.6 GB", "avx2", "Not on this computer", "Metal exists on Apple computers only."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page about the computer lacks %q: %q", want, text)
		}
	}
	b.enter(panel.Similarity)
	b.status.chip.TypedKey(uitest.Key(fyne.KeyReturn))
	if b.current != panel.Performance {
		t.Error("Enter on the chip does nothing")
	}
}

// While other programs can use the models the strip says where, and leads to them.
func TestTheStripNamesTheServer(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	if b.status.server.Visible() {
		t.Error("a server that is off is named")
	}
	b.status.showServing("127.0.0.1:11435 · 1 program")
	if !b.status.server.Visible() || b.status.serving.Text != "Server 127.0.0.1:11435 · 1 program" {
		t.Errorf("the strip says %q", b.status.serving.Text)
	}
	test.Tap(b.status.server)
	if b.current != panel.Settings || !strings.Contains(uitest.AllText(b.settings.Content()), "Programs that asked") {
		t.Errorf("it leads to %s", b.current)
	}
	b.status.showServing("")
	if b.status.server.Visible() {
		t.Error("the strip goes on naming it")
	}
}

// While the program is offline the strip says so, and leads to where that is changed.
func TestTheStripSaysOffline(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	if b.status.offline.Visible() {
		t.Error("offline at first")
	}
	b.status.showOffline(true)
	if test.Tap(b.status.offline); b.current != panel.Settings || !strings.Contains(uitest.AllText(b.settings.Content()), "Connections so far") {
		t.Errorf("it leads to %s", b.current)
	}
	if b.status.showOffline(false); b.status.offline.Visible() {
		t.Error("the strip goes on saying so")
	}
}

func TestTheStripNamesTheDevice(t *testing.T) {
	b := started(t, uitest.NewApp())
	if got := b.status.device.Text; !strings.Contains(got, "Test processor") {
		t.Errorf("the strip says %q", got)
	}
}

// The strip does not go on naming a server that was removed.
func TestTheStripForgetsAServer(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	usual := b.status.device.Text
	b.ranOn("lab")
	if b.status.device.Text != "lab" {
		t.Fatalf("the strip names %q", b.status.device.Text)
	}
	if b.modelsChanged(); b.status.device.Text != usual {
		t.Errorf("the strip names %q, want %q", b.status.device.Text, usual)
	}
}

func TestSnapshot(t *testing.T) {
	if testing.Short() {
		t.Skip("drawing eight million pixels takes seconds")
	}
	test.NewTempApp(t)
	dir := filepath.Join(t.TempDir(), "pictures")
	if err := Snapshot(uitest.NewApp(), Stores{scripted.New(), scripted.NewDocuments(), scripted.NewServer(t.TempDir())}, dir, Options{}); err != nil {
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
	if err := Snapshot(uitest.NewApp(), Stores{scripted.New(), scripted.NewDocuments(), scripted.NewServer(t.TempDir())}, dir, Options{Model: "nothing"}); err == nil || !strings.Contains(err.Error(), "no model nothing") {
		t.Errorf("a model that is not there: %v", err)
	}
	if err := Snapshot(uitest.NewApp(), Stores{scripted.New(), scripted.NewDocuments(), scripted.NewServer(t.TempDir())}, filepath.Join(dir, "settings-dark.png"), Options{}); err == nil {
		t.Error("a file was taken for a folder")
	}
}

// The double implements the window's interface, and so does the application.
var (
	_ App = (*uitest.App)(nil)
	_ App = (*app.App)(nil)

	_ chat.Conversations = (*scripted.Conversations)(nil)
	_ documents.Library  = (*scripted.Documents)(nil)
)

// Where no program shows a folder, its path is in the clipboard.
func TestNoFileManager(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	b.opens = func(string) error { return errors.New("xdg-open: no method available") }
	b.openPath("/home/me/data")
	b.loop.Until(t, "that a person is told", func() bool { return strings.Contains(b.status.message.Text, "No file manager answered.") })
	if got := b.fyneApp.Clipboard().Content(); got != "/home/me/data" {
		t.Errorf("copied %q", got)
	}
}

// What is typed in Settings and not applied is asked about before the window closes.
func TestQuitAsksAboutSettings(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	b.enter(panel.Settings)
	search, ok := uitest.Find(b.settings.Content(), func(e *kit.Entry) bool { return e.PlaceHolder == "Find a setting" })
	if !ok {
		t.Fatal("no setting can be found")
	}
	search.SetText("port")
	port, ok := uitest.Find(b.settings.Content(), func(e *kit.Entry) bool { return e.PlaceHolder == strconv.Itoa(server.UsualPort) })
	if !ok {
		t.Fatal("there is no field for the port")
	}
	port.SetText("8123")
	b.mayQuit()
	if b.life.Err() != nil || b.sheet.Title != "A setting is not applied" {
		t.Fatalf("the window closes, or asks %q", b.sheet.Title)
	}
	test.Tap(uitest.FindButton(t, b.window.Canvas().Overlays().Top(), "Stay"))
	if b.life.Err() != nil || port.Text != "8123" {
		t.Error("nothing stays")
	}
	b.mayQuit()
	test.Tap(uitest.FindButton(t, b.window.Canvas().Overlays().Top(), "Discard and quit"))
	if b.life.Err() == nil {
		t.Error("the window stays open")
	}
}
