package chat

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/chat"
	"inglenook/ui/kit"
)

// thinkingShown is how many bytes of a thought are drawn at most, the last ones:
// it is for a look, and Copy in the details gives all of it.
const thinkingShown = 12_000

// thinkingFold holds what a model thought before it answered, folded away.
type thinkingFold struct {
	view    *fyne.Container
	head    *kit.TextButton
	text    *kit.Paragraph
	inner   *fyne.Container
	title   string
	thought string
	open    bool
	grown   func()
}

func newThinkingFold(k *kit.Keyboard, grown func()) *thinkingFold {
	f := &thinkingFold{text: kit.NewParagraph("", kit.ColorMuted), grown: grown}
	f.head = kit.NewTextButton(k, "", f.toggle)
	bar := container.New(&kit.FixedWidth{Width: 2}, kit.NewSurface(kit.ColorLine, "", 1))
	f.inner = container.NewBorder(nil, nil, kit.Inset(bar, 0, kit.GapSmall), nil, f.text.Flat)
	f.inner.Hide()
	f.view = kit.Column(kit.GapSmall, kit.Inset(container.NewHBox(f.head), 0, -5), f.inner)
	f.view.Hide()
	return f
}

// show shows a thought under a title; an empty one hides the fold.
func (f *thinkingFold) show(thought, title string) {
	f.thought, f.title = thought, title
	kit.Show(f.view, strings.TrimSpace(thought) != "")
	f.fill()
}

func (f *thinkingFold) fill() {
	sign := "▸ "
	if f.open {
		sign = "▾ "
		text := strings.TrimSpace(f.thought)
		if len(text) > thinkingShown {
			text = "… " + strings.ToValidUTF8(text[len(text)-thinkingShown:], "")
		}
		f.text.Set(text)
	}
	f.head.Set(sign + f.title)
	kit.Show(f.inner, f.open)
}

func (f *thinkingFold) toggle() {
	f.open = !f.open
	f.fill()
	f.grown()
}

// thoughtTitle says that a model thinks, or thought, and for how long as far as
// that is known.
func thoughtTitle(m chat.Message, a *answer, writing bool) string {
	if writing && a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.thoughts == 0 {
			return "Thinking…"
		}
		return "Thought for " + kit.Duration(a.thoughts)
	}
	if m.Reply != nil && m.Reply.Thought > 0 {
		return "Thought for " + kit.Duration(m.Reply.Thought)
	}
	return "Thought, " + kit.Count(len(strings.Fields(m.Thinking)), "word")
}
