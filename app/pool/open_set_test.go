package pool

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"inglenook/app/devices"
)

type closerFunc func() error

func (f closerFunc) Close() error { return f() }

// testSet is an open set on a computer with a given number of bytes, whose models are names.
type testSet struct {
	*openSet
	t      *testing.T
	memory int64

	mu   sync.Mutex
	open map[string]int64
}

func newTestSet(t *testing.T, memory int64) *testSet {
	s := &testSet{openSet: newOpenSet(nil), t: t, memory: memory, open: map[string]int64{}}
	s.free = func(string) free {
		s.mu.Lock()
		defer s.mu.Unlock()
		left := s.memory
		for _, n := range s.open {
			left -= n
		}
		return free{bytes: max(1, left)} // 0 would be unknown
	}
	return s
}

// take borrows the model of that name, which needs the given number of bytes.
func (s *testSet) take(name string, bytes int64) borrowed[io.Closer] {
	s.t.Helper()
	job, _, _ := strings.Cut(name, ":")
	held, err := borrow(context.Background(), s.openSet, key{job: job, model: name}, func() wanted { return wanted{name: name, Bytes: bytes, computes: true} }, func(context.Context) (io.Closer, error) {
		time.Sleep(time.Millisecond)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open[name] = bytes
		return closerFunc(func() error {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.open, name)
			return nil
		}), nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return held
}

// names returns the models that are open.
func (s *testSet) names() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for name := range s.open {
		list = append(list, name)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// A model for chats, an embedder and a reranker stay open together. Only when another model
// needs memory, the one that was not used for the longest time is closed.
func TestOpenSetMakesRoom(t *testing.T) {
	s := newTestSet(t, 100)
	for _, name := range []string{"chat:a", "embed:b", "rerank:c", "chat:a"} {
		held := s.take(name, 30)
		held.release()
		held.release() // twice is once
		if len(held.notices) > 0 {
			t.Errorf("%s: %q", name, held.notices)
		}
	}
	if held := s.take("embed:b", 30); held.took != 0 {
		t.Error("b was opened again")
	} else {
		held.release()
	}
	held := s.take("embed:d", 35) // 10 are free: c has to go, not a or b
	if got := s.names(); got != "chat:a embed:b embed:d" {
		t.Errorf("open are %s", got)
	}
	if want := "rerank:c was unloaded to make room for embed:d, which needs 35 B of memory while 10 B were free. It was the one used least recently."; len(held.notices) != 1 || held.notices[0] != want {
		t.Errorf("told %q", held.notices)
	}
	held.release()
	s.take("rerank:e", 60).release() // 5 are free: a and b go
	if got := s.names(); got != "embed:d rerank:e" {
		t.Errorf("open are %s", got)
	}
}

// A model in use stays open, and no model is closed in vain.
func TestOpenSetLeavesWhatIsInUse(t *testing.T) {
	s := newTestSet(t, 100)
	a := s.take("chat:a", 50)
	s.take("embed:b", 30).release()
	held := s.take("rerank:c", 80) // does not fit, whatever is closed
	if got := s.names(); got != "chat:a embed:b rerank:c" || len(held.notices) > 0 {
		t.Errorf("open are %s, told %q", got, held.notices)
	}
	held.release()
	s.take("forward:d", 20).release() // nothing is free: b goes before c
	if got := s.names(); got != "chat:a forward:d rerank:c" {
		t.Errorf("open are %s", got)
	}
	if err := s.close(); err != nil || s.names() != "chat:a" {
		t.Errorf("open are %s after closing, error %v", s.names(), err)
	}
	a.release()
	if got := s.names(); got != "" {
		t.Errorf("open are %s after the last use", got)
	}
}

// The same checkpoint opened in another way for the same work replaces the first, and small
// models do not accumulate.
func TestOpenSetReplaces(t *testing.T) {
	s := newTestSet(t, 0) // unknown
	key := func(options string) key { return key{job: "embed", model: "a", options: options} }
	var closed atomic.Int32
	for _, options := range []string{"cpu", "gpu", "cpu"} {
		held, err := borrow(context.Background(), s.openSet, key(options), func() wanted { return wanted{name: "a"} }, func(context.Context) (io.Closer, error) {
			return closerFunc(func() error { closed.Add(1); return nil }), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		held.release()
	}
	if closed.Load() != 2 {
		t.Errorf("%d were closed, want 2", closed.Load())
	}
	for _, name := range strings.Fields("a b c d e f g h i j k l") {
		s.take("tokenize:"+name, 0).release()
	}
	if n := len(s.slots); n > maxResting {
		t.Errorf("%d models are open", n)
	}
}

// testHolder holds a model that it uses only now and then.
type testHolder struct {
	borrowed[io.Closer]
	model string
	busy  bool
}

func (h *testHolder) Idle(model string) bool { return model == h.model && !h.busy }
func (h *testHolder) LetGo(model string) bool {
	h.release()
	return true
}

func TestOpenSetAsksItsHolder(t *testing.T) {
	for _, busy := range []bool{false, true} {
		s := newTestSet(t, 100)
		s.holder = &testHolder{borrowed: s.take("chat:a", 60), model: "chat:a", busy: busy}
		if list := (&Pool{openSet: s.openSet}).OpenModels(); len(list) != 1 || list[0].InUse != busy {
			t.Errorf("busy %v: open are %+v", busy, list)
		}
		held := s.take("embed:b", 50)
		want := "embed:b"
		if busy {
			want = "chat:a embed:b"
		}
		if got := s.names(); got != want || (len(held.notices) == 1) == busy {
			t.Errorf("busy %v: open are %s, told %q", busy, got, held.notices)
		}
	}
}

func TestOpenSetOpensOnce(t *testing.T) {
	s := newOpenSet(func(string) free { return free{bytes: devices.AvailableMemory()} })
	var opened atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			held, err := borrow(context.Background(), s, key{model: "a"}, func() wanted { return wanted{} }, func(context.Context) (io.Closer, error) {
				opened.Add(1)
				time.Sleep(5 * time.Millisecond)
				return closerFunc(func() error { return nil }), nil
			})
			if err != nil {
				t.Error(err)
				return
			}
			held.release()
		})
	}
	wg.Wait()
	if opened.Load() != 1 {
		t.Errorf("opened %d times", opened.Load())
	}
}

// TestOpenModelIsNotMeasuredAgain: what a model wants is asked when it is opened, and not when it
// is open already.
func TestOpenModelIsNotMeasuredAgain(t *testing.T) {
	s, asked := newTestSet(t, 100), 0
	for range 3 {
		held, err := borrow(t.Context(), s.openSet, key{model: "a"}, func() wanted { asked++; return wanted{name: "a", Bytes: 5} }, func(context.Context) (io.Closer, error) {
			return closerFunc(func() error { return nil }), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		held.release()
	}
	if asked != 1 {
		t.Errorf("it was asked %d times", asked)
	}
}
