package settings

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// inSettings returns a window that shows Settings.
func inSettings(t *testing.T, d *uitest.App) (*uitest.Stage, *Panel) {
	t.Helper()
	b := uitest.NewStage(t, d)
	p := New(b.Host, d, scripted.NewServer(t.TempDir()), testPresets, Look{
		SetTheme:   func(choice string) { b.FyneApp.Settings().SetTheme(kit.NewTheme(choice)) },
		SetReading: func(size float32) { b.FyneApp.Settings().SetTheme(kit.NewTheme(kit.ThemeLight).WithReading(size)) },
		SetScale:   func(scale float32) { b.FyneApp.Settings().SetTheme(kit.NewTheme(kit.ThemeLight).Scaled(scale)) },
	}, func(string) {}, func() {})
	b.Put(p)
	p.Enter()
	return b, p
}

func TestThemes(t *testing.T) {
	b, p := inSettings(t, uitest.NewApp())
	p.themes.TypedKey(uitest.Key(fyne.KeyRight))
	if kit.InDark() || kit.Themed(theme.ColorNameBackground) != kit.Light[theme.ColorNameBackground] {
		t.Error("the light theme is dark")
	}
	p.themes.TypedKey(uitest.Key(fyne.KeyRight))
	if !kit.InDark() {
		t.Error("the dark theme is light")
	}
	b.Saver.Flush()
	if b.Double.Settings().Theme != kit.ThemeDark {
		t.Errorf("kept %q", b.Double.Settings().Theme)
	}
}

func TestReading(t *testing.T) {
	_, p := inSettings(t, uitest.NewApp())
	if p.reading.Index != 1 {
		t.Errorf("size %d is shown", p.reading.Index)
	}
	for _, want := range kit.ReadingSizes[2:] {
		p.reading.TypedKey(uitest.Key(fyne.KeyRight))
		if kit.Reading() != want {
			t.Errorf("%v, want %v", kit.Reading(), want)
		}
	}
}

// The size of everything is chosen apart from that of answers.
func TestScales(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Scale = 1.2
	_, p := inSettings(t, d)
	if p.scales.Index != 2 {
		t.Errorf("size %d is shown", p.scales.Index)
	}
	p.scales.TypedKey(uitest.Key(fyne.KeyRight))
	if h, ours := fyne.CurrentApp().Settings().Theme().(*kit.Theme); !ours || h.Scale() != kit.Scales[3] {
		t.Error("the largest is not in force")
	}
}

func TestSettings(t *testing.T) {
	changed := 0
	b, p := inSettings(t, uitest.NewApp())
	p.changed = func() { changed++ }
	p.threads.SetSelectedIndex(1)
	b.Loop.Until(t, "the number of threads is kept", func() bool { return b.Double.Settings().Threads == 1 })
	b.Loop.Until(t, "the window to hear of it", func() bool { return changed == 1 })
	p.sections.tabs.Pick(sectionHelp)
	test.Tap(uitest.FindButton(t, p.view, "Copy diagnostics"))
	b.Loop.Until(t, "the diagnostics", func() bool { return b.FyneApp.Clipboard().Content() == "Inglenook, a report" })
	p.sections.tabs.Pick(sectionGeneral)
	path, ok := uitest.Find(p.folders.rows.Objects[1], func(b *kit.Button) bool { return b.Tip == "Copy the path" })
	if !ok {
		t.Fatal("no button copies the path of a folder")
	}
	test.Tap(path)
	if got := b.FyneApp.Clipboard().Content(); got != "/user/data" {
		t.Errorf("copied %q", got)
	}
	if reason := uitest.AllText(p.devices); !strings.Contains(reason, "No supported GPU.") || !strings.Contains(reason, "Test processor · 1 thread · 8.6 GB of memory") {
		t.Errorf("devices: %q", reason)
	}
	p.sections.tabs.Pick(sectionAdvanced)
	mode, ok := uitest.Find(p.view, func(c *kit.Check) bool { return strings.HasPrefix(c.Text, "Developer mode") })
	if !ok || mode.Checked {
		t.Fatal("there is no developer mode to turn on")
	}
	mode.SetChecked(true)
	b.Loop.Until(t, "developer mode", func() bool { return b.Double.Settings().Developer && changed == 2 })
	p.FillKeys([]kit.KeyGroup{kit.NewKeyGroup("Everywhere", []kit.Shortcut{kit.NewShortcut(fyne.KeyQ, "Quit", "Q", nil), kit.NewShortcut(fyne.KeyEnter, "", "", nil)})})
	p.sections.tabs.Pick(sectionHelp)
	if text := uitest.AllText(p.view); !strings.Contains(text, "Everywhere") || !strings.Contains(text, "Quit\n"+kit.ModifierName()+"+Q") {
		t.Errorf("the keyboard list lacks a key: %q", text)
	}
}

