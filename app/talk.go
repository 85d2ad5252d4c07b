package app

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"inglenook/chats"
	"inglenook/engine"
)

// What conversations consist of, in the words of their store.
type (
	Summary      = chats.Summary
	Conversation = chats.Conversation
	ChatMessage  = chats.Message
	Attachment   = chats.Attachment
	ReplyRecord  = chats.Reply
)

// The states of a message.
const (
	MessageComplete    = chats.StateComplete
	MessageWriting     = chats.StateWriting
	MessageInterrupted = chats.StateInterrupted
	MessageStopped     = chats.StateStopped
	MessageFailed      = chats.StateFailed
)

// The roles of messages.
const (
	RoleUser      = chats.RoleUser
	RoleAssistant = chats.RoleAssistant
)

// Talks are the conversations that are kept on this computer, and the language
// model that answers in them. All methods may be called from any goroutine;
// those that only touch the store are quick. Answers are made one at a time.
type Talks struct {
	app    *App
	turn   engine.Lock // to load a model and answer
	counts tokenCounts
	keeper keeper

	mu      sync.Mutex
	store   *chats.Store
	opened  bool
	closed  bool
	failed  error // why there is no store
	notices []string
	held    *heldChat        // the model that answers; nil: none is loaded
	needed  map[string]int64 // bytes of memory, by a model's stamp
}

func newTalks(a *App) *Talks {
	t := &Talks{app: a, turn: engine.NewLock(), needed: map[string]int64{}}
	t.keeper.app = a
	return t
}

// Talks are the application's conversations. Their store is opened at the first
// use; Notices tells what was wrong with it.
func (a *App) Talks() *Talks { return a.talks }

// open returns the store.
func (t *Talks) open() (*chats.Store, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return nil, errClosing
	case t.opened:
		return t.store, t.failed
	}
	t.opened = true
	dir := filepath.Join(t.app.paths.Data, "chats")
	store, notices, err := chats.Open(dir)
	if err != nil {
		t.failed = err
		t.notices = append(t.notices, sentence(err))
		t.app.log.Warn("conversations not opened", "error", err)
	}
	for _, n := range notices {
		t.app.log.Warn("conversations", "notice", n)
	}
	t.store, t.notices = store, append(t.notices, notices...)
	return t.store, t.failed
}

// sentence is an error as a notice.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// close writes out what is left and gives the store free. No answer is under way
// any more.
func (t *Talks) close() error {
	t.mu.Lock()
	store := t.store
	t.closed, t.store = true, nil
	t.mu.Unlock()
	t.giveBack(false)
	if store == nil {
		return nil
	}
	return store.Close()
}

// Notices are sentences about what was not in order when the conversations were
// opened; what was lost, above all.
func (t *Talks) Notices() []string {
	_, _ = t.open()
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.notices)
}

// mostFound is how many conversations a search gives; without a query, all are.
const mostFound = 1000

// List returns the conversations, pinned ones first, then the newest first; with a
// query those in which all its words occur, the best first, and where.
func (t *Talks) List(query string) ([]Summary, error) {
	s, err := t.open()
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(query) == "" {
		return s.List(), nil
	}
	return s.Search(query, mostFound), nil
}

// Trash returns the deleted conversations, the last deleted first. They are dropped
// for good 30 days after that.
func (t *Talks) Trash() []Summary {
	s, err := t.open()
	if err != nil {
		return nil
	}
	return s.Trash()
}

// Conversation returns a conversation with the messages of all its branches.
func (t *Talks) Conversation(id string) (Conversation, error) {
	s, err := t.open()
	if err != nil {
		return Conversation{}, err
	}
	return s.Conversation(id)
}

// errNoMessage is about a message that is not there, or not of the kind meant.
var errNoMessage = errors.New("there is no such message in this conversation any more")

// message finds a message of a conversation.
func message(c Conversation, id int64) (ChatMessage, error) {
	i, found := slices.BinarySearchFunc(c.Messages, id, func(m ChatMessage, id int64) int {
		switch {
		case m.ID < id:
			return -1
		case m.ID > id:
			return 1
		}
		return 0
	})
	if !found {
		return ChatMessage{}, errNoMessage
	}
	return c.Messages[i], nil
}
