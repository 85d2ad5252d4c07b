package refused

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// What Go's server refuses by itself comes as JSON; what a handler answers stays as it is.
func TestRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &http.Server{MaxHeaderBytes: 4096, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		http.Error(w, "as it is", http.StatusTeapot)
	})}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(Listener(l)) }()
	defer func() {
		h.Close()
		<-ended
	}()
	for name, c := range map[string]struct {
		request string
		status  int
		want    string
	}{
		"large":     {"GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 20_000) + "\r\n\r\n", 431, "too large"},
		"encoding":  {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "Transfer-Encoding"},
		"two hosts": {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "one Host"},
		"no host":   {"GET / HTTP/1.1\r\n\r\n", 400, "one Host"},
		"no line":   {"hello\r\n\r\n", 400, "not proper HTTP"},
		"version":   {"GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505, "HTTP/1.1"},
		"expect":    {"GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417, "leave out Expect"},
		"a handler": {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 418, ""},
	} {
		r := send(t, l.Addr().String(), c.request)
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != c.status {
			t.Errorf("%s: status %d, %v", name, r.StatusCode, err)
			continue
		}
		if c.want == "" {
			if string(body) != "as it is\n" {
				t.Errorf("%s: %q", name, body)
			}
			continue
		}
		var got struct {
			Error struct{ Message, Type string }
		}
		if err := json.Unmarshal(body, &got); err != nil || !strings.Contains(got.Error.Message, c.want) || got.Error.Type != "invalid_request_error" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %s (%s), %v", name, body, r.Header.Get("Content-Type"), err)
		}
	}
}

// send sends a request as it is written.
func send(t *testing.T, address, request string) *http.Response {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := fmt.Fprint(c, request); err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
