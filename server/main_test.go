package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inglenook/app"
	"inglenook/app/apptest"
	"inglenook/app/library"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a server over the real application with the bundled models.
type running struct {
	url    string
	app    *app.App
	server *Server
	stop   func() error // ends it and waits

	mu   sync.Mutex
	told []Request
}

// start starts a server that ends with the test.
func start(t testing.TB, o Options) *running {
	t.Helper()
	home := apptest.Home(t)
	a, err := app.New(app.Options{Home: home, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := &running{app: a}
	o.Report = func(x Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.told = append(r.told, x)
	}
	if r.server, err = New(a, o); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.url = "http://" + l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.server.Serve(ctx, l) }()
	r.stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := r.stop(); err != nil {
			t.Error(err)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// soon is what is at once on an idle machine: a busy one may take this long.
const soon = 20 * time.Second

// requests are those that have ended, n of them: each is told a moment after its answer.
func (r *running) requests(t testing.TB, n int) []Request {
	t.Helper()
	for end := time.Now().Add(soon); ; time.Sleep(time.Millisecond) {
		r.mu.Lock()
		told := append([]Request{}, r.told...)
		r.mu.Unlock()
		if len(told) == n {
			return told
		}
		if time.Now().After(end) {
			t.Fatalf("%d requests are told, not %d: %+v", len(told), n, told)
		}
	}
}

// idle waits until no request is under way and reports whether that came in time.
func (r *running) idle(within time.Duration) bool {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if len(r.server.places) == 0 {
			return true
		}
	}
	return false
}

// post sends a body and returns status, header and answer.
func (r *running) post(t testing.TB, path, body string) (int, http.Header, string) {
	t.Helper()
	return do(t, request(t, http.MethodPost, r.url+path, body))
}

func request(t testing.TB, method, url, body string) *http.Request {
	t.Helper()
	q, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	return q
}

func do(t testing.TB, q *http.Request) (int, http.Header, string) {
	t.Helper()
	got, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, got.Header, string(data)
}

// read decodes JSON.
func read[T any](t testing.TB, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %.300q", err, text)
	}
	return v
}

// events are the data of a stream.
func events(t testing.TB, body string) (list []string) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader([]byte(body)))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			list = append(list, data)
		} else if lines.Text() != "" {
			t.Fatalf("a line of a stream is %q", lines.Text())
		}
	}
	return list
}

const chatModel, embedModel = library.StarterChat, library.StarterEmbed
