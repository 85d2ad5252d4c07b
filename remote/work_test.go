package remote

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

// many returns texts that are told apart.
func many(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d", i)
	}
	return texts
}

// embedAll embeds texts and checks each vector.
func embedAll(t *testing.T, e *Embedder, texts []string, seed uint64) pipeline.Embeddings {
	t.Helper()
	got, err := e.Embed(t.Context(), texts, pipeline.EmbedRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.Vectors {
		if !reflect.DeepEqual(v, remotetest.Vector(texts[i], 8, seed)) {
			t.Fatalf("vector %d is wrong", i)
		}
	}
	return got
}

// TestHangingReplica: one that takes requests and never answers is given up, at the first
// request and in the middle, although it could be silent for an hour. What it had is done
// by the others, once.
func TestHangingReplica(t *testing.T) {
	for _, after := range []int{0, 4} {
		a, b := remotetest.New(t), remotetest.New(t)
		asked := 0
		b.Fault = func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
			b.Lock()
			asked++
			hangs := asked > after
			b.Unlock()
			if hangs {
				<-r.Context().Done()
			}
			return hangs
		}
		a.Fault = func(http.ResponseWriter, *http.Request, []byte) bool { time.Sleep(time.Millisecond); return false }
		s := serve(t, OpenAI, a, b)
		for _, r := range s.replicas {
			r.t.stall, r.t.alone = time.Hour, 200*time.Millisecond // the latter where the other one has just been slow
		}
		e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
		if err != nil {
			t.Fatal(err)
		}
		texts := many(40 * requestTexts)
		var notices []string
		for range 3 {
			notices = append(notices, embedAll(t, e, texts, 0).Notices...)
		}
		if !strings.Contains(strings.Join(notices, " ")+s.States()[1].Why, "where others t") {
			t.Errorf("after %d requests: %q, %+v", after, notices, s.States())
		}
		for _, text := range texts {
			if n := a.Embedded(text) + b.Embedded(text); n != 3 {
				t.Fatalf("%q was embedded %d times", text, n)
			}
		}
	}
}

// TestHangingAlone: the only address, which answered before and then hangs, is given up by what it
// took before although it could be silent for an hour, and is not asked again and again.
func TestHangingAlone(t *testing.T) {
	d := remotetest.New(t)
	s := serve(t, OpenAI, d)
	s.replicas[0].t.stall, s.replicas[0].t.alone = time.Hour, 50*time.Millisecond
	e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	embedAll(t, e, many(3), 0)
	var asked atomic.Int64
	setFault(d, func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		asked.Add(1)
		<-r.Context().Done()
		return true
	})
	_, err = e.Embed(t.Context(), many(3), pipeline.EmbedRequest{})
	sentence(t, err, strings.TrimPrefix(d.URL, "http://"), "was much faster before")
	if n := asked.Load(); n > 2 { // those that are under way at once
		t.Errorf("it was asked %d times", n)
	}
	setFault(d, nil)
	embedAll(t, e, many(3), 0)
}

// TestHangingWriter: where an address does not begin to answer a conversation, another one is
// asked, although a single one may take an hour to read the prompt.
func TestHangingWriter(t *testing.T) {
	a, b := remotetest.New(t), remotetest.New(t)
	var asked atomic.Int64
	hang := func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		asked.Add(1)
		<-r.Context().Done()
		return true
	}
	s := serve(t, OpenAI, a, b)
	for _, r := range s.replicas {
		r.t.first, r.t.begin = time.Hour, 50*time.Millisecond
	}
	setFault(a, hang)
	w := s.OpenWriter(Model{ID: "talker"}, 0)
	for range 3 {
		text := ""
		for token, err := range pipeline.Answer(t.Context(), w, []pipeline.Message{pipeline.TextMessage("user", "hi")}, pipeline.ReplyOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			text += token.Text
		}
		if text != strings.Join(b.Words, "") {
			t.Errorf("the answer is %q", text)
		}
	}
	if n := asked.Load(); n == 0 || n > 3 {
		t.Errorf("the address that hangs was asked %d times", n)
	}
}

// TestSilentAlone: an address that is silent from the beginning is asked once.
func TestSilentAlone(t *testing.T) {
	d := remotetest.New(t)
	var asked atomic.Int64
	d.Fault = func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		asked.Add(1)
		<-r.Context().Done()
		return true
	}
	s := serve(t, OpenAI, d)
	for name, call := range map[string]func() error{
		"vectors": func() error { _, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"}); return err },
		"scores": func() error {
			_, err := s.OpenReranker(t.Context(), Model{ID: "some-reranker", Kind: Reranker})
			return err
		},
		"an answer": func() (last error) {
			for _, err := range pipeline.Answer(t.Context(), s.OpenWriter(Model{ID: "talker"}, 0), []pipeline.Message{pipeline.TextMessage("user", "hi")}, pipeline.ReplyOptions{}) {
				last = err
			}
			return last
		},
	} {
		asked.Store(0)
		if err := call(); !errors.Is(err, errSilent) || asked.Load() != 1 {
			t.Errorf("%s: %v after %d requests", name, err, asked.Load())
		}
	}
}

