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

	"inglenook/regular"
)

var (
	// ErrNotFound: the conversation or message does not exist.
	ErrNotFound = errors.New("there is no such conversation or message; it may have been deleted for good")
	// ErrUnsaved: a change was made in memory but is not safely on disk yet. It is
	// written as soon as the disk accepts it.
	ErrUnsaved = errors.New("the conversations cannot be saved")
	// ErrReadOnly: another process writes to the folder.
	ErrReadOnly = errors.New("the conversations are open in another Inglenook, so they cannot be changed in this one; close the other, then start this one again")
	// ErrClosed: the store is closed.
	ErrClosed = errors.New("the conversations are closed")
)

// Store holds the conversations of one folder. It is safe for concurrent use; its
// methods return copies, as of that moment.
type Store struct {
	options
	folding func() *folding // made on first use
	lock    *flock.Flock
	journal *journal

	// change serializes changes: it is held while a change reads state, applies
	// records and writes them. refusal is why changes are not possible.
	change  sync.Mutex
	refusal error

	// mu guards state against readers. It is never held during disk access, and the
	// holder of change may read state without it.
	mu    sync.RWMutex
	state state

	wake, closing chan struct{}
	compactNow    bool // guarded by change
	keeper        sync.WaitGroup
}

// options are settings that tests override.
type options struct {
	now       func() time.Time
	newID     func() string
	syncEvery time.Duration // the most that a power cut can lose of a message being written
	retry     time.Duration // wait after the disk refused a write
	least     int64         // log size below which there is no compaction, in bytes
}

func defaults() options {
	return options{now: time.Now, newID: randomID, syncEvery: time.Second, retry: 5 * time.Second, least: 4 << 20}
}

// randomID returns a unique name: 80 random bits.
func randomID() string { return strings.ToLower(rand.Text()[:16]) }

// Open opens the conversations in a folder, which it creates if necessary. One
// process at a time can change them; in other processes every change returns
// ErrReadOnly. The notices are sentences for the user about problems that were
// found. An error means that the files could not be read; none of them was changed.
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
		if l.stuck { // the files are the only copy of the damaged data
			s.compactNow, s.least = false, math.MaxInt64
		}
		s.keeper.Go(s.keep)
		s.notify()
	}
	return s, append(notices, l.notices...), nil
}

// claim creates the folder and takes its lock. Where there are no locks, as on some
// network file systems, it relies on the window's own lock.
func (s *Store) claim(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(dir, "lock")
	file, err := regular.OpenOwn(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil { // this error concerns the disk; one of TryLock may concern only locks
		return err
	}
	file.Close()
	lock := regular.NewLock(path, 0o600)
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

// Close saves what is not saved yet and releases the folder. The store can still be
// read afterwards.
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

// Trouble returns ErrUnsaved with the reason while something is not safely on disk,
// else nil.
func (s *Store) Trouble() error {
	if err := s.journal.trouble(); err != nil {
		return unsaved(err)
	}
	return nil
}

func unsaved(err error) error {
	return fmt.Errorf("%w: %w; free some space or check the rights of their folder, until then they are kept in memory", ErrUnsaved, plain(err))
}

// sentence formats an error as a notice.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// commit applies changes in memory and then writes them to disk. The caller holds
// s.change and has checked that they are valid. After ErrUnsaved the changes are in
// effect.
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
	s.notify()
	if err != nil {
		return unsaved(err)
	}
	return nil
}

func tooLong(bytes int) error {
	return fmt.Errorf("a message or prompt of %d MB is too long to be kept; make it shorter than %d MB", bytes>>20, maxRecord>>20)
}

// sync returns when all changes are safely on disk.
func (s *Store) sync() error {
	if err := s.journal.sync(); err != nil {
		return unsaved(err)
	}
	return nil
}

// lookup returns a conversation for a caller that holds s.change, so that no one
// else can change it.
func (s *Store) lookup(id string) (*conversation, error) {
	if c := s.state.conversations[id]; c != nil {
		return c, nil
	}
	return nil, ErrNotFound
}

// notify tells the keeper that there may be work.
func (s *Store) notify() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
