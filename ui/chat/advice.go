package chat

import (
	"context"

	"inglenook/app/chat"
	"inglenook/ui/firstmodel"
)

// advice says below an answer of the tiny guide that names models, and knows no computer, which one is
// recommended for this one; "": that is not known yet, or the message is another.
func (p *Panel) advice(m chat.Message) string {
	if !leadsToModels(m) || m.State == chat.MessageWriting {
		return ""
	}
	if !p.blank.asked {
		p.blank.asked = true
		p.learnAdvice()
	}
	return p.blank.advice
}

// learnAdvice finds out which model is recommended, and shows that on the first page and where the
// guide names others.
func (p *Panel) learnAdvice() {
	p.Work(func(ctx context.Context) {
		list, err := p.app.Suggest(ctx)
		p.Do(func() {
			if err != nil || len(list) == 0 { // the guide stands alone
				return
			}
			p.blank.advice = "Recommended: " + firstmodel.InShort(list[0])
			p.blank.refresh()
			for id, b := range p.bubbles {
				if leadsToModels(b.message) {
					p.forgetRows(id)
				}
			}
			p.flow.Reload()
		})
	})
}

// getModel shows the card that gets a model, or where models are found.
func (p *Panel) getModel() {
	p.newChat()
	if p.blank.want(true); !p.blank.card.View.Visible() {
		p.FindModel()
	}
}
