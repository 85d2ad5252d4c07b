package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// inSettings is a window that shows Settings.
func inSettings(t *testing.T, d *double) (*stage, *settingsPanel) {
	t.Helper()
	b := newStage(t, d)
	p := newSettingsPanel(b.host, d, func(choice string) { b.fyneApp.Settings().SetTheme(newTheme(choice)) }, func(string) {}, func() {})
	b.put(p)
	p.enter()
	return b, p
}

func TestThemes(t *testing.T) {
	b, p := inSettings(t, newDouble())
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
}

func TestSettings(t *testing.T) {
	changed := 0
	b, p := inSettings(t, newDouble())
	p.changed = func() { changed++ }
	p.threads.SetSelectedIndex(1)
	b.loop.until(t, "the number of threads is kept", func() bool { return b.double.Settings().Threads == 1 })
	b.loop.until(t, "the window to hear of it", func() bool { return changed == 1 })
	test.Tap(findButton(t, p.view, "Copy diagnostics"))
	b.loop.until(t, "the diagnostics", func() bool { return b.fyneApp.Clipboard().Content() == "Inglenook, a report" })
	test.Tap(findButton(t, p.view, "Copy path"))
	if got := b.fyneApp.Clipboard().Content(); got != "/home/a/data" {
		t.Errorf("copied %q", got)
	}
	if reason := allText(p.devices); !strings.Contains(reason, "Not available. Metal exists on Apple computers only.") || !strings.Contains(reason, "Test processor · 1 thread · 8.0 GiB of memory · avx2") {
		t.Errorf("devices: %q", reason)
	}
	p.fillKeys([]keyGroup{newKeyGroup("Everywhere", []shortcut{newShortcut(fyne.KeyQ, "Quit", "Q", nil), newShortcut(fyne.KeyEnter, "", "", nil)})})
	if text := allText(p.view); !strings.Contains(text, "Everywhere") || !strings.Contains(text, "Quit\n"+modifierName()+"+Q") {
		t.Errorf("the keyboard list lacks a key: %q", text)
	}
}
