package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app"
)

// thinkingShown is how many bytes of a thought are drawn at most, the last ones:
// it is for a look, and Copy in the details gives all of it.
const thinkingShown = 12_000

// thinkingFold holds what a model thought before it answered, folded away.
type thinkingFold struct {
	view    *fyne.Container
	head    *textButton
	text    *paragraph
	inner   *fyne.Container
	title   string
	thought string
	open    bool
	grown   func()
}

func newThinkingFold(k *keyboard, grown func()) *thinkingFold {
	f := &thinkingFold{text: newParagraph("", colorMuted), grown: grown}
	f.head = newTextButton(k, "", f.toggle)
	bar := container.New(&fixedWidth{2}, newSurface(colorLine, "", 1))
	f.inner = container.NewBorder(nil, nil, inset(bar, 0, gapSmall), nil, f.text.flat)
	f.inner.Hide()
	f.view = column(gapSmall, inset(container.NewHBox(f.head), 0, -5), f.inner)
	f.view.Hide()
	return f
}

// show shows a thought under a title; an empty one hides the fold.
func (f *thinkingFold) show(thought, title string) {
	f.thought, f.title = thought, title
	show(f.view, strings.TrimSpace(thought) != "")
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
		f.text.set(text)
	}
	f.head.set(sign + f.title)
	show(f.inner, f.open)
}

func (f *thinkingFold) toggle() {
	f.open = !f.open
	f.fill()
	f.grown()
}

// thoughtTitle says that a model thinks, or thought, and for how long as far as
// that is known.
func thoughtTitle(m app.ChatMessage, a *answering, writing bool) string {
	if writing && a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.thoughts == 0 {
			return "Thinking…"
		}
		return "Thought for " + duration(a.thoughts)
	}
	if m.Reply != nil && m.Reply.Thought > 0 {
		return "Thought for " + duration(m.Reply.Thought)
	}
	return "Thought, " + count(len(strings.Fields(m.Thinking)), "word")
}
