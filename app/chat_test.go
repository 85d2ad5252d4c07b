package app

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/app/texts"
	"inglenook/engine"
	"inglenook/pipeline"
)

// writer is a language model without weights: it writes the last message's
// words backwards, or for ever.
type writer struct {
	endless bool
	options pipeline.GeneratorOptions
	closed  int
}

func (w *writer) Info() pipeline.GeneratorInfo {
	return pipeline.GeneratorInfo{Local: &pipeline.LocalInfo{Vocab: 100}, Context: 64, Device: "cpu", Chat: true}
}

func (w *writer) Plan(_ context.Context, messages []pipeline.Message, _ pipeline.ReplyOptions) (pipeline.Prompt, error) {
	return pipeline.Prompt{Plan: pipeline.Plan{Context: 64, PromptTokens: 3}, Messages: messages}, nil
}

func (w *writer) Reply(ctx context.Context, p pipeline.Prompt, o pipeline.ReplyOptions) iter.Seq2[pipeline.Token, error] {
	return w.write(ctx, p.Messages[len(p.Messages)-1].Text())
}

func (w *writer) write(ctx context.Context, text string) iter.Seq2[pipeline.Token, error] {
	words := strings.Fields(text)
	slices.Reverse(words)
	return func(yield func(pipeline.Token, error) bool) {
		t := pipeline.Token{Started: &pipeline.Started{Took: time.Millisecond, Device: "cpu"}}
		for i := 0; w.endless || i < len(words); i++ {
			if err := ctx.Err(); err != nil {
				yield(pipeline.Token{ID: -1, Finished: &pipeline.Finished{Reason: pipeline.FinishCancelled, Device: "cpu", Tokens: i}}, err)
				return
			}
			t.ID, t.Text, t.Thinking = int32(i), words[i%len(words)]+" ", i == 0
			if !yield(t, nil) {
				return
			}
			t.Started = nil
		}
		yield(pipeline.Token{ID: -1, Finished: &pipeline.Finished{Reason: pipeline.FinishStop, Device: "cpu", Tokens: len(words)}}, nil)
	}
}

func (w *writer) CompleteIDs(ctx context.Context, ids []int32, o pipeline.ReplyOptions) iter.Seq2[pipeline.Token, error] {
	return w.write(ctx, strings.Repeat("word ", o.MaxTokens))
}

func (w *writer) Forget() {}

func (w *writer) Close() error {
	w.closed++
	return nil
}

func newWritingApp(t *testing.T, w *writer) *App {
	t.Helper()
	a := newTestApp(t, &double{})
	a.openers.Describe = func(fs.FS, string) (pipeline.Description, error) {
		return pipeline.Description{Architecture: "Double", Kind: library.KindChat, Supported: true}, nil
	}
	a.openers.Writer = func(_ context.Context, _ fs.FS, _ []engine.Backend, o pipeline.GeneratorOptions) (pipeline.Writer, error) {
		w.options = o
		return w, nil
	}
	return a
}

func TestChat(t *testing.T) {
	w := &writer{}
	a := newWritingApp(t, w)
	ctx := context.Background()
	c, err := a.OpenChat(ctx, pool.WriterOptions{Target: devices.Target{Hold: devices.Hold{Weights: "q8_0", KV: "f32", Context: 64}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if w.options.Weights != "q8_0" || w.options.KV != "f32" || w.options.Context != 64 || w.options.Available == nil {
		t.Errorf("opened with %+v", w.options)
	}
	var seen int
	got, err := chat.Collect(c.Answer(ctx, []chat.PromptMessage{chat.TextMessage("user", "one two three")}, chat.ReplyOptions{}), func(chat.Token) { seen++ })
	if err != nil || got.Thinking != "three " || got.Text != "two one " || !slices.Equal(got.IDs, []int32{0, 1, 2}) || seen != 4 ||
		got.Finished.Reason != chat.FinishStop || got.Started.Took != time.Millisecond {
		t.Errorf("%+v, %v", got, err)
	}
	if p, err := c.Plan(ctx, nil, chat.ReplyOptions{}); err != nil || p.PromptTokens != 3 {
		t.Errorf("plan %+v, %v", p, err)
	}
	c.Close()
	if w.closed != 0 {
		t.Error("the model left the pool")
	}
	if _, err := a.Embed(ctx, texts.EmbedRequest{Texts: []string{"x"}}, nil); err == nil || !strings.Contains(err.Error(), "is a language model") {
		t.Errorf("embedding with it: %v", err)
	}
}

func TestChatEnds(t *testing.T) {
	a := newWritingApp(t, &writer{endless: true})
	c, err := a.OpenChat(context.Background(), pool.WriterOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	message := []chat.PromptMessage{chat.TextMessage("user", "on and on")}
	for range c.Answer(context.Background(), message, chat.ReplyOptions{}) {
		break
	}
	ctx, cancel := context.WithCancel(context.Background())
	got, err := chat.Collect(c.Answer(ctx, message, chat.ReplyOptions{}), func(x chat.Token) {
		if x.ID == 5 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || got.Finished.Reason != chat.FinishCancelled || !strings.HasPrefix(got.Text, "and on ") {
		t.Errorf("%+v, %v", got, err)
	}
	ended := make(chan error)
	go func() {
		_, err := chat.Collect(c.Answer(context.Background(), message, chat.ReplyOptions{}), nil)
		ended <- err
	}()
	time.Sleep(20 * time.Millisecond)
	closed := make(chan error)
	go func() { closed <- a.Close(context.Background()) }()
	if err := <-ended; !errors.Is(err, context.Canceled) && !errors.Is(err, base.ErrClosing) {
		t.Errorf("closing the application ended the answer with %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

func TestChatNeedsATemplate(t *testing.T) {
	w := &writer{}
	a := newWritingApp(t, w)
	a.openers.Describe = func(fs.FS, string) (pipeline.Description, error) {
		return pipeline.Description{Architecture: "Double", Kind: library.KindText, Supported: true}, nil
	}
	if _, err := a.OpenChat(context.Background(), pool.WriterOptions{}, nil); !errors.Is(err, chat.ErrNoChatTemplate) {
		t.Errorf("error %v", err)
	}
	c, err := a.OpenChat(context.Background(), pool.WriterOptions{Plain: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, err := chat.Collect(c.Answer(context.Background(), []chat.PromptMessage{chat.TextMessage("user", "a b")}, chat.ReplyOptions{Plain: true}), nil); err != nil || got.Text != "a " {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestChatNeedsALanguageModel(t *testing.T) {
	a := newTestApp(t, &double{})
	if _, err := a.OpenChat(context.Background(), pool.WriterOptions{}, nil); err == nil || !strings.Contains(err.Error(), "cannot write text: it is made for turning texts into vectors") {
		t.Errorf("error %v", err)
	}
}
