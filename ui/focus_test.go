package ui

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// After every kind of dialog the keys go where they went before it: to the field that had the
// keyboard, or to the one that a person writes in where nothing had it.
func TestKeyboardAfterDialogs(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	b := newWindow(t, uitest.NewApp())
	c := b.window.Canvas()
	own := b.files.Own()
	question := kit.NewSheet(b.keys, func() fyne.CanvasObject { return b.view })
	dialogs := map[string]func(){
		"a question": func() {
			question.Open("Remove it?", kit.NewSection("?"), false, kit.SheetButton{Name: "Keep it", Main: true})
		},
		"the list of keys":   b.showKeys,
		"folders to be read": func() { b.askFolders(panel.Dropped{Folders: []string{filepath.Join(t.TempDir(), "papers")}}) },
		"a file":             func() { own.OpenFile(nil, func(string) {}) },
		"a folder":           func() { own.OpenFolder(func(string) {}) },
		"files and folders":  func() { own.OpenSeveral(func([]string) {}) },
		"a file to write":    func() { own.Save("a.csv", func(fyne.URIWriteCloser) {}) },
	}
	press := func(key fyne.KeyName) {
		e := &fyne.KeyEvent{Name: key}
		if f := c.Focused(); f != nil {
			f.TypedKey(e)
		} else {
			c.OnTypedKey()(e)
		}
	}
	closes := map[string]func(){
		"Escape":                   func() { press(fyne.KeyEscape) },
		"Escape after a click":     func() { c.Unfocus(); press(fyne.KeyEscape) },
		"a button by the keyboard": func() { c.FocusNext(); c.FocusPrevious(); press(fyne.KeyEscape) },
	}
	had := map[string]func(*kit.Entry){
		"the field had it": func(field *kit.Entry) { c.Focus(field) },
		"nothing had it":   func(*kit.Entry) { c.Unfocus() },
	}
	turn := 0
	for i, id := range []string{panel.Chat, panel.Documents, panel.Similarity, panel.Rerank, panel.Models} {
		b.show(id)
		b.loop.Run()
		field, ok := b.panel(id).WritesIn().(*kit.Entry)
		if !ok {
			t.Fatalf("%s: a person writes in %T", id, b.panel(id).WritesIn())
		}
		for _, name := range slices.Sorted(maps.Keys(dialogs)) {
			for _, how := range slices.Sorted(maps.Keys(closes)) {
				for _, before := range slices.Sorted(maps.Keys(had)) {
					// In the first room each dialog closes in every way, in the others in one of them, in turn.
					if turn++; i > 0 && turn%5 > 0 {
						continue
					}
					open, end := dialogs[name], closes[how]
					field.SetText("")
					had[before](field)
					open()
					if c.Overlays().Top() == nil {
						t.Fatalf("%s: %s does not open", id, name)
					}
					end()
					if c.Overlays().Top() != nil {
						t.Fatalf("%s: %s does not close %s", id, how, name)
					}
					if f := c.Focused(); f == nil {
						t.Errorf("%s, %s, %s, %s: nothing hears the keys", id, name, how, before)
						continue
					}
					if c.Focused().TypedRune('x'); field.Text != "x" {
						t.Errorf("%s, %s, %s, %s: %T heard the letter, the field has %q", id, name, how, before, c.Focused(), field.Text)
					}
				}
			}
		}
	}
}

// A dialog that a button opened by the keyboard gives the keyboard back to that button.
func TestButtonHasTheKeyboardAfterItsDialog(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	c := b.window.Canvas()
	b.show(panel.Documents)
	var button *kit.Button
	uitest.Each(b.documents.Content(), func(o fyne.CanvasObject) {
		if k, ok := o.(*kit.Button); ok && button == nil && !off(k) {
			button = k
		}
	})
	if button == nil {
		t.Fatal("there is no button")
	}
	c.Focus(button)
	b.showKeys()
	if b.sheet.Close(); c.Focused() != button {
		t.Errorf("%T has the keyboard", c.Focused())
	}
}
