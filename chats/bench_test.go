package chats

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// many fills a store with conversations of ten messages of about 400 bytes.
func many(t testing.TB, s *Store, conversations int) {
	r := rand.New(rand.NewPCG(3, 3))
	for range conversations {
		c := Conversation{System: "Be brief.", Settings: []byte(`{"temperature":0.7}`)}
		for id := int64(1); id <= 10; id++ {
			m := Message{ID: id, Parent: id - 1, Role: RoleUser, Parts: Content(words(r, 400))}
			if id%2 == 0 {
				m.Role = RoleAssistant
				m.Reply = &Reply{Model: "qwen3-0.6b", ModelName: "Qwen3 0.6B", Device: "cpu", PromptTokens: 100, Tokens: 80, Rate: 12.5, Reason: "stop", Seed: r.Uint64()}
			}
			c.Messages = append(c.Messages, m)
		}
		c.Leaf = 10
		must(s.Create(c))(t)
	}
}

// reportCPU reports the processor time of an operation, which varies less on a busy
// machine than time on the clock. It is called before the loop, and the function that it
// returns after it.
func reportCPU(b *testing.B) func() {
	from := processorTime(b)
	return func() {
		b.ReportMetric(float64(processorTime(b)-from)/1e6/float64(b.N), "cpu-ms/op")
	}
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkSearch(b *testing.B) {
	s := open(b, b.TempDir())
	many(b, s, 10_000)
	for _, query := range []string{"zeppelin", "the", "ubung the", vocabulary[100] + " " + vocabulary[2000] + " " + vocabulary[3000]} {
		b.Run(query, func(b *testing.B) {
			n := 0
			defer reportCPU(b)()
			for b.Loop() {
				n = len(s.Search(query, 50))
			}
			b.ReportMetric(float64(n), "found")
		})
	}
}

// BenchmarkOpen opens 10,000 conversations: right after a compaction, and with an eighth of
// their size in tokens that were streamed since.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	s := open(b, dir)
	many(b, s, 10_000)
	compactNow(s)
	try(b, s.Close())
	b.Run("compacted", func(b *testing.B) { benchmarkOpen(b, dir) })

	s = open(b, dir, idle)
	for i, c := range s.List()[:1600] {
		w := must(s.Begin(c.ID, 10, Message{}))(b)
		for range 100 {
			try(b, w.Append("word", false))
		}
		if i%500 == 0 { // a sync each time would take minutes
			try(b, w.Finish(StateComplete, &Reply{Model: "m"}))
		}
	}
	try(b, s.Close())
	b.Run("streamed", func(b *testing.B) { benchmarkOpen(b, dir) })
}

func benchmarkOpen(b *testing.B, dir string) {
	defer reportCPU(b)()
	for b.Loop() {
		l, err := load(dir, true)
		if err != nil || len(l.state.conversations) != 10_000 || len(l.notices) > 0 {
			b.Fatalf("%d conversations, %q, %v", len(l.state.conversations), l.notices, err)
		}
		b.SetBytes(l.base + l.logged)
	}
}

// BenchmarkAppend measures one token.
func BenchmarkAppend(b *testing.B) {
	s := open(b, b.TempDir())
	id := must(s.Create(Conversation{}))(b)
	w := must(s.Begin(id, 0, Message{}))(b)
	for b.Loop() {
		try(b, w.Append("word", false))
	}
}

func BenchmarkFinish(b *testing.B) {
	s := open(b, b.TempDir())
	id := must(s.Create(Conversation{}))(b)
	for b.Loop() {
		w := must(s.Begin(id, 0, Message{}))(b)
		try(b, w.Finish(StateComplete, nil))
	}
}

// BenchmarkCompact measures writing a new base of 10,000 conversations.
func BenchmarkCompact(b *testing.B) {
	s := open(b, b.TempDir())
	many(b, s, 10_000)
	for b.Loop() {
		try(b, s.compact())
	}
}

func BenchmarkList(b *testing.B) {
	s := open(b, b.TempDir())
	many(b, s, 10_000)
	defer reportCPU(b)()
	for b.Loop() {
		if len(s.List()) != 10_000 {
			b.Fatal("not all")
		}
	}
}

func BenchmarkConversation(b *testing.B) {
	for _, n := range []int{10, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := open(b, b.TempDir())
			id := must(s.Create(Conversation{}))(b)
			for i := range n {
				must(s.Add(id, Message{Parent: int64(i), Role: RoleUser, Parts: Content("x")}))(b)
			}
			for b.Loop() {
				must(s.Conversation(id))(b)
			}
		})
	}
}
