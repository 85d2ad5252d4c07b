package ui

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// A button without words says what it is for to the pointer and to the keyboard, in every
// room.
func TestEveryIconHasATip(t *testing.T) {
	talks := scripted.New()
	talks.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "A chat"}, Leaf: 3, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: chat.Content("Go on", chat.File("notes.txt", "some notes"))},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("Once")},
		{ID: 3, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("Twice")},
	}})
	d := uitest.NewApp()
	d.Kept.Chat.Talk = "x"
	b := windowWith(t, d, talks)
	b.start(Options{})
	wordless := func(s string) bool { return !strings.ContainsFunc(s, unicode.IsLetter) }
	icons := 0
	for _, p := range b.panels {
		b.show(p.Info().ID)
		b.loop.Run()
		uitest.Each(b.view, func(o fyne.CanvasObject) {
			switch o := o.(type) {
			case *kit.Button:
				if o.Icon != nil && wordless(o.Text) {
					if icons++; o.Tip == "" {
						t.Errorf("%s: a button with the icon %s has no tip", p.Info().Name, o.Icon.Name())
					}
				}
			case *kit.TextButton:
				if o.Icon != nil || o.Line.Text != "" && wordless(o.Line.Text) {
					if icons++; o.Tip == "" {
						t.Errorf("%s: the button %q has no tip", p.Info().Name, o.Line.Text)
					}
				}
			}
		})
	}
	if icons < 8 {
		t.Errorf("only %d icons were found", icons)
	}
}

// The pointer on a button tells what it is for with its shortcut; leaving, a click and Escape
// take that away. A name that is cut is told whole.
func TestTipTellsShortcuts(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	b.show(panel.Chat)
	toggle, ok := uitest.Find(b.chat.Content(), func(o *kit.Button) bool { return o.Tip == "Show or hide the list of chats" })
	if !ok {
		t.Fatal("there is no such button")
	}
	said := func() string { return strings.TrimSpace(uitest.AllText(b.keys.Tip.Layer)) }
	await := func(what string) {
		t.Helper()
		b.loop.Until(t, "a tip with "+what, func() bool { return b.keys.Tip.Layer.Objects[0].Visible() && strings.Contains(said(), what) })
	}
	toggle.MouseIn(&desktop.MouseEvent{})
	await("Show or hide the list of chats (" + kit.ModifierName() + "+B)")
	toggle.MouseOut()
	if b.keys.Tip.Hide() {
		t.Error("the tip stays when the pointer leaves")
	}
	b.items[1].MouseIn(&desktop.MouseEvent{})
	await("Find passages in your files by what they mean (" + kit.ModifierName() + "+2)")
	b.keys.Escape()
	if b.keys.Tip.Layer.Objects[0].Visible() {
		t.Error("Escape leaves the tip")
	}
	long := strings.Repeat("a long message of the window ", 30)
	b.status.showMessage(long)
	told, ok := uitest.Find(b.status.view, func(*kit.Told) bool { return true })
	if !ok {
		t.Fatal("the message is not told whole")
	}
	told.MouseIn(&desktop.MouseEvent{})
	await("a long message of the window a long")
	b.do(func() { b.status.showMessage("a short one") })
	if b.loop.Run(); b.keys.Tip.Layer.Objects[0].Visible() {
		t.Error("the tip stays over another message")
	}
	toggle.MouseIn(&desktop.MouseEvent{})
	await("Show or hide the list of chats")
	if b.keys.Typed(uitest.Ctrl(fyne.Key1)); b.keys.Tip.Layer.Objects[0].Visible() {
		t.Error("a shortcut leaves the tip")
	}
}

// The rail tells what each room is good for, with its shortcut; a name that says it stands alone.
func TestRailTellsWhatRoomsAreFor(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	for i, it := range b.items {
		it.MouseIn(&desktop.MouseEvent{})
		want := fmt.Sprintf("%s (%s+%d)", cmp.Or(it.panel.About, it.panel.Name), kit.ModifierName(), i+1)
		b.loop.Until(t, "a tip with "+want, func() bool {
			return b.keys.Tip.Layer.Objects[0].Visible() && strings.TrimSpace(uitest.AllText(b.keys.Tip.Layer)) == want
		})
		it.MouseOut()
	}
	for _, id := range []string{panel.Similarity, panel.Rerank, panel.Documents} {
		if b.panel(id).Info().About == "" {
			t.Errorf("nothing is said of %s", id)
		}
	}
}
