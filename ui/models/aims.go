package models

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// aim is what people want a model for.
type aim struct {
	name      string
	kinds     []string // of the models that do it
	says      []string // whole words of which the description of those has one; none: all of the kinds do it
	languages bool     // only those that know another language than English
}

var aims = []aim{
	{name: "Chat and answer questions", kinds: []string{library.KindChat}},
	{name: "Translate", kinds: []string{library.KindChat}, languages: true},
	{name: "Summarise texts", kinds: []string{library.KindChat}, says: []string{"summaries", "summary", "documents"}},
	{name: "Write code", kinds: []string{library.KindChat, library.KindText}, says: []string{"code", "coder", "devstral"}},
	{name: "Search documents by meaning", kinds: []string{library.KindEmbedding, library.KindReranker}},
}

// reranking is what other rooms lead here for.
var reranking = aim{name: "Judge which text answers", kinds: []string{library.KindReranker}}

// DiscoverRerankers shows the rerankers that could be here.
func (p *Panel) DiscoverRerankers() {
	p.Discover()
	p.lookFor(&reranking)
}

// DiscoverByWords shows the models that could be here and have these words.
func (p *Panel) DiscoverByWords(words string) {
	p.Discover()
	p.filter.text.SetText(words)
}

// takes reports whether a model that is not here does it. Of those that the model store found only
// the kind is known.
func (a aim) takes(m modelItem) bool {
	kind := taskName(factsOf(m).task)
	if !slices.ContainsFunc(a.kinds, func(k string) bool { return taskName(k) == kind }) {
		return false
	}
	if m.entry == nil {
		return true
	}
	if a.languages && (m.entry.Languages == "" || m.entry.Languages == "English") {
		return false
	}
	return a.says == nil || m.entry.Says(a.says)
}

// aimChip shows what the models on the list are for; a click takes that off.
type aimChip struct {
	view *fyne.Container
	chip *kit.Chip
	name *kit.Line
	aim  *aim // nil: none is chosen
}

func newAimChip(k *kit.Keyboard, off func()) *aimChip {
	c := &aimChip{name: kit.NewCaption("")}
	c.name.Whole = true
	c.chip = kit.NewChip(k, kit.Row(kit.GapSmall, c.name, container.New(&kit.FixedWidth{Width: kit.TextBody}, widget.NewIcon(theme.CancelIcon()))), off)
	c.chip.On, c.chip.Tip = true, "Show models for everything again"
	c.view = container.NewHBox(c.chip)
	c.set(nil)
	return c
}

func (c *aimChip) set(a *aim) {
	if c.aim = a; a != nil {
		c.name.Set(a.name)
	}
	kit.Show(c.view, a != nil)
}

// clear shows no model. Where one is looked for that is not here, it asks what for.
func (p *modelPage) clear(looking bool) {
	p.cancel()
	p.waits.Set(false)
	p.item = nil
	p.body.Objects = nil
	p.body.Refresh()
	kit.Show(p.aims, looking)
	if looking {
		p.blank.Say("What should the model do?", "Choose from the list, or one of these.")
		return
	}
	p.blank.Say("No model chosen", "Choose one from the list, or drop a model folder or file here. It is used where it is, not copied.")
}

// buildAims makes their buttons.
func (p *modelPage) buildAims() {
	p.aims = kit.Column(kit.GapSmall)
	for i := range aims {
		p.aims.Add(container.NewCenter(kit.NewButton(p.Keys, aims[i].name, nil, func() { p.host.lookFor(&aims[i]) })))
	}
	p.blank.Offer(p.aims)
}

// lookFor shows the models of the catalogue that do something; nil: all.
func (p *Panel) lookFor(a *aim) {
	p.filter.lookFor(a)
	p.panes.Front(panel.PaneWork)
}