// Models can go to another folder, and to the usual one again; what is wrong with one is said.
func TestModelFolder(t *testing.T) {
	d := uitest.NewApp()
	b, p := inSettings(t, d)
	c := p.folders
	if text := uitest.AllText(c.rows.Objects[0]); !strings.Contains(text, "Models\n") || c.usual.Visible() {
		t.Errorf("at first there is %q", text)
	}
	c.use("/disk/models")
	b.Loop.Until(t, "the folder", func() bool {
		return c.usual.Visible() && strings.Contains(uitest.AllText(c.rows.Objects[0]), "/disk/models") && c.result.Segment.Text == "New models go to /disk/models from now on. There are no models in it yet."
	})
	d.Mu.Lock()
	d.Hub.Failing = errors.New("nothing can be written there")
	d.Mu.Unlock()
	c.use("/locked")
	b.Loop.Until(t, "why not", func() bool { return c.result.Segment.Text == "Nothing can be written there." })
	if got := d.ModelFolder(); got != "/disk/models" {
		t.Errorf("models go to %q", got)
	}
	d.Mu.Lock()
	d.Hub.Failing = nil
	d.Mu.Unlock()
	test.Tap(c.usual)
	b.Loop.Until(t, "the usual one", func() bool { return !c.usual.Visible() && d.ModelFolder() == base.HubCache() })
}

// Each section has a tab, and words find a setting wherever it stands; Escape shows the tab again.
func TestFindASetting(t *testing.T) {
	_, p := inSettings(t, uitest.NewApp())
	shown := func() (names []string) {
		for i, view := range p.sections.views {
			_, in := uitest.Find(p.sections.cards, func(o fyne.CanvasObject) bool { return o == view })
			if in {
				names = append(names, p.sections.list[i].name)
			}
		}
		return names
	}
	seen := map[string]bool{}
	for tab := range sectionNames {
		p.sections.tabs.Pick(tab)
		for _, name := range shown() {
			seen[name] = true
		}
	}
	if len(seen) != len(p.sections.list) {
		t.Errorf("the tabs show %v", seen)
	}
	p.sections.tabs.Pick(sectionGeneral)
	for words, want := range map[string]string{"proxy": "Connections to the internet", "THREADS": "Processor and memory", "reduce motion": "Appearance", "access key": "Models for other programs"} {
		if p.sections.words.SetText(words); !slices.Contains(shown(), want) {
			t.Errorf("%q finds %q", words, shown())
		}
	}
	for words, want := range map[string]string{
		"font": "Appearance", "letter size": "Appearance", "everything": "Appearance", "zoom": "Appearance", "dark mode": "Appearance", "night": "Appearance", "colour": "Appearance", "light theme": "Appearance",
		"graphics card": "Processor and memory", "GPU": "Processor and memory", "port": "Models for other programs", "API tok": "Models for other programs", "hugging face token": "Connections to the internet",
		"folder": "Folders", "disk space": "Old chats", "hotkeys": "Keyboard", "shortc": "Keyboard", "postgres": "Where documents are kept", "bug": "Help with a problem", "mcp": "Tools for chats",
	} {
		if p.sections.words.SetText(words); !slices.Contains(shown(), want) {
			t.Errorf("%q finds %q", words, shown())
		}
	}
	p.sections.words.SetText("port")
	if text := uitest.AllText(p.sections.cards); p.sections.tabs.Index != -1 || !strings.Contains(text, sectionNames[sectionPrograms]) {
		t.Errorf("what is found is of the tab %d: %s", p.sections.tabs.Index, text)
	}
	for words, not := range map[string]string{"font": "Processor and memory", "port": "Help with a problem", "gpu": "Appearance"} {
		if p.sections.words.SetText(words); slices.Contains(shown(), not) {
			t.Errorf("%q finds %q", words, shown())
		}
	}
	p.sections.words.SetText("no such words")
	if len(shown()) != 0 || !p.sections.none.Flat.Visible() {
		t.Errorf("nothing finds %q", shown())
	}
	if p.Escape(); !slices.Contains(shown(), "Appearance") || p.sections.none.Flat.Visible() || p.sections.words.Text != "" {
		t.Errorf("after Escape, shown are %q", shown())
	}
}

