package remote

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

// outOf opens an embedder of one address that fails as fault says, in its tuning with an outage of
// a minute and short pauses.
func outOf(t *testing.T, pauses time.Duration, fault func(http.ResponseWriter, *http.Request, []byte) bool) *Embedder {
	t.Helper()
	d := remotetest.New(t)
	s := serve(t, OpenAI, d)
	unhurried(s)
	s.t.outage, s.t.pauses = time.Minute, pauses
	e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	setFault(d, fault)
	return e
}

// TestOutage: a server that fails for a while in the middle of long work is awaited, which is told.
// Only what it failed with is sent again, and all vectors come. Other work is told the failure.
func TestOutage(t *testing.T) {
	for name, c := range map[string]struct {
		fail func(w http.ResponseWriter)
		why  string
	}{
		"500":   {func(w http.ResponseWriter) { http.Error(w, "Internal Server Error", 500) }, "fails (status 500)"},
		"502":   {func(w http.ResponseWriter) { http.Error(w, "<html>", http.StatusBadGateway) }, "fails (status 502)"},
		"503":   {func(w http.ResponseWriter) { w.Header().Set("Retry-After", "0.01"); w.WriteHeader(503) }, "fails (status 503)"},
		"reset": {func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, "cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			const right, wrong = 3, 12 // requests
			var asked, read atomic.Int64
			texts := many(10 * requestTexts)
			e := outOf(t, time.Millisecond, func(w http.ResponseWriter, _ *http.Request, in []byte) bool {
				if n := asked.Add(1); n > right && n <= right+wrong {
					c.fail(w)
					return true
				}
				read.Add(int64(bytes.Count(in, []byte(`"text `))))
				return false
			})
			var told []string
			got, err := e.Embed(t.Context(), texts, pipeline.EmbedRequest{Outage: func(why string) bool { told = append(told, why); return true }})
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range got.Vectors {
				if !reflect.DeepEqual(v, remotetest.Vector(texts[i], 8, 0)) {
					t.Fatalf("vector %d is wrong", i)
				}
			}
			if n := read.Load(); n != int64(len(texts)) {
				t.Errorf("%d of %d texts were read", n, len(texts))
			}
			if len(told) < 2 || slices.ContainsFunc(told, func(s string) bool { return s != c.why }) {
				t.Errorf("told %q", told)
			}
			if len(got.Notices) != 1 || !strings.HasPrefix(got.Notices[0], "lab failed, and works again") {
				t.Errorf("notices %q", got.Notices)
			}
		})
	}
}

// TestNoOutage: what does not pass by itself, or is not to be awaited, is an error after the usual tries.
func TestNoOutage(t *testing.T) {
	fails := func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		w.WriteHeader(500)
		return true
	}
	gone := func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		w.WriteHeader(404)
		return true
	}
	odd := func(w http.ResponseWriter, _ *http.Request, in []byte) bool { // one text is what it fails with
		if bytes.Contains(in, []byte(`"text 3"`)) {
			w.WriteHeader(500)
			return true
		}
		return false
	}
	for name, c := range map[string]struct {
		fault func(http.ResponseWriter, *http.Request, []byte) bool
		await bool
		most  int // times that it is told
	}{"declined": {fails, false, 1}, "no model": {gone, true, 0}, "odd text": {odd, true, mostDespite}} {
		t.Run(name, func(t *testing.T) {
			e, told := outOf(t, time.Millisecond, c.fault), 0
			_, err := e.Embed(t.Context(), many(10), pipeline.EmbedRequest{Outage: func(string) bool { told++; return c.await }})
			if err == nil || !OfServer(err) || told > c.most {
				t.Errorf("told %d times, error %v", told, err)
			}
		})
	}
	if _, err := outOf(t, time.Millisecond, fails).Embed(t.Context(), many(10), pipeline.EmbedRequest{}); err == nil {
		t.Error("no error where nothing is awaited")
	}
}

// TestOutageEnds: a pause ends with the context, and an outage that lasts with the server's error.
func TestOutageEnds(t *testing.T) {
	fails := func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		w.WriteHeader(500)
		return true
	}
	e := outOf(t, time.Hour, fails)
	e.s.t.wait, e.s.t.outage = time.Hour, time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	_, err := e.Embed(ctx, many(10), pipeline.EmbedRequest{Outage: func(string) bool { cancel(); return true }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	e = outOf(t, time.Millisecond, fails)
	e.s.t.outage = 20 * time.Millisecond
	if _, err := e.Embed(t.Context(), many(10), pipeline.EmbedRequest{Outage: func(string) bool { return true }}); err == nil || !strings.Contains(err.Error(), "status 500") {
		t.Errorf("it lasts: %v", err)
	}
}
