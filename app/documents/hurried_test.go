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
	hang := func(ctx context.Context) ([]float32, error) { <-ctx.Done(); return nil, ctx.Err() }
	_, err := hurried{asked{answer: hang}, "lab/some-embedder", time.Millisecond}.EmbedQuery(t.Context(), "boat")
	if err == nil || !strings.Contains(err.Error(), "lab/some-embedder did not answer within") {
		t.Errorf("it hangs: %v", err)
	}

	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := (hurried{asked{answer: hang}, "lab/some-embedder", time.Hour}).EmbedQuery(ended, "boat"); !errors.Is(err, context.Canceled) {
		t.Errorf("the search ended: %v", err)
	}

	broken := errors.New("the server is full")
	fail := func(context.Context) ([]float32, error) { return nil, broken }
	if _, err := (hurried{asked{answer: fail}, "lab/some-embedder", time.Hour}).EmbedQuery(t.Context(), "boat"); !errors.Is(err, broken) {
		t.Errorf("it fails: %v", err)
	}

	right := func(context.Context) ([]float32, error) { return []float32{1, 2}, nil }
	if v, err := (hurried{asked{answer: right}, "lab/some-embedder", time.Hour}).EmbedQuery(t.Context(), "boat"); err != nil || len(v) != 2 {
		t.Errorf("it answers: %v, error %v", v, err)
	}
}
