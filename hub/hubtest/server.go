// Package hubtest is a Hugging Face Hub on a loopback port, for tests: search, descriptions
// and listings of repositories, files with ranges and redirects to a second server, gated
// repositories, limits. It can misbehave like real servers, proxies and networks, see
// [Faults]. It does not use package hub, so that it implements the protocol and not that
// package's reading of it.
package hubtest

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// File is one file of a repository.
type File struct {
	Path string
	Data []byte
	LFS  bool // served by the second server, after a redirect

	git, sha256 string // once they are known
}

// Git returns the SHA-1 of the file's git blob.
func (f File) Git() string {
	if f.git != "" {
		return f.git
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(f.Data))
	h.Write(f.Data)
	return hex.EncodeToString(h.Sum(nil))
}

// SHA256 returns the file's hash.
func (f File) SHA256() string {
	if f.sha256 != "" {
		return f.sha256
	}
	sum := sha256.Sum256(f.Data)
	return hex.EncodeToString(sum[:])
}

// Digest returns the hash by which the Hub names the file's blob.
func (f File) Digest() string {
	if f.LFS {
		return f.SHA256()
	}
	return f.Git()
}

// Repo is a repository with its current files.
type Repo struct {
	ID        string
	Task      string // "text-generation"
	Tags      []string
	Gated     bool // needs a token passed to Server.Accept
	Private   bool // not found without a token
	Downloads int64
	// Parameters is the number of parameters in search results; 0: not stated.
	Parameters int64
	Files      []File
}

// Request is a request as the server received it.
type Request struct {
	Server        string // "hub" or "files"
	Method, Path  string
	Range         string
	Encoding      string // the Accept-Encoding header
	Authorization string
	Status        int // of the response; 0: the connection broke first
	Fault         string
}

// Server is the Hub with its second server for large files.
type Server struct {
	hub, files *httptest.Server

	mu       sync.Mutex
	repos    map[string]map[string]*commit // by id and revision or commit
	blobs    map[string]File               // of the second server, by hash
	faults   []*Fault
	seen     []*Request
	signed   int
	sent     int64
	expired  map[string]bool // signatures
	accepted []string
	rate     int // bytes per second and connection; 0: unlimited
	stop     chan struct{}
	once     sync.Once
	old      bool
}

type commit struct {
	hash string
	repo Repo
}

// New starts a server; Close ends it.
func New() *Server {
	s := &Server{repos: map[string]map[string]*commit{}, blobs: map[string]File{}, expired: map[string]bool{}, stop: make(chan struct{})}
	s.files = httptest.NewServer(http.HandlerFunc(s.serveBlob))
	s.hub = httptest.NewServer(http.HandlerFunc(s.serveHub))
	return s
}

// Close stops both servers and ends hanging responses.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.stop)
		for _, h := range []*httptest.Server{s.hub, s.files} {
			h.CloseClientConnections()
			h.Close()
		}
	})
}

// URL returns the endpoint.
func (s *Server) URL() string { return s.hub.URL }

// FilesURL returns the address of the second server, to which requests for large files are
// redirected.
func (s *Server) FilesURL() string { return s.files.URL }

// Add adds a repository, or a new commit on its main branch, and returns the commit.
func (s *Server) Add(r Repo) string {
	h := sha1.New()
	r.Files = slices.Clone(r.Files)
	for i, f := range r.Files {
		r.Files[i].git, r.Files[i].sha256 = f.Git(), f.SHA256()
		fmt.Fprintln(h, r.ID, f.Path, f.Digest())
	}
	c := &commit{hash: hex.EncodeToString(h.Sum(nil)), repo: r}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.repos[r.ID] == nil {
		s.repos[r.ID] = map[string]*commit{}
	}
	s.repos[r.ID]["main"], s.repos[r.ID][c.hash] = c, c
	for _, f := range r.Files {
		if f.LFS {
			s.blobs[f.SHA256()] = f
		}
	}
	return c.hash
}

// Branch adds another name for a repository's newest commit.
func (s *Server) Branch(id, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repos[id][name] = s.repos[id]["main"]
}

// Accept makes a token valid for reading everything.
func (s *Server) Accept(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accepted = append(s.accepted, token)
}

// Old makes the server reject the expand parameter in a search.
func (s *Server) Old() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.old = true
}

func (s *Server) isOld() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.old
}

// Throttle limits files to a rate in bytes per second and connection; 0: unlimited.
func (s *Server) Throttle(rate int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rate = rate
}

// Misbehave adds faults to the active ones; without arguments it removes all.
func (s *Server) Misbehave(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(faults) == 0 {
		s.faults = nil
	}
	for _, f := range faults {
		s.faults = append(s.faults, &f)
	}
}

// Requests returns the requests received so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Request
	for _, q := range s.seen {
		list = append(list, *q)
	}
	return list
}

// Sent returns how many bytes of files were sent so far.
func (s *Server) Sent() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

// Forget resets Requests and Sent.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen, s.sent = nil, 0
}

// Random returns n bytes that do not compress well; the same seed returns the same bytes.
func Random(n int, seed uint64) []byte {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	data := make([]byte, n)
	_, _ = rand.NewChaCha8(key).Read(data)
	return data
}

// find returns the commit of a revision.
func (s *Server) find(id, revision string) *commit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.repos[id][revision]
}

func (s *Server) newest() []*commit {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*commit
	for _, id := range slices.Sorted(maps.Keys(s.repos)) {
		list = append(list, s.repos[id]["main"])
	}
	return list
}

// mayRead reports whether a request has a valid token.
func (s *Server) mayRead(r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && slices.Contains(s.accepted, token)
}

// spoil returns the first matching fault that is not used up.
func (s *Server) spoil(where, path string) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.faults {
		if f.Where == where && (f.Path == "" || strings.HasSuffix(path, f.Path)) && (f.Times == 0 || f.used < f.Times) {
			f.used++
			return f
		}
	}
	return nil
}

// pause waits for as long as the throttle requires for n bytes.
func (s *Server) pause(n int) {
	s.mu.Lock()
	rate := s.rate
	s.mu.Unlock()
	if rate > 0 {
		s.sleep(time.Duration(float64(n) / float64(rate) * float64(time.Second)))
	}
}

// sleep waits, but not past Close.
func (s *Server) sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.stop:
	}
}
