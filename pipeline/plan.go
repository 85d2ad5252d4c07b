package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"inglenook/jinja"
)

// prompt is what an answer continues.
type prompt struct {
	Plan
	ids  []int32
	chat bool   // text is a rendered conversation
	text string // the prompt
}

// roomWanted is how many tokens an answer should have at least, where turns can
// be left out for it; in a small context it is a quarter of that.
const roomWanted = 512

// plan renders a conversation and, where that does not fit, leaves out as few of
// the oldest turns as it takes.
func (g *Generator) plan(ctx context.Context, chat []Message, o ReplyOptions) (prompt, error) {
	if g.tok == nil {
		return prompt{}, errIDsOnly
	}
	if g.template == nil {
		return prompt{}, ErrNoChatTemplate
	}
	if len(chat) == 0 {
		return prompt{}, errors.New("the conversation is empty; give at least one message")
	}
	head, turns := splitTurns(chat)
	without := func(n int) (prompt, error) {
		p, err := g.render(ctx, append(slices.Clone(chat[:head]), chat[turns[n]:]...), o)
		for i := head; i < turns[n]; i++ {
			p.Dropped = append(p.Dropped, i)
		}
		return p, err
	}
	p, err := without(0)
	if err != nil {
		return prompt{}, err
	}
	all, limit := len(p.ids), g.context-g.wantedRoom(o)
	if len(p.ids) > limit && len(turns) > 1 {
		if p, err = fewestDropped(len(turns)-1, limit, without); err != nil {
			return prompt{}, err
		}
	}
	if len(p.ids) >= g.context {
		return prompt{}, g.tooLong(len(p.ids), head > 0)
	}
	p.Plan = Plan{Context: g.context, PromptTokens: len(p.ids), Room: g.context - len(p.ids), Dropped: p.Dropped, AllTokens: all}
	return p, nil
}

// fewestDropped finds the prompt of at most limit tokens that lacks the fewest
// turns, from 1 to most; where none is so short, that which lacks the most.
func fewestDropped(most, limit int, without func(n int) (prompt, error)) (best prompt, err error) {
	n := 1 + sort.Search(most-1, func(i int) bool {
		if err != nil {
			return true
		}
		var p prompt
		p, err = without(i + 1)
		return len(p.ids) <= limit
	})
	if err != nil {
		return prompt{}, err
	}
	return without(n)
}

// splitTurns returns how many messages at the beginning are instructions, and at
// which message each turn begins: a turn is what the user says with the answers
// to it.
func splitTurns(chat []Message) (head int, turns []int) {
	for head < len(chat)-1 && (chat[head].Role == "system" || chat[head].Role == "developer") {
		head++
	}
	turns = []int{head}
	for i := head + 1; i < len(chat); i++ {
		if chat[i].Role == "user" && chat[i-1].Role != "user" {
			turns = append(turns, i)
		}
	}
	return head, turns
}

// wantedRoom is the room for an answer for which turns are left out.
func (g *Generator) wantedRoom(o ReplyOptions) int {
	room := roomWanted
	if o.MaxTokens > 0 {
		room = o.MaxTokens
	}
	return max(1, min(room, g.context/4))
}

// TooLongError says that what must be sent does not fit the context.
type TooLongError struct {
	Tokens, Context int
	sentence        string
}

func (e *TooLongError) Error() string { return e.sentence }

// tooLong says that what must stay does not fit.
func (g *Generator) tooLong(tokens int, system bool) error {
	what := "the message alone has"
	if system {
		what = "the message and the system prompt alone have"
	}
	advice := "shorten it"
	if g.context < g.info.ModelContext {
		advice = fmt.Sprintf("shorten it, or open the model with a larger context (it can see %d tokens)", g.info.ModelContext)
	}
	return &TooLongError{tokens, g.context, fmt.Sprintf("%s %d tokens, and the context of %d has no room for them and an answer; %s", what, tokens, g.context, advice)}
}

