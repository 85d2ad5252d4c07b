package tooluse

import (
	"bytes"
	"encoding/json"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/chat"
	"inglenook/app/tools"
	"inglenook/plain"
	"inglenook/ui/kit"
)

const (
	// shownArguments is how many characters of the arguments are shown at most.
	shownArguments = 4000
	// argumentsHeight is the room that they have; more of them is scrolled to.
	argumentsHeight float32 = 96
)

// Ask asks a person whether a tool may run.
type Ask struct {
	View   *fyne.Container
	title  *kit.Paragraph
	about  *kit.Paragraph
	values *kit.Paragraph
	scroll *container.Scroll
	answer func(tools.Verdict)
}

// NewAsk shows nothing yet.
func NewAsk(k *kit.Keyboard) *Ask {
	a := &Ask{title: kit.NewParagraph("", theme.ColorNameForeground), about: kit.NewParagraph("", kit.ColorMuted).Small(), values: kit.NewParagraph("", theme.ColorNameForeground).Small()}
	a.scroll = container.NewVScroll(a.values.Flat)
	a.scroll.SetMinSize(fyne.NewSize(0, argumentsHeight))
	button := func(label string, v tools.Verdict) *kit.Button {
		return kit.NewButton(k, label, nil, func() { a.say(v) })
	}
	once := button("Allow once", tools.Once)
	once.Importance = widget.HighImportance
	choices := container.New(&kit.Wrap{Gap: kit.Gap}, once, button("Allow in this chat", tools.ForChat), button("Always allow", tools.Always), button("Don't allow", tools.Refuse))
	a.View = kit.Card(kit.Column(kit.GapSmall, a.title.Flat, a.about.Flat, a.scroll, choices))
	a.View.Hide()
	return a
}

// Show asks about a call. The answer comes once; where names the chat, "" is the one in view.
func (a *Ask) Show(q chat.ToolQuestion, where string, answer func(tools.Verdict)) {
	title := "The model wants to use “" + plain.Line(q.Tool.Name, 64) + "” of “" + plain.Line(q.Tool.Server, 40) + "”."
	if where != "" {
		title = "In “" + kit.Brief(where) + "”: " + title
	}
	a.title.Set(title)
	a.about.Set(plain.Line(q.Tool.Description, 200))
	kit.Show(a.about.Flat, !plain.IsBlank(q.Tool.Description))
	values := argumentsOf(q.Arguments)
	a.values.Set(values)
	kit.Show(a.scroll, values != "")
	a.scroll.ScrollToTop()
	a.answer = answer
	a.View.Show()
	a.View.Refresh()
}

// Asks reports whether a question is shown.
func (a *Ask) Asks() bool { return a.answer != nil }

// Hide takes the question away without an answer.
func (a *Ask) Hide() {
	a.answer = nil
	a.View.Hide()
}

func (a *Ask) say(v tools.Verdict) {
	answer := a.answer
	a.Hide()
	if answer != nil {
		answer(v)
	}
}

// argumentsOf is what a tool is asked, to be read by a person; "": nothing.
func argumentsOf(arguments string) string {
	var values map[string]any
	if json.Unmarshal([]byte(arguments), &values) == nil && len(values) == 0 {
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(arguments), "", "  ") != nil {
		return plain.Text(arguments, shownArguments)
	}
	return plain.Text(b.String(), shownArguments)
}
