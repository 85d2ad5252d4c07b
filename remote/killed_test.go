package remote

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"inglenook/remote/remotetest"
)

// TestKilledReplica: of two addresses one dies in the middle of a batch. Only what it was asked for at
// that moment is repeated, all vectors come, and one sentence names it.
func TestKilledReplica(t *testing.T) {
	a, b := remotetest.New(t), remotetest.New(t)
	s := serve(t, OpenAI, a, b)
	unhurried(s)
	e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	const answered = 3 // requests, before it dies
	var asked, lost atomic.Int64
	died := make(chan struct{})
	setFault(a, func(http.ResponseWriter, *http.Request, []byte) bool {
		if asked.Add(1) <= answered {
			return false
		}
		if lost.Add(1) == 1 {
			close(died)
		}
		panic(http.ErrAbortHandler) // the connection ends without a word
	})
	setFault(b, func(_ http.ResponseWriter, r *http.Request, _ []byte) bool { // it does not do all before
		select {
		case <-died:
		case <-r.Context().Done():
		}
		return false
	})
	got := embedAll(t, e, many(60*requestTexts), 0)
	if n := lost.Load(); n < 1 || n > mostDepth {
		t.Errorf("%d requests are repeated", n)
	}
	if len(got.Notices) != 1 || !strings.Contains(got.Notices[0], strings.TrimPrefix(a.URL, "http://")) {
		t.Errorf("notices %q", got.Notices)
	}
}
