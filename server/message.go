package server

import (
	"bytes"
	"encoding/json"
	"strings"

	"inglenook/app/chat"
)

// message is one of a conversation, in OpenAI's form.
type message struct {
	Role     string         `json:"role"`
	Content  content        `json:"content"`
	Thinking string         `json:"reasoning_content"`
	Calls    []toolCallJSON `json:"tool_calls"`
	CallID   string         `json:"tool_call_id"` // of the role tool
	Name     string         `json:"name"`
}

// content is a text, or parts that are texts. They are lines of one, as other servers have it.
type content string

// UnmarshalJSON implements json.Unmarshaler. A part that is no text is refused: no
// address in one is ever fetched.
func (c *content) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return json.Unmarshal(data, (*string)(c))
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	var lines []string
	for _, p := range parts {
		if p.Type != "text" && p.Type != "input_text" {
			return absent("messages", "a part of a message is no text; the models here read text alone, and nothing is fetched")
		}
		lines = append(lines, p.Text)
	}
	*c = content(strings.Join(lines, "\n"))
	return nil
}

// maxMessages bounds a conversation.
const maxMessages = 10_000

// conversation checks messages and puts them into our form.
func conversation(messages []message) ([]chat.PromptMessage, error) {
	if len(messages) == 0 || len(messages) > maxMessages {
		return nil, wrong("messages", "messages has to be a list of 1 to %d messages", maxMessages)
	}
	if n := len(messages); n > 1 && messages[n-1].Role == "assistant" && messages[n-2].Role == "assistant" {
		return nil, wrong("messages", "two messages of the assistant end the conversation, and one alone can be continued; join them")
	}
	var out []chat.PromptMessage
	for _, m := range messages {
		role := m.Role
		if role == "developer" {
			role = "system"
		}
		if role != "system" && role != "user" && role != "assistant" && role != "tool" {
			return nil, wrong("messages", "a role has to be system, developer, user, assistant or tool")
		}
		x := chat.TextMessage(role, string(m.Content))
		x.Thinking = m.Thinking
		var err error
		switch role {
		case "assistant":
			x.Calls, err = callsOf(m.Calls)
		case "tool":
			x.CallID, x.Name = callID(m.CallID), m.Name
		}
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}
