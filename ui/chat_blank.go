package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Beginnings for a first message: to a model that converses, and to one that
// continues texts.
var (
	chatExamples  = []string{"Explain what an inglenook is, in two sentences.", "Write a short poem about a fire in winter.", "What are three good questions to ask before buying an old house?"}
	plainExamples = []string{"Once upon a time there was a little fox who", "The house at the end of the lane had been empty until", "Dear diary, today I found"}
)

// blankTalk invites to begin where a conversation has no messages.
type blankTalk struct {
	chat     *chat
	view     *fyne.Container
	hint     *hint
	examples *fyne.Container
	open     *fyne.Container
	plain    bool
	filled   bool
}

func newBlankTalk(p *chat) *blankTalk {
	b := &blankTalk{chat: p, hint: newHint(chatIcon(colorMuted)), examples: column(gap)}
	folder := newButton(p.keys, "Open a model folder…", theme.FolderOpenIcon(), p.openModelFolder)
	file := newButton(p.keys, "Open a file…", theme.FileIcon(), p.openModelFile)
	find := newButton(p.keys, "Find a model", theme.SearchIcon(), func() { p.enterRoom(roomModels) })
	find.Importance = widget.HighImportance
	b.open = container.NewCenter(row(gap, find, folder, file))
	b.view = container.New(&blankLayout{}, b.hint.view, b.open, b.examples)
	return b
}

// refresh says how to begin.
func (b *blankTalk) refresh() {
	p := b.chat
	show(b.view, len(p.tree.path) == 0 && !p.writesHere())
	none := p.models != nil && len(p.models) == 0
	plain := p.modelChoice(p.choices.Model).Plain
	switch {
	case p.models == nil:
		b.hint.say("", "")
	case none:
		b.hint.say("No language model yet", "Get one in Models, or drop its folder or .gguf file on this window.")
	case plain:
		b.hint.say("This model continues texts", "It was not made for conversations: write the beginning of something, and it goes on.")
	default:
		b.hint.say("What would you like to talk about?", "Nothing you write leaves this computer.")
	}
	show(b.open, none)
	show(b.examples, p.models != nil && !none)
	if !b.filled || plain != b.plain {
		b.fill(plain)
	}
	b.view.Refresh()
}

func (b *blankTalk) fill(plain bool) {
	b.filled, b.plain = true, plain
	texts := chatExamples
	if plain {
		texts = plainExamples
	}
	b.examples.Objects = nil
	for _, text := range texts {
		l := newLine(text, textBody, theme.ColorNameForeground)
		l.whole = true
		b.examples.Add(container.NewCenter(newChip(b.chat.keys, inset(l, 3, 4), func() {
			b.chat.composer.fill(draft{text: text})
			b.chat.focus(b.chat.composer.entry)
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
			total += gapWide + c.MinSize().Height
		}
	}
	y := max(0, (size.Height-total)/2)
	o[0].Move(fyne.NewPos(0, y))
	o[0].Resize(fyne.NewSize(size.Width, hintHeight))
	y += hintHeight + gapWide
	for _, c := range o[1:] {
		if !c.Visible() {
			continue
		}
		h := c.MinSize().Height
		c.Move(fyne.NewPos(0, y))
		c.Resize(fyne.NewSize(size.Width, h))
		y += h + gapWide
	}
}
