package pipeline

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/pipeline/decoding"
	"inglenook/sampling"
)

func TestReply(t *testing.T) {
	ctx := context.Background()
	s := &scripted{reply: bytesToIDs("Grüße 🔥!")}
	g := newScripted(t, s, 400)
	chat := []Message{system("Be kind."), user("Hello")}
	h := hear(t, Answer(ctx, g, chat, ReplyOptions{Sampling: &Sampling{}}))
	if h.err != nil || h.text != "Grüße 🔥!" {
		t.Fatalf("%q, %v", h.text, h.err)
	}
	for _, token := range h.tokens {
		if strings.Contains(token.Text, "\uFFFD") {
			t.Errorf("a broken character is given out: %q", token.Text)
		}
	}
	if len(h.ids) != len(s.reply)+1 || h.ids[len(s.reply)] != idEnd || h.finished.Tokens != len(h.ids) || h.finished.Reason != FinishStop || h.finished.Device != "script" {
		t.Errorf("ids %v, finished %+v", h.ids, h.finished)
	}
	prompt := len("<") + len("system\nBe kind.") + len("<\n") + len("<") + len("user\nHello") + len("<\n") + len("<") + len("assistant\n")
	if p := h.started.Plan; p.PromptTokens != prompt || p.AllTokens != prompt || p.Context != 400 || p.Room != 400-prompt || p.Dropped != nil {
		t.Errorf("planned %+v for %d tokens", p, prompt)
	}
	if h.started.Reused != 0 || h.started.Seed == 0 {
		t.Errorf("started %+v", h.started)
	}

	// The next turn reads what is new: the end of the answer, and the question.
	s.passes = nil
	var progress []int
	next := append(chat, assistant(h.text), user("And?"))
	h2 := hear(t, Answer(ctx, g, next, ReplyOptions{Sampling: &Sampling{}, MaxTokens: 3, Progress: func(done, total int) {
		progress = append(progress, done, total)
	}}))
	kept := prompt + len(s.reply)
	if h2.started.Reused != kept || h2.text != "Gr" || h2.finished.Reason != FinishLength {
		t.Errorf("reused %d of %d, text %q, %+v", h2.started.Reused, kept, h2.text, h2.finished)
	}
	read := 0
	for _, n := range s.passes[:len(s.passes)-2] {
		read += n
	}
	want := h2.started.PromptTokens - kept
	if read != want {
		t.Errorf("%d tokens were read, %d are new", read, want)
	}
	if n := len(progress); n != 2*((want+7)/8) || progress[0] != 8 || progress[n-2] != want || progress[n-1] != want {
		t.Errorf("the progress is %v of %d", progress, want)
	}
}

// TestLongPrompt: a long prompt is read in chunks, of which the first is short.
func TestLongPrompt(t *testing.T) {
	for size, want := range map[int][]int{500: {500}, 512: {512}, 513: {64, 449}, 1200: {64, 512, 512, 112}} {
		s := &scripted{prompt: size}
		script := decoding.NewHistory(s, 2000, 512)
		done := 0
		script.Progress = func(n, total int) {
			if done = n; total != size {
				t.Errorf("%d ids: a total of %d", size, total)
			}
		}
		if _, err := script.Read(context.Background(), make([]int32, size)); err != nil || !slices.Equal(s.passes, want) || done != size {
			t.Errorf("%d ids are read as %v, %d in the end, %v", size, s.passes, done, err)
		}
	}
}

// TestSameAgain: for the same prompt again, one token is read. After Forget the model
// remembers nothing.
func TestSameAgain(t *testing.T) {
	ctx := context.Background()
	s := &scripted{reply: bytesToIDs("yes")}
	g := newScripted(t, s, 100)
	ask := func() heard { return hear(t, Answer(ctx, g, []Message{user("?")}, ReplyOptions{})) }
	first, second := ask(), ask()
	if second.started.Reused != first.started.PromptTokens-1 || second.text != "yes" {
		t.Errorf("%+v, %q", second.started, second.text)
	}
	g.Forget()
	if third := ask(); third.started.Reused != 0 || third.text != "yes" {
		t.Errorf("%+v, %q", third.started, third.text)
	}
}

// TestBreak ends the loop early; what was read until then is kept.
func TestBreak(t *testing.T) {
	ctx := context.Background()
	s := &scripted{reply: bytesToIDs("one two three")}
	g := newScripted(t, s, 100)
	for token, err := range Answer(ctx, g, []Message{user("?")}, ReplyOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if token.Text == " " {
			break
		}
	}
	h := hear(t, Answer(ctx, g, []Message{user("?"), assistant("one")}, ReplyOptions{}))
	if h.started.Reused != h.started.PromptTokens-1 || h.text != " two three" {
		t.Errorf("reused %d of %d, %q", h.started.Reused, h.started.PromptTokens, h.text)
	}
}

