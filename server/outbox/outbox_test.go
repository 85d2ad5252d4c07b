package outbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var bounds = Bounds{256, 1 << 20}

// client takes what is written where takes is closed; until then a write waits, and ends
// with the deadline.
type client struct {
	takes chan struct{}
	begun chan struct{} // closed with the first write

	mu      sync.Mutex
	got     strings.Builder
	flushed int
	late    chan struct{} // closed where the deadline has passed
}

func newClient() *client {
	return &client{takes: make(chan struct{}), begun: make(chan struct{}), late: make(chan struct{})}
}

func (c *client) Header() http.Header { return nil }
func (c *client) WriteHeader(int)     {}

func (c *client) Write(data []byte) (int, error) {
	c.mu.Lock()
	if c.got.Len() == 0 {
		close(c.begun)
	}
	c.got.Write(data)
	c.mu.Unlock()
	select {
	case <-c.takes:
		return len(data), nil
	case <-c.late:
		return 0, os.ErrDeadlineExceeded
	}
}

func (c *client) FlushError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flushed++
	return nil
}

func (c *client) SetWriteDeadline(at time.Time) error {
	if at.Unix() == 1 {
		close(c.late)
	}
	return nil
}

// All pieces come in their order, each with a flush, whenever the client reads.
func TestOrder(t *testing.T) {
	const n = 1000
	for _, reads := range []string{"always", "late"} {
		c := newClient()
		if reads == "always" {
			close(c.takes)
		}
		b := Open(c, time.Minute, bounds)
		var want strings.Builder
		for i := range n {
			piece := fmt.Sprintf("piece %d\n", i)
			want.WriteString(piece)
			if err := b.Put([]byte(piece)); err != nil {
				t.Fatal(err)
			}
		}
		if b.Full() {
			t.Errorf("%d small pieces are too many", n)
		}
		if reads == "late" {
			close(c.takes)
		}
		if err := b.Deliver(t.Context(), time.Minute); err != nil {
			t.Fatal(err)
		}
		if c.got.String() != want.String() || c.flushed != n {
			t.Errorf("the client that reads %s has %d bytes of %d after %d flushes", reads, c.got.Len(), want.Len(), c.flushed)
		}
		b.Cut()
		select {
		case <-c.late:
			t.Error("a connection is cut that has all")
		default:
		}
	}
}

// Where nobody reads, Put does not wait, what waits is bounded, and Cut ends the write under way.
func TestNobodyReads(t *testing.T) {
	c := newClient()
	b := Open(c, time.Minute, bounds)
	piece := make([]byte, 5000)
	n := 0
	for ; !b.Full(); n++ {
		if err := b.Put(piece); err != nil {
			t.Fatal(err)
		}
	}
	if n*len(piece) < bounds.Bytes || n*len(piece) > 2*bounds.Bytes || n < bounds.Pieces {
		t.Errorf("full with %d pieces", n)
	}
	<-c.begun
	b.Cut()
	if err := b.Put(piece); err == nil {
		t.Error("it takes more after its end")
	}
	if err := b.Deliver(t.Context(), time.Minute); !errors.Is(err, ErrNotTaken) {
		t.Error("it says that all was delivered")
	}
	if c.got.Len() != len(piece) {
		t.Errorf("%d bytes were written", c.got.Len())
	}
}

// A few pieces may be as large as they like.
func TestLargePieces(t *testing.T) {
	c := newClient()
	b := Open(c, time.Minute, bounds)
	for range 4 {
		if err := b.Put(make([]byte, bounds.Bytes)); err != nil || b.Full() {
			t.Fatal(err, b.Full())
		}
	}
	close(c.takes)
	if err := b.Deliver(t.Context(), time.Minute); err != nil || c.got.Len() != 4*bounds.Bytes {
		t.Error(err, c.got.Len())
	}
}

// Where the request has ended, whoever does not read is not waited for.
func TestGrace(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := newClient()
	b := Open(c, time.Minute, bounds)
	if err := errors.Join(b.Put([]byte("a")), b.Put([]byte("b"))); err != nil {
		t.Fatal(err)
	}
	<-c.begun
	if err := b.Deliver(ctx, 0); !errors.Is(err, ErrNotTaken) || c.got.String() != "a" {
		t.Errorf("%v, %q", err, c.got.String())
	}
}
