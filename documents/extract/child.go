package extract

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// A Child reads files in a process of its own, one at a time. A file that crashes
// that process, uses up its memory or takes too long is an *Error; the next file
// has a new process. The process ends with Close and with this program, however
// that ends.
type Child struct {
	options ChildOptions
	turn    chan struct{} // holds one value while nobody uses process
	process *process      // nil until a file needs it
}

// ChildOptions change how a Child works. A zero value means the default.
type ChildOptions struct {
	Command []string      // the program and its arguments; by default this program with ChildArgument
	Timeout time.Duration // for one file; 30 s
	Memory  int64         // bytes that the process may use; 2 GiB
	Files   int           // after so many files it is replaced; 500
}

// ChildArgument is the program's first argument when it is to Serve.
const ChildArgument = "extract-child"

// NewChild returns a Child. Its process starts with the first file.
func NewChild(o ChildOptions) (*Child, error) {
	if len(o.Command) == 0 {
		program, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find this program to read files with: %w", err)
		}
		o.Command = []string{program, ChildArgument}
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Memory <= 0 {
		o.Memory = 2 << 30
	}
	if o.Files <= 0 {
		o.Files = 500
	}
	c := &Child{options: o, turn: make(chan struct{}, 1)}
	c.turn <- struct{}{}
	return c, nil
}

// File reads one file, as the function File does. It waits for its turn, and ends
// with the context.
func (c *Child) File(ctx context.Context, path string, o Options) (documents.Document, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return documents.Document{}, err
	}
	select {
	case <-c.turn:
		defer func() { c.turn <- struct{}{} }()
	case <-ctx.Done():
		return documents.Document{}, ctx.Err()
	}
	for {
		fresh := c.process == nil
		doc, err := c.ask(ctx, request{Path: absolute, Options: o})
		if crash, ok := errors.AsType[*crashError](err); ok {
			if !fresh { // what an earlier file left may be the cause
				continue
			}
			return doc, crash.explain()
		}
		return doc, err
	}
}

// Close ends the process, after the file that is being read. A file after Close
// starts another one.
func (c *Child) Close() error {
	<-c.turn
	c.end()
	c.turn <- struct{}{}
	return nil
}

// ask sends one request to the process, which it starts where there is none.
func (c *Child) ask(ctx context.Context, r request) (documents.Document, error) {
	if err := ctx.Err(); err != nil {
		return documents.Document{}, err
	}
	if c.process == nil {
		p, err := start(c.options)
		if err != nil {
			return documents.Document{}, err
		}
		c.process = p
	}
	p := c.process
	type answer struct {
		response response
		err      error
	}
	came := make(chan answer, 1)
	go func() {
		var a answer
		if a.err = p.requests.Encode(r); a.err == nil {
			a.err = p.responses.Decode(&a.response)
		}
		came <- a
	}()
	timer := time.NewTimer(c.options.Timeout)
	defer timer.Stop()
	select {
	case a := <-came:
		if a.err != nil {
			c.end()
			return documents.Document{}, &crashError{p.output.String(), p.cmd.ProcessState, a.err}
		}
		if p.files++; p.files >= c.options.Files {
			c.end()
		}
		return a.response.Document, a.response.Failure.err(r.Path)
	case <-ctx.Done():
		c.end()
		<-came
		return documents.Document{}, ctx.Err()
	case <-timer.C:
		c.end()
		<-came
		return documents.Document{}, format.Errorf(TimedOut, "reading it took longer than %v", c.options.Timeout)
	}
}

func (c *Child) end() {
	if c.process != nil {
		c.process.end()
		c.process = nil
	}
}

// process is a running child.
type process struct {
	cmd       *exec.Cmd
	stdin     io.Closer // its end ends the process
	requests  *gob.Encoder
	responses *gob.Decoder
	output    *head // what it wrote to its standard error
	files     int
}

func start(o ChildOptions) (*process, error) {
	p := &process{output: &head{}}
	arguments := append(o.Command[1:len(o.Command):len(o.Command)], strconv.FormatInt(o.Memory, 10))
	p.cmd = exec.Command(o.Command[0], arguments...)
	p.cmd.Stderr = p.output
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the process that reads files: %w", err)
	}
	p.stdin, p.requests, p.responses = stdin, gob.NewEncoder(stdin), gob.NewDecoder(stdout)
	return p, nil
}

// end kills the process. It has nothing that it could lose.
func (p *process) end() {
	p.cmd.Process.Kill() // fails where it ended already
	p.stdin.Close()
	p.cmd.Wait() // says "killed"
}

// A crashError is the end of the process while it read a file.
type crashError struct {
	output string
	state  *os.ProcessState
	err    error
}

func (e *crashError) Error() string {
	return fmt.Sprintf("the process that read it ended (%v): %v", e.state, e.err)
}

func (e *crashError) Unwrap() error { return e.err }

// explain returns what a user is told.
func (e *crashError) explain() error {
	outOfMemory := e.state != nil && e.state.ExitCode() == exitMemory
	for _, sign := range []string{"out of memory", "cannot allocate memory", "failed to allocate", "address space"} {
		outOfMemory = outOfMemory || strings.Contains(e.output, sign)
	}
	if outOfMemory {
		return &Error{Reason: TooLarge, Text: "reading it takes too much memory", Err: e}
	}
	return &Error{Reason: Damaged, Text: "its content made the reader fail", Err: e}
}

// head keeps the start of what is written to it: what a program dies of comes
// first.
type head struct {
	mu    sync.Mutex
	first []byte
}

const maxHead = 8 << 10

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.first = append(h.first, p[:min(len(p), maxHead-len(h.first))]...)
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(h.first)
}

// request and response are what goes through the pipes, in gob.
type request struct {
	Path    string
	Options Options
}

type response struct {
	Document documents.Document
	Failure  *failure
}

// A failure is an error on its way through a pipe.
type failure struct {
	Reason Reason // 0 where the file is not the cause
	Text   string
	Cause  string
	Kind   errorKind
}

type errorKind uint8

const (
	otherError errorKind = iota
	notExist
	notPermitted
)

// failureOf returns what is sent of an error, or nil.
func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	f := &failure{Text: err.Error()}
	if e, ok := errors.AsType[*Error](err); ok {
		f.Reason, f.Text = e.Reason, e.Text
		if e.Err != nil {
			f.Cause = e.Err.Error()
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Kind = notExist
	case errors.Is(err, fs.ErrPermission):
		f.Kind = notPermitted
	}
	return f
}

// err returns the error again.
func (f *failure) err(path string) error {
	switch {
	case f == nil:
		return nil
	case f.Reason != 0:
		e := &Error{Reason: f.Reason, Text: f.Text}
		if f.Cause != "" {
			e.Err = errors.New(f.Cause)
		}
		return e
	case f.Kind == notExist:
		return &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	case f.Kind == notPermitted:
		return &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return errors.New(f.Text)
}
