package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"inglenook/app/base"
	"inglenook/plain"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Limits of a server.
const (
	maxMessage = 16 << 20               // bytes of one message
	maxFlow    = 64 << 20               // bytes between two calls; who sends more floods
	maxPages   = 20                     // of the list of tools
	lastWords  = 2000                   // bytes of a command's error output that are kept
	parting    = 500 * time.Millisecond // in which a command may end by itself
)

// errLong is what the error of a message above maxMessage has in it.
const errLong = "maximum line length"

// errFlood is the error of a server that sends without end.
var errFlood = errors.New("it sent far more than was asked for")

// connection is a server that answers.
type connection struct {
	server  Server
	session atomic.Pointer[mcp.ClientSession] // nil until the server answered
	tools   []Tool
	notes   []string // tools that are left out, and why
	flow    *flow
	running *sync.WaitGroup // commands that have not ended
	over    atomic.Bool     // it ended
	end     func()          // ends the server, or the connection to it, at once
	exited  chan struct{}   // closed when the command has ended; nil: there is none
	said    *tail           // what a command said last on its error output
}

// connect starts a server, or reaches it, and asks for its tools. It returns when ctx
// ends, and leaves nothing behind then.
func connect(ctx context.Context, s Server, way Network, version string, running *sync.WaitGroup) (*connection, error) {
	c := &connection{server: s, running: running, flow: &flow{}, said: &tail{}}
	life, cancel := context.WithCancel(context.Background())
	transport, kill, err := c.transport(ctx, s, way)
	if err != nil {
		cancel()
		return nil, err
	}
	var once sync.Once
	c.end = func() {
		once.Do(func() {
			c.over.Store(true)
			kill()
			running.Go(func() {
				c.part()
				cancel()
			})
		})
	}
	c.flow.flooded = c.end
	opened := make(chan error, 1)
	running.Go(func() {
		client := mcp.NewClient(&mcp.Implementation{Name: "inglenook", Version: version}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
		session, err := client.Connect(life, transport, nil)
		if err == nil {
			c.session.Store(session)
			err = c.list(life)
		}
		opened <- err
		if session != nil {
			_ = session.Wait()
			c.end()
		}
	})
	select {
	case err = <-opened:
	case <-ctx.Done():
		err = ctx.Err()
		cancel()
	}
	if err != nil {
		c.end()
		return nil, c.why(err)
	}
	return c, nil
}

// part says goodbye to a server, which need not answer.
func (c *connection) part() {
	session := c.session.Load()
	if session == nil {
		return
	}
	said := make(chan struct{})
	c.running.Go(func() {
		_ = session.Close()
		close(said)
	})
	select {
	case <-said:
	case <-time.After(parting):
	}
}

// list asks for the tools.
func (c *connection) list(ctx context.Context) error {
	cursor := ""
	for range maxPages {
		page, err := c.session.Load().ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return err
		}
		for _, t := range page.Tools {
			if len(c.tools) == maxTools {
				c.notes = append(c.notes, fmt.Sprintf("only its first %d tools are offered", maxTools))
				return nil
			}
			tool, err := toolOf(c.server.Name, t)
			if err != nil {
				c.notes = append(c.notes, err.Error())
				continue
			}
			c.tools = append(c.tools, tool)
		}
		if cursor = page.NextCursor; cursor == "" {
			return nil
		}
	}
	return nil
}

// isGarbled reports whether a message could not be read, which ends the connection.
func isGarbled(err error) bool {
	for _, sign := range []string{"invalid character", "cannot unmarshal", "end of JSON", "illegal base64"} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}

// why puts what went wrong into words. A command that ended may have said why, which comes
// a little later than the end of its output.
func (c *connection) why(err error) error {
	select {
	case <-c.exited:
	case <-time.After(300 * time.Millisecond):
	}
	switch last := c.said.String(); {
	case c.flow.over.Load(), strings.Contains(err.Error(), errLong):
		return errFlood
	case c.server.Address != "":
		return c.flow.why(err, c.session.Load() != nil)
	case isGarbled(err):
		return errors.New("what it sends is no message of a tool server; check the command")
	case last != "":
		return fmt.Errorf("it ended and said: %s", plain.Line(last, 300))
	case errors.Is(err, io.EOF), strings.Contains(err.Error(), "EOF"), strings.Contains(err.Error(), "closed"):
		return errors.New("it ended without a word")
	}
	text := err.Error()
	if _, cause, found := strings.Cut(text, `": `); found && strings.HasPrefix(text, `calling "`) {
		text = cause // without the name of the message
	}
	return errors.New(plain.Line(text, 300))
}

// transport returns how messages go to a server, and what ends it.
func (c *connection) transport(ctx context.Context, s Server, way Network) (mcp.Transport, func(), error) {
	if s.Address != "" {
		return c.reach(ctx, s, way)
	}
	return c.start(s)
}

// start starts the command of a server.
func (c *connection) start(s Server) (mcp.Transport, func(), error) {
	args, err := words(s.Command)
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), s.Extra...)
	cmd.Stderr = c.said
	cmd.WaitDelay = parting // for children that keep the error output open
	apart(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	cmd.Stdout = theirs
	err = cmd.Start()
	_ = theirs.Close()
	if err != nil {
		_ = out.Close()
		_ = in.Close()
		return nil, nil, startError(plain.Line(args[0], 80), err)
	}
	ended := make(chan struct{})
	c.exited = ended
	c.running.Go(func() {
		_ = cmd.Wait()
		close(ended)
	})
	kill := func() {
		_ = in.Close() // which asks it to end
		_ = out.Close()
		c.running.Go(func() {
			select {
			case <-ended:
			case <-time.After(parting):
			}
			end(cmd) // also what it started itself
		})
	}
	c.flow.from = out
	return &mcp.IOTransport{Reader: c.flow, Writer: in, MaxLineLength: maxMessage}, kill, nil
}

// startError says in a sentence why a command cannot be started.
func startError(name string, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no program “%s” on this computer; check the command, or install the program", name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("“%s” is not a program that you may run; check the command and the permissions of the file", name)
	}
	return fmt.Errorf("the command “%s” cannot be started (%s); check that it is a program for this computer", name, plain.Line(base.PlainError(err).Error(), 120))
}

// flow counts what a server sends. It ends one that floods. Of a server at an address it knows how
// the last request went.
type flow struct {
	from    io.ReadCloser
	bytes   atomic.Int64
	over    atomic.Bool
	flooded func()
	lost    atomic.Pointer[error] // why the last request had no answer; nil: it had one
	status  atomic.Int64          // of its answer
}

// begin counts from zero, for the next call.
func (f *flow) begin() { f.bytes.Store(0) }

func (f *flow) add(n int) error {
	if f.bytes.Add(int64(n)) <= maxFlow {
		return nil
	}
	if !f.over.Swap(true) {
		f.flooded()
	}
	return errFlood
}

func (f *flow) Read(p []byte) (int, error) {
	n, err := f.from.Read(p)
	if over := f.add(n); over != nil {
		return 0, over
	}
	return n, err
}

func (f *flow) Close() error { return f.from.Close() }

// tail keeps the last of what is written to it.
type tail struct {
	mu   sync.Mutex
	last []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p[max(0, len(p)-lastWords):]...)
	t.last = t.last[max(0, len(t.last)-lastWords):]
	return len(p), nil
}

// String is the last line that says something.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.last)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
