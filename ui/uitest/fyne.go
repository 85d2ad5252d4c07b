package uitest

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
)

// shared is the application that all tests of a binary have in turn. For a new one, and for another
// theme, Fyne reads all fonts and measures all texts again, which is most of what a short test would take.
var shared fyne.App

// SharedApp is an application without a window of its own, for a test that gives it a theme. When the
// test ends its windows are closed, and nothing is left on the clipboard.
func SharedApp(t testing.TB) fyne.App {
	t.Helper()
	if shared == nil {
		shared = test.NewApp()
	}
	a := shared
	fyne.SetCurrentApp(a) // another test may have had one of its own
	before := len(a.Driver().AllWindows())
	t.Cleanup(func() {
		for windows := a.Driver().AllWindows(); len(windows) > before; windows = a.Driver().AllWindows() {
			last := windows[len(windows)-1]
			last.SetOnClosed(nil) // what it belonged to is gone
			last.Close()
		}
		fyne.SetCurrentApp(a)
		kit.ToClipboard("")
	})
	return a
}

// LightApp is an application without a window, for tests of single widgets.
func LightApp(t testing.TB) fyne.App {
	t.Helper()
	a := SharedApp(t)
	kit.NewTheme(kit.ThemeLight).Apply(a)
	return a
}
