package settings

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// newChatsCard says how new chats begin: with which model, and how that answers.
type newChatsCard struct {
	panel.Host
	presets func() []base.Preset
	view    *fyne.Container
	model   *kit.Choice
	preset  *kit.Choice
	length  *kit.Choice
	ids     []string // of the models on offer; "": the one used last
	names   []string // of the presets on offer
}

// lastModel stands for the model that a person used last.
const lastModel = "The one used last"

// answerLengths are the limits on offer, in tokens, as Chat has them on its slider; 0: none.
var answerLengths = []int{0, 128, 320, 640, 1280, 2560}

func newNewChatsCard(d panel.Host, presets func() []base.Preset) *newChatsCard {
	c := &newChatsCard{Host: d, presets: presets}
	c.model = kit.NewChoice(d.Keys, nil, func(string) {
		if i := c.model.SelectedIndex(); i >= 0 && i < len(c.ids) {
			id := c.ids[i]
			c.keep(func(n *base.NewChats) { n.Model = id })
		}
	})
	c.preset = kit.NewChoice(d.Keys, nil, func(string) {
		if i := c.preset.SelectedIndex(); i >= 0 && i < len(c.names) {
			name := c.names[i]
			if i == 0 {
				name = "" // as without any choice
			}
			c.keep(func(n *base.NewChats) { n.Preset = name })
		}
	})
	var lengths []string
	for _, n := range answerLengths {
		if n == 0 {
			lengths = append(lengths, "No limit")
		} else {
			lengths = append(lengths, kit.Words(n)+" at most")
		}
	}
	c.length = kit.NewChoice(d.Keys, lengths, func(string) {
		if i := c.length.SelectedIndex(); i >= 0 {
			tokens := answerLengths[i]
			c.keep(func(n *base.NewChats) { n.MaxTokens = tokens })
		}
	})
	wide := func(o fyne.CanvasObject) fyne.CanvasObject {
		return container.New(&kit.FixedWidth{Width: newChatsWidth}, o)
	}
	c.view = kit.Column(12,
		field("Model", wide(c.model), "Answers in a new chat until you choose another one there."),
		field("Style", wide(c.preset), "How freely it chooses its words, and the instructions it gets. You save a style of your own among the choices of a chat."),
		field("Length of answers", wide(c.length), "Chats that are there already stay as they are."))
	c.fill(nil)
	return c
}

// newChatsWidth is that of the choices.
const newChatsWidth float32 = 220

func (c *newChatsCard) keep(change func(*base.NewChats)) {
	c.Keep(func(s *base.Settings) { change(&s.Chat.New) })
}

// enter offers the models and presets that there are now.
func (c *newChatsCard) enter() {
	c.Work(func(ctx context.Context) {
		models, err := c.App.Models(ctx)
		c.Do(func() {
			if err != nil {
				c.Tell(kit.Sentence(err.Error()))
				return
			}
			c.fill(models)
		})
	})
}

// fill shows what is chosen among these models. One that is gone is not lost: it may come back.
func (c *newChatsCard) fill(models []library.Model) {
	now := c.App.Settings().Chat.New
	c.ids = []string{""}
	names := []string{lastModel}
	for _, m := range models {
		if m.Usable && (m.Kind == library.KindChat || m.Talks) {
			c.ids, names = append(c.ids, m.ID), append(names, m.Title())
		}
	}
	if !slices.Contains(c.ids, now.Model) {
		name := base.ShortPath(now.Model)
		if models != nil {
			name += " (not there)"
		}
		c.ids, names = append(c.ids, now.Model), append(names, name)
	}
	c.model.Offer(names, slices.Index(c.ids, now.Model))
	c.names = nil
	for _, p := range c.presets() {
		c.names = append(c.names, p.Name)
	}
	c.preset.Offer(c.names, max(0, slices.Index(c.names, now.Preset)))
	at := slices.Index(answerLengths, now.MaxTokens)
	if at < 0 { // somebody wrote it into the file
		at = 0
	}
	c.length.Offer(c.length.Options, at)
}
