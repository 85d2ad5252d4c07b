package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"

	"inglenook/ui/filedialog/system"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// waits is a dialog of the system that is open until the test closes it.
type waits struct{ closed chan string }

func (w waits) Choose(ctx context.Context, _ system.Ask) ([]string, error) {
	select {
	case path := <-w.closed:
		return []string{path}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Nothing that is dropped is taken while a dialog is open, of the system or of the window.
func TestDropsUnderADialog(t *testing.T) {
	d := uitest.NewApp()
	b := started(t, d)
	file := uitest.TempFile(t, "more.txt", "one\ntwo")
	drop := func() { b.dropped(fyne.NewPos(1, 1), []fyne.URI{storage.NewFileURI(file)}) }
	open := waits{make(chan string)}
	b.files = b.newDialogs([]system.Chooser{open})
	var chosen []string
	b.files.OpenFile(nil, func(path string) { chosen = append(chosen, path) })
	drop()
	if got := b.status.message.Text; !strings.Contains(got, "close the dialog first") {
		t.Errorf("the strip says %q", got)
	}
	open.closed <- "/a"
	b.loop.Until(t, "the choice", func() bool { return slices.Equal(chosen, []string{"/a"}) })
	if b.covered() {
		t.Error("a closed dialog covers the window")
	}

	b.status.showMessage("")
	kit.WindowDialogs{Window: b.window}.OpenFolder(func(string) {})
	drop()
	if got := b.status.message.Text; !strings.Contains(got, "close the dialog first") {
		t.Errorf("under the window's own dialog the strip says %q", got)
	}
	b.window.Canvas().Overlays().Remove(b.window.Canvas().Overlays().Top())
	b.status.showMessage("")
	drop()
	if got := b.status.message.Text; strings.Contains(got, "dialog") {
		t.Errorf("with no dialog the strip says %q", got)
	}
}
