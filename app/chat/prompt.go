package chat

import (
	"context"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/pipeline"
)

// replyOptions say how the model is to answer under the choices.
func (h *loaded) replyOptions(x Choices, p base.Preset) ReplyOptions {
	o := x.replyOptions(p)
	o.Plain = h.plain()
	return o
}

// plan returns the prompt for a conversation, and the messages of it
// that do not fit the context.
func (h *loaded) plan(ctx context.Context, list []sent, o ReplyOptions) (p pipeline.Prompt, dropped []int64, err error) {
	p, err = h.chat.Plan(ctx, messages(list), o)
	for _, i := range p.Dropped {
		dropped = append(dropped, list[i].of...)
	}
	return p, dropped, err
}

// sent is a message as a model gets it, with the messages of the conversation that
// it consists of.
type sent struct {
	PromptMessage
	of []int64
}

// sentOf returns what a model gets of a branch. Messages without content, such as an
// answer that failed at once, are left out, and neighbours of one role are joined,
// since many templates want the roles to alternate.
func sentOf(system string, path []Message) []sent {
	var list []sent
	if strings.TrimSpace(system) != "" {
		list = append(list, sent{PromptMessage: TextMessage("system", system)})
	}
	for _, m := range path {
		parts := contentOf(m)
		if len(parts) == 0 {
			continue
		}
		if last := len(list) - 1; last >= 0 && list[last].Role == m.Role {
			list[last].Parts = joined(list[last].Parts, parts)
			list[last].of = append(list[last].of, m.ID)
			continue
		}
		s := sent{PromptMessage: PromptMessage{Role: m.Role, Parts: parts}, of: []int64{m.ID}}
		if m.Role == RoleAssistant {
			s.Thinking = m.Thinking
		}
		list = append(list, s)
	}
	return list
}

// contentOf returns what a model gets of a message: each run of texts and files as one
// text, and parts of other kinds as they are. A model that cannot read these refuses them.
func contentOf(m Message) (parts []pipeline.Part) {
	var run []string
	end := func() {
		if len(run) > 0 {
			parts = append(parts, pipeline.Part{Kind: pipeline.PartText, Text: strings.Join(run, "\n\n")})
		}
		run = nil
	}
	for _, p := range m.Parts {
		switch p.Kind {
		case PartText:
			if strings.TrimSpace(p.Text) != "" {
				run = append(run, p.Text)
			}
		case PartFile:
			run = append(run, fileText(p))
		default:
			end()
			parts = append(parts, pipeline.Part{Kind: p.Kind})
		}
	}
	end()
	return parts
}

// blank reports whether parts say nothing.
func blank(parts []Part) bool {
	return !slices.ContainsFunc(parts, func(p Part) bool { return p.Kind != PartText || strings.TrimSpace(p.Text) != "" })
}

// joined puts the parts of two messages together, and makes one text of two that
// meet.
func joined(a, b []pipeline.Part) []pipeline.Part {
	if last := &a[len(a)-1]; last.Kind == pipeline.PartText && b[0].Kind == pipeline.PartText {
		last.Text += "\n\n" + b[0].Text
		b = b[1:]
	}
	return append(a, b...)
}

// fileText returns a file as text, within a fence that is longer than any of its own.
func fileText(file Part) string {
	fence := "```"
	for strings.Contains(file.Text, fence) {
		fence += "`"
	}
	return "File " + file.Name + ":\n" + fence + "\n" + strings.TrimRight(file.Text, "\n") + "\n" + fence
}

func messages(list []sent) []PromptMessage {
	out := make([]PromptMessage, len(list))
	for i, s := range list {
		out[i] = s.PromptMessage
	}
	return out
}
