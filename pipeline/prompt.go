package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"inglenook/jinja"
	"inglenook/pipeline/chattemplate"
)

// Prompt is what an answer continues: a Writer's Plan makes it, and its Reply
// sends it as it is.
type Prompt struct {
	Plan
	Messages []Message // those that are sent
	Text     string    // as the model reads it; empty where a Writer leaves that to another machine
	IDs      []int32   // its tokens, likewise

	chat bool // Text was written by a chat template
}

// Plan is what a conversation takes of the context, and what has to be left out
// of it.
type Plan struct {
	Context      int   // tokens that the model sees at once
	PromptTokens int   // of what is sent
	Room         int   // tokens that remain for the answer
	Dropped      []int // messages that are left out, by their index
	AllTokens    int   // of the prompt if nothing were left out
}

// newPrompt is a prompt of these tokens in a context of a size.
func newPrompt(ids []int32, context int) Prompt {
	n := len(ids)
	return Prompt{IDs: ids, Plan: Plan{Context: context, PromptTokens: n, Room: context - n, AllTokens: n}}
}

// Behind returns a prompt of Plan behind tokens that were read or written before. A start token
// between the two is left out.
func (g *Generator) Behind(p Prompt, before []int32) (Prompt, error) {
	ids := p.IDs
	if g.tok != nil && len(ids) > 1 && len(before) > 0 && ids[0] == g.tok.StartID() {
		ids = ids[1:]
	}
	q := newPrompt(slices.Concat(before, ids), g.context)
	q.Messages, q.Text, q.chat, q.Dropped = p.Messages, p.Text, p.chat, p.Dropped
	return q, g.check(q)
}

// render makes the prompt of a conversation that is sent whole.
func (g *Generator) render(ctx context.Context, chat []Message, o ReplyOptions) (Prompt, error) {
	var text string
	var ids []int32
	var err error
	if o.Plain {
		text = plainText(chat)
		ids, err = g.textIDs(ctx, text)
	} else {
		text, ids, err = g.chatIDs(ctx, chat, o)
	}
	p := newPrompt(ids, g.context)
	p.Messages, p.Text, p.chat = chat, text, !o.Plain
	return p, err
}

// chatIDs renders a conversation with the chat template. An answer that comes
// last is left open, so that the model continues it.
func (g *Generator) chatIDs(ctx context.Context, chat []Message, o ReplyOptions) (text string, ids []int32, err error) {
	c := chattemplate.Conversation{Messages: &jinja.List{}, Extra: o.variables(), AddGenerationPrompt: true}
	for _, m := range chat {
		d, err := m.dict()
		if err != nil {
			return "", nil, err
		}
		c.Messages.Items = append(c.Messages.Items, d)
	}
	if len(o.Tools) > 0 {
		if c.Tools, err = toolList(o.Tools); err != nil {
			return "", nil, err
		}
	}
	last := chat[len(chat)-1]
	continues := last.Role == "assistant" && strings.TrimSpace(last.Text()) != ""
	if continues {
		c.AddGenerationPrompt = false
	} else if last.Role == "assistant" && len(last.Calls) == 0 {
		c.Messages.Items = c.Messages.Items[:len(chat)-1]
	}
	rendered, err := g.template.Render(ctx, c)
	if err != nil {
		return "", nil, err
	}
	if continues {
		if rendered, err = rendered.UpTo(last.Text()); err != nil {
			return "", nil, err
		}
	}
	ids, err = g.template.IDs(ctx, rendered)
	return rendered.Text, ids, err
}

