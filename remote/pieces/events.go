package pieces

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
)

// Errors of an answer, beside those of its reader.
var (
	ErrDone    = errors.New("done")     // the server has said that the answer is complete
	ErrTooLong = errors.New("too long") // it exceeds a limit
)

// Failed is what a server says in the place of a piece where it failed.
type Failed struct{ Said []byte }

// Error implements error. Callers put what was said into a sentence.
func (*Failed) Error() string { return "the server failed" }

// Limits bound an answer, in bytes.
type Limits struct {
	Line int   // of one event
	All  int64 // of all
}

// Events reads an answer that comes in pieces: server-sent events (OpenAI's form), or a
// JSON value a line (Ollama's).
type Events struct {
	lines  *bufio.Reader
	sse    bool
	limits Limits
	total  int64
	stray  []byte
}

// NewEvents reads from r.
func NewEvents(r io.Reader, sse bool, limits Limits) *Events {
	return &Events{lines: bufio.NewReaderSize(r, 16<<10), sse: sse, limits: limits}
}

// Next returns the data of the next event. The error is ErrDone at the end that the
// server announced, a *Failed where it tells an error, and io.EOF where the answer ended
// without a word about it.
func (e *Events) Next() ([]byte, error) {
	var data []byte
	var name string
	for {
		line, err := e.line()
		if err != nil {
			if errors.Is(err, io.EOF) && len(data) > 0 {
				err = io.ErrUnexpectedEOF // an event that was cut is none
			}
			return nil, err
		}
		if !e.sse {
			if len(line) > 0 {
				return line, nil
			}
			continue
		}
		field, value, known := strings.Cut(string(line), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case len(line) == 0 && len(data) > 0:
			return event(name, data)
		case len(line) == 0:
			name = ""
		case known && field == "data":
			if len(data) > 0 {
				data = append(data, '\n')
			}
			if data = append(data, value...); len(data) > e.limits.Line {
				return nil, ErrTooLong
			}
		case known && field == "event":
			name = value
		case known && field == "error" && len(data) == 0: // of llama-server
			return nil, &Failed{[]byte(value)}
		default:
			e.strays(line)
		}
	}
}

// event is what the data of an event of some name says; "": of none.
func event(name string, data []byte) ([]byte, error) {
	switch {
	case string(data) == "[DONE]":
		return nil, ErrDone
	case name == "error":
		return nil, &Failed{data}
	}
	return data, nil
}

// Stray is the beginning of what is no event, such as an error or a web page.
func (e *Events) Stray() []byte { return bytes.TrimSpace(e.stray) }

// strays keeps a line that is no event.
func (e *Events) strays(line []byte) {
	if line = bytes.TrimSpace(line); e.sse && len(line) > 0 && line[0] != ':' && !isField(line) && len(e.stray)+len(line) <= mostStray {
		e.stray = append(append(e.stray, line...), '\n')
	}
}

// isField reports whether a line belongs to an event and says nothing of the answer.
func isField(line []byte) bool {
	field, _, _ := bytes.Cut(line, []byte(":"))
	return slices.Contains([]string{"data", "event", "id", "retry"}, string(field))
}

// mostStray is how much is kept of what is no event. An answer that comes whole is none either.
const mostStray = 1 << 20

// line returns a line without its end. A line that the connection cut off is an error.
func (e *Events) line() ([]byte, error) {
	var line []byte
	for {
		part, err := e.lines.ReadSlice('\n')
		line = append(line, part...)
		if e.total += int64(len(part)); e.total > e.limits.All || len(line) > e.limits.Line {
			return nil, ErrTooLong
		}
		switch {
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			e.strays(line)
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}