// render makes the prompt of a conversation that is sent whole.
func (g *Generator) render(ctx context.Context, chat []Message, o ReplyOptions) (prompt, error) {
	c := Conversation{Messages: &jinja.List{}, Extra: o.variables(), AddGenerationPrompt: true}
	for _, m := range chat {
		c.Messages.Items = append(c.Messages.Items, m.dict())
	}
	last := chat[len(chat)-1]
	continues := last.Role == "assistant" && strings.TrimSpace(last.Content) != ""
	if continues {
		c.AddGenerationPrompt = false
	} else if last.Role == "assistant" {
		c.Messages.Items = c.Messages.Items[:len(chat)-1]
	}
	rendered, err := g.template.Render(ctx, c)
	if err != nil {
		return prompt{}, err
	}
	if continues {
		if rendered, err = rendered.upTo(last.Content); err != nil {
			return prompt{}, err
		}
	}
	ids, err := g.template.IDs(ctx, rendered)
	return prompt{ids: ids, chat: true, text: rendered.Text}, err
}

// dict is a message as templates see it.
func (m Message) dict() *jinja.Dict {
	d := jinja.NewDict()
	d.Set("role", m.Role)
	d.Set("content", m.Content)
	if m.Thinking != "" {
		d.Set("thinking", m.Thinking)
	}
	return prepareMessage(d)
}

// upTo ends the prompt behind the last message, so that the model goes on with
// it as transformers' continue_final_message does.
func (p Prompt) upTo(content string) (Prompt, error) {
	body := strings.TrimSpace(content)
	at := strings.LastIndex(p.Text, body)
	if at < 0 {
		return Prompt{}, errors.New("this model's chat template changes answers, so one cannot be continued; ask for a new answer instead")
	}
	end := at + len(body)
	tail := content[strings.LastIndex(content, body)+len(body):]
	if strings.HasPrefix(p.Text[end:], tail) {
		end += len(tail)
	}
	n, _ := slices.BinarySearch(p.Plain, end)
	return Prompt{p.Text[:end], p.Plain[:n]}, nil
}

// Count is how many tokens Complete would read of a text.
func (g *Generator) Count(ctx context.Context, text string) (int, error) {
	if g.tok == nil {
		return 0, errIDsOnly
	}
	all, err := g.tok.EncodeBatch(ctx, []string{text}, TokenizeOptions{})
	if err != nil {
		return 0, err
	}
	return len(all[0].IDs), nil
}

// rawPrompt is a text without a template.
func (g *Generator) rawPrompt(text string) (prompt, error) {
	if g.tok == nil {
		return prompt{}, errIDsOnly
	}
	e, err := g.tok.Encode(text, TokenizeOptions{})
	if err != nil {
		return prompt{}, err
	}
	ids := e.IDs
	if end := g.tok.EndID(); len(ids) > 1 && ids[len(ids)-1] == end && e.Special[len(ids)-1] {
		ids = ids[:len(ids)-1] // the text is to go on
	}
	if start := g.tok.StartID(); len(ids) == 0 && start >= 0 {
		ids = []int32{start}
	}
	return g.idPrompt(ids)
}

// idPrompt checks ids that come from outside.
func (g *Generator) idPrompt(ids []int32) (prompt, error) {
	switch {
	case len(ids) == 0:
		return prompt{}, errors.New("there is no text to continue; give at least one word")
	case len(ids) >= g.context:
		return prompt{}, g.tooLong(len(ids), false)
	}
	for i, id := range ids {
		if id < 0 || int(id) >= g.vocab {
			return prompt{}, fmt.Errorf("token id %d at position %d is outside the vocabulary of this model (0 to %d)", id, i, g.vocab-1)
		}
	}
	n := len(ids)
	return prompt{ids: ids, Plan: Plan{Context: g.context, PromptTokens: n, Room: g.context - n, AllTokens: n}}, nil
}
