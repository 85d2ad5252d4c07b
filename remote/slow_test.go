package remote

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

// drips answers with a beginning and then with the same text again and again, until nobody reads it.
func drips(asked *atomic.Int32, beginning, again string) func(http.ResponseWriter, *http.Request, []byte) bool {
	return func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		asked.Add(1)
		fmt.Fprint(w, beginning)
		w.(http.Flusher).Flush()
		for r.Context().Err() == nil {
			fmt.Fprint(w, again)
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
		return true
	}
}

// patientServer is one that may be silent for an hour, and is asked as often as is usual.
func patientServer(t *testing.T, d *remotetest.Server) (*Server, *tuning) {
	s := serve(t, OpenAI, d)
	r := &s.replicas[0].t
	r.stall, r.first, r.dead, r.words, r.alone, r.patient, r.whole = time.Hour, time.Hour, time.Hour, time.Hour, time.Hour, time.Hour, time.Hour
	return s, r
}

// TestDrippingStream: an answer whose line does not end, or of which only the headers come, has a limit of
// its own, also after its first words, and is asked for once.
func TestDrippingStream(t *testing.T) {
	short := 50 * time.Millisecond
	for name, c := range map[string]struct {
		beginning, again, want string
		tune                   func(*tuning)
	}{
		"a line":               {"data: ", "x", "so slowly", func(t *tuning) { t.stall = short }},
		"a line after a word":  {word("One"), "x", "so slowly", func(t *tuning) { t.stall = short }},
		"a line after a sign":  {": here\n\nda", "x", "so slowly", func(t *tuning) { t.stall = short }},
		"headers":              {"", "", "silent", func(t *tuning) { t.dead = short }},
		"headers and a sign":   {": here\n\n", "", "silent", func(t *tuning) { t.dead = short }},
		"a word, then nothing": {word("One"), "", "silent", func(t *tuning) { t.stall = short }},
		"signs without end":    {"", ": here\n\n", "no word of its answer", func(t *tuning) { t.first = short }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := remotetest.New(t)
			var asked atomic.Int32
			d.Fault = drips(&asked, c.beginning, c.again)
			s, tuned := patientServer(t, d)
			c.tune(tuned)
			var last error
			for _, err := range pipeline.Answer(t.Context(), s.OpenWriter(Model{ID: "talker"}, 0), []pipeline.Message{pipeline.TextMessage("user", "hi")}, pipeline.ReplyOptions{}) {
				last = err
			}
			sentence(t, last, strings.TrimPrefix(d.URL, "http://"), c.want)
			if !IsSilent(last) || asked.Load() != 1 {
				t.Errorf("asked %d times: %v", asked.Load(), last)
			}
		})
	}
}

// TestDrippingVectors: an answer that is not read while it comes has a limit for all of it, and is asked
// for once.
func TestDrippingVectors(t *testing.T) {
	d := remotetest.New(t)
	s, tuned := patientServer(t, d)
	host := strings.TrimPrefix(d.URL, "http://")
	e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	tuned.whole = 50 * time.Millisecond
	for name, do := range map[string]func() error{
		"open": func() error { _, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"}); return err },
		"embed": func() error {
			_, err := e.Embed(t.Context(), []string{"a", "b"}, pipeline.EmbedRequest{})
			return err
		},
		"rerank": func() error {
			_, err := s.OpenReranker(t.Context(), Model{ID: "some-reranker", Kind: Reranker})
			return err
		},
	} {
		var asked atomic.Int32
		setFault(d, drips(&asked, "", " "))
		err := do()
		sentence(t, err, host, "took longer than")
		if !IsSilent(err) || asked.Load() != 1 {
			t.Errorf("%s: asked %d times: %v", name, asked.Load(), err)
		}
	}
}

// TestLeftAloneVectors: a wait that is beyond all patience is the error at once.
func TestLeftAloneVectors(t *testing.T) {
	d := remotetest.New(t)
	var asked atomic.Int32
	d.Fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		asked.Add(1)
		w.Header().Set("Retry-After", "86400")
		remotetest.Error(w, http.StatusServiceUnavailable, "closed")
		return true
	}
	s := serve(t, OpenAI, d)
	for _, open := range []func() error{
		func() error { _, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"}); return err },
		func() error {
			_, err := s.OpenReranker(t.Context(), Model{ID: "some-reranker", Kind: Reranker})
			return err
		},
	} {
		asked.Store(0)
		sentence(t, open(), strings.TrimPrefix(d.URL, "http://"), "about 24 hours")
		if asked.Load() != 1 {
			t.Errorf("asked %d times", asked.Load())
		}
	}
}
