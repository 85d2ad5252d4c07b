package chat

import (
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"inglenook/app/base"
	"inglenook/chats"
)

// Conversations are the conversations that are kept on this computer. Their store is
// opened at the first use; Notices tells what was wrong with it. All methods may be
// called from any goroutine, and are quick.
type Conversations struct {
	log *slog.Logger
	dir string

	mu      sync.Mutex
	store   *chats.Store
	opened  bool
	closed  bool
	failed  error // why there is no store
	notices []string
}

// NewConversations opens nothing yet.
func NewConversations(log *slog.Logger, p base.Paths) *Conversations {
	return &Conversations{log: log, dir: filepath.Join(p.Data, "chats")}
}

// Open returns the store.
func (t *Conversations) Open() (*chats.Store, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return nil, base.ErrClosing
	case t.opened:
		return t.store, t.failed
	}
	t.opened = true
	store, notices, err := chats.Open(t.dir)
	if err != nil {
		t.failed = err
		t.notices = append(t.notices, base.JoinNotes([]string{err.Error()}))
		t.log.Warn("conversations not opened", "error", err)
	}
	for _, n := range notices {
		t.log.Warn("conversations", "notice", n)
	}
	t.store, t.notices = store, append(t.notices, notices...)
	return t.store, t.failed
}

// close writes what is left and closes the store. No answer is under way any more.
func (t *Conversations) close() error {
	t.mu.Lock()
	store := t.store
	t.closed, t.store = true, nil
	t.mu.Unlock()
	if store == nil {
		return nil
	}
	return store.Close()
}

// Notices are sentences about what was not in order when the conversations were
// opened; what was lost, above all.
func (t *Conversations) Notices() []string {
	_, _ = t.Open()
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.notices)
}

// mostFound is how many conversations a search returns; without a query it returns all.
const mostFound = 1000

// List returns the conversations, pinned ones first, then the newest first; with a
// query those in which all its words occur, the best first, and where.
func (t *Conversations) List(query string) ([]Summary, error) {
	s, err := t.Open()
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
func (t *Conversations) Trash() []Summary {
	s, err := t.Open()
	if err != nil {
		return nil
	}
	return s.Trash()
}

// Conversation returns a conversation with the messages of all its branches.
func (t *Conversations) Conversation(id string) (Conversation, error) {
	s, err := t.Open()
	if err != nil {
		return Conversation{}, err
	}
	return s.Conversation(id)
}

// AskedBy returns how many conversations ask a collection, which goes by its name or its id.
func (t *Conversations) AskedBy(id, name string) (int, error) {
	s, err := t.Open()
	if err != nil {
		return 0, err
	}
	n := 0
	for _, one := range s.List() {
		c, err := s.Conversation(one.ID)
		if err != nil {
			return 0, err
		}
		if asked := ChoicesOf(c).Collection; asked == id || asked != "" && strings.EqualFold(asked, name) {
			n++
		}
	}
	return n, nil
}

// errNoMessage is about a message that is not there, or not of the kind meant.
var errNoMessage = errors.New("there is no such message in this conversation any more")

// messageOf finds a message of a conversation.
func messageOf(c Conversation, id int64) (Message, error) {
	i, found := slices.BinarySearchFunc(c.Messages, id, func(m Message, id int64) int {
		switch {
		case m.ID < id:
			return -1
		case m.ID > id:
			return 1
		}
		return 0
	})
	if !found {
		return Message{}, errNoMessage
	}
	return c.Messages[i], nil
}
