package hub

import (
	"context"
	"errors"
	"net/url"
	"os"
	"sync"
	"time"

	"inglenook/hub/cache"
	"inglenook/hub/fault"
	"inglenook/hub/repo"
)

// transfer downloads one file into its blob.
type transfer struct {
	c      *Client
	s      *cache.Store
	id     string
	commit string
	file   repo.File
	show   func(done, came int64)           // bytes present, and bytes that just arrived; done may decrease
	wait   func(why error, until time.Time) // reports why it waits; nil: it has resumed
	busy   func() (done func())             // it works on local bytes and needs none from the network
	room   *share                           // of the disk

	temp *os.File
	j    cache.Journal

	mu     sync.Mutex
	moved  *sync.Cond // the number of bytes changed, or the transfer ended
	pieces []cache.Piece
	front  int   // the first incomplete piece
	done   int64 // bytes of all pieces
	age    int   // how often all bytes were discarded
	dirty  bool  // the journal lags behind
	late   int64 // by this many bytes
	hurry  chan struct{}
	stream bool // one response for the whole file, because ranges do not work here
	source *url.URL
	waits  waits
	sum    string // hash of the whole file, once it is known
	ended  bool
}

// run returns nil when the file is in its blob. After an error the received bytes stay on disk.
func (t *transfer) run(ctx context.Context) error {
	t.moved, t.hurry = sync.NewCond(&t.mu), make(chan struct{}, 1)
	for {
		if there, err := t.present(ctx); there || err != nil {
			return err
		}
		l, err := t.s.TryLock(t.file.Digest())
		if err != nil {
			return err
		}
		err = cache.ErrElsewhere
		if l != nil {
			if t.s.Size(cache.BlobPath(t.file.Digest())) != t.file.Size { // still missing, or damaged
				err = t.alone(ctx)
			} else {
				err = nil
			}
			l.Free(err == nil)
			if err == nil {
				t.show(t.file.Size, 0)
				return nil
			}
		}
		if !errors.Is(err, cache.ErrElsewhere) {
			return err
		}
		t.watch()
		if err := sleep(ctx, t.c.tuning.poll); err != nil {
			return err
		}
	}
}

// present reports whether the blob exists. A blob that we did not write is hashed first, and
// discarded if it does not match its name.
func (t *transfer) present(ctx context.Context) (bool, error) {
	name := cache.BlobPath(t.file.Digest())
	switch t.s.Size(name) {
	case -1:
		return false, nil
	case t.file.Size:
	default:
		return false, nil // an incomplete file under a complete one's name; it is replaced
	}
	if _, known := t.s.ReadSums(t.file); !known {
		done := t.busy()
		sum, list, err := t.s.HashBlob(ctx, t.file, t.c.tuning.piece)
		done()
		if err != nil {
			return false, fault.Storage(err, "%s cannot be read", t.file.Path)
		}
		if sum != t.file.Digest() {
			return false, fault.Storage(t.s.Root.Remove(name), "a damaged copy of %s cannot be removed", t.file.Path)
		}
		_ = t.s.ReplaceJSON(cache.SumsPath(t.file.Digest()), list)
	}
	t.show(t.file.Size, 0)
	return true, nil
}

// watch reports the progress of another process.
func (t *transfer) watch() {
	t.wait(fault.New(cache.ErrElsewhere, nil, "another program is already downloading %s", t.file.Path), time.Time{})
	for _, j := range t.s.Journals(t.file.Digest()) {
		if j.Fits(t.file) && j.Alive(t.c.tuning.stale) {
			t.show(j.Bytes(), 0)
		}
	}
}

// alone does the work while this process holds the lock.
func (t *transfer) alone(ctx context.Context) (err error) {
	if err := t.begin(); err != nil {
		return err
	}
	t.wait(nil, time.Time{})
	t.show(t.done, 0)

	var helpers sync.WaitGroup
	stop := context.AfterFunc(ctx, t.end)
	saving, stopSaving := context.WithCancel(context.Background())
	helpers.Go(func() { t.keepJournal(saving) })
	helpers.Go(t.hash)
	defer func() {
		stop()
		t.end()
		stopSaving()
		helpers.Wait()
		if err != nil {
			t.j.Host, t.j.PID = "", 0
			_ = t.saveJournal()
			if len(t.j.Done) == 0 {
				t.s.DropJournal(t.j)
			}
		}
		err = errors.Join(err, t.temp.Close())
		if err == nil {
			err = t.place()
		}
	}()

	for round := 0; ; round++ {
		if err := t.fill(ctx); err != nil {
			return err
		}
		done := t.busy()
		sum, err := t.hashed(ctx)
		done()
		if err != nil {
			return err
		}
		if sum == t.file.Digest() {
			return t.seal()
		}
		if round == 2 {
			t.startOver()
			return fault.New(fault.ErrCorrupt, nil, "what %s sends for %s is not what its listing says (the checksum differs each time), so it was not kept; try again later or use another model store address", t.c.endpoint.Host, t.file.Path)
		}
		if err := t.mend(ctx, round); err != nil {
			return err
		}
	}
}

