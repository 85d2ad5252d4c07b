// Package refused gives the refusals of Go's HTTP server, which come as plain text before any
// handler is asked, the form that clients read: JSON.
package refused

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
)

// Listener returns a listener over another one.
func Listener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{c}, nil
}

type conn struct{ net.Conn }

// CloseWrite ends what is sent, so that a refusal can still be read.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// plainText are the only header fields of such a refusal. Answers of handlers have a date.
var plainText = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

// Write implements net.Conn.
func (c *conn) Write(p []byte) (int, error) {
	if status, ok := statusOf(p); ok {
		if _, err := c.Conn.Write(answer(status)); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// unexpected begins the refusal of an Expect, which comes without a body. No handler has this status.
var unexpected = []byte("HTTP/1.1 417 ")

// statusOf is the status of a refusal by Go's server; false: p is something else.
func statusOf(p []byte) (status int, ok bool) {
	if bytes.HasPrefix(p, unexpected) {
		return http.StatusExpectationFailed, true
	}
	line, _, found := bytes.Cut(p[:min(len(p), 512)], plainText)
	if !found {
		return 0, false
	}
	rest, found := bytes.CutPrefix(line, []byte("HTTP/1.1 "))
	if !found || len(rest) < 3 || bytes.Contains(rest, []byte("\r\n")) {
		return 0, false
	}
	status, err := strconv.Atoi(string(rest[:3]))
	return status, err == nil && status >= 400
}

// answer is a refusal as OpenAI's clients read it.
func answer(status int) []byte {
	sentence := "the request is not proper HTTP; see its first line, its header fields and that there is one Host"
	switch status {
	case http.StatusRequestHeaderFieldsTooLarge:
		sentence = "the header of the request is too large; send fewer or shorter fields"
	case http.StatusNotImplemented:
		sentence = "the request has a Transfer-Encoding that is not known here; use chunked, or a Content-Length"
	case http.StatusHTTPVersionNotSupported:
		sentence = "the request has a version of HTTP that is not known here; use HTTP/1.1"
	case http.StatusExpectationFailed:
		sentence = "the request expects what is not known here; leave out Expect"
	}
	body, _ := json.Marshal(map[string]any{"error": map[string]any{"message": sentence, "type": "invalid_request_error", "param": nil, "code": nil}})
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, http.StatusText(status), len(body), body)
}
