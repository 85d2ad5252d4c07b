package measure

import (
	"context"
	"strings"

	"inglenook/app/chat"
	"inglenook/pipeline"
)

const (
	// answerTokens are how many tokens of an answer are compared. They have to fit into
	// answerContext with their question.
	answerTokens  = 32
	answerContext = 256
)

// An answerer writes answers, so that a model on a server can be compared with the same
// model here: of a server the tokens are not known, but what they say is.
type answerer interface {
	// chats reports whether the model has a form for conversations; others continue texts.
	chats() bool
	// answers returns the likeliest answer to each of the questions.
	answers(ctx context.Context, plain bool) ([]string, error)
}

// questions are what is asked. They differ in kind, because models that differ a little
// give the same answer to the easiest.
func questions() []string {
	return []string{
		"Write one sentence about the sea.",
		"Which month comes after March?",
		"Explain to a child why it rains.",
		"Name three things that are kept in a kitchen.",
	}
}

func (s *writerSubject) chats() bool { return s.model.Info().Chat }
func (s *remoteSubject) chats() bool { return true }

func (s *writerSubject) answers(ctx context.Context, plain bool) ([]string, error) {
	return ask(ctx, s.model, plain)
}

func (s *remoteSubject) answers(ctx context.Context, plain bool) ([]string, error) {
	return ask(ctx, s.open.Model, plain)
}

// ask puts the questions to a model, each in a conversation of its own, or as a plain text
// to go on with.
func ask(ctx context.Context, w pipeline.Writer, plain bool) (list []string, _ error) {
	for _, q := range questions() {
		got, err := chat.Collect(pipeline.Answer(ctx, w, []pipeline.Message{pipeline.TextMessage("user", q)}, pipeline.ReplyOptions{
			MaxTokens: answerTokens, Plain: plain, Sampling: &pipeline.Sampling{TopP: 1, TypicalP: 1, RepeatPenalty: 1},
		}), nil)
		if err != nil {
			return nil, err
		}
		list = append(list, strings.TrimSpace(got.Thinking+got.Text))
	}
	return list, nil
}

// sameText returns which share of some answers is the same up to the first letter that
// differs.
func sameText(a, b []string) float64 {
	sum := 0.0
	for i := range a {
		sum += sameStart([]rune(a[i]), []rune(b[i]))
	}
	return sum / float64(max(1, len(a)))
}
