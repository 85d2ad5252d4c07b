package models

import (
	"fyne.io/fyne/v2/container"

	"inglenook/ui/kit"
)

// aims are what people want models for, and the words that find one for it in the catalogue.
var aims = [][2]string{
	{"Chat and answer questions", "chat"}, {"Translate", "translate"}, {"Summarise texts", "summaries"}, {"Write code", "code"}, {"Search documents by meaning", "search"},
}

// clear shows no model. Where one is looked for that is not here, it asks what for.
func (p *modelPage) clear(looking bool) {
	p.cancel()
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
	for _, aim := range aims {
		p.aims.Add(container.NewCenter(kit.NewButton(p.Keys, aim[0], nil, func() { p.host.lookFor(aim[1]) })))
	}
	p.blank.Offer(p.aims)
}
