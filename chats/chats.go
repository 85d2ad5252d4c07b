// Package chats stores conversations with language models: all of them in memory while
// the program runs, and in one folder on disk. A process killed at any moment loses at
// most the token that was just being written.
//
// A Store returns lists, conversations and search results, and accepts changes. A
// conversation is a tree: an edit or another answer is a branch. Deleted messages and
// conversations can be restored for 30 days. The package does not know models and
// generates no replies; the default title is the beginning of the first message.
//
// # Files
//
// Each change is a record that one write appends to the newest log of the folder. After
// the records of 00000002.log come those of 00000004.log, and so on. A file 00000003.base
// contains everything up to that number and replaces the files before it. Compaction
// writes such a base while the program runs, once the logs have grown, and renames it
// into place when it is complete and synced. A record is framed with a marker, its length
// and a CRC-32C (frame.go; codec.go defines the fields), so that damage costs only the
// records it touches. Damaged bytes are kept in a file damaged-*, and Open reports them.
// A conversation is created with its head last: at the end of a log, messages without one
// are an unfinished write. A finished message is synced before Finish returns, everything
// else within about a second. What cannot be written to a full disk stays in memory and is
// written when there is room.
//
// One process at a time writes, others can read. The package handles a conversation of
// 20,000 messages, or 10,000 conversations, with ease. It does not handle texts that
// together exceed the memory, or a message of more than 24 MB.
//
// # JSON
//
// WriteJSON writes {"format": "inglenook.conversations", "version": 1, "conversations":
// [...]} with the fields of conversationJSON. It is version 2 if a message has a role other
// than "user" and "assistant" or a part that is neither text nor file, and version 3 if
// parts stand in an order that version 2 cannot express (places.go). Messages are in
// ascending order of id, "parent" (0 or absent: a first message) is always an earlier one,
// and "leaf" is the last message of the branch in view, which has no children. Markdown
// contains only that branch.
package chats

import (
	"encoding/json"
	"time"
)

// The roles of messages that this program creates. Messages may have other roles, such as
// "tool".
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// The states of messages.
const (
	StateComplete    = ""
	StateWriting     = "writing"     // a Writer is writing it
	StateInterrupted = "interrupted" // the program ended before its Writer did
	StateStopped     = "stopped"     // by the user
	StateFailed      = "failed"      // Reply.Error says why
)

// Conversation is a tree of messages. Every edit and every other answer is a branch, so
// that nothing is lost.
type Conversation struct {
	Summary
	System   string          // the system prompt
	Settings json.RawMessage // the caller's JSON, such as sampling and preset
	Messages []Message       // by ascending ID; parents come before their children
	Leaf     int64           // the last message of the branch in view, without children; 0: no messages
}

// Summary describes a conversation in a list.
type Summary struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`            // set by the user, or else the beginning of the first message
	Titled   bool      `json:"titled,omitempty"` // the user set the title
	Pinned   bool      `json:"pinned,omitempty"`
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"` // when the newest message was added or finished
	Deleted  time.Time `json:"-"`       // zero unless it is in the trash
	Messages int       `json:"-"`       // in all branches
	Model    string    `json:"-"`       // id of the model that wrote last on the branch in view

	// Snippet is one line: the last text of the branch in view or, after a search, the
	// text around the match. Match is the range of bytes in Snippet that match the first
	// word found there, {0, 0} if only the title matched.
	Snippet string `json:"-"`
	Match   [2]int `json:"-"`
	Found   int64  `json:"-"` // the message that a search found; 0: the title, or no search
}

// Message is one message of a conversation. Messages with the same parent are
// branches.
type Message struct {
	ID       int64     // from 1 in each conversation, never reused
	Parent   int64     // always less than ID; 0: a first message
	Role     string    // RoleUser, RoleAssistant or another
	Parts    []Part    // what it says, in order
	Thinking string    // what the assistant thought before it answered
	Time     time.Time // when it was added or started
	State    string
	Reply    *Reply // how an assistant message was generated; nil until it is finished
}

// Reply describes how a message was generated.
type Reply struct {
	Model        string        `json:"model"`      // the model's id
	ModelName    string        `json:"model_name"` // the model's display name
	Device       string        `json:"device"`     // that actually did the work
	Fallbacks    []Fallback    `json:"fallbacks,omitempty"`
	Notices      []string      `json:"notices,omitempty"`
	PromptTokens int           `json:"prompt_tokens"`
	Reused       int           `json:"reused"`  // prompt tokens taken from the cache
	Dropped      int           `json:"dropped"` // messages that did not fit the context
	Tokens       int           `json:"tokens"`  // generated
	FirstToken   time.Duration `json:"first_token_ns"`
	Took         time.Duration `json:"took_ns"`
	Thought      time.Duration `json:"thought_ns,omitempty"` // before the text began
	Rate         float64       `json:"rate"`                 // tokens per second after the first
	Reason       string        `json:"reason"`               // why it ended
	Stop         string        `json:"stop,omitempty"`       // the stop text that ended it
	Error        string        `json:"error,omitempty"`
	Seed         uint64        `json:"seed"`
	Claims       []Claim       `json:"claims,omitempty"`     // in order, of an answer from documents
	DraftGain    float64       `json:"draft_gain,omitempty"` // how much faster guesses made it: 0.62 for 62 %; below 0: slower
}

// Claim is a sentence of an answer with the passage that supports it, as it was judged
// when the answer was complete. Positions are bytes. A reader has to check that they are
// inside of the texts, as an import may say anything.
type Claim struct {
	Start     int     `json:"start"` // in the text of the answer
	End       int     `json:"end"`
	Passage   int     `json:"passage"`              // place among the passages of the message that was answered; -1: none supports it
	BestStart int     `json:"best_start,omitempty"` // what supports it, in the text of the passage
	BestEnd   int     `json:"best_end,omitempty"`
	Score     float64 `json:"score"`         // from 0 to 1
	Why       string  `json:"why,omitempty"` // of an unsupported one, a short reason
}

// Fallback is an operation that ran on another device than the chosen one.
type Fallback struct {
	Op     string `json:"op"`
	Reason string `json:"reason"`
}
