package toolcall

import (
	"slices"
	"strings"
)

// Piece is a part of an answer: a text, or a call.
type Piece struct {
	Text string
	Call *Call
}

// Reader separates calls from the text of an answer that arrives in pieces,
// wherever the pieces are split. What looks like a call and cannot be read, or is of
// a tool that was not offered, is text. White space around calls is dropped.
type Reader struct {
	form   Form
	tools  []Tool
	forced bool // the whole answer is one call, as Schema has it; cut short it is nothing

	held  string
	open  *tag // around what is held; nil: text
	begun bool // something but white space was said
	calls int
}

// NewReader reads an answer of a model that was offered tools. forced says that the
// answer follows [Schema].
func NewReader(f Form, tools []Tool, forced bool) *Reader {
	return &Reader{form: f, tools: tools, forced: forced}
}

// Calls returns how many calls were read.
func (r *Reader) Calls() int { return r.calls }

// Push takes the next piece and returns what is certain.
func (r *Reader) Push(text string) []Piece { return r.read(text, false) }

// Flush returns what was held back, at the end of the answer.
func (r *Reader) Flush() []Piece { return r.read("", true) }

// read goes from text to call and back, as far as the text allows it.
func (r *Reader) read(text string, ends bool) (out []Piece) {
	r.held += text
	for {
		before := len(r.held)
		var more []Piece
		switch {
		case r.forced || r.isBare():
			if !ends {
				return out
			}
			whole := r.held
			if r.forced {
				whole = ""
			}
			more, r.held = r.calling(r.held, whole), ""
		case r.open == nil:
			more = r.text(ends)
		default:
			more = r.call(ends)
		}
		out = append(out, more...)
		if len(r.held) == before || r.held == "" {
			return out
		}
	}
}

// isBare reports whether the answer begins as a call without a tag.
func (r *Reader) isBare() bool {
	first := strings.TrimLeft(r.held, space)
	return r.form.bare && !r.begun && r.open == nil && strings.HasPrefix(first, "{")
}

const space = " \t\r\n"

// text returns what comes before a call, without white space at its end, and enters
// the call.
func (r *Reader) text(ends bool) []Piece {
	at := -1
	for i, t := range r.form.tags {
		if k := strings.Index(r.held, t.open); k >= 0 && (at < 0 || k < at) {
			at, r.open = k, &r.form.tags[i]
		}
	}
	said := r.held
	switch {
	case r.open != nil:
		said = strings.TrimRight(r.held[:at], space)
		r.held = r.held[at+len(r.open.open):]
	case ends:
		r.held = ""
	default: // a tag may still come, and white space before it would be dropped
		said = strings.TrimRight(said[:len(said)-r.beginning(said)], space)
		r.held = r.held[len(said):]
	}
	if r.calls > 0 && !r.begun {
		said = strings.TrimLeft(said, space)
	}
	return r.say(said)
}

// say is a piece of text.
func (r *Reader) say(text string) []Piece {
	if text == "" {
		return nil
	}
	r.begun = r.begun || strings.Trim(text, space) != ""
	return []Piece{{Text: text}}
}

// beginning returns how many bytes at the end of a text may be the beginning of a tag.
func (r *Reader) beginning(text string) (most int) {
	for _, t := range r.form.tags {
		for n := min(len(t.open)-1, len(text)); n > most; n-- {
			if strings.HasSuffix(text, t.open[:n]) {
				most = n
			}
		}
	}
	return most
}

// call returns the calls within a tag, once it is closed.
func (r *Reader) call(ends bool) []Piece {
	body, rest, closed := r.held, "", false
	if r.open.close != "" {
		body, rest, closed = strings.Cut(r.held, r.open.close)
	}
	if !closed && !ends {
		return nil
	}
	raw := r.open.open + body
	if closed {
		raw += r.open.close
	}
	r.open, r.held, r.begun = nil, rest, false
	return r.calling(body, raw)
}

// calling returns the calls in a body, or the raw text where it holds none.
func (r *Reader) calling(body, raw string) []Piece {
	calls, ok := r.parse(body)
	if !ok || len(calls) == 0 || slices.ContainsFunc(calls, func(c Call) bool { return r.tool(c.Name) == nil }) {
		return r.say(raw)
	}
	var out []Piece
	for i := range calls {
		out = append(out, Piece{Call: &calls[i]})
	}
	r.calls += len(calls)
	return out
}

// tool is the tool of a name; nil: it was not offered.
func (r *Reader) tool(name string) *Tool {
	i := slices.IndexFunc(r.tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return &r.tools[i]
}
