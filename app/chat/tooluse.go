package chat

import (
	"encoding/json"
	"slices"

	"inglenook/app/tools"
	"inglenook/chats"
	"inglenook/pipeline"
)

// PartTool is the kind of a part that is a tool which a model asked for, with its result.
const PartTool = chats.PartTool

// What became of a call.
const (
	ToolRan     = ""
	ToolFailed  = "failed"
	ToolRefused = "refused" // by the person
)

// ToolUse is a call of a tool with what it came to.
type ToolUse struct {
	Server    string `json:"server"`
	Tool      string `json:"tool"`      // as the server calls it
	Called    string `json:"called"`    // as the model did
	ID        string `json:"id"`        // of the call
	Arguments string `json:"arguments"` // a JSON object
	Round     int    `json:"round"`     // calls of one round were asked for together
	State     string `json:"state,omitempty"`
	Result    string `json:"-"`
}

// Part is the use as a part of a message.
func (u ToolUse) Part() Part {
	data, _ := json.Marshal(u) // texts and a number
	return Part{Kind: PartTool, Name: u.Tool, Text: u.Result, Data: data}
}

// ToolUses returns the tools that were asked for in a message, in order.
func ToolUses(parts []Part) []ToolUse {
	var list []ToolUse
	for _, p := range parts {
		if u, ok := toolUse(p); ok {
			list = append(list, u)
		}
	}
	return list
}

// toolUse reads a part; one that was imported may say anything.
func toolUse(p Part) (u ToolUse, ok bool) {
	var arguments map[string]any
	if p.Kind != PartTool || json.Unmarshal(p.Data, &u) != nil || u.Called == "" || json.Unmarshal([]byte(u.Arguments), &arguments) != nil || arguments == nil {
		return ToolUse{}, false
	}
	u.Result = tools.Cut(p.Text, 0)
	return u, true
}

// usesTools reports whether an answer has asked for tools.
func usesTools(m Message) bool {
	return m.Role == RoleAssistant && slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Kind == PartTool })
}

// with returns the talk with the beginning of an answer behind it.
func (t Talk) with(begun Message) Talk {
	if len(begun.Parts) > 0 {
		t.Messages = append(slices.Clip(t.Messages), begun)
	}
	return t
}

// turns returns an answer that asked for tools as a model is to get it: what it wrote, its
// calls, their results, what it wrote then. A model that knows no tools gets the texts.
func (t Talk) turns(m Message, small bool) []PromptMessage {
	var list []PromptMessage
	var rest []Part
	write := func() {
		if parts := contentOf(Message{Role: m.Role, Parts: rest}, small); len(parts) > 0 {
			list = append(list, PromptMessage{Role: RoleAssistant, Parts: parts})
		}
		rest = nil
	}
	if !t.Tools {
		rest = m.Parts
		write()
		return list
	}
	for i := 0; i < len(m.Parts); i++ {
		u, ok := toolUse(m.Parts[i])
		if !ok {
			if m.Parts[i].Kind != PartTool {
				rest = append(rest, m.Parts[i])
			}
			continue
		}
		before := len(list)
		if write(); len(list) == before { // it called without a word
			list = append(list, PromptMessage{Role: RoleAssistant})
		}
		calls := &list[len(list)-1].Calls
		round := []ToolUse{u}
		for i+1 < len(m.Parts) {
			next, ok := toolUse(m.Parts[i+1])
			if !ok || next.Round != u.Round {
				break
			}
			round = append(round, next)
			i++
		}
		for _, u := range round {
			*calls = append(*calls, ToolCall{ID: u.ID, Name: u.Called, Arguments: u.Arguments})
		}
		for _, u := range round {
			list = append(list, PromptMessage{Role: "tool", CallID: u.ID, Name: u.Called, Parts: []pipeline.Part{{Kind: pipeline.PartText, Text: u.Result}}})
		}
	}
	write()
	if len(list) > 0 && list[0].Role == RoleAssistant {
		list[0].Thinking = m.Thinking
	}
	return list
}
