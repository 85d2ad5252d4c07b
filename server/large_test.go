package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// exchange sends bytes past the client of the library and reads all that comes until the server
// closes the connection.
func exchange(t *testing.T, s *running, text string) (status int, body string) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second)) // less than a body may take
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(c)
	got, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Errorf("%.80q: %v", text, err)
		return 0, ""
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if _, more := in.ReadByte(); err != nil || more != io.EOF {
		t.Errorf("%.80q: the body ended with %v, the connection with %v", text, err, more)
	}
	return got.StatusCode, string(data)
}

// A body that is too large is refused on every route: at once where its length says so, and else
// when so much of it has come. The connection is closed, and the server goes on.
func TestLargeBody(t *testing.T) {
	s := start(t, Options{})
	sent := 0
	for path, r := range routes {
		if strings.HasSuffix(path, "/") {
			path += "starter-chat"
		}
		head := r.method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		refused := map[string]string{
			"declared":   head + fmt.Sprintf("Content-Length: %d\r\n\r\n", maxBody+1),
			"begun":      head + fmt.Sprintf("Content-Length: %d\r\n\r\n{", int64(1)<<60),
			"asks first": head + fmt.Sprintf("Expect: 100-continue\r\nContent-Length: %d\r\n\r\n", maxBody+1),
		}
		for what, text := range refused {
			status, body := exchange(t, s, text)
			sent++
			if status != 413 || !isFault(t, path, body) || !strings.Contains(body, "16 MB") || r.form == anthropic && !strings.Contains(body, "request_too_large") {
				t.Errorf("%s, %s: %d %s", path, what, status, body)
			}
		}
	}
	for _, told := range s.requests(t, sent) {
		if told.Status != 413 {
			t.Errorf("%+v", told)
		}
	}
	if status, _, body := s.post(t, "/v1/embeddings", `{"model":"starter-embed","input":"a"}`); status != 200 {
		t.Errorf("afterwards: %d %s", status, body)
	}
}

// The same of bodies in chunks, whose length nobody knows before. One that is just as large as it
// may be is read.
func TestLargeChunks(t *testing.T) {
	s := start(t, Options{})
	s.server.bodySize = 1000
	for path, r := range routes {
		if r.method != http.MethodPost {
			continue
		}
		head := "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
		for size, want := range map[int]int{1000: 400, 1001: 413} {
			status, body := exchange(t, s, head+fmt.Sprintf("%x\r\n{%s", size, strings.Repeat(" ", size-1))+"\r\n0\r\n\r\n")
			if status != want || !isFault(t, path, body) {
				t.Errorf("%s, %d bytes: %d %s", path, size, status, body)
			}
		}
	}
}

// Who is refused for something else is told so, though the body that was declared does not come.
func TestRefusedWithoutBody(t *testing.T) {
	const token = "a-token-of-the-tests"
	s := start(t, Options{Tokens: []string{token}})
	for text, want := range map[string]int{
		"POST /nowhere HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\n":                                404,
		"POST /v1/models HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\n":                              405,
		"POST /tokenize HTTP/1.1\r\n":                                                                      401,
		"POST /tokenize HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\nContent-Type: text/plain\r\n":   415,
		"POST /tokenize HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\nSec-Fetch-Site: cross-site\r\n": 403,
	} {
		if status, body := exchange(t, s, text+"Host: localhost\r\nContent-Length: 100\r\n\r\n"); status != want {
			t.Errorf("%.60q: %d %s, want %d", text, status, body, want)
		}
	}
}
