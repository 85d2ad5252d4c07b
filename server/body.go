package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// read decodes the body of a request. Fields that v does not have are left alone:
// clients send many.
func (c *call) read(v any) error {
	if kind := c.r.Header.Get("Content-Type"); kind != "" {
		if media, _, err := mime.ParseMediaType(kind); err != nil || media != "application/json" {
			return &fault{status: http.StatusUnsupportedMediaType, kind: kindRequest, code: "not_json", sentence: "the body has to be JSON; send it with Content-Type: application/json"}
		}
	}
	if c.r.Header.Get("Content-Encoding") != "" {
		return &fault{status: http.StatusUnsupportedMediaType, kind: kindRequest, code: "compressed", sentence: "the body is compressed; send it as it is"}
	}
	c.unread = false
	data, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, c.bodySize))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return c.tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &fault{status: http.StatusRequestTimeout, kind: kindRequest, code: "timeout", sentence: "the body did not come in 30 seconds; send it sooner"}
	case err != nil:
		return wrong("", "the body ended too early; send all of it")
	}
	c.bodyWithin(0) // from here on a read only finds out whether the client is there
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return wrong("", "the body is empty; send a JSON object")
	case !utf8.Valid(data):
		return wrong("", "the body is not UTF-8; encode it so")
	case depth(data) > maxDepth:
		return wrong("", "the body is nested more than %d deep; make it flatter", maxDepth)
	case bytes.TrimSpace(data)[0] != '{':
		return wrong("", "the body has to be a JSON object")
	}
	return jsonFault(json.Unmarshal(data, v))
}

// bodyWithin gives the body so much time to come; 0: no bound.
func (c *call) bodyWithin(d time.Duration) {
	var until time.Time
	if d > 0 {
		until = time.Now().Add(d)
	}
	_ = http.NewResponseController(c.w).SetReadDeadline(until)
}

// tooLarge refuses a body for its size. What is left of it is not read.
func (c *call) tooLarge() error {
	c.unread = false
	c.w.Header().Set("Connection", "close")
	return &fault{status: http.StatusRequestEntityTooLarge, kind: kindRequest, code: "too_large", sentence: "the body is larger than " + humanize.Bytes(uint64(c.bodySize)) + "; send less at once"}
}

// samplingPrefix is how encoding/json names the fields of sampling, which have no such name in a body.
const samplingPrefix = "sampling."

// jsonFault says what is wrong with JSON.
func jsonFault(err error) error {
	var kind *json.UnmarshalTypeError
	var f *fault
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case errors.As(err, &kind):
		field := strings.ReplaceAll(kind.Field, samplingPrefix, "")
		return wrong(field, "%q cannot be %s here", field, article(kind.Value))
	}
	return wrong("", "the body is not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// article puts an article before what encoding/json calls a value.
func article(value string) string {
	first, _, _ := strings.Cut(value, " ") // "number 1.5" quotes the number
	switch first {
	case "array", "object":
		return "an " + first
	case "bool":
		return "true or false"
	}
	return "a " + first
}

// depth returns how deep a JSON text is nested.
func depth(data []byte) (most int) {
	now, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			now++
			most = max(most, now)
		case b == '}' || b == ']':
			now--
		}
	}
	return most
}

// list is one text or several.
type list []string

// UnmarshalJSON implements json.Unmarshaler.
func (l *list) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return json.Unmarshal(data, (*[]string)(l))
	}
	var one *string
	if err := json.Unmarshal(data, &one); err != nil || one == nil {
		return err
	}
	*l = list{*one}
	return nil
}

// isGiven reports whether a field has a value with something in it.
func isGiven(raw json.RawMessage) bool {
	switch strings.TrimSpace(string(raw)) {
	case "", "null", "[]", "{}", "false", `"none"`, `""`:
		return false
	}
	return true
}
