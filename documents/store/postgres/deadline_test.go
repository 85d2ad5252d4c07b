package postgres

import (
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/documents/store/postgres/postgrestest"
)

// frozen passes bytes to a server and back until it freezes: then connections stay open, and nothing
// passes any more.
type frozen struct {
	mu     sync.Mutex
	frozen bool
}

func (f *frozen) freeze(is bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.frozen = is
}

func (f *frozen) pass(to, from net.Conn) {
	defer to.Close()
	data := make([]byte, 64<<10)
	for {
		n, err := from.Read(data)
		f.mu.Lock()
		stuck := f.frozen
		f.mu.Unlock()
		if stuck {
			_, _ = io.Copy(io.Discard, from)
			return
		}
		if _, failed := to.Write(data[:n]); failed != nil || err != nil {
			return
		}
	}
}

// through returns the address of a database behind f.
func (f *frozen) through(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := u.Host
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			here, err := l.Accept()
			if err != nil {
				return
			}
			there, err := net.Dial("tcp", server)
			if err != nil {
				here.Close()
				return
			}
			go f.pass(there, here)
			go f.pass(here, there)
		}
	}()
	u.Host = l.Addr().String()
	return u.String()
}

// A server that stops answering in the middle is an error in a sentence, and keeps nobody from ending.
func TestFrozenServer(t *testing.T) {
	var between frozen
	s, err := Open(t.Context(), between.through(t, postgrestest.Database(t)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Create(t.Context(), "papers")
	if err != nil {
		t.Fatal(err)
	}
	between.freeze(true)
	s.pool.Config().ConnConfig.Tracer.(*deadlines).most = 200 * time.Millisecond
	if _, err := c.Summary(t.Context()); err == nil || !strings.Contains(err.Error(), "did not answer in time") {
		t.Errorf("a question gives %v", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		ctx, cancel = tidying(ctx)
		defer cancel()
		_, _ = c.Summary(ctx)
		_ = s.Close()
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("it waits for the server when it is closed")
	}
}
