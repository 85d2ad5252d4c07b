package chats

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

var (
	// ErrNotFound says that there is no such conversation or message.
	ErrNotFound = errors.New("there is no such conversation or message; it may have been deleted for good")
	// ErrUnsaved says that a change was made in memory but is not safe on the disk
	// yet. It is written as soon as the disk takes it.
	ErrUnsaved = errors.New("the conversations cannot be saved")
	// ErrReadOnly says that another process writes to the folder.
	ErrReadOnly = errors.New("the conversations are open in another Inglenook, so they cannot be changed in this one; close the other, then start this one again")
	// ErrClosed says that the store is closed.
	ErrClosed = errors.New("the conversations are closed")
)

// Store is the conversations of one folder. Its methods may be called from any
// number of goroutines; what they give are copies, as of that moment.
type Store struct {
	options
	folding func() *folding // made when it is first needed
	lock    *flock.Flock
	journal *journal

	// change is held by one change at a time, while it looks at state, applies
	// records and writes them. refusal is why there can be no changes.
	change  sync.Mutex
	refusal error

	// mu guards state against readers. It is never held while the disk works, and
	// whoever holds change may read state without it.
	mu    sync.RWMutex
	state state

	wake, closing chan struct{}
	compactNow    bool // guarded by change
	keeper        sync.WaitGroup
}

// options are what tests choose otherwise.
type options struct {
	now       func() time.Time
	newID     func() string
	syncEvery time.Duration // the most that a power cut takes of a message that is being written
	retry     time.Duration // after a disk refused to write
	least     int64         // bytes of logs that need no compaction
}

func defaults() options {
	return options{now: time.Now, newID: randomID, syncEvery: time.Second, retry: 5 * time.Second, least: 4 << 20}
}

// randomID is a name that no other conversation has: 80 random bits.
func randomID() string { return strings.ToLower(rand.Text()[:16]) }

// Open opens the conversations in a folder, which it makes if need be. One
// process at a time can change them; in others every change is ErrReadOnly. The
// notices are sentences for the person about what was not in order; an error
// means that the files could not be read, and nothing of them was changed.
func Open(dir string) (*Store, []string, error) { return openWith(dir, defaults()) }

func openWith(dir string, o options) (*Store, []string, error) {
	s := &Store{
		options: o, folding: sync.OnceValue(newFolding),
		journal: &journal{dir: dir}, wake: make(chan struct{}, 1), closing: make(chan struct{}),
	}
	var notices []string
	if err := s.claim(dir); errors.Is(err, ErrReadOnly) {
		s.refusal = err
		notices = append(notices, sentence(err))
	} else if err != nil {
		notices = append(notices, sentence(unsaved(err)))
	}
	l, err := load(dir, s.refusal != nil)
	if err != nil {
		s.release()
		if errors.Is(err, errNewer) {
			return nil, nil, fmt.Errorf("the saved conversations cannot be used: %w; install that version", err)
		}
		return nil, nil, fmt.Errorf("the saved conversations cannot be read: %w; check the disk and the rights of the folder %s", plain(err), filepath.Base(dir))
	}
	s.state = l.state
	if s.refusal == nil {
		s.journal.start(l)
		s.expire()
		s.compactNow = l.damaged
		if l.stuck { // the files are all that there is of what was lost
			s.compactNow, s.least = false, math.MaxInt64
		}
		s.keeper.Go(s.keep)
		s.stir()
	}
	return s, append(notices, l.notices...), nil
}

// claim makes the folder and takes its lock. Without locks, as on some network
// file systems, there are none to take; the window's own claim has to do.
func (s *Store) claim(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(dir, "lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil { // this is about the disk, what TryLock says may be about locks
		return err
	}
	file.Close()
	lock := flock.New(path)
	got, err := lock.TryLock()
	if err == nil && got {
		s.lock = lock
		return nil
	}
	_ = lock.Close()
	if err == nil {
		return ErrReadOnly
	}
	return nil
}

func (s *Store) release() {
	if s.lock != nil {
		_ = s.lock.Unlock()
	}
}

// Close saves what is not saved yet and releases the folder. What the store
// holds can still be read.
func (s *Store) Close() error {
	s.change.Lock()
	if s.refusal != nil {
		closed := errors.Is(s.refusal, ErrClosed)
		s.refusal = ErrClosed
		s.change.Unlock()
		if !closed {
			s.release()
		}
		return nil
	}
	s.refusal = ErrClosed
	s.change.Unlock()

	close(s.closing)
	s.keeper.Wait()
	err := s.journal.close()
	s.release()
	if err != nil {
		return fmt.Errorf("%w: %w; what was changed last is lost", ErrUnsaved, plain(err))
	}
	return nil
}

// Trouble is ErrUnsaved and why, while something is not safe on the disk.
func (s *Store) Trouble() error {
	if err := s.journal.trouble(); err != nil {
		return unsaved(err)
	}
	return nil
}

func unsaved(err error) error {
	return fmt.Errorf("%w: %w; free some space or check the rights of their folder, until then they are kept in memory", ErrUnsaved, plain(err))
}

// sentence is an error as a notice.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// commit makes changes, in memory and then on disk. The caller holds s.change and
// has checked that they can be made. After ErrUnsaved they are made.
func (s *Store) commit(records ...record) error {
	if s.refusal != nil {
		return s.refusal
	}
	var frames []byte
	for _, r := range records {
		before := len(frames)
		if frames = encodeFrame(frames, r); len(frames)-before > maxRecord {
			return tooLong(len(frames) - before)
		}
	}
	s.mu.Lock()
	for _, r := range records {
		r.apply(&s.state)
	}
	s.mu.Unlock()
	err := s.journal.write(frames)
	s.stir()
	if err != nil {
		return unsaved(err)
	}
	return nil
}

func tooLong(bytes int) error {
	return fmt.Errorf("a message or prompt of %d MB is too long to be kept; make it shorter than %d MB", bytes>>20, maxRecord>>20)
}

// sync comes back when all changes are safe on the disk.
func (s *Store) sync() error {
	if err := s.journal.sync(); err != nil {
		return unsaved(err)
	}
	return nil
}

// lookup returns a conversation to whoever holds s.change: only a change changes it.
func (s *Store) lookup(id string) (*conversation, error) {
	if c := s.state.conversations[id]; c != nil {
		return c, nil
	}
	return nil, ErrNotFound
}

// stir tells the keeper that there may be something to do.
func (s *Store) stir() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
