package remote

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"inglenook/remote/remotetest"
)

// TestWrongVectors: a model whose vectors are wrong, or do not come, is not taken for one that
// only writes; one that gives vectors and words is for both.
func TestWrongVectors(t *testing.T) {
	ask := func(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) Model {
		d := remotetest.New(t)
		d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			switch r.URL.Path {
			case "/v1/models":
				fmt.Fprint(w, `{"data":[{"id":"thing"}]}`)
			case "/v1/embeddings":
				answer(w, r)
			case "/v1/chat/completions":
				fmt.Fprint(w, `{"choices":[{"message":{"content":"One"}}]}`)
			default:
				remotetest.Error(w, http.StatusNotFound, "no such route")
			}
			return true
		}
		tuned := quick()
		tuned.quick = 200 * time.Millisecond
		c, err := newClient(address(t, d.URL), Options{}, tuned)
		if err != nil {
			t.Fatal(err)
		}
		found, err := c.recognise(t.Context())
		if err != nil || len(found.Models) != 1 {
			t.Fatalf("%+v, %v", found, err)
		}
		return found.Models[0]
	}
	says := func(text string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
	}
	status := func(n int) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) { remotetest.Error(w, n, "it does not work") }
	}
	for name, answer := range map[string]func(http.ResponseWriter, *http.Request){
		"no number": says(`{"data":[{"index":0,"embedding":[1,NaN]}]}`),
		"null":      says(`{"data":[{"index":0,"embedding":[1,null]}]}`),
		"an error":  says(`{"error":{"message":"boom"}}`),
		"a page":    says(`<html>Login</html>`),
		"none":      says(`{"data":[]}`),
		"a failure": status(500),
		"silence":   func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		if m := ask(t, answer); !m.Guessed || m.Wrong == "" || m.Writes {
			t.Errorf("%s: %+v", name, m)
		}
	}
	for _, n := range []int{400, 404, 405, 501} {
		if m := ask(t, status(n)); m.Kind != Chat || m.Guessed || m.Wrong != "" {
			t.Errorf("status %d: %+v", n, m)
		}
	}
	if m := ask(t, says(`{"data":[{"index":0,"embedding":[1,2,3,4,5,6,7,8]}]}`)); m.Kind != Embedding || !m.Writes || m.Guessed {
		t.Errorf("both: %+v", m)
	}
}