// dict is a message as templates see it.
func (m Message) dict() (*jinja.Dict, error) {
	d := jinja.NewDict()
	d.Set("role", m.Role)
	d.Set("content", m.Text())
	if m.Thinking != "" {
		d.Set("thinking", m.Thinking)
	}
	if m.CallID != "" {
		d.Set("tool_call_id", m.CallID)
	}
	if m.Name != "" {
		d.Set("name", m.Name)
	}
	if len(m.Calls) > 0 {
		calls := &jinja.List{}
		for _, c := range m.Calls {
			arguments, err := jinja.FromJSON(strings.NewReader(c.Arguments))
			if _, ok := arguments.(*jinja.Dict); err != nil || !ok {
				return nil, fmt.Errorf("the arguments of a call of %q are no JSON object; send them as the model wrote them", c.Name)
			}
			call := dictOf("type", "function", "id", c.ID, "function", dictOf("name", c.Name, "arguments", arguments))
			calls.Items = append(calls.Items, call)
		}
		d.Set("tool_calls", calls)
	}
	return chattemplate.PrepareMessage(d), nil
}

// toolList is the tools as templates see them.
func toolList(tools []Tool) (*jinja.List, error) {
	list := &jinja.List{}
	for _, t := range tools {
		schema := "{\"type\": \"object\", \"properties\": {}}"
		if len(t.Parameters) > 0 {
			schema = string(t.Parameters)
		}
		parameters, err := jinja.FromJSON(strings.NewReader(schema))
		if _, ok := parameters.(*jinja.Dict); err != nil || !ok {
			return nil, fmt.Errorf("the parameters of the tool %q are no JSON schema of an object", t.Name)
		}
		list.Items = append(list.Items, dictOf("type", "function", "function", dictOf("name", t.Name, "description", t.Description, "parameters", parameters)))
	}
	return list, nil
}

// dictOf is a dict of keys and values.
func dictOf(pairs ...any) *jinja.Dict {
	d := jinja.NewDict()
	for i := 0; i < len(pairs); i += 2 {
		d.Set(pairs[i].(string), pairs[i+1])
	}
	return d
}

// plainText returns the prompt for a model that continues texts: all messages
// as they are. Each message begins a line. Only an answer of the assistant
// follows directly what it continues.
func plainText(chat []Message) string {
	var b strings.Builder
	for _, m := range chat {
		if m.Role != "assistant" && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(m.Text())
		if m.Role == "system" {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// textIDs returns the tokens of a text that is to be continued.
func (g *Generator) textIDs(ctx context.Context, text string) ([]int32, error) {
	e, err := g.encode(ctx, text)
	if err != nil {
		return nil, err
	}
	ids := e.IDs
	if end := g.tok.EndID(); len(ids) > 1 && ids[len(ids)-1] == end && e.Special[len(ids)-1] {
		ids = ids[:len(ids)-1] // the text is to go on
	}
	if start := g.tok.StartID(); len(ids) == 0 && start >= 0 {
		ids = []int32{start}
	}
	return ids, nil
}

// encode returns the tokens of a text without a chat template. A text-to-text model reads a typed control token as one, as in the
// reference library: gaps to fill are marked so ("The <extra_id_0> walks"), and it has no template that a text could break out of.
func (g *Generator) encode(ctx context.Context, text string) (Encoding, error) {
	all, err := g.tok.EncodeBatch(ctx, []string{text}, TokenizeOptions{ParseSpecial: g.whole})
	if err != nil {
		return Encoding{}, err
	}
	return all[0], nil
}

// check refuses a prompt that this model cannot read.
func (g *Generator) check(p Prompt) error {
	switch {
	case len(p.IDs) == 0:
		return errors.New("there is no text to continue; give at least one word")
	case len(p.IDs) >= g.context:
		return g.tooLong(len(p.IDs), len(p.IDs), false)
	}
	for i, id := range p.IDs {
		if id < 0 || int(id) >= g.vocab {
			return fmt.Errorf("token id %d at position %d is outside the vocabulary of this model (0 to %d)", id, i, g.vocab-1)
		}
	}
	return nil
}

// Count returns how many tokens a text has.
func (g *Generator) Count(ctx context.Context, text string) (int, error) {
	if g.tok == nil {
		return 0, errIDsOnly
	}
	e, err := g.encode(ctx, text)
	return len(e.IDs), err
}
