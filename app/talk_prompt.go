package app

import (
	"context"
	"strings"
)

// replyOptions say how the model is to answer under the choices.
func (h *heldChat) replyOptions(x TalkChoices, p Preset) ReplyOptions {
	o := x.replyOptions(p)
	o.Plain = h.plain()
	return o
}

// plan returns the prompt for the parts of a conversation, and the messages of it
// that do not fit the context.
func (h *heldChat) plan(ctx context.Context, list []part, o ReplyOptions) (p Prompt, dropped []int64, err error) {
	p, err = h.chat.Plan(ctx, messages(list), o)
	for _, i := range p.Dropped {
		dropped = append(dropped, list[i].of...)
	}
	return p, dropped, err
}

// part is a message as a model gets it, with the messages of the conversation
// that it consists of.
type part struct {
	Message
	of []int64
}

// parts are what a model gets of a branch. Messages without text, such as an
// answer that failed at once, are left out, and neighbours of one role are joined,
// since many templates want the roles to alternate.
func parts(system string, path []ChatMessage) []part {
	var list []part
	if strings.TrimSpace(system) != "" {
		list = append(list, part{Message: Message{Role: "system", Content: system}})
	}
	for _, m := range path {
		text := content(m)
		if strings.TrimSpace(text) == "" {
			continue
		}
		if last := len(list) - 1; last >= 0 && list[last].Role == m.Role {
			list[last].Content += "\n\n" + text
			list[last].of = append(list[last].of, m.ID)
			continue
		}
		p := part{Message: Message{Role: m.Role, Content: text}, of: []int64{m.ID}}
		if m.Role == RoleAssistant {
			p.Thinking = m.Thinking
		}
		list = append(list, p)
	}
	return list
}

// content is the text of a message, behind that of its attachments, each within
// a fence that is longer than any of its own.
func content(m ChatMessage) string {
	if len(m.Attachments) == 0 {
		return m.Text
	}
	var b strings.Builder
	for _, a := range m.Attachments {
		fence := "```"
		for strings.Contains(a.Text, fence) {
			fence += "`"
		}
		b.WriteString("File " + a.Name + ":\n" + fence + "\n" + strings.TrimRight(a.Text, "\n") + "\n" + fence + "\n\n")
	}
	return strings.TrimRight(b.String()+m.Text, "\n")
}

func messages(list []part) []Message {
	out := make([]Message, len(list))
	for i, p := range list {
		out[i] = p.Message
	}
	return out
}
