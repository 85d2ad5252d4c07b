package pipeline

import (
	"fmt"
	"strings"
)

// Message is one turn of a conversation.
type Message struct {
	Role     string // "system", "user", "assistant", "tool", or another that the chat template knows
	Parts    []Part // in order
	Thinking string // what the assistant thought before it answered
}

// Part is a piece of a message. Text is the only kind that models here read; a
// Writer refuses kinds that it does not know.
type Part struct {
	Kind string // PartText, or that of a newer program
	Text string // of PartText
}

// PartText is the kind of a part that is text.
const PartText = "text"

// TextMessage returns a message that is one text.
func TextMessage(role, text string) Message {
	return Message{Role: role, Parts: []Part{{PartText, text}}}
}

// Text returns the texts of a message, one after the other.
func (m Message) Text() string {
	if len(m.Parts) == 1 {
		return m.Parts[0].Text
	}
	var b strings.Builder
	for _, p := range m.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// onlyText refuses messages with parts that are no text.
func onlyText(chat []Message) error {
	for _, m := range chat {
		for _, p := range m.Parts {
			if p.Kind != PartText {
				return fmt.Errorf("a message of this conversation has a part of the kind %q, which this version of Inglenook cannot send to a model; install a newer version, or continue from a message before it", p.Kind)
			}
		}
	}
	return nil
}
