package chats

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"inglenook/durable"
	"inglenook/regular"
)

// segment is a file of a journal. A base contains everything that existed when it was
// made: it replaces all segments with lower numbers.
type segment struct {
	number int
	base   bool
}

func (s segment) name() string {
	kind := "log"
	if s.base {
		kind = "base"
	}
	return fmt.Sprintf("%08d.%s", s.number, kind)
}

// segments lists the segments of a folder in the order in which they are read.
func segments(dir string) ([]segment, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []segment
	for _, e := range entries {
		digits, kind, _ := strings.Cut(e.Name(), ".")
		number, err := strconv.Atoi(digits)
		if s := (segment{number, kind == "base"}); err == nil && number > 0 && s.name() == e.Name() {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b segment) int { return a.number - b.number })
	return list, nil
}

// current leaves out the segments that a base replaces.
func current(list []segment) []segment {
	for i, s := range slices.Backward(list) {
		if s.base {
			return list[i:]
		}
	}
	return list
}

// journal appends to the newest log of a folder. What cannot be written, for example to
// a full disk, waits in memory and is written first when there is room.
type journal struct {
	dir string

	// syncing is held while a file is synced, so that later callers wait for it. Lock
	// it before the store's change; lock mu last.
	syncing  sync.Mutex
	mu       sync.Mutex
	file     *os.File // nil before the first write
	segment  segment  // of file, or the next one to create
	size     int64    // of file
	logged   int64    // bytes in the logs since the newest base
	base     int64    // bytes of that base
	backlog  []byte   // not yet written
	unsynced bool
	created  bool  // since the folder was last synced
	refused  error // why the backlog could not be written
	doubted  error // why the disk may have lost written data, so that a new base is needed
}

// write appends frames.
func (j *journal) write(frames []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.backlog = append(j.backlog, frames...)
	return j.flush()
}

// flush writes the backlog. If only part of a frame was written, the next call writes
// the rest.
func (j *journal) flush() error {
	j.refused = nil
	if len(j.backlog) == 0 {
		return nil
	}
	if j.file == nil {
		if j.refused = j.create(j.segment.number); j.refused != nil {
			return j.refused
		}
	}
	var n int
	n, j.refused = j.file.WriteAt(j.backlog, j.size)
	j.size += int64(n)
	j.logged += int64(n)
	j.unsynced = j.unsynced || n > 0
	if n == len(j.backlog) && cap(j.backlog) <= 1<<20 {
		n, j.backlog = 0, j.backlog[:0] // room for the next frames
	}
	j.backlog = j.backlog[n:]
	return j.refused
}

// create continues in a new file with the given number or a higher one: on file systems
// without locks, another process may have created that file.
func (j *journal) create(number int) error {
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return err
	}
	for ; ; number += 2 {
		s := segment{number: number}
		file, err := os.OpenFile(filepath.Join(j.dir, s.name()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		j.file, j.segment, j.size, j.created = file, s, 0, true
		j.backlog = append(fileHead(), j.backlog...)
		return nil
	}
}

// start continues where the files end. If damage at the end could not be cut off it
// stays, and a new log begins after it. The number before a log is left free for a
// base.
func (j *journal) start(l loaded) {
	j.base, j.logged = l.base, l.logged
	j.segment.number = 2
	removeUnfinished(j.dir)
	if len(l.segments) == 0 {
		return
	}
	removeBefore(j.dir, l.segments[0])
	last := l.segments[len(l.segments)-1]
	if last.base || l.stuck || j.resume(last, l.size) != nil {
		j.segment.number = last.number + 2
	}
}

// resume continues an existing log, which ends at size.
func (j *journal) resume(s segment, size int64) error {
	file, err := regular.OpenOwn(filepath.Join(j.dir, s.name()), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := file.Truncate(size); err != nil {
		file.Close()
		return err
	}
	j.file, j.segment, j.size = file, s, size
	if size == 0 {
		j.backlog = fileHead()
	}
	return nil
}

// sync makes all written data survive a power cut. It first tries to write the backlog.
func (j *journal) sync() error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	err := j.flush()
	file, created := j.file, j.created
	if err != nil || !j.unsynced || file == nil {
		j.mu.Unlock()
		return err
	}
	j.unsynced, j.created = false, false
	j.mu.Unlock()

	err = file.Sync()
	if err == nil && created {
		err = durable.SyncFolder(j.dir)
	}
	if err == nil {
		err = inPlace(file)
	}
	if err != nil {
		j.doubt(err)
	}
	return err
}

// doubt records that a sync failed. The result of a later sync of that file means
// nothing, so everything has to be written again.
func (j *journal) doubt(err error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.doubted = err
	return err
}

func (j *journal) doubts() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.doubted
}

// inPlace returns an error if an open file is no longer the one with its name.
func inPlace(file *os.File) error {
	have, err := file.Stat()
	if err != nil {
		return err
	}
	named, err := os.Stat(file.Name())
	if err != nil {
		return err
	}
	if !os.SameFile(have, named) {
		return errors.New("another program replaced the file")
	}
	return nil
}

// rotate continues in a new log. It returns the base that belongs before that log, for
// everything written so far, and the previous log, which still has to be synced. The
// caller holds syncing.
func (j *journal) rotate() (base segment, before *os.File, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.flush(); err != nil {
		if j.doubted == nil {
			return base, nil, err
		}
		j.backlog = nil // the base will contain it
	}
	if j.file != nil && (j.doubted != nil || j.size > int64(len(fileHead()))) {
		before = j.file
		if err := j.create(j.segment.number + 2); err != nil {
			return base, nil, err
		}
		_ = j.flush() // if it fails, so does the next write
	}
	return segment{j.segment.number - 1, true}, before, nil
}

// supersede switches to a new base and removes the files that it replaces, and with
// them the doubts that are older than the base.
func (j *journal) supersede(base segment, size int64, doubts error) {
	j.mu.Lock()
	j.base, j.logged = size, j.size
	if j.doubted == doubts {
		j.doubted = nil
	}
	j.mu.Unlock()
	removeBefore(j.dir, base)
}

// removeBefore removes the segments that a base replaces. A leftover segment does no
// harm.
func removeBefore(dir string, base segment) {
	list, err := segments(dir)
	if err != nil {
		return
	}
	for _, s := range list {
		if s.number < base.number {
			_ = os.Remove(filepath.Join(dir, s.name()))
		}
	}
}

// removeUnfinished removes bases that were never completed.
func removeUnfinished(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if durable.Unfinished("*base", e.Name()) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// due reports whether it is time for a new base: logs take longer to read, so they
// should stay small compared to the base.
func (j *journal) due(least int64) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.doubted != nil || j.logged > max(least, j.base/8)
}

// trouble returns why something is not safely on disk, or nil.
func (j *journal) trouble() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return cmp.Or(j.refused, j.doubted)
}

func (j *journal) close() error {
	err := j.sync()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file != nil {
		err = errors.Join(err, j.file.Close())
		j.file = nil
	}
	return err
}
