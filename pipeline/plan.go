package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"inglenook/pipeline/chattemplate"
)

// roomWanted is how many tokens an answer should have at least, if turns can be
// left out for it. In a small context it is a quarter of the context.
const roomWanted = 512

// Plan implements Writer. Where a conversation does not fit, whole turns are left
// out, the oldest first, and as few as possible; the system prompt and the last
// turn stay. Where these alone are too long, it returns a [TooLongError].
func (g *Generator) Plan(ctx context.Context, chat []Message, o ReplyOptions) (Prompt, error) {
	switch {
	case g.life.Err() != nil:
		return Prompt{}, ErrClosed
	case g.tok == nil:
		return Prompt{}, errIDsOnly
	case g.template == nil && !o.Plain && !g.whole:
		return Prompt{}, chattemplate.ErrMissing
	case len(chat) == 0:
		return Prompt{}, errors.New("the conversation is empty; give at least one message")
	}
	if err := onlyText(chat); err != nil {
		return Prompt{}, err
	}
	if err := g.checkTools(chat, o); err != nil {
		return Prompt{}, err
	}
	if g.whole {
		return g.planTask(ctx, chat)
	}
	head, turns := splitTurns(chat, o.Plain)
	from := func(turn int) (Prompt, error) {
		p, err := g.render(ctx, append(slices.Clone(chat[:head]), chat[turns[turn]:]...), o)
		for i := head; i < turns[turn]; i++ {
			p.Dropped = append(p.Dropped, i)
		}
		return p, err
	}
	first, last := g.oldestTurn(chat, turns), len(turns)-1
	p, err := from(first)
	if err != nil {
		return Prompt{}, err
	}
	all := len(p.IDs) + contentBytes(chat[head:turns[first]])/bytesPerToken
	if limit := g.context - WantedRoom(g.context, o.MaxTokens); len(p.IDs) > limit && first < last {
		if p, err = longestFitting(first+1, last, limit, from); err != nil {
			return Prompt{}, err
		}
	}
	if len(p.IDs) >= g.context {
		return Prompt{}, g.tooLong(len(p.IDs), all, head > 0)
	}
	p.AllTokens = all
	return p, nil
}

// planTask is Plan for a text-to-text model, which answers the last message alone. What
// stands before the conversation stands before the message. An answer of the assistant
// that comes last is not continued.
func (g *Generator) planTask(ctx context.Context, chat []Message) (Prompt, error) {
	head, turns := splitTurns(chat, false)
	last := turns[len(turns)-1]
	sent := slices.Clone(chat[:head])
	for _, m := range chat[last:] {
		if m.Role != "assistant" {
			sent = append(sent, m)
		}
	}
	text := plainText(sent)
	e, err := g.encode(ctx, text)
	if err != nil {
		return Prompt{}, err
	}
	p := newPrompt(e.IDs, g.context)
	p.Messages, p.Text = sent, text
	if len(p.IDs) >= g.context {
		return Prompt{}, g.tooLong(len(p.IDs), len(p.IDs), head > 0)
	}
	return p, nil
}

// longestFitting finds the longest prompt of at most limit tokens. A prompt
// begins with one of the turns from first to last. If none is short enough, it
// returns the prompt that begins with last.
func longestFitting(first, last, limit int, from func(turn int) (Prompt, error)) (Prompt, error) {
	var err error
	turn := first + sort.Search(last-first, func(i int) bool {
		if err != nil {
			return true
		}
		var p Prompt
		p, err = from(first + i)
		return len(p.IDs) <= limit
	})
	if err != nil {
		return Prompt{}, err
	}
	return from(turn)
}

// splitTurns returns how many messages at the beginning are instructions, and
// the indexes of the messages with which turns begin. A turn is what the user
// says, in one message or several, and all that answers it. In a plain text
// each message is a turn.
func splitTurns(chat []Message, plain bool) (head int, turns []int) {
	for head < len(chat)-1 && (chat[head].Role == "system" || chat[head].Role == "developer") {
		head++
	}
	turns = []int{head}
	for i := head + 1; i < len(chat); i++ {
		if plain || chat[i].Role == "user" && chat[i-1].Role != "user" {
			turns = append(turns, i)
		}
	}
	return head, turns
}

// Bytes of text for each token: what is usual in English, and what an average
// over many messages does not exceed.
const (
	bytesPerToken     = 4
	mostBytesPerToken = 16
)

// oldestTurn returns the oldest turn that could fit the context. The turns
// before it are not even rendered, so that an answer costs no more in a very
// long conversation.
func (g *Generator) oldestTurn(chat []Message, turns []int) int {
	bytes, end := 0, len(chat)
	for turn, begin := range slices.Backward(turns) {
		if bytes += contentBytes(chat[begin:end]); bytes > g.context*mostBytesPerToken {
			return turn
		}
		end = begin
	}
	return 0
}

// contentBytes returns the bytes of all texts.
func contentBytes(chat []Message) (n int) {
	for _, m := range chat {
		for _, p := range m.Parts {
			n += len(p.Text)
		}
		for _, c := range m.Calls {
			n += len(c.Arguments)
		}
	}
	return n
}

// WantedRoom is the room for an answer for which turns are left out of a context: of an answer of so many
// tokens at most; 0: of any length.
func WantedRoom(context, most int) int {
	room := roomWanted
	if most > 0 {
		room = most
	}
	return max(1, min(room, context/4))
}

// TooLongError says that what must be sent does not fit the context.
type TooLongError struct {
	Tokens, Context int
	AllTokens       int // of the prompt if nothing were left out
	sentence        string
}

func (e *TooLongError) Error() string { return e.sentence }

// tooLong returns the error for messages that must stay and do not fit.
func (g *Generator) tooLong(tokens, all int, system bool) error {
	what := "the message alone has"
	if system {
		what = "the message and the system prompt alone have"
	}
	advice := "shorten it"
	if g.context < g.info.ModelContext {
		advice = fmt.Sprintf("shorten it, or open the model with a larger context (it can see %d tokens)", g.info.ModelContext)
	}
	return &TooLongError{tokens, g.context, all, fmt.Sprintf("%s %d tokens, and the context of %d has no room for them and an answer; %s", what, tokens, g.context, advice)}
}
