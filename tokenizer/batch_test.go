package tokenizer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestBatch(t *testing.T) {
	_, tok := loadFixture(t, "wordpiece")
	var texts []string
	for i := range 200 {
		texts = append(texts, strings.Repeat(fmt.Sprintf("kettle %d ", i), i%17))
	}
	for _, o := range []Options{{}, {MaxLength: 9, Attributes: true}} {
		got, err := tok.EncodeBatch(t.Context(), texts, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			one := mustEncode(t, tok, text, o)
			equal(t, "ids", text, got[i].IDs, one.IDs)
			equal(t, "offsets", text, got[i].Offsets, one.Offsets)
		}
	}
	if got, err := tok.EncodeBatch(t.Context(), nil, Options{}); err != nil || len(got) != 0 {
		t.Errorf("no texts give %v, %v", got, err)
	}
}

// TestBatchCancelled cancels while very long texts are encoded.
func TestBatchCancelled(t *testing.T) {
	_, tok := loadFixture(t, "roberta")
	texts := slices.Repeat([]string{strings.Repeat("the kettle sings ", 600_000)}, 4)
	ctx, cancel := context.WithCancel(t.Context())
	var cancelled float64
	time.AfterFunc(100*time.Millisecond, func() { cancelled = cpu(); cancel() })
	_, err := tok.EncodeBatch(ctx, texts, Options{})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the batch ended with %v", err)
	}
	// This takes about 20 ms on an idle machine, much less than a fifth of one text.
	ended := cpu()
	mustEncode(t, tok, texts[0][:len(texts[0])/5], Options{})
	if took, fifth := ended-cancelled, cpu()-ended; took > fifth {
		t.Errorf("the batch went on for %.2f s of processor time, a fifth of one of its texts takes %.2f s", took, fifth)
	}
	if _, err := tok.EncodeBatch(ctx, texts, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a batch that starts cancelled ends with %v", err)
	}
}

func TestBatchError(t *testing.T) {
	_, tok := loadFixture(t, "wordpiece")
	_, err := tok.EncodeBatch(t.Context(), []string{"a", "b"}, Options{MaxLength: 2})
	if err == nil || !strings.Contains(err.Error(), "no room for text") {
		t.Errorf("the batch ended with %v", err)
	}
}

// TestConcurrent encodes and decodes from many goroutines while the tokenizer
// is closed under them.
func TestConcurrent(t *testing.T) {
	f, tok := loadFixture(t, "xlm-roberta")
	want := mustEncode(t, tok, "the kettle sings", Options{})
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 200 {
				o := Options{ParseSpecial: (i+worker)%2 == 0}
				e, err := tok.Encode("the kettle sings", o)
				if errors.Is(err, ErrClosed) {
					return
				}
				if err != nil || !slices.Equal(e.IDs, want.IDs) {
					t.Errorf("got %v, %v", e.IDs, err)
					return
				}
				if _, err := tok.Decode(f.Singles[8].IDs, true); err != nil && !errors.Is(err, ErrClosed) {
					t.Error(err)
				}
				if worker == 0 && i == 100 {
					tok.Close()
				}
			}
		})
	}
	group.Wait()
	if err := tok.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	if _, err := tok.Encode("a", Options{}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := tok.EncodePair("a", "b", Options{}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := tok.Decode([]int32{5}, false); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}
