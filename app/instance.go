package app

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"inglenook/app/base"
	"inglenook/durable"
)

const (
	callTimeout  = time.Second     // for one message from a second start
	callBytes    = 64 << 10        // of one message
	claimPatient = 2 * time.Second // how long a second start tries to reach the first
)

// claim is the hold of one window on a data folder: a lock that the system
// frees when the process ends however it ends, and a loopback port on which a
// second start hands over its arguments. The port is open to every program on
// this computer, so a key that only the owner of the folder can read guards it.
type claim struct {
	lock     *flock.Flock // nil where the file system has no locks
	listener net.Listener
	note     string // path of the file with the address
	wg       sync.WaitGroup
}

// callBox is what the first instance writes down for the others.
type callBox struct {
	Schema  int    `json:"schema"`
	Address string `json:"address"`
	Key     string `json:"key"`
	PID     int    `json:"pid"`
}

// call is what a second start sends.
type call struct {
	Key  string   `json:"key"`
	Args []string `json:"args"`
}

// Claim takes the data folder for this window. When another window has it,
// args goes to that one's onFocus, and first is false. When this window is the
// first, onFocus is called from another goroutine for each later start until
// Close. The command line needs no claim.
func (a *App) Claim(args []string, onFocus func(args []string)) (first bool, err error) {
	ctx, done, err := a.life.Begin(a.life.Context())
	if err != nil {
		return false, err
	}
	defer done()
	c, err := claimFolder(ctx, a.paths.Data, args, onFocus)
	if err != nil || c == nil {
		return false, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.life.Ended() { // meanwhile
		c.close()
		return false, base.ErrClosing
	}
	a.claim = c
	return true, nil
}

// claimFolder returns the claim, or nil after another instance took the call.
func claimFolder(ctx context.Context, dir string, args []string, onFocus func([]string)) (*claim, error) {
	box := filepath.Join(dir, "window.json")
	lock, taken := lockFolder(filepath.Join(dir, "window.lock"))
	if !taken && lock != nil {
		return newClaim(lock, box, onFocus)
	}
	err := callFirst(ctx, box, args, taken)
	switch {
	case err == nil:
		return nil, nil
	case !taken: // no locks here, and nobody answers
		return newClaim(nil, box, onFocus)
	}
	return nil, fmt.Errorf("another Inglenook window uses %s but does not answer (%w); close it, or set INGLENOOK_HOME to another folder", base.ShortPath(dir), err)
}

// lockFolder tries the lock. Without locks (some network and read-only file
// systems) it returns nil, false.
func lockFolder(path string) (lock *flock.Flock, taken bool) {
	l := flock.New(path, flock.SetPermissions(0o600))
	got, err := l.TryLock()
	if err != nil {
		_ = l.Close()
		return nil, false
	}
	if !got {
		_ = l.Close()
		return nil, true
	}
	return l, false
}

func newClaim(lock *flock.Flock, box string, onFocus func([]string)) (*claim, error) {
	c := &claim{lock: lock, note: box}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		// The window works without; only a second start cannot reach it.
		return c, nil
	}
	c.listener = listener
	key := rand.Text()
	data, err := json.Marshal(callBox{Schema: 1, Address: listener.Addr().String(), Key: key, PID: os.Getpid()})
	if err == nil {
		err = durable.Write(box, data, 0o600)
	}
	if err != nil {
		listener.Close()
		c.listener = nil
		return c, nil
	}
	c.wg.Go(func() { c.serve(key, onFocus) })
	return c, nil
}

func (c *claim) serve(key string, onFocus func([]string)) {
	for {
		conn, err := c.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(50 * time.Millisecond) // out of descriptors, perhaps
			continue
		}
		if args, ok := answer(conn, key); ok && onFocus != nil {
			onFocus(args)
		}
	}
}

// answer reads one call. Calls come rarely and end within callTimeout, so they
// are taken one after the other.
func answer(conn net.Conn, key string) (args []string, ok bool) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(callTimeout))
	var c call
	if json.NewDecoder(io.LimitReader(conn, callBytes)).Decode(&c) != nil {
		return nil, false
	}
	if subtle.ConstantTimeCompare([]byte(c.Key), []byte(key)) != 1 {
		return nil, false
	}
	_, err := io.WriteString(conn, "ok\n")
	return c.Args, err == nil
}

// callFirst hands args to the first instance. A lock that is taken while the
// address is not there yet means that the first one is just starting, so it is
// tried again for a while.
func callFirst(ctx context.Context, box string, args []string, patient bool) error {
	ctx, cancel := context.WithTimeout(ctx, claimPatient)
	defer cancel()
	for {
		err := callOnce(ctx, box, args)
		if err == nil || !patient {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func callOnce(ctx context.Context, box string, args []string) error {
	data, err := os.ReadFile(box)
	if err != nil {
		return base.PlainError(err)
	}
	var to callBox
	if err := json.Unmarshal(data, &to); err != nil {
		return fmt.Errorf("%s is damaged", filepath.Base(box))
	}
	dialer := net.Dialer{Timeout: callTimeout}
	conn, err := dialer.DialContext(ctx, "tcp", to.Address)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(callTimeout))
	if err := json.NewEncoder(conn).Encode(call{Key: to.Key, Args: args}); err != nil {
		return err
	}
	if reply, err := bufio.NewReader(conn).ReadString('\n'); err != nil || reply != "ok\n" {
		return errors.New("it did not accept the message")
	}
	return nil
}

func (c *claim) close() {
	if c.listener != nil {
		c.listener.Close()
		c.wg.Wait()
		os.Remove(c.note)
	}
	if c.lock != nil {
		_ = c.lock.Unlock()
	}
}