func TestStops(t *testing.T) {
	for _, c := range []struct {
		reply, text, stop string
		stops             []string
	}{
		{"one, two", "one", ",", []string{",", "two"}},
		{"one, two", "one, ", "two", []string{"two"}},
		{"one, two", "one, two", "", []string{"two!"}},
		{"aXYb", "a", "XY", []string{"XYZ", "XY"}},
		{"aXYb", "a", "X", []string{"XY", "X"}},
	} {
		g := newScripted(t, &scripted{reply: bytesToIDs(c.reply)}, 100)
		h := hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{Stop: c.stops}))
		if h.err != nil || h.text != c.text || h.finished.Stop != c.stop || h.finished.Reason != FinishStop {
			t.Errorf("%q with %q: %q, %+v, %v", c.reply, c.stops, h.text, h.finished, h.err)
		}
	}
	g := newScripted(t, &scripted{reply: bytesToIDs("x")}, 100)
	if h := hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{Stop: []string{""}})); h.err == nil {
		t.Error("an empty stop text is taken")
	}
}

// TestThinking: thinking is separated from the answer, with tags that are control tokens
// and with tags that are text.
func TestThinking(t *testing.T) {
	control := slices.Concat([]int32{idThink}, bytesToIDs("\nhm ü\n"), []int32{idThought}, bytesToIDs("\n\nYes."))
	for name, reply := range map[string][]int32{"control": control, "text": bytesToIDs("<think>\nhm ü\n</think>\n\nYes.")} {
		g := newScripted(t, &scripted{reply: reply}, 100)
		h := hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{Stop: []string{"hm"}}))
		if h.err != nil || strings.TrimSpace(h.thinking) != "hm ü" || strings.TrimSpace(h.text) != "Yes." {
			t.Errorf("%s: thinks %q, says %q, %v", name, h.thinking, h.text, h.err)
		}
	}
	// A text that is completed is no chat.
	s := &scripted{reply: bytesToIDs("<think>a</think>b"), prompt: 1}
	h := hear(t, complete(context.Background(), newScripted(t, s, 100), "x", ReplyOptions{}))
	if h.text != "<think>a</think>b" || h.thinking != "" {
		t.Errorf("completed: thinks %q, says %q", h.thinking, h.text)
	}
}

// TestContextEnd fills the context to its last token.
func TestContextEnd(t *testing.T) {
	for _, size := range []int{50, 51, 52} {
		s := &scripted{reply: bytesToIDs(strings.Repeat("x", 100)), prompt: 50}
		g := newScripted(t, s, size)
		h := hear(t, complete(context.Background(), g, strings.Repeat("p", 50), ReplyOptions{}))
		if size == 50 {
			if h.err == nil || !strings.Contains(h.err.Error(), "50 tokens") {
				t.Errorf("a prompt as long as the context: %v", h.err)
			}
			continue
		}
		if h.err != nil || len(h.text) != size-50 || h.finished.Reason != FinishContext || len(s.read) >= size {
			t.Errorf("context of %d: %q, %+v, %v, %d read", size, h.text, h.finished, h.err, len(s.read))
		}
	}
}

// TestLoopEnd: a reply that repeats itself without end is ended, and says so. Measurements go on.
func TestLoopEnd(t *testing.T) {
	reply := "Once." + strings.Repeat("and then, ", 100)
	for _, ignore := range []bool{false, true} {
		s := &scripted{reply: bytesToIDs(reply), prompt: 1}
		h := hear(t, complete(context.Background(), newScripted(t, s, 2000), "x", ReplyOptions{IgnoreEnd: ignore, MaxTokens: len(reply)}))
		want, length := FinishRepeats, len("Once.")+256
		if ignore {
			want, length = FinishLength, len(reply)
		}
		if h.err != nil || h.finished.Reason != want || h.text != reply[:length] {
			t.Errorf("ignore the end %t: %+v, %d bytes, error %v", ignore, h.finished, len(h.text), h.err)
		}
	}
}

