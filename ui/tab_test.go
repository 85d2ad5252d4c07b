package ui

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// pressTab presses Tab like Fyne's window does: a widget that handles the key itself keeps the
// focus.
func pressTab(c fyne.Canvas, back bool) {
	if f, ok := c.Focused().(fyne.Tabbable); ok && f.AcceptsTab() {
		c.Focused().TypedKey(uitest.Key(fyne.KeyTab))
		return
	}
	if back {
		c.FocusPrevious()
	} else {
		c.FocusNext()
	}
}

// focusables returns the widgets in view that can have the focus.
func focusables(o fyne.CanvasObject) (list []fyne.Focusable) {
	if !o.Visible() {
		return nil
	}
	if d, ok := o.(fyne.Disableable); ok && d.Disabled() {
		return nil
	}
	if f, ok := o.(fyne.Focusable); ok {
		return append(list, f)
	}
	switch o := o.(type) {
	case *fyne.Container:
		for _, child := range o.Objects {
			list = append(list, focusables(child)...)
		}
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			list = append(list, focusables(child)...)
		}
	}
	return list
}

// Tab and Shift+Tab leave every widget of every panel, and Tab reaches all of them.
func TestTabLeavesEveryWidget(t *testing.T) {
	conversations := scripted.New()
	conversations.Put(chat.Conversation{
		Summary: chat.Summary{ID: "fox", Title: "A fox", Updated: time.Now()}, Leaf: 2,
		Messages: []chat.Message{
			{ID: 1, Role: chat.RoleUser, Parts: chat.Content("A fox?", chat.Part{Kind: chat.PartPassage, Name: "foxes.txt", Text: "A fox."})},
			{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("A [fox](https://example.org). Or not."), Reply: &chat.ReplyRecord{
				Claims: []chat.Claim{{End: 29, Passage: 0}, {Start: 30, End: 37, Passage: -1}},
			}},
		},
	})
	d := uitest.NewApp()
	d.Kept.Chat.Talk = "fox"
	b := windowWith(t, d, conversations)
	b.start(Options{})
	b.awaitComparison(t, 1)
	c := b.window.Canvas()
	type state struct {
		name  string
		enter func()
	}
	states := []state{}
	for _, p := range b.panels {
		states = append(states, state{p.Info().ID, func() { b.enter(p.Info().ID) }})
		b.enter(p.Info().ID)
		b.loop.Run()
		uitest.Each(p.Content(), func(o fyne.CanvasObject) {
			tabs, ok := o.(*kit.Segments)
			if !ok || p.Info().ID == panel.Settings { // there they choose the theme and the like
				return
			}
			for i, tab := range tabs.Options {
				states = append(states, state{p.Info().ID + ", " + tab, func() { b.enter(p.Info().ID); tabs.Pick(i) }})
			}
			states = append(states, state{p.Info().ID + " again", func() { tabs.Pick(0) }})
		})
	}
	states = append(states,
		state{"instructions", func() { b.enter(panel.Chat); b.keys.Typed(uitest.Ctrl(fyne.KeyI)) }},
		state{"trash", func() {
			b.keys.Typed(uitest.Ctrl(fyne.KeyI))
			test.Tap(uitest.FindButton(t, b.chat.Content(), "Trash"))
		}})
	seen := map[string]bool{}
	for _, s := range states {
		seen[s.name] = true
		name := s.name
		s.enter()
		b.loop.Run()
		all := focusables(b.view)
		if len(all) <= len(b.items) {
			t.Fatalf("%s: only the rail can have the focus", name)
		}
		for _, f := range all {
			for _, back := range []bool{false, true} {
				c.Focus(f)
				if c.Focused() != f {
					t.Errorf("%s: %T does not take the focus", name, f)
					continue
				}
				pressTab(c, back)
				if now := c.Focused(); now == f || now == nil {
					t.Errorf("%s: Tab does not leave %s (back: %v)", name, called(f), back)
				}
			}
		}
		reached := map[fyne.Focusable]bool{}
		c.Unfocus()
		for range 2 * len(all) { // a message that has the focus shows what can be done with it
			pressTab(c, false)
			reached[c.Focused()] = true
		}
		for _, f := range all {
			if !reached[f] {
				t.Errorf("%s: Tab does not reach %s", name, called(f))
			}
		}
	}
	for _, want := range []string{"models, Servers", "models, Discover", "similarity, Classify", "rerank, Compare models", "performance, This computer"} {
		if !seen[want] {
			t.Errorf("%q was not looked at, only %v", want, slices.Sorted(maps.Keys(seen)))
		}
	}
}

// called returns a name of a widget for a message.
func called(f fyne.Focusable) string {
	text := ""
	if o, ok := f.(fyne.CanvasObject); ok {
		text = uitest.AllText(o)
	}
	return fmt.Sprintf("%T %.60q", f, text)
}