// TestOddReplica: where addresses have other models at first, most of them are right, or the
// first, and the others embed no text, and are named.
func TestOddReplica(t *testing.T) {
	for name, seeds := range map[string][]uint64{"first of three": {1, 0, 0}, "last of three": {0, 0, 1}, "second of two": {0, 1}} {
		for _, length := range []int{8, 5} {
			t.Run(fmt.Sprint(name, length), func(t *testing.T) {
				var doubles []*remotetest.Server
				var odd *remotetest.Server
				for _, seed := range seeds {
					d := remotetest.New(t)
					if d.Seed = seed; seed == 1 {
						odd, d.Dimension = d, length
					}
					doubles = append(doubles, d)
				}
				s := serve(t, OpenAI, doubles...)
				for _, r := range s.replicas { // the right ones may be slow where many tests run at once
					s.t.patient, r.t.patient = time.Minute, time.Minute
				}
				e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
				if err != nil {
					t.Fatal(err)
				}
				texts := many(10 * requestTexts)
				if got := embedAll(t, e, texts, 0); len(got.Notices) == 0 || !strings.Contains(got.Notices[0], strings.TrimPrefix(odd.URL, "http://")+" of lab is left out") {
					t.Errorf("notices %q", got.Notices)
				}
				for _, text := range texts {
					if odd.Embedded(text) > 0 {
						t.Fatalf("%q was embedded by the other model", text)
					}
				}
			})
		}
	}
}

// TestLike: the model that is wanted is taken where any address has it.
func TestLike(t *testing.T) {
	a, b := remotetest.New(t), remotetest.New(t)
	a.Seed, b.Seed = 1, 2
	e, err := serveUnhurried(t, OpenAI, a, b).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	probe := func(seed uint64) (list [][]float32) {
		for _, text := range probeTexts() {
			list = append(list, remotetest.Vector(text, 8, seed))
		}
		return list
	}
	for seed, there := range map[uint64]bool{1: true, 2: true, 3: false} {
		like, ok := e.Like(probe(seed))
		if ok != there {
			t.Fatalf("model %d: %v", seed, ok)
		}
		if ok {
			embedAll(t, like, many(50), seed)
		}
	}
}

// TestChangedReplica: a model that changes while no request fails is noticed by the next
// request.
func TestChangedReplica(t *testing.T) {
	d := remotetest.New(t)
	e, err := serveUnhurried(t, OpenAI, d).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	e.Changed = func() { told++ }
	embedAll(t, e, many(3), 0)
	d.Lock()
	d.Seed = 4
	d.Unlock()
	if _, err := e.Embed(t.Context(), many(3), pipeline.EmbedRequest{}); err == nil || told == 0 {
		t.Errorf("error %v, told %d times", err, told)
	} else {
		sentence(t, err, "lab", "another model under the name some-embedder")
	}
}

// TestBackAgain: a replica that works again is named.
func TestBackAgain(t *testing.T) {
	a, b := remotetest.New(t), remotetest.New(t)
	e, err := serveUnhurried(t, OpenAI, a, b).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	broken := true
	b.Fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		mu.Lock()
		defer mu.Unlock()
		if broken {
			remotetest.Error(w, 500, "out of memory")
		}
		return broken
	}
	host := strings.TrimPrefix(b.URL, "http://")
	if got := embedAll(t, e, many(200), 0); len(got.Notices) == 0 || !strings.Contains(got.Notices[0], host+" of lab failed, and the others went on") {
		t.Errorf("down: %q", got.Notices)
	}
	mu.Lock()
	broken = false
	mu.Unlock()
	for range 200 {
		if got := embedAll(t, e, many(200), 0); len(got.Notices) > 0 {
			if want := host + " of lab works again"; got.Notices[0] != want {
				t.Errorf("back: %q, want %q", got.Notices, want)
			}
			return
		}
		time.Sleep(quick().down / 10)
	}
	t.Error("it never came back")
}

// TestPace: where the way to a replica takes long beside the work, requests are larger and
// more of them are under way.
func TestPace(t *testing.T) {
	for name, c := range map[string]struct {
		way, each    time.Duration
		texts, depth int
	}{
		"near and slow": {time.Millisecond, 100 * time.Millisecond, leastTexts, leastDepth},
		"far and fast":  {300 * time.Millisecond, 2 * time.Millisecond, requestTexts, mostDepth},
		"far and slow":  {300 * time.Millisecond, 100 * time.Millisecond, 3, 2},
		"near and fast": {time.Millisecond, time.Microsecond, requestTexts, mostDepth},
	} {
		var p pace
		if p.texts() != leastTexts || p.depth() != leastDepth || p.expected(100) != 0 {
			t.Error("something is known before the first request")
		}
		for _, n := range []int{1, 4, 16, 8, 16, 2, 16, 16, 16} {
			p.took(c.way+time.Duration(n)*c.each, 264*n, n)
		}
		if p.texts() < c.texts || p.texts() > c.texts+2 || p.depth() != c.depth {
			t.Errorf("%s: %d texts, %d requests", name, p.texts(), p.depth())
		}
	}
}