// TestCancelReply cancels while the prompt is read and while tokens are written. What was
// read stays valid.
func TestCancelReply(t *testing.T) {
	for _, at := range []int{1, 3, 12} {
		ctx, cancel := context.WithCancel(context.Background())
		s := &scripted{reply: bytesToIDs("an answer")}
		s.before = func(ctx context.Context, s *scripted) error {
			if len(s.passes) == at {
				cancel()
			}
			return ctx.Err()
		}
		g := newScripted(t, s, 200)
		chat := []Message{user("a question that takes several chunks")}
		h := hear(t, Answer(ctx, g, chat, ReplyOptions{}))
		if !errors.Is(h.err, context.Canceled) || h.finished == nil || h.finished.Reason != FinishCancelled {
			t.Fatalf("pass %d: %+v, %v", at, h.finished, h.err)
		}
		read := len(s.read)
		if h := hear(t, Answer(context.Background(), g, chat, ReplyOptions{})); h.text != "an answer" || h.started.Reused != min(read, h.started.PromptTokens-1) {
			t.Errorf("after pass %d: %q, reused %d, read %d", at, h.text, h.started.Reused, read)
		}
	}
}

// TestBadNumbers: an answer ends at the first number that no model computes, and the
// cache that led to it is not used again.
func TestBadNumbers(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		s := &scripted{reply: bytesToIDs("fine")}
		g := newScripted(t, s, 200)
		chat := []Message{user("one")}
		if h := hear(t, Answer(context.Background(), g, chat, ReplyOptions{})); h.err != nil {
			t.Fatal(h.err)
		}
		chat = append(chat, assistant("fine"), user("two"))
		before := len(s.read)
		s.scores = func(scores []float32, said int) {
			if said == 2 {
				scores[5] = bad
			}
		}
		h := hear(t, Answer(context.Background(), g, chat, ReplyOptions{}))
		if !errors.Is(h.err, sampling.ErrLogits) || h.text != "fi" || h.finished.Reason != FinishError || strings.Contains(h.err.Error(), "\n") {
			t.Errorf("%q, %+v, %v", h.text, h.finished, h.err)
		}
		s.scores = nil
		h = hear(t, Answer(context.Background(), g, chat, ReplyOptions{}))
		if h.err != nil || h.text != "fine" || h.started.Reused != before {
			t.Errorf("afterwards: %q, %v, reused %d of %d", h.text, h.err, h.started.Reused, before)
		}
	}
}

// TestOneAtATime: a second answer waits for the first, or for its context.
func TestOneAtATime(t *testing.T) {
	g := newScripted(t, &scripted{reply: bytesToIDs("abc")}, 100)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	for range Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{}) {
		if h := hear(t, Answer(ctx, g, []Message{user("?")}, ReplyOptions{})); !errors.Is(h.err, context.DeadlineExceeded) {
			t.Errorf("a second answer: %v", h.err)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if h := hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{})); h.text != "abc" || h.err != nil {
				t.Errorf("%q, %v", h.text, h.err)
			}
		})
	}
	wg.Wait()
}

// TestCloseEndsReply: Close ends an answer that waits for the model, and later answers
// fail.
func TestCloseEndsReply(t *testing.T) {
	running := make(chan struct{})
	s := &scripted{reply: bytesToIDs("abc")}
	s.before = func(ctx context.Context, s *scripted) error {
		if len(s.passes) == 3 {
			close(running)
			<-ctx.Done()
		}
		return ctx.Err()
	}
	g := newScripted(t, s, 100)
	done := make(chan error)
	go func() { done <- hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{})).err }()
	<-running
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("the answer ends with %v", err)
	}
	if h := hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{})); !errors.Is(h.err, ErrClosed) {
		t.Errorf("after Close: %v", h.err)
	}
}

// TestSeed: the same seed leads to the same text. With 0 a new seed is used each time and
// reported.
func TestSeed(t *testing.T) {
	even := &scripted{scores: func(scores []float32, said int) {
		clear(scores)
		if scores[idEnd] = -1e9; said == 40 {
			scores[idEnd] = 1e9
		}
	}}
	g := newScripted(t, even, 200)
	draw := func(seed uint64) heard {
		how := sampling.Neutral()
		how.Seed = seed
		return hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{Sampling: &how}))
	}
	a, b := draw(0), draw(0)
	if slices.Equal(a.ids, b.ids) || a.started.Seed == b.started.Seed {
		t.Error("two answers without a seed are the same")
	}
	if again := draw(a.started.Seed); !slices.Equal(again.ids, a.ids) || again.started.Seed != a.started.Seed {
		t.Error("the seed that was told does not give the same answer")
	}
}

func TestIgnoreEnd(t *testing.T) {
	g := newScripted(t, &scripted{reply: bytesToIDs("hi")}, 100)
	h := hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{IgnoreEnd: true, MaxTokens: 9}))
	if h.text != "hi" || len(h.ids) != 9 || h.finished.Reason != FinishLength {
		t.Errorf("%q, %v, %+v", h.text, h.ids, h.finished)
	}
}
