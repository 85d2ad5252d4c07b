package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"inglenook/server/outbox"
)

// encode is a value as JSON in one line, without HTML's escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// writeJSON answers with one JSON document.
func (c *call) writeJSON(status int, v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	c.began, c.note.Status = true, status
	h := c.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	return c.send(status, data)
}

// send answers with a whole body, which is written when the request has left its model.
func (c *call) send(status int, data []byte) error {
	c.w.WriteHeader(status)
	c.out = outbox.Open(c.w, writeTime, c.waiting)
	return c.out.Put(data)
}

// deliver waits until the client has what was sent.
func (c *call) deliver() error {
	if c.out == nil {
		return nil
	}
	return c.out.Deliver(c.r.Context(), leftTime)
}

// stream writes an answer piece by piece: as server-sent events, and in Ollama's
// form as lines of JSON.
type stream struct{ *call }

// begin sends the header, once.
func (s stream) begin() {
	if s.began {
		return
	}
	s.began, s.note.Status = true, http.StatusOK
	h := s.w.Header()
	if s.form == ollama {
		h.Set("Content-Type", "application/x-ndjson")
	} else {
		h.Set("Content-Type", "text/event-stream")
	}
	h.Set("X-Accel-Buffering", "no") // a proxy in between must not collect events
	s.w.WriteHeader(http.StatusOK)
	s.out = outbox.Open(s.w, writeTime, s.waiting)
}

// event sends one value.
func (s stream) event(v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	return s.raw(data)
}

// named sends a value with its name, which is its field "type" too.
func (s stream) named(name string, v map[string]any) error {
	v["type"] = name
	data, err := encode(v)
	if err != nil {
		return err
	}
	return s.lines("event: "+name+"\n", data)
}

// raw sends the data of one event, which is one line.
func (s stream) raw(data []byte) error {
	return s.lines("", data)
}

// lines sends one line of data, behind the lines before it.
func (s stream) lines(before string, data []byte) error {
	s.begin()
	data = bytes.TrimRight(data, "\n")
	if s.form == ollama {
		data = append(data, '\n')
	} else {
		data = append(append([]byte(before+"data: "), data...), "\n\n"...)
	}
	return s.out.Put(data)
}

// fail ends a stream that has begun with an error in it. Before that it leaves
// the error to the caller.
func (s stream) fail(err error) error {
	if !s.began {
		return err
	}
	body := faultOf(err).body(s.form) // whoever has left does not read it
	if named, ok := body.(map[string]any); ok && s.form == anthropic {
		_ = s.named("error", named)
	} else {
		_ = s.event(body)
	}
	return err
}
