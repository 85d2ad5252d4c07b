// Package sqlite keeps collections on this computer: a folder each, with a
// database of files, passages and words, and files of vectors beside it.
package sqlite

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"inglenook/documents/store"
	"inglenook/documents/store/vectors"
	"inglenook/regular"
)

// Store implements store.Store.
type Store struct {
	dir      string
	scanner  vectors.Scanner
	lock     *flock.Flock
	readOnly bool

	mu          sync.Mutex
	collections map[string]*Collection
	closed      map[string]store.Closed // by id
	notes       []string
}

var _ store.Store = (*Store)(nil)

// Open opens the collections in a folder, which it makes if there is none. While
// another process has them open, they can be searched but not changed. A
// collection whose index is damaged is set aside and begins anew; Notes says so.
func Open(ctx context.Context, dir string, s vectors.Scanner) (*Store, error) {
	return open(ctx, dir, s, false)
}

// OpenToWrite is Open, but returns store.ErrReadOnly while another process has the
// collections open.
func OpenToWrite(ctx context.Context, dir string, s vectors.Scanner) (*Store, error) {
	return open(ctx, dir, s, true)
}

func open(ctx context.Context, dir string, s vectors.Scanner, toWrite bool) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	st := &Store{dir: dir, scanner: s, lock: regular.NewLock(filepath.Join(dir, "lock"), 0o600), collections: map[string]*Collection{}, closed: map[string]store.Closed{}}
	held, err := st.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the documents: %w", err)
	}
	if toWrite && !held {
		return nil, store.ErrReadOnly
	}
	st.readOnly = !held
	if err := st.openAll(ctx); err != nil {
		st.Close()
		return nil, err
	}
	return st, nil
}

func (s *Store) openAll(ctx context.Context) error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		dir := filepath.Join(s.dir, e.Name())
		switch {
		case strings.HasSuffix(e.Name(), removed):
			if !s.readOnly {
				err = os.RemoveAll(dir) // a removal that was interrupted
			}
		case e.IsDir() && fileExists(filepath.Join(dir, cardName)):
			err = s.open(ctx, e.Name())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// open opens one collection. If that fails, the others open all the same.
func (s *Store) open(ctx context.Context, id string) error {
	c, err := openCollection(ctx, s, id)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		name := id
		if card, err := readCard(filepath.Join(s.dir, id)); err == nil {
			name = card.Name
		}
		s.closed[id] = store.Closed{ID: id, Name: name, Err: err}
		return nil
	}
	delete(s.closed, id)
	s.collections[id] = c
	return nil
}

// Closed implements store.Store.
func (s *Store) Closed() []store.Closed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.closed), func(a, b store.Closed) int { return strings.Compare(a.Name, b.Name) })
}

// Retry implements store.Store.
func (s *Store) Retry(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.closed {
		if err := s.open(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// ReadOnly implements store.Store.
func (s *Store) ReadOnly() bool { return s.readOnly }

// Notes implements store.Store.
func (s *Store) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.notes)
}

// Collections implements store.Store.
func (s *Store) Collections(context.Context) ([]store.Collection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]store.Collection, 0, len(s.collections))
	for _, c := range s.collections {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b store.Collection) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name())), strings.Compare(a.ID(), b.ID()))
	})
	return all, nil
}

// Collection implements store.Store.
func (s *Store) Collection(_ context.Context, id string) (store.Collection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.collections[id]; c != nil {
		return c, nil
	}
	return nil, store.ErrNotFound
}

// Create implements store.Store.
func (s *Store) Create(ctx context.Context, name string) (store.Collection, error) {
	if s.readOnly {
		return nil, store.ErrReadOnly
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name, err := s.freeName(name, "")
	if err != nil {
		return nil, err
	}
	id := newID()
	dir := filepath.Join(s.dir, id)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	c, err := newCollection(ctx, s, id, name)
	if full(err) {
		err = errors.Join(store.ErrDiskFull, err)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s.collections[id] = c
	return c, nil
}

// freeName returns a name without the white space around it if no other collection
// has it.
func (s *Store) freeName(name, id string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return "", errors.New("a collection needs a name")
	}
	for _, c := range s.collections {
		if c.id != id && strings.EqualFold(c.Name(), name) {
			return "", store.ErrExists
		}
	}
	for _, c := range s.closed {
		if c.ID != id && strings.EqualFold(c.Name, name) {
			return "", store.ErrExists
		}
	}
	return name, nil
}

// removed ends the name of a folder that is being deleted.
const removed = ".removed"

// Remove implements store.Store.
func (s *Store) Remove(_ context.Context, id string) error {
	if s.readOnly {
		return store.ErrReadOnly
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, closed := s.closed[id]
	c := s.collections[id]
	switch {
	case c == nil && !closed:
		return store.ErrNotFound
	case c != nil:
		if err := c.close(); err != nil {
			return err
		}
	}
	delete(s.collections, id)
	delete(s.closed, id)
	dir := filepath.Join(s.dir, id)
	if err := os.Rename(dir, dir+removed); err != nil {
		return err
	}
	return os.RemoveAll(dir + removed)
}

// Close implements store.Store.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, c := range s.collections {
		errs = append(errs, c.close())
	}
	clear(s.collections)
	return errors.Join(append(errs, s.lock.Unlock())...)
}

func newID() string {
	id := make([]byte, 8)
	rand.Read(id)
	return hex.EncodeToString(id)
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
