package ui

import (
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"
	"inglenook/ui/scripted"
)

func ctrl(name fyne.KeyName) *desktop.CustomShortcut {
	return &desktop.CustomShortcut{KeyName: name, Modifier: fyne.KeyModifierShortcutDefault}
}

func TestRoomsByKeyboard(t *testing.T) {
	b := opened(t, newDouble())
	canvas := b.window.Canvas().(interface{ TypedShortcut(fyne.Shortcut) })
	canvas.TypedShortcut(ctrl(fyne.Key6)) // with the focus nowhere
	if b.current != roomSettings || b.similarity.view.Visible() || !b.settings.view.Visible() {
		t.Fatal("Ctrl+6 does not lead to Settings")
	}
	b.saver.flush()
	if b.double.Settings().Window.Panel != roomSettings {
		t.Error("the room is not kept")
	}
	b.panel.list.composer.TypedShortcut(ctrl(fyne.Key3)) // with the focus in a text field
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

func TestRunAndCancelByKeyboard(t *testing.T) {
	d := newDouble()
	b := opened(t, d)
	b.panel.list.composer.TypedShortcut(ctrl(fyne.KeyReturn))
	b.awaitResult(t, 2)
	free := make(chan struct{})
	d.mu.Lock()
	d.slow = blockUntil(free)
	d.mu.Unlock()
	defer close(free)
	for name, escape := range map[string]func(){
		"a text field": func() { b.panel.list.composer.TypedKey(key(fyne.KeyEscape)) },
		"a button":     func() { b.panel.cancel.TypedKey(key(fyne.KeyEscape)) },
		"the list":     func() { b.panel.list.list.TypedKey(key(fyne.KeyEscape)) },
		"the matrix":   func() { b.panel.results.heat.TypedKey(key(fyne.KeyEscape)) },
		"the map":      func() { b.panel.results.points.TypedKey(key(fyne.KeyEscape)) },
		"the models":   func() { b.panel.picker.TypedKey(key(fyne.KeyEscape)) },
		"the devices":  func() { b.panel.device.TypedKey(key(fyne.KeyEscape)) },
		"nothing":      func() { b.window.Canvas().OnTypedKey()(key(fyne.KeyEscape)) },
	} {
		b.panel.start()
		if b.panel.running == nil {
			t.Fatal("nothing runs")
		}
		if escape(); b.panel.running != nil {
			t.Errorf("Escape with the focus on %s does not cancel", name)
		}
	}
}

// Every combination is taken once in a room.
func TestShortcutsAreDistinct(t *testing.T) {
	b := opened(t, newDouble())
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

// Tab reaches every control: no widget that takes keys is left out.
func TestTabOrder(t *testing.T) {
	b := opened(t, newDouble())
	c := b.window.Canvas()
	reached := map[fyne.Focusable]bool{}
	for range 60 {
		c.FocusNext()
		if f := c.Focused(); f != nil {
			reached[f] = true
		}
	}
	p := b.panel
	for name, f := range map[string]fyne.Focusable{
		"rail": b.items[1], "models": p.picker, "device": p.device, "list": p.list.list, "field": p.list.composer,
		"Compare": p.compare, "matrix": p.results.heat, "map": p.results.points, "neighbours": p.results.near.list, "Copy CSV": p.exports[0],
	} {
		if !reached[f] {
			t.Errorf("Tab does not reach: %s", name)
		}
	}
}

func TestShortcutsOverADialog(t *testing.T) {
	b := opened(t, newDouble())
	b.enter(roomSettings)
	b.keys.typed(ctrl(fyne.KeyM))
	if b.current != roomSimilarity || b.panel.picker.popup == nil {
		t.Fatal("Ctrl+M does not open the models")
	}
	b.keys.typed(ctrl(fyne.KeyReturn))
	if b.panel.running != nil {
		t.Error("a comparison starts under an open list")
	}
	b.escape()
	b.keys.typed(ctrl(fyne.KeyReturn))
	b.awaitResult(t, 2)
}

func TestThemes(t *testing.T) {
	b := opened(t, newDouble())
	p := b.settings
	p.themes.TypedKey(key(fyne.KeyRight))
	if inDark() || themed(theme.ColorNameBackground) != light[theme.ColorNameBackground] {
		t.Error("the light theme is dark")
	}
	p.themes.TypedKey(key(fyne.KeyRight))
	if !inDark() {
		t.Error("the dark theme is light")
	}
	b.saver.flush()
	if b.double.Settings().Theme != themeDark {
		t.Errorf("kept %q", b.double.Settings().Theme)
	}
	if newTheme(themeSystem).isDark(theme.VariantLight) || !newTheme("").isDark(theme.VariantDark) {
		t.Error("the system's preference does not decide")
	}
}

func TestSettings(t *testing.T) {
	b := opened(t, newDouble())
	p := b.settings
	p.threads.SetSelectedIndex(1)
	b.loop.until(t, "the number of threads is kept", func() bool { return b.double.Settings().Threads == 1 })
	b.loop.until(t, "the strip", func() bool { return strings.Contains(b.status.device.text, "1 thread") })
	test.Tap(findButton(t, p.view, "Copy diagnostics"))
	b.loop.until(t, "the diagnostics", func() bool { return b.fyneApp.Clipboard().Content() == "Inglenook, a report" })
	test.Tap(findButton(t, p.view, "Copy path"))
	if got := b.fyneApp.Clipboard().Content(); got != "/home/a/data" {
		t.Errorf("copied %q", got)
	}
	if reason := allText(p.devices); !strings.Contains(reason, "Not available. Metal exists on Apple computers only.") || !strings.Contains(reason, "Test processor · 1 thread · 8.0 GiB of memory · avx2") {
		t.Errorf("devices: %q", reason)
	}
	for _, s := range b.allKeys() {
		if s.name != "" && !strings.Contains(allText(p.view), s.name) {
			t.Errorf("the keyboard list lacks %q", s.name)
		}
	}
}

// The window can be as small as 800 by 560, and nothing lies outside it.
func TestSmallWindow(t *testing.T) {
	b := opened(t, newDouble())
	for _, size := range []fyne.Size{{Width: 800, Height: 560}, {Width: 1240, Height: 800}, {Width: 2200, Height: 1300}} {
		for _, r := range b.rooms {
			b.show(r.id)
			if m := b.view.MinSize(); m.Width > 800 || m.Height > 560 {
				t.Errorf("%s needs %v", r.id, m)
			}
			b.window.Resize(size)
		}
	}
	b.show(roomSimilarity)
	b.window.Resize(fyne.NewSize(800, 560))
	tabs := b.panel.results.tabs
	if !tabs.Visible() || !b.panel.results.heat.Visible() {
		t.Error("there are no tabs in a small window")
	}
	tabs.TypedKey(key(fyne.KeyRight))
	if tabs.index != 1 || b.panel.results.view.Objects[1].Visible() || !b.panel.results.view.Objects[2].Visible() {
		t.Error("the tabs do not change the figure")
	}
	b.window.Resize(fyne.NewSize(1240, 800))
	if tabs.Visible() || !b.panel.results.view.Objects[1].Visible() {
		t.Error("the tabs stay in a large window")
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

// allText joins the texts of lines and paragraphs.
func allText(o fyne.CanvasObject) string {
	switch o := o.(type) {
	case *line:
		return o.text + "\n"
	case *fyne.Container:
		var b strings.Builder
		for _, child := range o.Objects {
			b.WriteString(allText(child))
		}
		return b.String()
	case interface{ String() string }: // rich text
		return o.String() + "\n"
	case fyne.Widget:
		var b strings.Builder
		for _, child := range test.WidgetRenderer(o).Objects() {
			b.WriteString(allText(child))
		}
		return b.String()
	}
	return ""
}
