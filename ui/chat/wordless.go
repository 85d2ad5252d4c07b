package chat

import (
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	"inglenook/ui/kit"
)

// wordless reports whether a text shows nothing: it is empty, or of spaces and line ends.
func wordless(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

// wroteNothing says that a model ended an answer by itself and without a word; "": it wrote some, or
// what ended it is said elsewhere.
func wroteNothing(m chat.Message) string {
	shows := slices.ContainsFunc(m.Parts, func(p chat.Part) bool {
		return p.Kind != chat.PartText && p.Kind != chat.PartTool && p.Kind != chat.PartPassage
	})
	if m.Role != chat.RoleAssistant || m.State != chat.MessageComplete || shows || !wordless(m.Text()) {
		return ""
	}
	name := "The model"
	if m.Reply != nil && m.Reply.ModelName != "" {
		name = kit.Brief(m.Reply.ModelName)
	}
	if m.Thinking != "" {
		return name + " thought about it, and then wrote no answer."
	}
	return name + " wrote nothing."
}

// addWordless says below an answer without a word that there is none, with what can be done. One of
// two side by side has buttons of its own.
func (b *bubble) addWordless(k *kit.Keyboard) {
	says := wroteNothing(b.message)
	if says == "" {
		return
	}
	line := kit.NewParagraph(says, kit.ColorMuted)
	if b.session.inPair(b.message.ID) {
		b.body.Add(line.Flat)
		return
	}
	again := kit.NewButton(k, "Try again", theme.ViewRefreshIcon(), func() { b.host.again(b.message.ID) })
	ways := []fyne.CanvasObject{again}
	if b.host.others() {
		ways = append(ways, kit.NewButton(k, "Try another model", theme.AccountIcon(), func() { b.host.byOther(b.message.ID) }))
	}
	b.body.Add(kit.Column(kit.GapSmall, line.Flat, container.New(&kit.Wrap{Gap: kit.Gap}, ways...)))
}
