package pipeline

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"inglenook/sampling"
)

// The logprobs of an answer are the softmax of what one forward pass over prompt and answer
// computes, whatever chooses the tokens.
func TestLogprobs(t *testing.T) {
	ctx := context.Background()
	g := openTiny(t, GeneratorOptions{Hold: Hold{KV: "f32"}})
	f, err := OpenForward(ctx, tinyChat(t), oneThread(t), ForwardOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	hot := sampling.Options{Temperature: 1.5, TopP: 0.9, RepeatPenalty: 1.3, Seed: 3, LogitBias: map[int32]float32{20: 4}}
	for _, o := range []ReplyOptions{
		{Sampling: &Sampling{}}, {Sampling: &hot}, {Sampling: &hot, TopLogprobs: 5}, {Sampling: &hot, TopLogprobs: 1, Draft: DraftLookup},
	} {
		o.MaxTokens, o.Logprobs, o.IgnoreEnd = 24, true, true
		p, err := g.Plan(ctx, []Message{TextMessage("user", "abc abc")}, o)
		if err != nil {
			t.Fatal(err)
		}
		var ids []int32
		var text strings.Builder
		var list []Logprob
		for token, err := range g.Reply(ctx, p, o) {
			if err != nil {
				t.Fatal(err)
			}
			if token.ID >= 0 {
				ids = append(ids, token.ID)
			}
			text.WriteString(token.Text)
			list = append(list, token.Logprobs...)
		}
		if len(list) != len(ids) {
			t.Fatalf("%d logprobs of %d tokens", len(list), len(ids))
		}
		r, err := f.Run(ctx, ForwardInput{IDs: append(slices.Clone(p.IDs), ids...)}, "")
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range list {
			at := len(p.IDs) - 1 + i
			row := r.Data[at*r.Cols : (at+1)*r.Cols]
			of, best := sampling.Logprobs(row, ids[i], o.TopLogprobs)
			if got.ID != ids[i] || len(got.Top) != len(best) {
				t.Fatalf("token %d is %d with %d others, not %d with %d", i, got.ID, len(got.Top), ids[i], len(best))
			}
			if math.Abs(got.Logprob-of.Logprob) > 1e-4 {
				t.Errorf("token %d: %v, and forward has %v", i, got.Logprob, of.Logprob)
			}
			for k, b := range best {
				if math.Abs(got.Top[k].Logprob-b.Logprob) > 1e-4 {
					t.Errorf("token %d, place %d: %v, and forward has %v", i, k, got.Top[k].Logprob, b.Logprob)
				}
			}
		}
	}
}

// Tokens that hold a stop text, or a part of it, have no logprobs in the answer; the others have,
// wherever the text stands.
func TestLogprobsStop(t *testing.T) {
	ctx := context.Background()
	g := openTiny(t, GeneratorOptions{Hold: Hold{KV: "f32"}})
	o := ReplyOptions{Sampling: &Sampling{}, MaxTokens: 40, Logprobs: true, IgnoreEnd: true, Plain: true}
	answer := func(o ReplyOptions) (string, []Logprob) {
		var text strings.Builder
		var list []Logprob
		for token, err := range Answer(ctx, g, []Message{TextMessage("user", "abc")}, o) {
			if err != nil {
				t.Fatal(err)
			}
			text.WriteString(token.Text)
			list = append(list, token.Logprobs...)
		}
		return text.String(), list
	}
	whole, all := answer(o)
	if len(all) != 40 {
		t.Fatalf("%d of 40 tokens", len(all))
	}
	skew := len(whole) // the first token's text is longer than its bytes: "##" is cut off elsewhere
	for _, l := range all {
		skew -= len(l.Bytes)
	}
	for from := 0; from+1 < len(whole); from++ {
		for to := from + 1; to <= min(from+5, len(whole)); to++ {
			o.Stop = []string{whole[from:to]}
			text, list := answer(o)
			size := skew
			for _, l := range list {
				size += len(l.Bytes)
			}
			if size > len(text)+skew {
				t.Fatalf("before %q: %q has logprobs of %d bytes", o.Stop, text, size)
			}
			if next := len(list); next > 0 && next < len(all) && len(text) >= size+len(all[next].Bytes) {
				t.Fatalf("before %q: %q has logprobs of %d bytes only", o.Stop, text, size)
			}
		}
	}
}
