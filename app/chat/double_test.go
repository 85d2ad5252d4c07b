package chat_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/app"

	"inglenook/app/apptest"
	"inglenook/app/chat"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/pipeline/decoding"
	"inglenook/pipeline/drafting"
	"inglenook/pipeline/memory"
)

// speaker is a language model without weights. A word is a token. It writes its words one
// after the other, each time from the beginning, or continues if the last message is its own.
type speaker struct {
	words   string
	kind    string          // KindChat or KindText
	context int             // tokens
	gate    chan struct{}   // not nil: a word needs a token from it
	loads   chan struct{}   // not nil: so does opening
	fails   error           // after three words
	lost    string          // a notice with the second word
	instead pipeline.Writer // not nil: what is opened is this one
	strict  bool            // refuses parts that are no text

	mu     sync.Mutex
	heard  [][]chat.PromptMessage
	how    []chat.ReplyOptions
	opened int
	closed int
}

func (s *speaker) Info() pipeline.GeneratorInfo {
	return pipeline.GeneratorInfo{Context: s.context, ModelContext: s.context, Device: "cpu", Chat: s.kind == library.KindChat}
}

func count(text string) int { return len(strings.Fields(text)) }

func (s *speaker) Count(ctx context.Context, text string) (int, error) {
	return count(text), ctx.Err()
}

// Plan leaves out messages from the first on, two at a time, except the system prompt.
func (s *speaker) Plan(_ context.Context, messages []chat.PromptMessage, _ chat.ReplyOptions) (pipeline.Prompt, error) {
	total := 0
	for _, m := range messages {
		total += count(m.Text())
		for _, part := range m.Parts {
			if s.strict && part.Kind != pipeline.PartText {
				return pipeline.Prompt{}, fmt.Errorf("a part of the kind %q cannot be sent", part.Kind)
			}
		}
	}
	p := pipeline.Prompt{Plan: chat.Plan{Context: s.context, AllTokens: total}}
	first := 0
	if messages[0].Role == "system" {
		first = 1
	}
	for i := first; total > s.context-4 && i < len(messages)-1; i += 2 {
		p.Dropped = append(p.Dropped, i, i+1)
		total -= count(messages[i].Text()) + count(messages[i+1].Text())
	}
	if total >= s.context {
		return pipeline.Prompt{}, &pipeline.TooLongError{Tokens: total, Context: s.context}
	}
	p.PromptTokens, p.Room = total, s.context-total
	for i, m := range messages {
		if !slices.Contains(p.Dropped, i) {
			p.Messages = append(p.Messages, m)
		}
	}
	return p, nil
}

func (s *speaker) Reply(ctx context.Context, p pipeline.Prompt, o chat.ReplyOptions) iter.Seq2[chat.Token, error] {
	s.mu.Lock()
	s.heard = append(s.heard, p.Messages)
	s.mu.Unlock()
	said := 0
	if last := p.Messages[len(p.Messages)-1]; !o.Plain && last.Role == chat.RoleAssistant {
		said = count(last.Text())
	}
	return s.say(ctx, said, o)
}

func (s *speaker) say(ctx context.Context, from int, o chat.ReplyOptions) iter.Seq2[chat.Token, error] {
	s.mu.Lock()
	s.how = append(s.how, o)
	s.mu.Unlock()
	words := strings.Fields(s.words)[from:]
	return func(yield func(chat.Token, error) bool) {
		o.Progress(1, 2)
		o.Progress(2, 2)
		f := &pipeline.Finished{Device: "cpu", Took: 100 * time.Millisecond, Outcome: drafting.Outcome{Drafted: 9, Accepted: 6, Gain: 0.5}}
		started := &pipeline.Started{Plan: chat.Plan{Context: s.context, PromptTokens: 7}, Reused: 5, Seed: 42, Device: "cpu"}
		for i, word := range words {
			if s.gate != nil {
				select {
				case <-s.gate:
				case <-ctx.Done():
				}
			}
			f.Tokens = i
			switch {
			case ctx.Err() != nil:
				f.Reason = chat.FinishCancelled
				yield(chat.Token{ID: -1, Finished: f}, ctx.Err())
				return
			case s.fails != nil && i == 3:
				f.Reason = pipeline.FinishError
				yield(chat.Token{ID: -1, Finished: f}, s.fails)
				return
			}
			t := chat.Token{ID: int32(i), Text: word + " ", Thinking: strings.HasPrefix(word, "("), Started: started}
			started = nil
			if i == 1 {
				t.Notice = s.lost
			}
			if !yield(t, nil) {
				return
			}
		}
		f.Tokens, f.Reason = len(words), chat.FinishStop
		yield(chat.Token{ID: -1, Finished: f, Started: started}, nil)
	}
}

func (s *speaker) Held(context.Context) []int32 { return nil }

func (s *speaker) KeepPrefix(context.Context, decoding.PrefixFile, string, []int32) error { return nil }

func (s *speaker) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed++
	return nil
}

// last returns what the model was asked last.
func (s *speaker) last() []chat.PromptMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard[len(s.heard)-1]
}

var errNoMemory = errors.New("the system refused 1000 bytes of memory for a cache")

// newSpeakingApp returns an application with its own home whose only model is s.
func newSpeakingApp(t *testing.T, s *speaker) (*app.App, *chat.Service) {
	t.Helper()
	if s.kind == "" {
		s.kind = library.KindChat
	}
	if s.context == 0 {
		s.context = 1000
	}
	apptest.Home(t)
	a, err := app.New(app.Options{Home: t.TempDir(), Openers: s.openers()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a, a.Chat()
}

// openers returns openers that always open s.
func (s *speaker) openers() *pool.Openers {
	o := pool.RealOpeners()
	o.Needs = func(fs.FS, []engine.Backend, pipeline.OutlineOptions) (memory.Needs, error) {
		return memory.Needs{}, nil
	}
	o.Describe = func(fs.FS, string) (pipeline.Description, error) {
		return pipeline.Description{Architecture: "Speaker", Kind: s.kind, MaxLength: s.context, Supported: true}, nil
	}
	o.Writer = func(ctx context.Context, _ fs.FS, _ []engine.Backend, o pipeline.GeneratorOptions) (pipeline.Writer, error) {
		s.mu.Lock()
		s.opened++
		s.mu.Unlock()
		if o.Progress != nil {
			o.Progress(1, 10)
		}
		if s.loads != nil {
			select {
			case <-s.loads:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if s.instead != nil {
			return s.instead, nil
		}
		return s, nil
	}
	return o
}

// newTalk begins a conversation with the only model.
func newTalk(t testing.TB, talks *chat.Service, x chat.Choices) string {
	t.Helper()
	x.Model = library.StarterEmbed
	id, err := talks.New(x)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// steps collects what an answer reports.
type steps struct {
	mu   sync.Mutex
	list []chat.AnswerStep
}

func (s *steps) take(x chat.AnswerStep) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, x)
}

func (s *steps) stages() (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.list {
		if n := len(names); x.Stage != "" && (n == 0 || names[n-1] != x.Stage) {
			names = append(names, x.Stage)
		}
	}
	return names
}

func (s *steps) text() (text, thinking string) {
	for _, x := range s.list {
		text += x.Text
		thinking += x.Thinking
	}
	return text, thinking
}

func (s *steps) notices() (list []string) {
	for _, x := range s.list {
		if x.Notice != "" {
			list = append(list, x.Notice)
		}
	}
	return list
}
