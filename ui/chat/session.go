package chat

import (
	"strings"

	"inglenook/app"
)

// draft is a message that is not sent yet.
type draft struct {
	text  string
	files []app.Attachment
}

func (d draft) holds() bool { return strings.TrimSpace(d.text) != "" || len(d.files) > 0 }

// startChoices are those of a conversation that begins.
func (p *Panel) startChoices() app.TalkChoices {
	return app.TalkChoices{Model: p.App.Settings().Chat.Model, Preset: p.talks.Presets()[0].Name}
}

// keepTalk makes sure that the conversation in view is kept, and gives its id.
func (p *Panel) keepTalk() (string, error) {
	if p.talk.ID != "" {
		return p.talk.ID, nil
	}
	id, err := p.talks.New(p.choices)
	if err == nil && p.talk.System != "" {
		err = p.talks.SetSystem(id, p.talk.System)
	}
	if err != nil {
		return "", err
	}
	p.talk.ID = id
	delete(p.drafts, "")
	p.Keep(func(s *app.Settings) { s.Chat.Talk = id })
	return id, nil
}

// writesHere reports whether the answer under way belongs to the conversation in view.
func (p *Panel) writesHere() bool { return p.running != nil && p.running.conversation == p.talk.ID }

// followAnswer puts the answer under way into the tree, as far as it is known.
func (p *Panel) followAnswer() {
	a := p.running
	if a == nil || a.conversation != p.talk.ID {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if m := p.tree.message(a.step.Answer); m != nil {
		m.Text, m.Thinking = a.text.String(), a.thought.String()
	}
}
