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

// export is a JSON file of conversations.
type export struct {
	Format        string             `json:"format"`
	Version       int                `json:"version"`
	Conversations []conversationJSON `json:"conversations"`
}

// WriteJSON writes conversations with all their branches, as JSON that ReadJSON
// reads. Times are in RFC 3339 and UTC, durations in nanoseconds.
func WriteJSON(w io.Writer, conversations ...Conversation) error {
	e := export{exportFormat, firstVersion, make([]conversationJSON, len(conversations))}
	for i, c := range conversations {
		e.Conversations[i] = conversationToJSON(c)
		for _, m := range c.Messages {
			e.Version = max(e.Version, versionOfMessage(m))
		}
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
	list := make([]Conversation, len(e.Conversations))
	for i, c := range e.Conversations {
		list[i] = c.conversation()
		if err := check(list[i]); err != nil {
			return nil, fmt.Errorf("conversation %d of this file (%q) is damaged: %w", i+1, oneLine(c.Title, titleBytes), err)
		}
	}
	return list, nil
}

// shortTime formats a time for display in the local time zone.
func shortTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
