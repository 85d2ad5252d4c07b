package remote

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
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
			r.t.stall = time.Hour
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
				e, err := serve(t, OpenAI, doubles...).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
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
	e, err := serve(t, OpenAI, a, b).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
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
	e, err := serve(t, OpenAI, d).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
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
	e, err := serve(t, OpenAI, a, b).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
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
