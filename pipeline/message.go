package pipeline

import (
	"errors"
	"fmt"
	"strings"

	"inglenook/pipeline/toolcall"
)

// Message is one turn of a conversation.
type Message struct {
	Role     string // "system", "user", "assistant", "tool", or another that the chat template knows
	Parts    []Part // in order
	Thinking string // what the assistant thought before it answered

	Calls  []ToolCall // tools that the assistant asked for, after its text
	CallID string     // of a message of the role "tool": the call that it answers
	Name   string     // likewise: the tool's
}

// What tools are made of, in the words of package toolcall.
type (
	Tool     = toolcall.Tool
	ToolCall = toolcall.Call
)

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

// errNoTools refuses tools where the model was not made for them.
var errNoTools = errors.New("the chat template of this model teaches no calls of tools, or in a form that is not supported; leave the tools out, or use a model that was made for them")

// checkTools refuses tools that the model cannot call, and a choice that is none.
func (g *Generator) checkTools(chat []Message, o ReplyOptions) error {
	used := len(o.Tools) > 0 || o.ToolChoice != ""
	for _, m := range chat {
		used = used || len(m.Calls) > 0
	}
	switch {
	case !used:
		return nil
	case !g.info.Tools || o.Plain:
		return errNoTools
	case o.ToolChoice != "" && (o.JSON || o.JSONSchema != nil):
		return errors.New("an answer cannot be JSON and a call of a tool; ask for one of them")
	case o.ToolChoice != "" && toolcall.Schema(o.Tools, o.choice()) == nil:
		return errors.New("the tool that has to be called is not among the tools; offer it, or leave the choice to the model")
	}
	return nil
}

// choice is the tool that has to be called; "": any.
func (o ReplyOptions) choice() string {
	if o.ToolChoice == AnyTool {
		return ""
	}
	return o.ToolChoice
}
