package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"inglenook/pipeline"
	"inglenook/sampling"
)

// perMessage is what a template adds to a message, in tokens.
const perMessage = 6

// Plan implements pipeline.Writer. The tokens are counted by the server, where it is known
// how to ask it, and estimated elsewhere. Where a conversation does not fit, whole turns
// are left out, the oldest first; the system prompt and the last turn stay.
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
	room := pipeline.WantedRoom(w.context, o.MaxTokens)
	p := pipeline.Prompt{Messages: chat}
	tokens, scale := w.count(ctx, p, o), 1.0
	if tokens == 0 {
		p = w.fitting(chat, head, last, room, scale)
		tokens = estimate(p.Messages)
	} else {
		p, tokens, scale = w.fittingCounted(ctx, p, tokens, o, head, last, room)
	}
	if err := ctx.Err(); err != nil {
		return pipeline.Prompt{}, err
	}
	p.Context, p.PromptTokens, p.Room, p.AllTokens = w.context, tokens, max(0, w.context-tokens), int(scale*float64(estimate(chat)))
	return p, nil
}

// fittingCounted leaves out turns of a conversation that has so many tokens by the server's
// count. It returns the count of what is left, and by what factor the estimate is off.
func (w *Writer) fittingCounted(ctx context.Context, all pipeline.Prompt, tokens int, o pipeline.ReplyOptions, head, last, room int) (p pipeline.Prompt, left int, scale float64) {
	p = all
	for {
		scale = float64(tokens) / float64(estimate(p.Messages))
		if tokens <= w.context-room {
			return p, tokens, scale
		}
		shorter := w.fitting(all.Messages, head, last, room, scale)
		if len(shorter.Dropped) <= len(p.Dropped) {
			return p, tokens, scale
		}
		p = shorter
		if tokens = w.count(ctx, p, o); tokens == 0 {
			return p, int(scale * float64(estimate(p.Messages))), scale
		}
	}
}

// fitting leaves out as many of the oldest turns as have to be left out by the estimate,
// times scale. head is how many messages begin the conversation, last where its last turn
// begins.
func (w *Writer) fitting(chat []pipeline.Message, head, last, room int, scale float64) pipeline.Prompt {
	p := pipeline.Prompt{Messages: chat}
	from := head
	tokens := func() float64 { return scale * float64(estimate(chat[:head])+estimate(chat[from:])) }
	for from < last && tokens() > float64(w.context-room) {
		for from++; from < last && chat[from].Role != "user"; from++ {
		}
	}
	if from > head {
		p.Messages = append(slices.Clone(chat[:head]), chat[from:]...)
		for i := head; i < from; i++ {
			p.Dropped = append(p.Dropped, i)
		}
	}
	return p
}

// estimate is about how many tokens messages have.
func estimate(chat []pipeline.Message) (n int) {
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
