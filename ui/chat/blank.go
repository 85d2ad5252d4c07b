package chat

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Beginnings for a first message: to a model that converses, and to one that
// continues texts.
var (
	chatExamples  = []string{"Explain what an inglenook is, in two sentences.", "Write a short poem about a fire in winter.", "What are three good questions to ask before buying an old house?"}
	plainExamples = []string{"Once upon a time there was a little fox who", "The house at the end of the lane had been empty until", "Dear diary, today I found"}
)

// blank invites to begin where a conversation has no messages.
type blank struct {
	chat     *Panel
	view     *fyne.Container
	hint     *kit.Hint
	examples *fyne.Container
	open     *fyne.Container
	plain    bool
	filled   bool
}

func newBlank(p *Panel) *blank {
	b := &blank{chat: p, hint: kit.NewHint(chatIcon(kit.ColorMuted)), examples: kit.Column(kit.Gap)}
	folder := kit.NewButton(p.Keys, "Open a model folder…", theme.FolderOpenIcon(), p.openModelFolder)
	file := kit.NewButton(p.Keys, "Open a file…", theme.FileIcon(), p.openModelFile)
	find := kit.NewButton(p.Keys, "Find a model", theme.SearchIcon(), func() { p.GoTo(panel.Models) })
	find.Importance = widget.HighImportance
	b.open = container.NewCenter(kit.Row(kit.Gap, find, folder, file))
	b.view = container.New(&blankLayout{}, b.hint.View, b.open, b.examples)
	return b
}

// refresh says how to begin.
func (b *blank) refresh() {
	p := b.chat
	kit.Show(b.view, len(p.tree.path) == 0 && !p.writesHere())
	none := p.models != nil && len(p.models) == 0
	plain := p.modelChoice(p.choices.Model).Plain
	switch {
	case p.models == nil:
		b.hint.Say("", "")
	case none:
		b.hint.Say("No language model yet", "Get one in Models, or drop its folder or .gguf file on this window.")
	case plain:
		b.hint.Say("This model continues texts", "It was not made for conversations: write the beginning of something, and it goes on.")
	default:
		b.hint.Say("What would you like to talk about?", "Nothing you write leaves this computer.")
	}
	kit.Show(b.open, none)
	kit.Show(b.examples, p.models != nil && !none)
	if !b.filled || plain != b.plain {
		b.fill(plain)
	}
	b.view.Refresh()
}

func (b *blank) fill(plain bool) {
	b.filled, b.plain = true, plain
	texts := chatExamples
	if plain {
		texts = plainExamples
	}
	b.examples.Objects = nil
	for _, text := range texts {
		l := kit.NewLine(text, kit.TextBody, theme.ColorNameForeground)
		l.Whole = true
		b.examples.Add(container.NewCenter(kit.NewChip(b.chat.Keys, kit.Inset(l, 3, 4), func() {
			b.chat.composer.fill(draft{text: text})
			b.chat.Focus(b.chat.composer.entry)
		})))
	}
}

// blankLayout stacks a hint and what is below it in the middle.
type blankLayout struct{}

func (blankLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 150) }

func (blankLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const hintHeight = 120
	total := float32(hintHeight)
	for _, c := range o[1:] {
		if c.Visible() {
			total += kit.GapWide + c.MinSize().Height
		}
	}
	y := max(0, (size.Height-total)/2)
	o[0].Move(fyne.NewPos(0, y))
	o[0].Resize(fyne.NewSize(size.Width, hintHeight))
	y += hintHeight + kit.GapWide
	for _, c := range o[1:] {
		if !c.Visible() {
			continue
		}
		h := c.MinSize().Height
		c.Move(fyne.NewPos(0, y))
		c.Resize(fyne.NewSize(size.Width, h))
		y += h + kit.GapWide
	}
}
