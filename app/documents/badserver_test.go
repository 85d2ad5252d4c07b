package documents_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/app/documents"
	"inglenook/documents/store"
	"inglenook/remote/remotetest"
)

// answers are ways in which a server may answer requests for vectors that nobody can use.
var answers = map[string]func(d *remotetest.Server, w http.ResponseWriter, n int){
	"web page": func(_ *remotetest.Server, w http.ResponseWriter, _ int) {
		fmt.Fprint(w, "<!doctype html><html>Welcome</html>")
	},
	"no vectors":  func(_ *remotetest.Server, w http.ResponseWriter, _ int) { fmt.Fprint(w, `{"data":[]}`) },
	"null":        func(_ *remotetest.Server, w http.ResponseWriter, n int) { sendVectors(w, n, "null") },
	"zero":        func(_ *remotetest.Server, w http.ResponseWriter, n int) { sendVectors(w, n, "[0,0,0,0,0,0,0,0]") },
	"huge":        func(_ *remotetest.Server, w http.ResponseWriter, n int) { sendVectors(w, n, "[1e300,0,0,0,0,0,0,0]") },
	"one for all": func(_ *remotetest.Server, w http.ResponseWriter, n int) { sendVectors(w, n, "[1,0,0,0,0,0,0,0]") },
	"400":         func(_ *remotetest.Server, w http.ResponseWriter, _ int) { remotetest.Error(w, 400, "bad thing") },
	"503":         func(_ *remotetest.Server, w http.ResponseWriter, _ int) { remotetest.Error(w, 503, "loading") },
}

// sendVectors answers n texts with one vector.
func sendVectors(w http.ResponseWriter, n int, vector string) {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, vector))
	}
	fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(list, ","))
}

// TestIndexingWithABadServer: a server that answers badly marks no file as failed. Where others
// answer well, all files are indexed, and where none does, the next run takes them.
func TestIndexingWithABadServer(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // no keyring
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	for name, answer := range answers {
		cases := []struct{ replicas, bad int }{{3, 1}, {1, 1}}
		if name == "503" || name == "zero" { // where all are bad, waiting takes most of the time
			cases = append(cases, struct{ replicas, bad int }{3, 3})
		}
		for _, x := range cases {
			t.Run(fmt.Sprintf("%s/%d of %d", name, x.bad, x.replicas), func(t *testing.T) {
				var doubles []*remotetest.Server
				for range x.replicas {
					doubles = append(doubles, remotetest.New(t))
				}
				c, dir := newComputer(t, "", "lab", doubles...), papers(t)
				const files = 40
				for i := range files - 3 {
					write(t, dir, fmt.Sprintf("note%d.txt", i), fmt.Sprintf("Note %d is about the number %d.\n", i, i))
				}
				for _, d := range doubles[:x.bad] {
					asked := 0
					d.Fault = func(w http.ResponseWriter, r *http.Request, body []byte) bool {
						if !strings.HasSuffix(r.URL.Path, "/embeddings") {
							return false
						}
						var in struct{ Input []string }
						_ = json.Unmarshal(body, &in)
						d.Lock()
						asked++
						bad := asked > 1 // it is right when it is opened
						d.Unlock()
						if bad {
							answer(d, w, len(in.Input))
						}
						return bad
					}
				}
				host := strings.TrimPrefix(doubles[0].URL, "http://")
				c.start(func(a *app.App) {
					_, err := a.Documents().Add(t.Context(), documents.AddRequest{Collection: "Team", Paths: []string{dir}, Model: "lab/some-embedder"})
					c.do(err)
					got, err := a.Documents().Index(t.Context(), documents.IndexRequest{Collection: "Team"}, nil, nil)
					if got.Failed > 0 {
						t.Errorf("%d files failed", got.Failed)
					}
					if x.bad < x.replicas {
						if err != nil || got.Indexed != files || !strings.Contains(strings.Join(got.Notices, " "), host) {
							t.Errorf("indexed %d, notices %q, error %v", got.Indexed, got.Notices, err)
						}
					} else if err == nil || !strings.Contains(err.Error(), host) {
						t.Errorf("error %v", err)
					}
					health, err := a.Documents().Health(t.Context(), "Team")
					c.do(err)
					if slices.ContainsFunc(health, func(f documents.File) bool { return f.State == store.Failed }) {
						t.Errorf("%+v", health)
					}
				})
				for _, d := range doubles {
					d.Lock()
					d.Fault = nil
					d.Unlock()
				}
				if got := c.index(dir); got.Indexed+got.Unchanged != files {
					t.Errorf("afterwards: %+v", got.Summary)
				}
			})
		}
	}
}

// TestRerankByABadServer: where the server that should read the passages fails, they stay in
// their order, and a note says why.
func TestRerankByABadServer(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // no keyring
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	for name, body := range map[string]string{"web page": "<html>", "one score": `{"results":[{"index":0,"relevance_score":1}]}`, "no number": `{"results":[{"index":0,"relevance_score":"NaN"}]}`, "error": `{"error":{"message":"out of memory"}}`} {
		t.Run(name, func(t *testing.T) {
			d, dir := remotetest.New(t), papers(t)
			c := newComputer(t, "", "lab", d)
			c.start(func(a *app.App) {
				_, err := a.Documents().Add(t.Context(), documents.AddRequest{Collection: "Team", Paths: []string{dir}, Model: "lab/some-embedder"})
				c.do(err)
				_, err = a.Documents().Index(t.Context(), documents.IndexRequest{Collection: "Team"}, nil, nil)
				c.do(err)
				found, err := a.Documents().Search(t.Context(), documents.SearchRequest{Text: "the", ToRerank: true})
				c.do(err)
				d.Lock()
				d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
					if !strings.HasSuffix(r.URL.Path, "/rerank") {
						return false
					}
					fmt.Fprint(w, body)
					return true
				}
				d.Unlock()
				got, err := a.Documents().Rerank(t.Context(), found, documents.RerankRequest{Model: "lab/some-reranker"}, nil)
				if err != nil || len(got.Files) != len(found.Files) || len(found.Files) == 0 || got.Reranked != nil {
					t.Errorf("%d files of %d, error %v", len(got.Files), len(found.Files), err)
				}
				if notes := strings.Join(got.Notes, " "); !strings.Contains(notes, "stand in the order of the search") || strings.Contains(notes, "..") {
					t.Errorf("notes %q", notes)
				}
			})
		})
	}
}
