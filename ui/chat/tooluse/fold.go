package tooluse

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/chat"
	"inglenook/plain"
	"inglenook/ui/kit"
)

// shownResult is how many characters of a result are shown at most.
const shownResult = 4000

// NewFolds shows what became of the tools of an answer, each folded away. grown follows
// their height.
func NewFolds(k *kit.Keyboard, uses []chat.ToolUse, grown func()) *fyne.Container {
	list := kit.Column(kit.GapSmall)
	for _, u := range uses {
		list.Add(newFold(k, u, grown))
	}
	return list
}

func newFold(k *kit.Keyboard, u chat.ToolUse, grown func()) fyne.CanvasObject {
	text := kit.NewParagraph("", kit.ColorMuted).Small()
	bar := container.New(&kit.FixedWidth{Width: 2}, kit.NewSurface(kit.ColorLine, "", 1))
	inner := container.NewBorder(nil, nil, kit.Inset(bar, 0, kit.GapSmall), nil, text.Flat)
	inner.Hide()
	title := titleOf(u)
	var head *kit.TextButton
	head = kit.NewTextButton(k, "▸ "+title, func() {
		open := !inner.Visible()
		sign := "▸ "
		if open {
			sign = "▾ "
			text.Set(detailsOf(u))
		}
		head.Set(sign + title)
		kit.Show(inner, open)
		grown()
	})
	return kit.Column(kit.GapSmall, kit.Inset(container.NewHBox(head), 0, -5), inner)
}

// titleOf says in one line what became of a call.
func titleOf(u chat.ToolUse) string {
	name := "“" + plain.Line(u.Tool, 64) + "”"
	switch u.State {
	case chat.ToolRefused:
		return "You did not allow " + name
	case chat.ToolFailed:
		return name + " did not work"
	}
	if u.Server == "" {
		return "Used " + name
	}
	return "Used " + name + " of “" + plain.Line(u.Server, 40) + "”"
}

// detailsOf is what the tool was asked and what it answered.
func detailsOf(u chat.ToolUse) string {
	text := ""
	if asked := argumentsOf(u.Arguments); asked != "" {
		text = "Asked\n" + asked + "\n\n"
	}
	if u.State == chat.ToolRefused {
		return text + "It did not run."
	}
	return text + "Answered\n" + plain.Text(u.Result, shownResult)
}
