package hubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// serveHub is the endpoint: it serves the API and the addresses of files.
func (s *Server) serveHub(w http.ResponseWriter, r *http.Request) {
	seen := s.note("hub", r)
	w = &watched{ResponseWriter: w, s: s, seen: seen}
	where := "api"
	if strings.Contains(r.URL.Path, "/resolve/") {
		where = "resolve"
	}
	a := &answer{s: s, w: w, r: r}
	if f := s.spoil(where, r.URL.Path); f != nil {
		s.set(seen, func(q *Request) { q.Fault = f.Name })
		if f.apply(a) {
			return
		}
	}
	path := strings.Trim(r.URL.EscapedPath(), "/")
	switch {
	case path == "api/whoami-v2" && s.mayRead(r):
		writeJSON(w, map[string]string{"name": "tester"})
	case path == "api/whoami-v2":
		refuse(w, http.StatusUnauthorized, "", "Invalid user token.")
	case path == "api/models":
		s.search(w, r)
	case strings.HasPrefix(path, "api/models/"):
		s.describe(w, r, strings.TrimPrefix(path, "api/models/"))
	case strings.Contains(path, "/resolve/"):
		s.resolve(a, path)
	default:
		refuse(w, http.StatusNotFound, "", "Sorry, we can't find the page you are looking for.")
	}
}

func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if s.isOld() && q.Has("expand") {
		refuse(w, http.StatusBadRequest, "", "Invalid query parameter")
		return
	}
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil || limit <= 0 {
		limit = 1000
	}
	list := []map[string]any{}
	for _, c := range s.newest() {
		hidden := c.repo.Private && !s.mayRead(r)
		if hidden || len(list) == limit || !fits(c.repo, q) {
			continue
		}
		one := describe(c, false)
		if q.Has("expand") && c.repo.Parameters > 0 {
			one["safetensors"] = map[string]any{"total": c.repo.Parameters, "parameters": map[string]int64{"F32": c.repo.Parameters}}
		}
		list = append(list, one)
	}
	writeJSON(w, list)
}

// fits reports whether a repository matches search, pipeline_tag and filter.
func fits(r Repo, q url.Values) bool {
	text := strings.ToLower(q.Get("search"))
	task, tag := q.Get("pipeline_tag"), q.Get("filter")
	return strings.Contains(strings.ToLower(r.ID), text) && (task == "" || task == r.Task) &&
		(tag == "" || strings.Contains(" "+strings.Join(r.Tags, " ")+" ", " "+tag+" "))
}

// describe serves a repository's description and the listing of a commit.
func (s *Server) describe(w http.ResponseWriter, r *http.Request, path string) {
	id, rest := path, ""
	for _, word := range []string{"/revision/", "/tree/"} {
		if before, after, ok := strings.Cut(path, word); ok {
			id, rest = before, word+after
		}
	}
	revision := "main"
	listing := false
	if after, ok := strings.CutPrefix(rest, "/revision/"); ok {
		revision = after
	} else if after, ok := strings.CutPrefix(rest, "/tree/"); ok {
		revision, listing = after, true
	}
	revision, _ = url.PathUnescape(revision)
	c := s.find(id, revision)
	if !s.open(w, r, id, c) {
		return
	}
	if !listing {
		writeJSON(w, describe(c, r.URL.Query().Get("blobs") != ""))
		return
	}
	entries := []map[string]any{}
	for _, f := range c.repo.Files {
		entry := map[string]any{"type": "file", "path": f.Path, "size": len(f.Data), "oid": f.Git()}
		if f.LFS {
			entry["lfs"] = map[string]any{"oid": f.SHA256(), "size": len(f.Data), "pointerSize": 130}
		}
		entries = append(entries, entry)
	}
	// Pages hold two files each, to catch clients that read only the first
	// page.
	from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
	from = min(max(from, 0), len(entries))
	to := min(from+2, len(entries))
	if to < len(entries) {
		next := *r.URL
		q := next.Query()
		q.Set("cursor", strconv.Itoa(to))
		next.RawQuery = q.Encode()
		w.Header().Set("Link", fmt.Sprintf(`<%s%s>; rel="next"`, s.hub.URL, next.String()))
	}
	writeJSON(w, entries[from:to])
}

