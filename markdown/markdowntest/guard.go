// Package markdowntest has replies of a hostile model, and a guard that detects
// when one of them triggers an action. It is for tests only.
package markdowntest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// Guard is a trap: a server on a loopback port and a file, both named in the
// replies. Connecting to the server, resolving a name through Go's resolver or
// opening the file fails the test.
type Guard struct {
	Host string // of the server, with its port
	File string // absolute path
}

// NewGuard sets the trap for the rest of a test.
func NewGuard(t testing.TB) Guard {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var connections, dials atomic.Int32
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			c.Close()
		}
	}()
	refuse := func(context.Context, string, string) (net.Conn, error) {
		dials.Add(1)
		return nil, errors.New("nothing may be dialled here")
	}
	transport, resolver := http.DefaultTransport, net.DefaultResolver
	http.DefaultTransport = &http.Transport{DialContext: refuse}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: refuse}

	dir := t.TempDir()
	file := filepath.Join(dir, "secret.txt")
	if err := os.WriteFile(file, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	opens := watch(t, dir)
	t.Cleanup(func() {
		http.DefaultTransport, net.DefaultResolver = transport, resolver
		listener.Close()
		<-done
		if n := connections.Load() + dials.Load(); n > 0 {
			t.Errorf("%d connections were made", n)
		}
		if n := opens(); n > 0 {
			t.Errorf("the file was touched %d times", n)
		}
	})
	return Guard{Host: listener.Addr().String(), File: file}
}
