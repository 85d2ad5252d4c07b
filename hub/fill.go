package hub

import (
	"context"
	"errors"
	"sync"
	"time"

	"inglenook/hub/fault"
)

// waits counts the failures of a transfer.
type waits struct {
	failed  int // in a row, without progress in between
	odd     int // responses that violate the protocol
	refused int // by the server that the endpoint redirects to, in a row
}

// errWhole: the server sent the whole file when asked for a part.
var errWhole = errors.New("the server sends whole files only")

// fill fetches until no piece is missing, by ranges or as a stream. It returns early when the
// context ends or retrying cannot help.
func (t *transfer) fill(ctx context.Context) error {
	for {
		if t.streaming() { // there is no other writer now, so the bytes after the first gap can be discarded
			t.mu.Lock()
			front := t.front
			t.mu.Unlock()
			t.lose(func(i int) bool { return i <= front })
		}
		t.mu.Lock()
		missing := t.file.Size - t.done
		// A file of a single piece takes one request.
		whole := t.stream || t.done == 0 && t.file.Size <= t.j.Piece
		t.mu.Unlock()
		if missing == 0 {
			return context.Cause(ctx)
		}
		var err error
		if whole {
			err = t.withSlot(ctx, func() error { return t.fetchStream(ctx) })
			if err != nil {
				err = t.cope(ctx, err)
			}
		} else {
			err = t.ranges(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// withSlot limits the number of concurrent requests for bytes.
func (t *transfer) withSlot(ctx context.Context, do func() error) error {
	select {
	case t.c.slots <- struct{}{}:
		defer func() { <-t.c.slots }()
		return do()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ranges fetches the missing pieces, several at a time once the first response has shown that
// the server supports it. It returns nil when a stream should be tried instead.
func (t *transfer) ranges(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var workers sync.WaitGroup
	var work func()
	more := sync.OnceFunc(func() {
		for range min(t.c.tuning.requests, len(t.pieces)) - 1 {
			workers.Go(work)
		}
	})
	work = func() {
		for {
			i := t.take()
			if i < 0 {
				return
			}
			err := t.withSlot(ctx, func() error { return t.fetchPiece(ctx, i, more) })
			t.give(i)
			if err != nil {
				err = t.cope(ctx, err)
			}
			if err == nil && t.streaming() {
				err = errWhole
			}
			if err != nil {
				stop(err)
				return
			}
		}
	}
	workers.Go(work)
	workers.Wait()
	if err := context.Cause(ctx); !errors.Is(err, errWhole) {
		return err
	}
	return nil
}

// take returns the first incomplete piece that no worker is fetching, or -1.
func (t *transfer) take() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := t.front; i < len(t.pieces); i++ {
		from, to := t.span(i)
		if p := &t.pieces[i]; !p.Busy && p.Done < to-from {
			p.Busy = true
			return i
		}
	}
	return -1
}

func (t *transfer) give(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pieces[i].Busy = false
}

func (t *transfer) streaming() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stream
}

// cope handles a failed request. It returns an error if a retry cannot help; otherwise it
// waits for a suitable time and returns nil. The number of retries is not limited.
func (t *transfer) cope(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	t.mu.Lock()
	t.source = nil // the endpoint may redirect to another server
	stream := t.stream
	var odd oddity
	switch {
	case errors.Is(err, errWhole):
	case errors.As(err, &odd):
		t.waits.odd++
		t.waits.failed++
	case fault.Temporary(err):
		t.waits.failed++
	case errors.Is(err, fault.ErrProtocol):
		t.waits.refused++
		t.waits.failed++
	default:
		t.mu.Unlock()
		return err
	}
	// Ranges are abandoned; the other workers stop before anything is discarded.
	t.stream = t.stream || errors.Is(err, errWhole) || odd.error != nil
	w := t.waits
	t.mu.Unlock()

	if w.odd > t.c.tuning.oddities || w.refused > t.c.tuning.oddities {
		return err
	}
	if odd.error != nil && stream && !odd.keep {
		t.startOver()
	}
	if w.failed == 0 {
		return nil
	}
	pause := t.c.tuning.backoff(w.failed-1, fault.Wait(err))
	if pause > time.Second || w.failed > 2 {
		t.wait(err, time.Now().Add(pause))
	}
	return sleep(ctx, pause)
}

// oddity is a response whose bytes violate the protocol.
type oddity struct {
	error
	keep bool // the received bytes may be right
}

func (o oddity) Unwrap() error { return o.error }

func odd(format string, args ...any) error {
	return oddity{error: fault.New(fault.ErrProtocol, nil, format, args...)}
}
