package chat

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/library"
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
	keys     *kit.Keyboard
	session  *session
	host     blankHost
	view     *fyne.Container
	hint     *kit.Hint
	examples *fyne.Container
	open     *fyne.Container // leads to models
	folder   fyne.CanvasObject
	file     fyne.CanvasObject
	filled   kindOfBlank
}

// kindOfBlank tells to what kind of model the examples belong.
type kindOfBlank int

const (
	unfilled kindOfBlank = iota
	converses
	continues
	guides // the tiny model that comes with the program
)

// blankHost is what it leads to.
type blankHost struct {
	openFolder, openFile, find func()
	write                      func(text string) // begins a message
	ask                        func(text string) // sends one
	goTo                       func(panel string)
	samples                    func() // leads to the sample documents
}

func newBlank(k *kit.Keyboard, s *session, h blankHost) *blank {
	b := &blank{keys: k, session: s, host: h, hint: kit.NewHint(chatIcon(kit.ColorMuted)), examples: kit.Column(kit.Gap)}
	folder := kit.NewButton(k, "Open a model folder…", theme.FolderOpenIcon(), h.openFolder)
	file := kit.NewButton(k, "Open a file…", theme.FileIcon(), h.openFile)
	find := kit.NewButton(k, "Find a model", theme.SearchIcon(), h.find)
	find.Importance = widget.HighImportance
	b.open, b.folder, b.file = container.NewCenter(kit.Row(kit.Gap, find, folder, file)), folder, file
	b.view = container.New(&blankLayout{}, b.hint.View, b.open, b.examples)
	return b
}

// refresh says how to begin.
func (b *blank) refresh() {
	s := b.session
	kit.Show(b.view, len(s.tree.path) == 0 && !s.writesHere())
	none := s.models != nil && len(s.models) == 0
	kind := s.kindOfBlank()
	switch {
	case s.models == nil:
		b.hint.Say("", "")
	case none:
		b.hint.Say("No language model yet", "Get one in Models, or drop its folder or .gguf file on this window.")
	case kind == guides:
		b.hint.Say("Hello! I am starter-chat, a tiny guide.", "I come with Inglenook and know the app, and little else. For real questions, get a larger model.")
	case kind == continues:
		b.hint.Say("This model continues texts", "It was not made for chats. Write the beginning of a text, and it continues.")
	default:
		b.hint.Say("What would you like to talk about?", "Nothing you write leaves this computer.")
	}
	kit.Show(b.open, none || kind == guides)
	kit.Show(b.folder, none)
	kit.Show(b.file, none)
	kit.Show(b.examples, s.models != nil && !none)
	if kind != b.filled {
		b.fill(kind)
	}
	b.view.Refresh()
}

// kindOfBlank returns the kind of the chosen model.
func (s *session) kindOfBlank() kindOfBlank {
	switch c := s.modelChoice(s.choices.Model); {
	case c.Model.ID == library.StarterChat:
		return guides
	case c.Plain:
		return continues
	}
	return converses
}

func (b *blank) fill(kind kindOfBlank) {
	b.filled = kind
	b.examples.Objects = nil
	switch kind {
	case guides:
		b.offer("What can I do with this app?", b.host.ask)
		b.offer("Search three sample documents", func(string) { b.host.samples() })
		b.offer("Compare sentences by their meaning", func(string) { b.host.goTo(panel.Similarity) })
		b.offer("See how fast this computer is", func(string) { b.host.goTo(panel.Performance) })
	case continues:
		for _, text := range plainExamples {
			b.offer(text, b.host.write)
		}
	default:
		for _, text := range chatExamples {
			b.offer(text, b.host.write)
		}
	}
}

// offer adds something to try.
func (b *blank) offer(text string, try func(text string)) {
	l := kit.NewLine(text, kit.TextBody, theme.ColorNameForeground)
	l.Whole = true
	b.examples.Add(container.NewCenter(kit.NewChip(b.keys, kit.Inset(l, 3, 4), func() { try(text) })))
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
