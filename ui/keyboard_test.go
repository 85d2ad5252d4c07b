package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// Tab alone reaches everything in a room that can have the keyboard, and leaves it again, also
// backwards.
func TestKeyboardReachesEverything(t *testing.T) {
	talks := scripted.New()
	talks.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "A chat"}, Leaf: 2, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: chat.Content("Go on")},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("Once")},
	}})
	d := uitest.NewApp()
	d.Kept.Chat.Talk = "x"
	b := windowWith(t, d, talks)
	b.start(Options{})
	b.awaitComparison(t, 1)
	c := b.window.Canvas()
	for _, p := range b.panels {
		b.show(p.Info().ID)
		b.loop.Run()
		var pages *kit.Segments // what is in view can be turned with, the first of it
		uitest.Each(b.view, func(o fyne.CanvasObject) {
			if s, ok := o.(*kit.Segments); ok && pages == nil {
				pages = s
			}
		})
		if pages == nil {
			b.walk(t, c, p.Info().Name)
			continue
		}
		for i, name := range pages.Options {
			pages.Pick(i)
			b.loop.Run()
			b.walk(t, c, p.Info().Name+", "+name)
		}
		pages.Pick(0)
	}
}

// walk takes Tab through what is in view, in both directions.
func (b *bench) walk(t *testing.T, c fyne.Canvas, where string) {
	t.Helper()
	there := map[fyne.Focusable]bool{}
	uitest.Each(b.view, func(o fyne.CanvasObject) {
		if f, ok := o.(fyne.Focusable); ok && !off(o) {
			there[f] = true
		}
	})
	for name, next := range map[string]func(){"forwards": c.FocusNext, "backwards": c.FocusPrevious} {
		c.Unfocus()
		reached := map[fyne.Focusable]bool{}
		for range 3 * len(there) {
			if next(); c.Focused() != nil {
				reached[c.Focused()] = true
			}
			if tabs, ok := c.Focused().(fyne.Tabbable); ok && tabs.AcceptsTab() {
				t.Errorf("%s: Tab does not leave %T", where, tabs)
			}
		}
		for f := range there {
			if !reached[f] {
				t.Errorf("%s, %s: Tab does not reach %T", where, name, f)
			}
		}
	}
	if len(there) < 8 {
		t.Errorf("%s: only %d things can have the keyboard", where, len(there))
	}
}

func off(o fyne.CanvasObject) bool {
	d, ok := o.(fyne.Disableable)
	return ok && d.Disabled()
}

// F1 lists the keys of all rooms, and takes the list away; under a dialog it does nothing.
func TestKeysUnderF1(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	c := b.window.Canvas()
	f1 := func() { c.OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyF1}) }
	c.Unfocus()
	f1()
	if b.sheet.Title != keysTitle || !strings.Contains(uitest.AllText(b.sheet.Popup.Content), "Search all chats") {
		t.Fatalf("F1 opens %q", b.sheet.Title)
	}
	if c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1}); b.sheet.Popup != nil {
		t.Error("F1 does not take the list away")
	}
	b.sheet.Open("A question", kit.NewSection("?"), false, kit.SheetButton{Name: "Close"})
	if f1(); b.sheet.Title != "A question" {
		t.Errorf("F1 took the place of a question with %q", b.sheet.Title)
	}
}

