package remote

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// events reads an answer that comes in pieces: server-sent events (OpenAI's form), or a
// JSON value a line (Ollama's).
type events struct {
	body  *body
	lines *bufio.Reader
	sse   bool
	total int64
	stray []byte // the beginning of what is no event
}

func newEvents(b *body, sse bool) *events {
	return &events{body: b, lines: bufio.NewReaderSize(b, 16<<10), sse: sse}
}

// errDone: the server has said that the answer is complete.
var errDone = errors.New("done")

// next returns the data of the next event. The error is errDone at the end that the
// server announced, and io.EOF where the connection ended without that.
func (e *events) next() ([]byte, error) {
	var data []byte
	for {
		line, err := e.line()
		if err != nil {
			if errors.Is(err, io.EOF) && len(data) == 0 {
				return nil, io.EOF
			}
			if errors.Is(err, io.EOF) {
				return nil, io.ErrUnexpectedEOF // an event that was cut is none
			}
			return nil, err
		}
		switch {
		case !e.sse && len(line) > 0:
			return line, nil
		case !e.sse:
		case len(line) == 0 && len(data) > 0:
			if string(data) == "[DONE]" {
				return nil, errDone
			}
			return data, nil
		case bytes.HasPrefix(line, []byte("data:")):
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(line[len("data:"):], []byte(" "))...)
			if len(data) > e.body.c.t.line {
				return nil, e.tooLong()
			}
		default:
			e.strays(line)
		}
	}
}

// strays keeps a line that is no event, such as one of an error or of a web page.
func (e *events) strays(line []byte) {
	if e.sse && len(line) > 0 && line[0] != ':' && !bytes.HasPrefix(line, []byte("event:")) && len(e.stray) < mostStray {
		e.stray = append(append(e.stray, line...), '\n')
	}
}

// mostStray is how much is kept of what is no event.
const mostStray = 16 << 10

// line returns a line without its end. A line that the connection cut off is an error.
func (e *events) line() ([]byte, error) {
	var line []byte
	for {
		part, err := e.lines.ReadSlice('\n')
		line = append(line, part...)
		if e.total += int64(len(part)); e.total > e.body.c.t.answer || len(line) > e.body.c.t.line {
			return nil, e.tooLong()
		}
		switch {
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			if !bytes.HasPrefix(line, []byte("data:")) {
				e.strays(line)
			}
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

func (e *events) tooLong() error {
	return e.body.c.protocol("sends an answer without end, so it was stopped")
}
