package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"inglenook/pipeline"
	"inglenook/sampling"
)

// perMessage is what a template adds to a message, in tokens.
const perMessage = 6

// roomWanted is how many tokens an answer should have at least, if turns can be left
// out for it.
const roomWanted = 512

// Plan implements pipeline.Writer. The tokens are estimated. Where a conversation does
// not fit, whole turns are left out, the oldest first; the system prompt and the last
// turn stay.
func (w *Writer) Plan(ctx context.Context, chat []pipeline.Message, o pipeline.ReplyOptions) (pipeline.Prompt, error) {
	if err := ctx.Err(); err != nil {
		return pipeline.Prompt{}, err
	}
	if len(chat) == 0 {
		return pipeline.Prompt{}, errors.New("the conversation is empty; give at least one message")
	}
	for _, m := range chat {
		for _, p := range m.Parts {
			if p.Kind != pipeline.PartText {
				return pipeline.Prompt{}, fmt.Errorf("a message of this conversation has a part of the kind %q, which this version of Inglenook cannot send to a model; install a newer version, or continue from a message before it", p.Kind)
			}
		}
	}
	head := 0
	for head < len(chat)-1 && (chat[head].Role == "system" || chat[head].Role == "developer") {
		head++
	}
	last := head // where the last turn begins
	for i := head + 1; i < len(chat); i++ {
		if o.Plain || chat[i].Role == "user" && chat[i-1].Role != "user" {
			last = i
		}
	}
	all := count(chat)
	room := roomWanted
	if o.MaxTokens > 0 {
		room = o.MaxTokens
	}
	room = max(1, min(room, w.context/4))
	p := pipeline.Prompt{Messages: chat}
	from := head
	for from < last && count(chat[:head])+count(chat[from:]) > w.context-room {
		for from++; from < last && chat[from].Role != "user"; from++ {
		}
	}
	if from > head {
		p.Messages = append(slices.Clone(chat[:head]), chat[from:]...)
		for i := head; i < from; i++ {
			p.Dropped = append(p.Dropped, i)
		}
	}
	tokens := count(p.Messages)
	p.Context, p.PromptTokens, p.Room, p.AllTokens = w.context, tokens, max(0, w.context-tokens), all
	return p, nil
}

// count estimates the tokens of messages.
func count(chat []pipeline.Message) (n int) {
	for _, m := range chat {
		n += countTokens(m.Text()) + perMessage
		for _, c := range m.Calls {
			n += countTokens(c.Name + c.Arguments)
		}
	}
	return n
}

// thinking separates what a model thinks from its answer, where the server leaves that
// in the text.
type thinking struct{ t *sampling.Thinker }

func newThinking() thinking { return thinking{sampling.NewThinker(sampling.ThinkingTags(), "")} }

func (t thinking) push(text string) []sampling.Segment { return t.t.Push(text) }
func (t thinking) flush() []sampling.Segment           { return t.t.Flush() }

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
