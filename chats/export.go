package chats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// The name and the newest version of the JSON format that WriteJSON writes.
const (
	exportFormat  = "inglenook.conversations"
	exportVersion = version
)

// export is a JSON file of conversations. The fields of Conversation and of the types
// it contains have their JSON names.
type export struct {
	Format        string         `json:"format"`
	Version       int            `json:"version"`
	Conversations []Conversation `json:"conversations"`
}

// WriteJSON writes conversations with all their branches, as JSON that ReadJSON
// reads. Times are in RFC 3339 and UTC, durations in nanoseconds.
func WriteJSON(w io.Writer, conversations ...Conversation) error {
	e := export{exportFormat, firstVersion, make([]Conversation, len(conversations))}
	for i, c := range conversations {
		c.Created, c.Updated = c.Created.UTC(), c.Updated.UTC()
		c.Messages = append([]Message{}, c.Messages...)
		for i, m := range c.Messages {
			c.Messages[i].Time = m.Time.UTC()
			e.Version = max(e.Version, versionOfMessage(m))
		}
		e.Conversations[i] = c
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(e)
}

// ReadJSON returns conversations written by WriteJSON, for Create. The error is a
// sentence for the user.
func ReadJSON(data []byte) ([]Conversation, error) {
	var e export
	err := json.Unmarshal(data, &e) // continues after a value of a wrong type
	switch {
	case e.Format != exportFormat:
		return nil, errors.New("this file is not JSON with conversations of Inglenook; choose one that was exported as JSON")
	case e.Version > exportVersion:
		return nil, errors.New("a newer version of Inglenook exported this file; update Inglenook to import it")
	case err != nil:
		return nil, fmt.Errorf("this file of conversations is damaged: %w; export it again", err)
	}
	for i, c := range e.Conversations {
		if err := check(c); err != nil {
			return nil, fmt.Errorf("conversation %d of this file (%q) is damaged: %w", i+1, title(c.Title), err)
		}
	}
	return e.Conversations, nil
}

// shortTime formats a time for display in the local time zone.
func shortTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
