// Package outbox keeps what is written to a client until the client takes it, so that
// who makes an answer never waits for who reads it.
package outbox

import (
	"context"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"
)

// Bounds are how much may wait for a client. Both have to be passed, because single pieces may be large.
type Bounds struct{ Pieces, Bytes int }

// ErrNotTaken says that the client did not take a piece in time, or left too many waiting.
var ErrNotTaken = errors.New("the client did not read its answer")

// Box is where the pieces of one answer wait. Its methods belong to the
// goroutine of the request.
type Box struct {
	w       http.ResponseWriter
	control *http.ResponseController
	each    time.Duration // that a client has for a piece
	most    Bounds        // of what waits

	mu      sync.Mutex
	pieces  [][]byte
	bytes   int // of pieces
	closed  bool
	cut     bool
	err     error
	changed chan struct{} // holds a value where there is something new for the writer
	ended   chan struct{} // closed where the writer has ended
}

// Open begins to write to w, whose header is sent or set already, and which belongs to
// the box until Deliver returns. A client has so much time for each piece.
func Open(w http.ResponseWriter, each time.Duration, most Bounds) *Box {
	b := &Box{w: w, most: most, control: http.NewResponseController(w), each: each, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	go b.write()
	return b
}

// Put adds a piece, which is sent as soon as the client has taken those before it. It does
// not wait. The error is that of an earlier piece.
func (b *Box) Put(piece []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return b.err
	}
	b.pieces = append(b.pieces, piece)
	b.bytes += len(piece)
	b.wake()
	return nil
}

// Full reports whether more waits than should.
func (b *Box) Full() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.pieces) > b.most.Pieces && b.bytes > b.most.Bytes
}

// Deliver waits until the client has all pieces. Where ctx ends, it has the time of grace for
// them. Whoever still does not take them gets no more.
func (b *Box) Deliver(ctx context.Context, grace time.Duration) error {
	b.mu.Lock()
	b.closed = true
	b.wake()
	b.mu.Unlock()
	select {
	case <-b.ended:
		return b.err
	case <-ctx.Done():
	}
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case <-b.ended:
	case <-patience.C:
		b.Cut()
	}
	return b.err
}

// Cut ends the writing at once, unless all is written. The client gets no more, and its connection
// cannot be used again.
func (b *Box) Cut() {
	select {
	case <-b.ended:
		return
	default:
	}
	b.mu.Lock()
	b.cut, b.pieces, b.bytes = true, nil, 0
	b.wake()
	_ = b.control.SetWriteDeadline(time.Unix(1, 0)) // which ends a write that waits
	b.mu.Unlock()
	<-b.ended
}

// wake tells the writer that something has changed.
func (b *Box) wake() {
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// write sends the pieces in their order until there is an end.
func (b *Box) write() {
	defer close(b.ended)
	for {
		piece, more := b.next()
		if !more {
			return
		}
		if piece == nil {
			<-b.changed
			continue
		}
		_, err := b.w.Write(piece)
		if err == nil {
			err = b.control.Flush()
		}
		if err != nil {
			b.mu.Lock()
			if b.cut || errors.Is(err, os.ErrDeadlineExceeded) {
				err = ErrNotTaken
			}
			b.err, b.pieces, b.bytes = err, nil, 0
			b.mu.Unlock()
			return
		}
	}
}

// next takes the piece that is due; nil: none waits now. more is false at the end.
func (b *Box) next() (piece []byte, more bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.cut:
		b.err = ErrNotTaken
		return nil, false
	case len(b.pieces) == 0:
		return nil, !b.closed
	}
	piece = b.pieces[0]
	b.pieces = b.pieces[1:]
	b.bytes -= len(piece)
	_ = b.control.SetWriteDeadline(time.Now().Add(b.each)) // behind the lock: Cut has the last word
	return piece, true
}