// begin resumes what an earlier transfer left, or starts from nothing.
func (t *transfer) begin() error {
	host, _ := os.Hostname()
	best := -1
	found := t.s.Journals(t.file.Digest())
	for i, j := range found {
		whole := j.Fits(t.file) && t.s.Size(cache.TempPath(j.Digest, j.Unique)) >= 0
		switch {
		case j.Alive(t.c.tuning.stale):
			return cache.ErrElsewhere
		case !whole:
			t.s.DropJournal(j)
		case best < 0 || j.Bytes() > found[best].Bytes():
			best = i
		}
	}
	t.j = cache.Journal{Schema: cache.JournalSchema, Path: t.file.Path, Size: t.file.Size, Digest: t.file.Digest(), Piece: t.c.tuning.piece}
	old := cache.Journal{}
	if best >= 0 {
		old = found[best]
		t.j.ETag, t.j.Piece, t.j.Done = old.ETag, old.Piece, old.Done
	}
	t.j.Unique, t.j.Host, t.j.PID = cache.NewUnique(), host, os.Getpid()
	if err := t.s.ReplaceJSON(cache.JournalPath(t.j.Digest, t.j.Unique), t.j); err != nil {
		return fault.Storage(err, "nothing can be written for %s", t.file.Path)
	}
	name, flags := cache.TempPath(t.j.Digest, t.j.Unique), os.O_RDWR|os.O_CREATE|os.O_EXCL
	if best >= 0 {
		// Renaming claims the file; it fails for a second process that tries the same.
		if err := t.s.Root.Rename(cache.TempPath(old.Digest, old.Unique), name); err != nil {
			_ = t.s.Root.Remove(cache.JournalPath(t.j.Digest, t.j.Unique))
			return cache.ErrElsewhere
		}
		_ = t.s.Root.Remove(cache.JournalPath(old.Digest, old.Unique))
		flags = os.O_RDWR
	}
	var err error
	if t.temp, err = t.s.Root.OpenFile(name, flags, 0o644); err != nil {
		return fault.Storage(err, "nothing can be written for %s", t.file.Path)
	}
	info, err := t.temp.Stat()
	if err != nil {
		t.temp.Close()
		return fault.Storage(err, "nothing can be written for %s", t.file.Path)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pieces, t.front, t.done, t.sum, t.ended = t.j.Pieces(info.Size()), 0, 0, "", false
	t.age++
	for _, p := range t.pieces {
		t.done += p.Done
	}
	t.advance()
	return nil
}

// end wakes all goroutines that wait for more bytes.
func (t *transfer) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	t.moved.Broadcast()
}

// span returns the range of piece i in the file.
func (t *transfer) span(i int) (from, to int64) {
	from = int64(i) * t.j.Piece
	return from, min(from+t.j.Piece, t.file.Size)
}

// advance moves front past complete pieces.
func (t *transfer) advance() {
	for t.front < len(t.pieces) {
		from, to := t.span(t.front)
		if t.pieces[t.front].Done < to-from {
			return
		}
		t.front++
	}
}

// prefix returns the number of bytes from the beginning without a gap.
func (t *transfer) prefix() int64 {
	if t.front == len(t.pieces) {
		return t.file.Size
	}
	from, _ := t.span(t.front)
	return from + t.pieces[t.front].Done
}

// wrote records that the next bytes of piece i are in the temporary file.
func (t *transfer) wrote(i int, n int64, sum uint32) {
	t.mu.Lock()
	p := &t.pieces[i]
	p.Done += n
	p.Sum = sum
	t.done += n
	t.dirty = true
	t.late += n
	t.waits.failed, t.waits.refused = 0, 0
	if i == t.front {
		t.advance()
		t.moved.Broadcast()
	}
	// A killed process loses what its journal does not record, so the lag is bounded.
	for t.late > t.c.tuning.lag && !t.ended {
		select {
		case t.hurry <- struct{}{}:
		default:
		}
		t.moved.Wait()
	}
	done := t.done
	t.mu.Unlock()
	t.room.use(n)
	t.show(done, n)
}

// lose discards pieces: all of them, or those for which keep returns false.
func (t *transfer) lose(keep func(i int) bool) {
	t.mu.Lock()
	lost := int64(0)
	for i := range t.pieces {
		if !keep(i) {
			lost += t.pieces[i].Done
			t.pieces[i] = cache.Piece{Busy: t.pieces[i].Busy}
		}
	}
	if lost > 0 {
		t.done -= lost
		t.front = 0
		t.advance()
		t.age++
		t.sum = ""
		t.dirty = true
		t.moved.Broadcast()
	}
	done := t.done
	t.mu.Unlock()
	t.show(done, 0)
}

func (t *transfer) startOver() {
	t.lose(func(int) bool { return false })
	t.mu.Lock()
	defer t.mu.Unlock()
	t.j.ETag, t.source = "", nil
}

// seal syncs the bytes to the disk and stores the checksums of the pieces.
func (t *transfer) seal() error {
	if err := t.temp.Sync(); err != nil {
		return fault.Storage(err, "%s cannot be written", t.file.Path)
	}
	have := cache.Sums{Schema: 1, Size: t.file.Size, Piece: t.j.Piece, CRC32C: make([]uint32, len(t.pieces))}
	for i, p := range t.pieces {
		have.CRC32C[i] = p.Sum
	}
	// Without checksums a repair fetches the whole file; that is no reason to fail.
	_ = t.s.ReplaceJSON(cache.SumsPath(t.file.Digest()), have)
	return nil
}

// place gives the file its final name.
func (t *transfer) place() error {
	if err := t.s.Root.Rename(cache.TempPath(t.j.Digest, t.j.Unique), cache.BlobPath(t.j.Digest)); err != nil {
		return fault.Storage(err, "%s cannot be given its name", t.file.Path)
	}
	t.s.SyncFolder(cache.BlobsFolder)
	_ = t.s.Root.Remove(cache.JournalPath(t.j.Digest, t.j.Unique))
	return nil
}
