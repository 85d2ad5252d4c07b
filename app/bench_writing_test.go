package app

import (
	"context"
	"strings"
	"testing"
)

func TestBenchWriting(t *testing.T) {
	w := &writer{}
	a := newWritingApp(t, w)
	ctx := context.Background()
	got, err := a.Bench(ctx, BenchRequest{Devices: []string{"cpu"}, Prompt: 3, Generate: 4, Depth: 5, Repeat: 2, Held: ChatOptions{KV: "f32"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Results) != 2 || got.Agreement != 1 || w.options.KV != "f32" || w.options.Context != 10 {
		t.Fatalf("%+v with %+v", got, w.options)
	}
	for i, want := range []struct {
		work    string
		context int
	}{{"prompt", 8}, {"generate", 9}} {
		l := got.Results[i]
		if l.Work != want.work || l.Context != want.context || l.Unit != "tokens/s" || l.Device != "cpu" || l.Median <= 0 || l.P10 > l.Median || l.P90 < l.Median {
			t.Errorf("%s: %+v", want.work, l)
		}
	}
	if _, err := a.Bench(ctx, BenchRequest{Devices: []string{"cpu"}, Texts: 3, Repeat: 1}, nil); err == nil || !strings.Contains(err.Error(), "is a language model") {
		t.Errorf("texts with a language model: %v", err)
	}
	for _, r := range []BenchRequest{{Depth: 1}, {Generate: 1}, {Held: ChatOptions{KV: "f32"}}} {
		r.Devices, r.Repeat = []string{"cpu"}, 1
		if _, err := newTestApp(t, &double{}).Bench(ctx, r, nil); err == nil || !strings.Contains(err.Error(), "does not write text") {
			t.Errorf("%+v with an embedder: %v", r, err)
		}
	}
}

func TestBenchInContext(t *testing.T) {
	small := entry{Model: Model{MaxLength: 64}}
	for name, c := range map[string]struct {
		ask              BenchRequest
		prompt, generate int
		context          int
		refusal          string
	}{
		"nothing asked":   {BenchRequest{}, 63, 63, 64, ""},
		"after a depth":   {BenchRequest{Depth: 60}, 3, 3, 64, ""},
		"as asked":        {BenchRequest{Prompt: 7}, 7, 0, 8, ""},
		"just fits":       {BenchRequest{Generate: 10, Depth: 53}, 0, 10, 64, ""},
		"one too many":    {BenchRequest{Generate: 10, Depth: 54}, 0, 0, 0, "need a context of 65 tokens, and it has 64"},
		"depth too large": {BenchRequest{Depth: 64}, 0, 0, 0, "need a context of 66"},
		"asked context":   {BenchRequest{Prompt: 20, Held: ChatOptions{Context: 16}}, 0, 0, 0, "and it has 16"},
	} {
		got, err := c.ask.inContext(small)
		switch {
		case c.refusal != "":
			if err == nil || !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil || got.Prompt != c.prompt || got.Generate != c.generate || got.Held.Context != c.context:
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if got, err := (BenchRequest{}).inContext(entry{}); err != nil || got.Prompt != defaultBenchPrompt || got.Generate != defaultBenchGenerate {
		t.Errorf("a limit that is not known: %+v, %v", got, err)
	}
}

func TestSameStart(t *testing.T) {
	for _, c := range []struct {
		a, b []int32
		want float64
	}{{[]int32{1, 2}, []int32{1, 2}, 1}, {[]int32{1, 2}, []int32{1, 3}, 0.5}, {nil, []int32{1}, 0}, {nil, nil, 0}} {
		if got := sameStart(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}
