package server

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/server/outbox"
)

// stalled is a client that reads nothing: a write to it ends when the connection is cut.
type stalled struct {
	header http.Header
	begun  chan struct{} // closed with the first write
	cut    chan struct{} // closed when the connection is cut
	first  sync.Once
	last   sync.Once
}

func newStalled() *stalled {
	return &stalled{header: http.Header{}, begun: make(chan struct{}), cut: make(chan struct{})}
}

func (w *stalled) Header() http.Header { return w.header }
func (w *stalled) WriteHeader(int)     {}
func (w *stalled) Flush()              {}

func (w *stalled) Write([]byte) (int, error) {
	w.first.Do(func() { close(w.begun) })
	<-w.cut
	return 0, os.ErrDeadlineExceeded
}

func (w *stalled) SetReadDeadline(time.Time) error { return nil }

func (w *stalled) SetWriteDeadline(at time.Time) error {
	if at.Before(time.Now()) {
		w.last.Do(func() { close(w.cut) })
	}
	return nil
}

// ask sends a request past the network. What is returned is closed when it has ended.
func (w *stalled) ask(t *testing.T, s *running, path, body string) (ended chan struct{}) {
	t.Helper()
	q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, strings.NewReader(body))
	q.Header.Set("Content-Type", "application/json")
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		s.server.ServeHTTP(w, q)
	}()
	return ended
}

// unending are fields of a request whose answer no control token ends.
const unending = `"temperature":2,"top_p":1,"min_p":0,"top_k":0,"logit_bias":{"0":-100,"1":-100,"2":-100,"3":-100,"4":-100,"5":-100}`

// Clients that do not read a stream are cut off, in each form, and others are answered.
func TestNobodyReadsAStream(t *testing.T) {
	s := start(t, Options{})
	s.server.waiting = outbox.Bounds{Pieces: 2, Bytes: 200}
	for path, body := range map[string]string{
		"/v1/chat/completions": `{` + question + `,"logprobs":true,"top_logprobs":20,"stream":true,` + unending + `,"max_tokens":100}`,
		"/v1/completions":      strings.Replace(endless, `"stream"`, `"logprobs":20,"stream"`, 1),
		"/api/chat":            `{` + question + `,"logprobs":true,"top_logprobs":20,"options":{` + unending + `,"num_predict":100}}`,
	} {
		w := newStalled()
		ended := w.ask(t, s, path, body)
		<-w.begun
		if status, _, body := s.post(t, "/v1/completions", `{"model":"starter-chat","prompt":"a","max_tokens":3}`); status != 200 {
			t.Errorf("%s: another client has %d %s", path, status, body)
		}
		select {
		case <-w.cut:
		default:
			t.Errorf("%s: the client that reads nothing was not cut off", path)
		}
		<-ended
	}
	for _, r := range s.requests(t, 6) {
		if r.Status != statusGone && r.Tokens != 3 {
			t.Errorf("%+v", r)
		}
	}
}

// A whole answer that nobody reads holds no other client up.
func TestNobodyReadsAnAnswer(t *testing.T) {
	s := start(t, Options{})
	w := newStalled()
	ended := w.ask(t, s, "/v1/completions", `{"model":"starter-chat","prompt":"a","max_tokens":3}`)
	<-w.begun
	if status, _, body := s.post(t, "/v1/completions", `{"model":"starter-chat","prompt":"a","max_tokens":3}`); status != 200 {
		t.Errorf("another client has %d %s", status, body)
	}
	_ = w.SetWriteDeadline(time.Unix(1, 0))
	<-ended
}
