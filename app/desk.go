package app

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

const (
	callTimeout  = time.Second     // for one message from a second start
	callBytes    = 64 << 10        // of one message
	argBytes     = 8 << 10         // of one argument; a path has at most half of it
	callsAtOnce  = 16              // connections that are open
	claimPatient = 3 * time.Second // how long a second start tries to reach the first
	socketPath   = 100             // bytes of a socket's path that every system allows
)

// desk is where the first window takes the calls of later starts: a socket in a
// folder that only the person's account can enter, so that no stranger reaches it.
type desk struct {
	listener net.Listener
	release  func()
	calls    chan net.Conn // the last ones, the oldest first; most have ended
	wg       sync.WaitGroup
}

// call is what a second start sends.
type call struct {
	Args []string `json:"args"`
}

// openDesk makes the socket, in the place of one that a killed process left.
func openDesk(folder string) (*desk, error) {
	address, release, err := socketIn(folder)
	if err != nil {
		return nil, err
	}
	_ = os.Remove(address)
	listener, err := net.Listen("unix", address)
	if err != nil {
		release()
		return nil, err
	}
	return &desk{listener: listener, release: release, calls: make(chan net.Conn, callsAtOnce)}, nil
}

// socketIn returns the address of the socket in a folder that only its owner can
// enter. Systems allow about a hundred bytes for it; Linux reaches longer ones
// through the open folder, which release closes.
func socketIn(folder string) (address string, release func(), err error) {
	if err := private(folder); err != nil {
		return "", nil, err
	}
	address = filepath.Join(folder, "socket")
	if len(address) <= socketPath {
		return address, func() {}, nil
	}
	if runtime.GOOS != "linux" {
		return "", nil, fmt.Errorf("the path of its folder has %d characters, and messages to it need one of at most %d", len(folder), socketPath-len("/socket"))
	}
	open, err := os.Open(folder)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/socket", open.Fd()), func() { open.Close() }, nil
}

// private makes a folder that only its owner can enter, and refuses one that is
// somebody else's.
func private(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return &fs.PathError{Op: "open", Path: folder, Err: errors.New("it is not a folder")}
	}
	return os.Chmod(folder, 0o700) // the owner's right
}

// serve accepts calls until close. A silent call is closed after a moment, and a call beyond
// callsAtOnce closes the oldest, so that no caller keeps others waiting.
func (d *desk) serve(onFocus func([]string)) {
	for {
		conn, err := d.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(50 * time.Millisecond) // out of descriptors, perhaps
			continue
		}
		select {
		case d.calls <- conn:
		default:
			(<-d.calls).Close()
			d.calls <- conn
		}
		d.wg.Go(func() {
			if args, ok := answer(conn); ok && onFocus != nil {
				onFocus(args)
			}
		})
	}
}

// answer reads one call.
func answer(conn net.Conn) (args []string, ok bool) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(callTimeout))
	var c call
	if json.NewDecoder(io.LimitReader(conn, callBytes)).Decode(&c) != nil {
		return nil, false
	}
	for _, a := range c.Args {
		if len(a) > argBytes {
			return nil, false
		}
	}
	_, err := io.WriteString(conn, "ok\n")
	return c.Args, err == nil
}

// close ends the calls and takes the socket away.
func (d *desk) close() {
	d.listener.Close()
	for len(d.calls) > 0 {
		(<-d.calls).Close()
	}
	d.wg.Wait()
	d.release()
}

// callFirst hands args to the first instance. A lock that is taken while the
// socket is not there yet means that the first one is just starting, so it is
// tried again for a while.
func callFirst(ctx context.Context, folder string, args []string, patient bool) error {
	ctx, cancel := context.WithTimeout(ctx, claimPatient)
	defer cancel()
	for {
		err := callOnce(ctx, folder, args)
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

func callOnce(ctx context.Context, folder string, args []string) error {
	address, release, err := socketIn(folder)
	if err != nil {
		return err
	}
	defer release()
	dialer := net.Dialer{Timeout: callTimeout}
	conn, err := dialer.DialContext(ctx, "unix", address)
	if err != nil {
		return plainNetError(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(callTimeout))
	if err := json.NewEncoder(conn).Encode(call{Args: args}); err != nil {
		return plainNetError(err)
	}
	if reply, err := bufio.NewReader(conn).ReadString('\n'); err != nil || reply != "ok\n" {
		return errors.New("it did not accept the message")
	}
	return nil
}

// plainNetError reduces an error of a connection to the system's own words.
func plainNetError(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		err = call.Err
	}
	return err
}
