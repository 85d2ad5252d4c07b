package hubtest

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answer is a response with the bytes of a file.
type answer struct {
	s    *Server
	w    http.ResponseWriter
	r    *http.Request
	data []byte
	etag string
}

// serveBlob is the second server: it serves bytes by their hash to requests with a
// signature.
func (s *Server) serveBlob(w http.ResponseWriter, r *http.Request) {
	seen := s.note("files", r)
	w = &watched{ResponseWriter: w, s: s, seen: seen}
	hash := strings.TrimPrefix(r.URL.Path, "/blobs/")
	s.mu.Lock()
	f, ok := s.blobs[hash]
	signature := r.URL.Query().Get("Signature")
	expired := signature == "" || s.expired[signature]
	s.mu.Unlock()
	a := &answer{s: s, w: w, r: r, data: f.Data, etag: `"files-` + hash[:min(16, len(hash))] + `"`}
	if fault := s.spoil("files", r.URL.Query().Get("name")); fault != nil {
		s.set(seen, func(q *Request) { q.Fault = fault.Name })
		if fault.apply(a) {
			return
		}
	}
	switch {
	case !ok:
		http.Error(w, "no such blob", http.StatusNotFound)
	case expired:
		http.Error(w, "AccessDenied: request has expired", http.StatusForbidden)
	default:
		a.serve()
	}
}

// sign returns a signature that the second server accepts.
func (s *Server) sign() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signed++
	return strconv.Itoa(s.signed) + "-secret"
}

// serve answers as RFC 9110 requires.
func (a *answer) serve() {
	if a.etag != "" {
		a.w.Header().Set("ETag", a.etag)
	}
	a.w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(a.w, a.r, "", time.Time{}, bytes.NewReader(a.data))
}

// span returns the requested range, or all of the file if none was requested.
func (a *answer) span() (from, to int, ranged bool) {
	text, ok := strings.CutPrefix(a.r.Header.Get("Range"), "bytes=")
	first, last, _ := strings.Cut(text, "-")
	from, err := strconv.Atoi(first)
	if !ok || err != nil || from > len(a.data) {
		return 0, len(a.data), false
	}
	to = len(a.data)
	if n, err := strconv.Atoi(last); err == nil {
		to = min(to, n+1)
	}
	return from, to, true
}

// head writes the headers of a correct response with some changes; "" removes a
// header.
func (a *answer) head(changes ...string) (from, to int) {
	from, to, ranged := a.span()
	h := a.w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Length", strconv.Itoa(to-from))
	status := http.StatusOK
	if a.etag != "" {
		h.Set("ETag", a.etag)
	}
	if ranged {
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(a.data)))
		status = http.StatusPartialContent
	}
	for i := 0; i+1 < len(changes); i += 2 {
		if changes[i+1] == "" {
			h.Del(changes[i])
		} else {
			h.Set(changes[i], changes[i+1])
		}
	}
	a.w.WriteHeader(status)
	return from, to
}

// write sends some of the file's bytes and flushes them.
func (a *answer) write(data []byte) {
	_, _ = a.w.Write(data)
	_ = http.NewResponseController(a.w).Flush()
}

// drop closes the connection abruptly.
func (a *answer) drop() {
	conn, _, err := http.NewResponseController(a.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	conn.Close()
}

// watched counts and throttles outgoing bytes.
type watched struct {
	http.ResponseWriter
	s    *Server
	seen *Request
}

func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *watched) WriteHeader(status int) {
	if status >= 200 {
		w.s.set(w.seen, func(q *Request) { q.Status = status })
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *watched) Write(p []byte) (sum int, err error) {
	for len(p) > 0 && err == nil {
		n := len(p)
		if w.s.throttled() {
			n = min(n, 4<<10)
		}
		w.s.pause(n)
		n, err = w.ResponseWriter.Write(p[:n])
		w.s.mu.Lock()
		w.s.sent += int64(n)
		if w.seen.Status == 0 {
			w.seen.Status = http.StatusOK
		}
		w.s.mu.Unlock()
		sum, p = sum+n, p[n:]
	}
	return sum, err
}

func (s *Server) throttled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rate > 0
}

// note records a request for Requests.
func (s *Server) note(server string, r *http.Request) *Request {
	q := &Request{
		Server: server, Method: r.Method, Path: r.URL.Path, Range: r.Header.Get("Range"),
		Encoding: r.Header.Get("Accept-Encoding"), Authorization: r.Header.Get("Authorization"),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, q)
	return q
}

func (s *Server) set(q *Request, change func(*Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(q)
}
