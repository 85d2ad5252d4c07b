package chats

import (
	"bufio"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"time"

	"inglenook/durable"
)

// deletedFor is how long deleted items can be restored.
const deletedFor = 30 * 24 * time.Hour

// errClosing aborts a compaction.
var errClosing = errors.New("the store is being closed")

// keep runs the background work until the store is closed: it syncs at intervals,
// retries writes that the disk refused, and compacts.
func (s *Store) keep() {
	const longest = time.Minute
	retry := s.retry
	var again <-chan time.Time // nil: nothing failed
	var compactAfter time.Time // a failed compaction, for example on a full disk, is costly
	for {
		select {
		case <-s.closing:
			return
		case <-s.wake:
		case <-again:
		}
		if !s.pause(s.syncEvery) {
			return
		}
		err := s.journal.sync()
		if s.wantsCompaction() && time.Now().After(compactAfter) {
			if failed := s.compact(); failed != nil {
				err, compactAfter = failed, time.Now().Add(retry)
			}
		}
		if err == nil {
			again, retry = nil, s.retry
			continue
		}
		again, retry = time.After(retry), min(2*retry, longest)
	}
}

// pause waits and reports whether the store is still open.
func (s *Store) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.closing:
		return false
	case <-t.C:
		return true
	}
}

func (s *Store) wantsCompaction() bool {
	s.change.Lock()
	defer s.change.Unlock()
	return s.compactNow || s.journal.due(s.least)
}

// compact writes everything into a new base and removes the files that it
// replaces. Changes continue meanwhile, in a log that follows the base. It may be
// interrupted at any moment: until the base has its name the old files are valid,
// from then on the base is.
func (s *Store) compact() error {
	j := s.journal
	j.syncing.Lock()
	s.change.Lock()
	s.expire()
	base, before, err := j.rotate()
	doubts := j.doubts()
	all := make([]*conversation, 0, len(s.state.conversations))
	for _, c := range s.state.conversations {
		all = append(all, c.snapshot())
	}
	s.change.Unlock()
	if before != nil {
		if err := errors.Join(before.Sync(), before.Close()); err != nil {
			doubts = j.doubt(err)
		}
	}
	j.syncing.Unlock()
	if err != nil {
		return err
	}
	size, err := s.writeBase(filepath.Join(j.dir, base.name()), all)
	if err != nil {
		return err
	}
	j.supersede(base, size, doubts)
	s.change.Lock()
	defer s.change.Unlock()
	s.compactNow = false
	return nil
}

// writeBase writes conversations into a file that gets its name only when it is
// complete and synced.
func (s *Store) writeBase(path string, all []*conversation) (size int64, err error) {
	err = durable.Replace(path, 0o600, func(w io.Writer) error {
		size, err = s.writeAll(w, all)
		return err
	})
	return size, err
}

// writeAll writes the records of conversations. It stops with an error when the
// store is closed.
func (s *Store) writeAll(to io.Writer, all []*conversation) (size int64, err error) {
	w := bufio.NewWriterSize(to, 1<<20)
	frames := fileHead()
	flush := func() error {
		size += int64(len(frames))
		_, err := w.Write(frames)
		frames = frames[:0]
		return err
	}
	for _, c := range all {
		select {
		case <-s.closing:
			return 0, errClosing
		default:
		}
		for _, m := range c.messages {
			frames = encodeFrame(frames, messageRecord{c.head.ID, m})
			if err := flush(); err != nil {
				return 0, err
			}
		}
		frames = encodeFrame(frames, headRecord{c.head, c.next})
	}
	if err := flush(); err != nil {
		return 0, err
	}
	return size, w.Flush()
}

// expire drops what was deleted long ago. The next compaction removes it from the
// disk. The caller holds s.change.
func (s *Store) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := s.now().Add(-deletedFor)
	old := func(t time.Time) bool { return !t.IsZero() && t.Before(limit) }
	for id, c := range s.state.conversations {
		if old(c.head.Deleted) {
			delete(s.state.conversations, id)
			continue
		}
		if c.marks > 0 {
			c.drop(old)
		}
	}
}

// drop removes the messages whose deletion times are old, and all that follow
// them.
func (c *conversation) drop(old func(time.Time) bool) {
	gone := map[int64]bool{}
	c.messages = slices.DeleteFunc(slices.Clone(c.messages), func(m *message) bool {
		gone[m.ID] = old(m.deleted) || gone[m.Parent]
		if gone[m.ID] {
			c.marks -= marks(m)
		}
		return gone[m.ID]
	})
	c.hide()
}
