package hub

import (
	"sync"

	"inglenook/hub/fault"

	"github.com/dustin/go-humanize"
)

// ledger tracks how many bytes all transfers together still have to write, so that they do
// not all count on the same free space.
type ledger struct {
	mu     sync.Mutex
	wanted map[string]int64 // by cache folder
}

// share is the space that one download still needs.
type share struct {
	l       *ledger
	t       tuning
	dir     string
	mu      sync.Mutex
	left    int64
	written int64 // since the free space was last checked
}

// claim adds a download. It fails if there is not enough room for it besides the others.
func (l *ledger) claim(t tuning, dir string, bytes int64) (*share, error) {
	s := &share{l: l, t: t, dir: dir, left: bytes}
	l.add(dir, bytes)
	if err := s.check(); err != nil {
		s.release()
		return nil, err
	}
	return s, nil
}

func (l *ledger) add(dir string, bytes int64) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wanted == nil {
		l.wanted = map[string]int64{}
	}
	l.wanted[dir] += bytes
	return l.wanted[dir]
}

// check compares the needs of all downloads with the free space. A download that needs
// nothing always passes.
func (s *share) check() error {
	s.mu.Lock()
	left := s.left
	s.mu.Unlock()
	if left <= 0 {
		return nil
	}
	free, err := s.t.free(s.dir)
	if err != nil {
		return nil // a failing write will tell
	}
	want := s.l.add(s.dir, 0)
	if free-want >= s.t.reserve {
		return nil
	}
	others := ""
	if want > left {
		others = ", other downloads " + humanize.Bytes(uint64(want-left))
	}
	return fault.New(fault.ErrDiskFull, nil, "the disk has %s free, and this download still needs %s%s, with %s kept free for everything else; free some space, what is there is kept",
		humanize.Bytes(uint64(max(0, free))), humanize.Bytes(uint64(left)), others, humanize.Bytes(uint64(s.t.reserve)))
}

// use records written bytes.
func (s *share) use(n int64) {
	s.mu.Lock()
	n = min(n, s.left)
	s.left -= n
	s.written += n
	s.mu.Unlock()
	s.l.add(s.dir, -n)
}

// look checks the free space again after every few written bytes.
func (s *share) look() error {
	s.mu.Lock()
	due := s.written >= s.t.recheck
	if due {
		s.written = 0
	}
	s.mu.Unlock()
	if !due {
		return nil
	}
	return s.check()
}

// release returns the space that was not used.
func (s *share) release() {
	s.mu.Lock()
	left := s.left
	s.left = 0
	s.mu.Unlock()
	s.l.add(s.dir, -left)
}
