package chat

import (
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// bubbleFoot is the line below a message: its branches, how it was made, and
// what can be done with it.
type bubbleFoot struct {
	view    *fyne.Container
	facts   *kit.TextButton
	actions *fyne.Container
}

func newBubbleFoot(k *kit.Keyboard, b *bubble) *bubbleFoot {
	f := &bubbleFoot{actions: kit.Row(0)}
	m := b.message
	branches := kit.Row(0)
	if ids, at := b.session.tree.branches(m.ID); len(ids) > 1 {
		before := kit.NewTextButton(k, "‹", func() { b.host.turn(m.ID, -1) })
		after := kit.NewTextButton(k, "›", func() { b.host.turn(m.ID, 1) })
		where := kit.NewCaption(strconv.Itoa(at+1) + "/" + strconv.Itoa(len(ids)))
		where.Whole = true
		for _, o := range []fyne.CanvasObject{before, container.NewCenter(where), after} {
			branches.Add(o)
		}
		before.Near, after.Near = b.point, b.point
	}
	f.facts = kit.NewTextButton(k, replyLine(m), func() { b.host.explain(m) })
	f.facts.Near = b.point
	f.facts.Line.Whole = false
	if m.Reply != nil && (len(m.Reply.Fallbacks) > 0 || len(m.Reply.Notices) > 0) {
		f.facts.Color = theme.ColorNameWarning
	}
	kit.Show(f.facts, m.Reply != nil && replyLine(m) != "")
	for _, a := range b.host.actions(m) {
		t := kit.NewTextButton(k, a.name, a.run)
		t.Near = b.point
		f.actions.Add(t)
	}
	f.view = container.New(&footLayout{own: b.own}, branches, f.facts, f.actions)
	return f
}

func (f *bubbleFoot) showActions(on bool) { kit.Show(f.actions, on) }
func (f *bubbleFoot) refresh()            { f.view.Refresh() }

// action is something that can be done with a message.
type action struct {
	name string
	key  fyne.KeyName // for the selected message
	run  func()
}

// footLayout puts the branches first, then the facts, which give way, and the
// actions at the end; for the person's own messages all to the right.
type footLayout struct{ own bool }

func (footLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(60, bubbleFooter) }

func (l footLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	branches, facts, actions := o[0], o[1], o[2]
	right := size.Width
	put := func(o fyne.CanvasObject, x, width float32) {
		h := o.MinSize().Height
		o.Move(fyne.NewPos(x, (size.Height-h)/2))
		o.Resize(fyne.NewSize(width, h))
	}
	b, a := branches.MinSize().Width, actions.MinSize().Width
	put(actions, right-a, a)
	if l.own {
		if actions.Visible() {
			right -= a
		}
		put(branches, right-b, b)
		return
	}
	put(branches, -5, b)
	left := b - 5
	if actions.Visible() {
		right -= a + kit.Gap
	}
	put(facts, left, max(0, min(right-left, facts.(*kit.TextButton).Natural())))
}

// replyLine tells in a line which model wrote an answer, and how that went. The rest is
// on the sheet that a click opens.
func replyLine(m chat.Message) string {
	r := m.Reply
	if r == nil {
		return ""
	}
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	add(kit.Brief(r.ModelName))
	add(panel.DeviceName(r.Device))
	if n := len(r.Fallbacks); n > 0 {
		add(kit.Count(n, "fallback"))
	}
	if r.Rate > 0 {
		add(kit.Rate(r.Rate) + " tokens/s")
	}
	add(chat.DraftNote(r.DraftGain))
	if r.Dropped > 0 {
		add("without " + kit.Count(r.Dropped, "message"))
	}
	add(reasonInWords(m))
	return strings.Join(parts, " · ")
}

// reasonInWords says why an answer ended.
func reasonInWords(m chat.Message) string {
	switch r := m.Reply; {
	case m.State == chat.MessageStopped:
		return "stopped by you"
	case m.State == chat.MessageFailed:
		return "failed"
	case r.Reason == chat.FinishNotFound:
		return "not in your documents"
	case r.Reason == chat.FinishStop && r.Stop != "":
		return fmt.Sprintf("stopped at %q", kit.Brief(r.Stop))
	case r.Reason == chat.FinishStop:
		return "complete"
	case r.Reason == chat.FinishLength:
		return "stopped at the length limit"
	case r.Reason == chat.FinishContext:
		return "the context is full"
	case r.Reason == chat.FinishRepeats:
		return "stopped: the model repeated itself"
	}
	return ""
}
