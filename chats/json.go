package chats

import (
	"encoding/json"
	"time"
)

// conversationJSON is a Conversation in an export.
type conversationJSON struct {
	Summary
	System   string          `json:"system,omitempty"`
	Settings json.RawMessage `json:"settings,omitempty"`
	Messages []messageJSON   `json:"messages"`
	Leaf     int64           `json:"leaf"`
}

// messageJSON is a Message in an export. Its parts are in three places.
type messageJSON struct {
	ID          int64      `json:"id"`
	Parent      int64      `json:"parent,omitempty"`
	Role        string     `json:"role"`
	Text        string     `json:"text"`
	Thinking    string     `json:"thinking,omitempty"`
	Attachments []fileJSON `json:"attachments,omitempty"`
	Parts       []Part     `json:"parts,omitempty"`
	Time        time.Time  `json:"time"`
	State       string     `json:"state,omitempty"`
	Reply       *Reply     `json:"reply,omitempty"`
}

// fileJSON is a PartFile in the place for files.
type fileJSON struct {
	Name   string `json:"name"`
	Text   string `json:"text"`
	Tokens int    `json:"tokens,omitempty"`
}

// conversationToJSON returns a conversation with times in UTC.
func conversationToJSON(c Conversation) conversationJSON {
	j := conversationJSON{c.Summary, c.System, c.Settings, make([]messageJSON, len(c.Messages)), c.Leaf}
	j.Created, j.Updated = c.Created.UTC(), c.Updated.UTC()
	for i, m := range c.Messages {
		j.Messages[i] = messageToJSON(m)
	}
	return j
}

func messageToJSON(m Message) messageJSON {
	content := placesOf(m.Parts)
	j := messageJSON{
		ID: m.ID, Parent: m.Parent, Role: m.Role, Text: content.text, Thinking: m.Thinking,
		Parts: content.rest, Time: m.Time.UTC(), State: m.State, Reply: m.Reply,
	}
	for _, f := range content.files {
		j.Attachments = append(j.Attachments, fileJSON{f.Name, f.Text, f.Tokens})
	}
	return j
}

func (j conversationJSON) conversation() Conversation {
	c := Conversation{Summary: j.Summary, System: j.System, Settings: j.Settings, Leaf: j.Leaf}
	for _, m := range j.Messages {
		c.Messages = append(c.Messages, m.message())
	}
	return c
}

func (j messageJSON) message() Message {
	content := places{text: j.Text, rest: j.Parts}
	for _, f := range j.Attachments {
		content.files = append(content.files, Part{Kind: PartFile, Name: f.Name, Text: f.Text, Tokens: f.Tokens})
	}
	return Message{
		ID: j.ID, Parent: j.Parent, Role: j.Role, Parts: content.parts(), Thinking: j.Thinking,
		Time: j.Time, State: j.State, Reply: j.Reply,
	}
}
