package chat

import "inglenook/app/chat"

// unanswered says of a chat that its last message waits: the program was closed before the model
// began, or the person ended that.
const unanswered = "Your last message has no answer yet."

// tellUnanswered says so of the conversation in view, unless there is something else to say.
func (p *Panel) tellUnanswered() {
	m := p.tree.message(p.tree.leaf())
	if m == nil || m.Role != chat.RoleUser || p.writesHere() || p.notice.Message() != "" {
		return
	}
	p.notice.Say(unanswered, "Answer", func() { p.regenerate(m.ID) })
	p.view.Refresh()
}

// nothingWaits takes that away once an answer begins.
func (p *Panel) nothingWaits() {
	if p.notice.Message() == unanswered {
		p.notice.Hide()
	}
}