// Escape closes what floats, from the top: a menu over a sheet, the sheet, the list of models.
// Nothing behind it hears of it, and files that are dropped meanwhile are refused.
func TestEscapeClosesWhatFloats(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	c := b.window.Canvas()
	escaped := 0
	escape := b.keys.Escape
	b.keys.Escape = func() { escaped++; escape() }
	press := func() {
		if f := c.Focused(); f != nil {
			f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		} else {
			c.OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
		}
	}
	sheet := kit.NewSheet(b.keys, func() fyne.CanvasObject { return b.view })
	sheet.Open("A question", kit.NewSection("?"), false, kit.SheetButton{Name: "Close"})
	took := ""
	kit.ShowMenu(b.keys, c, []*fyne.MenuItem{fyne.NewMenuItem("One", func() { took = "One" }), fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Two", func() { took = "Two" })}, fyne.NewPos(50, 50), 0)
	if n := len(c.Overlays().List()); n != 2 {
		t.Fatalf("%d things float", n)
	}
	b.dropped(fyne.NewPos(1, 1), nil)
	if !strings.Contains(b.status.message.Text, "close the dialog first") {
		t.Errorf("a drop behind a sheet: %q", b.status.message.Text)
	}
	for left := 1; left >= 0; left-- {
		press()
		if n := len(c.Overlays().List()); n != left || escaped > 0 {
			t.Fatalf("%d float, want %d; the window heard %d times", n, left, escaped)
		}
	}
	sheet.Open("A question", kit.NewSection("?"), false, kit.SheetButton{Name: "Close"})
	c.Unfocus() // as a click beside it does
	if press(); len(c.Overlays().List()) != 0 || sheet.Popup != nil {
		t.Error("without a focus Escape does not close a sheet")
	}
	if press(); escaped != 1 {
		t.Error("the window has not got its keys back")
	}
	m := kit.ShowMenu(b.keys, c, []*fyne.MenuItem{fyne.NewMenuItem("One", func() { took = "One" }), fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Two", func() { took = "Two" })}, fyne.NewPos(5000, 5000), 0)
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn} {
		c.Focused().TypedKey(&fyne.KeyEvent{Name: key})
	}
	if took != "Two" || len(c.Overlays().List()) != 0 {
		t.Errorf("the keyboard took %q", took)
	}
	m.ShowAt(fyne.NewPos(100, 100))
	test.TapCanvas(c, fyne.NewPos(700, 700))
	if len(c.Overlays().List()) != 0 {
		t.Error("a click beside a menu does not close it")
	}
}

// A click gives a list the keyboard without a ring; the first key shows it.
func TestRingIsForTheKeyboard(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	b.show(panel.Chat)
	picker, ok := uitest.Find(b.chat.Content(), func(*panel.ModelPicker) bool { return true })
	if !ok {
		t.Fatal("there is no picker")
	}
	picker.MouseIn(&desktop.MouseEvent{})
	test.Tap(picker)
	b.keys.Key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if picker.Ring().On || b.window.Canvas().Focused() != picker {
		t.Error("a click leaves a ring, or no focus")
	}
	picker.FocusLost()
	if picker.FocusGained(); !picker.Ring().On {
		t.Error("the keyboard gets no ring")
	}
}

// A message in the strip goes after a while, unless another one came or something is under way.
func TestStatusClears(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	s := b.status
	s.showMessage("One.")
	s.showMessage("Two.")
	if s.expire("One."); s.message.Text != "Two." {
		t.Errorf("it says %q", s.message.Text)
	}
	if s.expire("Two."); s.message.Text != "" || s.timer == nil {
		t.Errorf("it says %q", s.message.Text)
	}
	s.timer = nil
	if s.showMessage("Checking…"); s.timer != nil {
		t.Error("what is under way goes by itself")
	}
	if b.enter(panel.Models); s.message.Text != "Checking…" {
		t.Errorf("what is under way does not stay: %q", s.message.Text)
	}
	s.showMessage("Write a message first.")
	if b.enter(panel.Models); s.message.Text == "" {
		t.Error("a message goes though the room stays")
	}
	if b.enter(panel.Chat); s.message.Text != "" {
		t.Errorf("in another room it says %q", s.message.Text)
	}
}

// The shortcut of a room and a click on the rail give the keyboard to the field that a person writes in
// there; who walks the rail by the keyboard stays on it.
func TestARoomGivesTheKeyboard(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	c := b.window.Canvas()
	check := func(how string, want fyne.Focusable) {
		t.Helper()
		b.loop.Run()
		if want != nil && c.Focused() != want {
			t.Errorf("%s leads to %s, and the keyboard has %T", how, b.current, c.Focused())
		}
	}
	for i, s := range b.shortcuts()[:len(b.panels)] {
		c.Unfocus()
		s.Run()
		check("a shortcut", b.panel(b.current).WritesIn())
		c.Focus(b.items[i])
		b.items[i].TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		check("Enter on the rail", b.items[i])
		test.Tap(b.items[i])
		check("a click", b.panel(b.current).WritesIn())
	}
}
