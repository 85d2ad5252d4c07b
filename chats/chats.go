// Package chats keeps conversations with language models: all of them in memory
// while the program runs, and in one folder, so that a process that is killed at
// any moment loses at most the token that was just being written.
//
// A Store returns lists, conversations and the places that a search finds, and takes
// changes. A conversation is a tree: an edit or another answer is a branch, deleted
// messages and conversations can be restored for 30 days. The package knows no
// models and makes no replies; titles are the beginning of the first message.
//
// # Files
//
// Each change is a record that is appended to the newest log of the folder with one
// write. The records of 00000002.log are followed by those of 00000004.log, and so
// on; 00000003.base would be everything up to then and takes the place of what is
// before it. Compaction writes such a base beside the running program once the logs
// have grown, and gives it its name when it is whole and synced. A record is framed
// with a marker, its length and a CRC-32C (frame.go; its fields are in codec.go), so
// that damage costs the records that it touches; what was there is kept in a file
// damaged-*, and Open says so. A finished message is synced before Finish comes
// back, all else within about a second. What a full disk refuses is kept in memory
// and written when there is room.
//
// One process at a time writes, others can read. A conversation of 20,000 messages
// or 10,000 conversations are handled with ease; texts that together exceed the
// memory are not, nor is one message of more than 24 MB.
//
// # JSON
//
// WriteJSON writes {"format": "inglenook.conversations", "version": 1,
// "conversations": [...]}, or version 2 where a message has parts or a role other
// than "user" and "assistant", with the fields of Conversation and what it consists of by
// their JSON names. Messages are in ascending order of id, "parent" (0 or absent: a
// beginning) is always an earlier one, and "leaf" is the last message of the branch
// in view, which nothing follows. Markdown has that branch only.
package chats

import (
	"encoding/json"
	"time"
)

// The roles of messages that this program makes. A message may have any other, such
// as "tool".
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// The states of messages.
const (
	StateComplete    = ""
	StateWriting     = "writing"     // a Writer is at work
	StateInterrupted = "interrupted" // the program ended before its Writer did
	StateStopped     = "stopped"     // by the person
	StateFailed      = "failed"      // Reply.Error says why
)

// Conversation is a tree of messages. Every edit and every other answer is a
// branch of it, so that nothing is lost.
type Conversation struct {
	Summary
	System   string          `json:"system,omitempty"`   // the system prompt
	Settings json.RawMessage `json:"settings,omitempty"` // JSON of the caller's, such as sampling and preset
	Messages []Message       `json:"messages"`           // ascending ID; parents before what follows them
	Leaf     int64           `json:"leaf"`               // the last message of the branch in view: nothing follows it; 0 without messages
}

// Summary is a conversation in a list.
type Summary struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`            // the person's, or else the beginning of the first message
	Titled   bool      `json:"titled,omitempty"` // the title is the person's
	Pinned   bool      `json:"pinned,omitempty"`
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"` // when the newest message was added or finished
	Deleted  time.Time `json:"-"`       // zero unless it is in the trash
	Messages int       `json:"-"`       // of all branches
	Model    string    `json:"-"`       // id of the one that wrote last on the branch in view

	// Snippet is one line: the last text of the branch in view or, after a
	// search, the place that was found. Match are the bytes of Snippet that
	// matched the first word found there, {0, 0} where only the title matched.
	Snippet string `json:"-"`
	Match   [2]int `json:"-"`
	Found   int64  `json:"-"` // the message that a search found; 0: the title, or no search
}

// Message is one message of a conversation. Messages with the same parent are
// branches.
type Message struct {
	ID          int64        `json:"id"`               // from 1 in each conversation, never given twice
	Parent      int64        `json:"parent,omitempty"` // always less than ID; 0: it begins the conversation
	Role        string       `json:"role"`             // RoleUser, RoleAssistant or another
	Text        string       `json:"text"`
	Thinking    string       `json:"thinking,omitempty"`
	Attachments []Attachment `json:"attachments,omitempty"`
	Parts       []Part       `json:"parts,omitempty"` // what it has beside text and attachments, in order
	Time        time.Time    `json:"time"`            // when it was added or begun
	State       string       `json:"state,omitempty"`
	Reply       *Reply       `json:"reply,omitempty"` // how an assistant's was made; nil until it is finished
}

// Attachment is a text file that belongs to a message.
type Attachment struct {
	Name   string `json:"name"`
	Text   string `json:"text"`
	Tokens int    `json:"tokens,omitempty"`
}

// Part is something of a message that is neither its text nor a text file: an image,
// a call of a tool, its result. This program makes none yet. It keeps those of a
// newer one, whatever their kind; who cannot use a kind says so.
type Part struct {
	Kind string `json:"kind"`
	Data []byte `json:"data,omitempty"` // in the form that belongs to the kind
}

// Reply says how a message was made.
type Reply struct {
	Model        string        `json:"model"`      // its id
	ModelName    string        `json:"model_name"` // its name for people
	Device       string        `json:"device"`     // that really did the work
	Fallbacks    []Fallback    `json:"fallbacks,omitempty"`
	Notices      []string      `json:"notices,omitempty"`
	PromptTokens int           `json:"prompt_tokens"`
	Reused       int           `json:"reused"`  // of the prompt's tokens, from the cache
	Dropped      int           `json:"dropped"` // messages that did not fit the context
	Tokens       int           `json:"tokens"`  // written
	FirstToken   time.Duration `json:"first_token_ns"`
	Took         time.Duration `json:"took_ns"`
	Thought      time.Duration `json:"thought_ns,omitempty"` // before the text began
	Rate         float64       `json:"rate"`                 // tokens a second after the first
	Reason       string        `json:"reason"`               // why it ended
	Stop         string        `json:"stop,omitempty"`       // the stop text that ended it
	Error        string        `json:"error,omitempty"`
	Seed         uint64        `json:"seed"`
}

// Fallback is an operation that another device than the chosen one ran.
type Fallback struct {
	Op     string `json:"op"`
	Reason string `json:"reason"`
}
