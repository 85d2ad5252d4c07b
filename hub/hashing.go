package hub

import (
	"context"
	"encoding/hex"

	"inglenook/hub/cache"
)

// hash hashes the bytes from the beginning as far as there is no gap. It reads them back from
// the file, so that the hash covers what is on the disk.
func (t *transfer) hash() {
	buf := make([]byte, 1<<20)
	h, at, age := cache.NewHash(t.file), int64(0), -1
	for {
		t.mu.Lock()
		for !t.ended && age == t.age && (at == t.prefix() || t.sum != "") && (at < t.file.Size || t.sum != "") {
			t.moved.Wait()
		}
		if t.ended {
			t.mu.Unlock()
			return
		}
		if age != t.age {
			h, at, age = cache.NewHash(t.file), 0, t.age
		}
		n := min(int64(len(buf)), t.prefix()-at)
		if at == t.file.Size {
			t.sum = hex.EncodeToString(h.Sum(nil))
			t.moved.Broadcast()
		}
		t.mu.Unlock()
		if n <= 0 {
			continue
		}
		if _, err := t.temp.ReadAt(buf[:n], at); err != nil {
			// The hash will not match, and mend finds the piece.
			clear(buf[:n])
		}
		_, _ = h.Write(buf[:n])
		at += n
	}
}

// hashed waits for the hash of the whole file.
func (t *transfer) hashed(ctx context.Context) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.sum == "" && !t.ended {
		t.moved.Wait()
	}
	if t.sum == "" {
		return "", context.Cause(ctx)
	}
	return t.sum, nil
}

// mend finds the pieces that read back differently from what was received. If there are none,
// the server sent wrong bytes, and everything is fetched again.
func (t *transfer) mend(ctx context.Context, round int) error {
	bad := map[int]bool{}
	t.mu.Lock()
	pieces := append([]cache.Piece(nil), t.pieces...)
	t.mu.Unlock()
	for i, p := range pieces {
		sum := uint32(0)
		from, _ := t.span(i)
		err := cache.ReadThrough(ctx, t.temp, from, from+p.Done, func(b []byte) { sum = cache.UpdateCRC(sum, b) })
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		bad[i] = err != nil || sum != p.Sum
	}
	some := false
	for _, b := range bad {
		some = some || b
	}
	if some {
		t.lose(func(i int) bool { return !bad[i] })
		return nil
	}
	t.startOver()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stream = t.stream || round > 0 // change the method, in case the ranges are at fault
	return nil
}