// open answers with an error if the repository does not exist or the request
// may not read it.
func (s *Server) open(w http.ResponseWriter, r *http.Request, id string, c *commit) bool {
	s.mu.Lock()
	known := len(s.repos[id]) > 0
	s.mu.Unlock()
	reads := s.mayRead(r)
	switch {
	case !known || c != nil && c.repo.Private && !reads:
		refuse(w, http.StatusUnauthorized, "RepoNotFound", "Invalid username or password.")
	case c == nil:
		refuse(w, http.StatusNotFound, "RevisionNotFound", "Invalid rev id")
	case c.repo.Gated && !reads && strings.Contains(r.URL.Path, "/resolve/"):
		status := http.StatusUnauthorized
		if r.Header.Get("Authorization") != "" {
			status = http.StatusForbidden
		}
		refuse(w, status, "GatedRepo", "Access to model "+id+" is restricted.")
	default:
		return true
	}
	return false
}

func describe(c *commit, blobs bool) map[string]any {
	siblings := []map[string]any{}
	for _, f := range c.repo.Files {
		one := map[string]any{"rfilename": f.Path}
		if blobs {
			one["size"], one["blobId"] = len(f.Data), f.Git()
			if f.LFS {
				one["lfs"] = map[string]any{"sha256": f.SHA256(), "size": len(f.Data), "pointerSize": 130}
			}
		}
		siblings = append(siblings, one)
	}
	var gated any = false
	if c.repo.Gated {
		gated = "auto"
	}
	author, _, _ := strings.Cut(c.repo.ID, "/")
	tags := c.repo.Tags
	if tags == nil {
		tags = []string{}
	}
	return map[string]any{
		"_id": "6" + c.hash[:23], "id": c.repo.ID, "modelId": c.repo.ID, "author": author, "sha": c.hash,
		"lastModified": "2026-01-02T03:04:05.000Z", "createdAt": "2026-01-01T00:00:00.000Z", "private": c.repo.Private,
		"gated": gated, "disabled": false, "downloads": c.repo.Downloads, "likes": 7, "tags": tags, "pipeline_tag": c.repo.Task,
		"library_name": "transformers", "siblings": siblings,
	}
}

// resolve answers a request for one file with its bytes, or with a redirect to
// the second server.
func (s *Server) resolve(a *answer, path string) {
	w, r := a.w, a.r
	id, rest, _ := strings.Cut(path, "/resolve/")
	revision, name, _ := strings.Cut(rest, "/")
	revision, _ = url.PathUnescape(revision)
	name, _ = url.PathUnescape(name)
	c := s.find(id, revision)
	if !s.open(w, r, id, c) {
		return
	}
	w.Header().Set("X-Repo-Commit", c.hash)
	for _, f := range c.repo.Files {
		if f.Path != name {
			continue
		}
		if !f.LFS {
			a.data, a.etag = f.Data, `"`+f.Git()+`"`
			a.serve()
			return
		}
		w.Header().Set("X-Linked-Etag", `"`+f.SHA256()+`"`)
		w.Header().Set("X-Linked-Size", strconv.Itoa(len(f.Data)))
		w.Header().Set("Accept-Ranges", "bytes")
		http.Redirect(w, r, s.files.URL+"/blobs/"+f.SHA256()+"?"+url.Values{"Signature": {s.sign()}, "name": {name}}.Encode(), http.StatusFound)
		return
	}
	refuse(w, http.StatusNotFound, "EntryNotFound", "Entry not found")
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	if code != "" {
		w.Header().Set("X-Error-Code", code)
	}
	w.Header().Set("X-Error-Message", message)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": message})
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
