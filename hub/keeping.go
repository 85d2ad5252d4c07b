package hub

import (
	"context"
	"time"

	"inglenook/hub/cache"
)

// keepJournal writes the journal periodically, syncs the data less often, and thereby shows
// that this process is alive.
func (t *transfer) keepJournal(ctx context.Context) {
	synced, beat := time.Now(), time.Now()
	pause := t.c.tuning.journal
	for {
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-t.hurry:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
		t.mu.Lock()
		dirty := t.dirty
		t.mu.Unlock()
		if !dirty && time.Since(beat) < t.c.tuning.beat {
			continue
		}
		if time.Since(synced) > t.c.tuning.sync {
			_ = t.temp.Sync()
			synced = time.Now()
		}
		start := time.Now()
		_ = t.saveJournal() // the next attempt may succeed; the bytes are not lost
		beat = time.Now()
		pause = max(t.c.tuning.journal, 5*time.Since(start))
	}
}

func (t *transfer) saveJournal() error {
	t.mu.Lock()
	t.j.SetPieces(t.pieces)
	t.dirty = false
	j, known := t.j, t.late
	j.Done = append([][3]int64(nil), t.j.Done...)
	t.mu.Unlock()
	err := t.s.ReplaceJSON(cache.JournalPath(j.Digest, j.Unique), j)
	t.mu.Lock()
	t.late -= known // also after a failure: the next attempt may fail too
	t.moved.Broadcast()
	t.mu.Unlock()
	return err
}
