package documents

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	text "inglenook/documents"
)

// asked is an embedder that answers questions by a function.
type asked struct {
	text.Embedder
	answer func(ctx context.Context) ([]float32, error)
}

func (a asked) EmbedQuery(ctx context.Context, _ string) ([]float32, error) { return a.answer(ctx) }

// TestHurried: a model that hangs is given up with a sentence; its own errors, and the end of
// the search, stay what they are.
func TestHurried(t *testing.T) {
	limit := func(d time.Duration) func(context.Context, func(context.Context) error) error {
		return func(ctx context.Context, do func(context.Context) error) error {
			return within(ctx, d, "lab/some-embedder", do)
		}
	}
	hang := func(ctx context.Context) ([]float32, error) { <-ctx.Done(); return nil, ctx.Err() }
	_, err := hurried{asked{answer: hang}, limit(time.Millisecond)}.EmbedQuery(t.Context(), "boat")
	if err == nil || !strings.Contains(err.Error(), "lab/some-embedder did not answer within") {
		t.Errorf("it hangs: %v", err)
	}

	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := (hurried{asked{answer: hang}, limit(time.Hour)}).EmbedQuery(ended, "boat"); !errors.Is(err, context.Canceled) {
		t.Errorf("the search ended: %v", err)
	}

	broken := errors.New("the server is full")
	fail := func(context.Context) ([]float32, error) { return nil, broken }
	if _, err := (hurried{asked{answer: fail}, limit(time.Hour)}).EmbedQuery(t.Context(), "boat"); !errors.Is(err, broken) {
		t.Errorf("it fails: %v", err)
	}

	right := func(context.Context) ([]float32, error) { return []float32{1, 2}, nil }
	if v, err := (hurried{asked{answer: right}, limit(time.Hour)}).EmbedQuery(t.Context(), "boat"); err != nil || len(v) != 2 {
		t.Errorf("it answers: %v, error %v", v, err)
	}
}

// TestSilent: a model that hung is not asked again for a while, one at another address is, and so is
// one that failed in another way or was left by whoever asked.
func TestSilent(t *testing.T) {
	var s silent
	asked := 0
	ask := func(ctx context.Context, key string, limit time.Duration, err error) error {
		return s.within(ctx, limit, key, "lab/some-embedder", func(ctx context.Context) error {
			if asked++; err == nil {
				<-ctx.Done()
				return ctx.Err()
			}
			return err
		})
	}
	broken := errors.New("the server is full")
	left, leave := context.WithCancel(t.Context())
	leave()
	for i, want := range []struct {
		ctx   context.Context
		key   string
		err   error
		asked int
	}{
		{t.Context(), "a", broken, 1}, {left, "a", nil, 2}, {t.Context(), "a", nil, 3}, {t.Context(), "a", broken, 3}, {t.Context(), "b", broken, 4},
	} {
		err := ask(want.ctx, want.key, time.Millisecond, want.err)
		if asked != want.asked || err == nil || i == 3 && !errors.Is(err, errLate) {
			t.Errorf("call %d: asked %d times, error %v", i, asked, err)
		}
	}
	s.last["a"] = silence{s.last["a"].why, time.Now()}
	if err := ask(t.Context(), "a", time.Hour, broken); asked != 5 || !errors.Is(err, broken) {
		t.Errorf("after a while: asked %d times, error %v", asked, err)
	}
}