// No name of a key lies on what the key does.
func TestKeysLeaveTheirTextAlone(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(kit.NewTheme(kit.ThemeLight))
	rows := keyColumns([][2]string{{"Ctrl+Shift+Delete", "Remove the text"}, {"Esc", "Cancel"}, {"Ctrl+Shift+Enter", "Ask anew"}, {"F2", "Edit the text"}})
	w := test.NewTempWindow(t, rows)
	for _, width := range []float32{600, 1240, 1890} {
		w.Resize(fyne.NewSize(width, 300))
		for _, column := range rows.(*fyne.Container).Objects {
			for _, row := range column.(*fyne.Container).Objects {
				name, names := uitest.Find(row, func(*kit.Surface) bool { return true })
				text, texts := uitest.Find(row, func(*widget.RichText) bool { return true })
				if !names || !texts {
					t.Fatal("a row has no name of a key, or no text")
				}
				at := fyne.CurrentApp().Driver().AbsolutePositionForObject
				if end, begin := at(name).X+name.Size().Width, at(text).X+theme.InnerPadding(); end > begin {
					t.Errorf("in %v, a name ends at %v and its text begins at %v", width, end, begin)
				}
			}
		}
	}
}

// A folder for models says how many it has; those beside it do not count, nor those of a person's own.
func TestModelsIn(t *testing.T) {
	hub := func(path string) library.Model { return library.Model{Path: path, Source: library.SourceHubCache} }
	list := []library.Model{{ID: library.StarterEmbed, Source: library.SourceBundled}, hub("/disk/models-2/models--a--b/snapshots/1"), {Path: "/disk/models/own", Source: library.SourceFolder}}
	for want, more := range map[string][]library.Model{
		"There are no models in it yet.":          nil,
		"It has 1 model, which is on the list.":   {hub("/disk/models/models--a--b/snapshots/1")},
		"It has 2 models, which are on the list.": {hub("/disk/models/models--a--b/snapshots/1"), hub("/disk/models/models--c--d/snapshots/2")},
	} {
		if got := modelsIn("/disk/models", append(slices.Clone(list), more...)); got != want {
			t.Errorf("said is %q, want %q", got, want)
		}
	}
}

// A person chooses when a model that nobody uses leaves the memory.
func TestUnloadModels(t *testing.T) {
	d := uitest.NewApp()
	b, p := inSettings(t, d)
	if p.unload.Selected != "After 1 hour without use" {
		t.Errorf("at first %q", p.unload.Selected)
	}
	for name, want := range map[string]time.Duration{"Never": 0, "After 5 minutes without use": 5 * time.Minute, "After 4 hours without use": 4 * time.Hour} {
		p.unload.SetSelected(name)
		b.Loop.Until(t, name, func() bool { return d.Settings().Unload() == want })
	}
	d = uitest.NewApp()
	d.Kept.UnloadAfter = 90
	_, p = inSettings(t, d)
	if got := p.unload.Options; p.unload.Selected != "After 90 minutes without use" || got[len(got)-1] != "Never" {
		t.Errorf("what somebody wrote into the file is shown as %q among %q", p.unload.Selected, got)
	}
}

// What was shown of a secret is dots again once the room was left.
func TestSecretsAreConcealed(t *testing.T) {
	_, p := inSettings(t, uitest.NewApp())
	secrets := []*kit.Entry{p.network.token, p.network.password, p.store.password}
	for _, e := range secrets {
		e.Password = false // as its eye does
	}
	p.Leave()
	for _, e := range secrets {
		if !e.Password {
			t.Errorf("%q is shown", e.PlaceHolder)
		}
	}
}
