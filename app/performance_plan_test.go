package app

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestPlanFor(t *testing.T) {
	embed := func(n int) []job { return []job{{work: WorkEmbed, amount: n}} }
	writes := func(prompt, generate int) []job { return []job{{work: WorkPrompt, amount: prompt}, {work: WorkGenerate, amount: generate}} }
	quick, thorough := 30*time.Second, 4*time.Minute
	for name, c := range map[string]struct {
		model   Model
		ask     PerformanceRequest
		want    plan
		refusal string
	}{
		"a quick embedding": {
			Model{Kind: KindEmbedding},
			PerformanceRequest{},
			plan{jobs: embed(32), pace: usualPace(5), rounds: 1, budget: quick, memory: true},
			"",
		},
		"a thorough one": {
			Model{Kind: KindReranker},
			PerformanceRequest{Thorough: true},
			plan{jobs: []job{{work: WorkRerank, amount: 256}}, pace: usualPace(9), rounds: 1, budget: thorough, memory: true},
			"",
		},
		"a small context": {
			Model{Kind: KindText, MaxLength: 512},
			PerformanceRequest{Thorough: true, Curve: true},
			plan{jobs: writes(256, 128), pace: usualPace(5), rounds: 2, sizes: []int{128, 256}, budget: thorough, memory: true},
			"",
		},
		"a large context": {
			Model{Kind: KindChat, MaxLength: 131072},
			PerformanceRequest{Curve: true},
			plan{jobs: writes(128, 32), pace: usualPace(3), rounds: 2, sizes: []int{128, 256, 512, 1024, 2048, 4096, 8192}, budget: quick, memory: true},
			"",
		},
		"exact amounts": {
			Model{Kind: KindEmbedding},
			PerformanceRequest{Amounts: Amounts{Texts: 3, Pairs: 2, Repeat: 4}, Norms: true},
			plan{jobs: []job{{work: WorkEmbed, amount: 3}, {work: WorkRerank, amount: 2}}, pace: exactPace(4), rounds: 1, norms: true},
			"",
		},
		"norms alone":    {Model{Kind: KindChat}, PerformanceRequest{Amounts: Amounts{Repeat: 4}, Norms: true}, plan{pace: exactPace(4), rounds: 1, norms: true}, ""},
		"only a repeat":  {Model{Kind: KindEmbedding}, PerformanceRequest{Amounts: Amounts{Repeat: 4}}, plan{jobs: embed(256), pace: exactPace(4), rounds: 1}, ""},
		"no context":     {Model{Kind: KindChat, MaxLength: 2, Name: "tiny"}, PerformanceRequest{}, plan{}, "tiny has room for 2 tokens"},
		"unknown kind":   {Model{Name: "odd"}, PerformanceRequest{}, plan{}, "odd cannot be measured"},
		"no repetitions": {Model{Kind: KindEmbedding}, PerformanceRequest{Amounts: Amounts{Texts: 3}}, plan{}, "there is nothing to measure"},
	} {
		c.ask.Targets = []Target{{Device: "cpu"}}
		got, err := planFor(entry{Model: c.model}, c.ask)
		switch {
		case c.refusal != "":
			if err == nil || !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil || !reflect.DeepEqual(got, c.want):
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestPlanContext(t *testing.T) {
	small := entry{Model: Model{Kind: KindChat, MaxLength: 64}}
	for name, c := range map[string]struct {
		ask              Amounts
		asked            int // context
		prompt, generate int
		context          int
		refusal          string
	}{
		"nothing asked":   {Amounts{}, 0, 63, 63, 64, ""},
		"after a depth":   {Amounts{Depth: 60}, 0, 3, 3, 64, ""},
		"as asked":        {Amounts{Prompt: 7}, 0, 7, 0, 8, ""},
		"just fits":       {Amounts{Generate: 10, Depth: 53}, 0, 0, 10, 64, ""},
		"one too many":    {Amounts{Generate: 10, Depth: 54}, 0, 0, 0, 0, "need a context of 65, and this model has 64"},
		"depth too large": {Amounts{Depth: 64}, 0, 0, 0, 0, "need a context of 66"},
		"asked context":   {Amounts{Prompt: 20}, 16, 0, 0, 0, "has 16"},
	} {
		c.ask.Repeat = 1
		got, err := planFor(small, PerformanceRequest{Targets: []Target{{Device: "cpu", Hold: Hold{Context: c.asked}}}, Amounts: c.ask})
		switch {
		case c.refusal != "":
			if err == nil || !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil || got.amount(WorkPrompt) != c.prompt || got.amount(WorkGenerate) != c.generate || got.context() != c.context:
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	unlimited, err := planFor(entry{Model: Model{Kind: KindChat}}, PerformanceRequest{Targets: []Target{{Device: "cpu"}}, Amounts: Amounts{Repeat: 1}})
	if err != nil || unlimited.amount(WorkPrompt) != UsualPrompt || unlimited.amount(WorkGenerate) != defaultBenchGenerate {
		t.Errorf("a limit that is not known: %+v, %v", unlimited, err)
	}
}

// What is asked for exactly is measured exactly, and what does not fit the model is refused.
func TestMeasureAmounts(t *testing.T) {
	w := &writer{}
	a := newWritingApp(t, w)
	cpu := []Target{{Device: "cpu", Hold: Hold{KV: "f32"}}}
	got, err := a.Measure(context.Background(), PerformanceRequest{Targets: cpu, Amounts: Amounts{Prompt: 3, Generate: 4, Depth: 5, Repeat: 2}}, nil)
	if err != nil || got.Err() != nil {
		t.Fatal(err, got.Err())
	}
	if got.Agreement() != 1 || w.options.KV != "f32" || w.options.Context != 10 {
		t.Errorf("%+v with %+v", got, w.options)
	}
	for work, context := range map[string]int{WorkPrompt: 8, WorkGenerate: 9} {
		m, ok := got.Rows[0].Measure(work)
		if !ok || m.Context != context || m.Unit != "tokens/s" || m.Device != "cpu" || m.Repeats != 2 || m.Median <= 0 || m.P10 > m.Median || m.P90 < m.Median {
			t.Errorf("%s: %+v", work, m)
		}
	}
	refuses := func(a *App, want string, targets []Target, n Amounts) {
		t.Helper()
		if _, err := a.Measure(context.Background(), PerformanceRequest{Targets: targets, Amounts: n}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v on %+v: %v", n, targets, err)
		}
	}
	refuses(a, "is a language model", cpu, Amounts{Texts: 3, Repeat: 1})
	embeds := newTestApp(t, &double{})
	for _, n := range []Amounts{{Depth: 1, Repeat: 1}, {Generate: 1, Repeat: 1}} {
		refuses(embeds, "does not write text", []Target{{Device: "cpu"}}, n)
	}
	refuses(embeds, "does not write text", cpu, Amounts{Texts: 1, Repeat: 1})
}
