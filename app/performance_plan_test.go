package app

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
)

func TestPlanFor(t *testing.T) {
	embed := func(n int) []measure.Job { return []measure.Job{{Work: fit.WorkEmbed, Amount: n}} }
	writes := func(prompt, generate int) []measure.Job {
		return []measure.Job{{Work: fit.WorkPrompt, Amount: prompt}, {Work: fit.WorkGenerate, Amount: generate}}
	}
	quick, thorough := 30*time.Second, 4*time.Minute
	for name, c := range map[string]struct {
		model   library.Model
		ask     measure.Request
		want    measure.Plan
		refusal string
	}{
		"a quick embedding": {
			library.Model{Kind: library.KindEmbedding},
			measure.Request{},
			measure.Plan{Jobs: embed(32), Pace: measure.UsualPace(5), Rounds: 1, Budget: quick, Memory: true},
			"",
		},
		"a thorough one": {
			library.Model{Kind: library.KindReranker},
			measure.Request{Thorough: true},
			measure.Plan{Jobs: []measure.Job{{Work: fit.WorkRerank, Amount: 256}}, Pace: measure.UsualPace(9), Rounds: 1, Budget: thorough, Memory: true},
			"",
		},
		"a small context": {
			library.Model{Kind: library.KindText, MaxLength: 512},
			measure.Request{Thorough: true, Curve: true},
			measure.Plan{Jobs: writes(256, 128), Pace: measure.UsualPace(5), Rounds: 2, Sizes: []int{128, 256}, Budget: thorough, Memory: true},
			"",
		},
		"a large context": {
			library.Model{Kind: library.KindChat, MaxLength: 131072},
			measure.Request{Curve: true},
			measure.Plan{Jobs: writes(128, 32), Pace: measure.UsualPace(3), Rounds: 2, Sizes: []int{128, 256, 512, 1024, 2048, 4096, 8192}, Budget: quick, Memory: true},
			"",
		},
		"exact amounts": {
			library.Model{Kind: library.KindEmbedding},
			measure.Request{Amounts: measure.Amounts{Texts: 3, Pairs: 2, Repeat: 4}, Norms: true},
			measure.Plan{Jobs: []measure.Job{{Work: fit.WorkEmbed, Amount: 3}, {Work: fit.WorkRerank, Amount: 2}}, Pace: measure.ExactPace(4), Rounds: 1, Norms: true},
			"",
		},
		"norms alone":    {library.Model{Kind: library.KindChat}, measure.Request{Amounts: measure.Amounts{Repeat: 4}, Norms: true}, measure.Plan{Pace: measure.ExactPace(4), Rounds: 1, Norms: true}, ""},
		"only a repeat":  {library.Model{Kind: library.KindEmbedding}, measure.Request{Amounts: measure.Amounts{Repeat: 4}}, measure.Plan{Jobs: embed(256), Pace: measure.ExactPace(4), Rounds: 1}, ""},
		"no context":     {library.Model{Kind: library.KindChat, MaxLength: 2, Name: "tiny"}, measure.Request{}, measure.Plan{}, "tiny has room for 2 tokens"},
		"unknown kind":   {library.Model{Name: "odd"}, measure.Request{}, measure.Plan{}, "odd cannot be measured"},
		"no repetitions": {library.Model{Kind: library.KindEmbedding}, measure.Request{Amounts: measure.Amounts{Texts: 3}}, measure.Plan{}, "there is nothing to measure"},
	} {
		c.ask.Targets = []devices.Target{{Device: "cpu"}}
		got, err := measure.PlanFor(library.Entry{Model: c.model}, c.ask)
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
	small := library.Entry{Model: library.Model{Kind: library.KindChat, MaxLength: 64}}
	for name, c := range map[string]struct {
		ask              measure.Amounts
		asked            int // context
		prompt, generate int
		context          int
		refusal          string
	}{
		"nothing asked":   {measure.Amounts{}, 0, 63, 63, 64, ""},
		"after a depth":   {measure.Amounts{Depth: 60}, 0, 3, 3, 64, ""},
		"as asked":        {measure.Amounts{Prompt: 7}, 0, 7, 0, 8, ""},
		"just fits":       {measure.Amounts{Generate: 10, Depth: 53}, 0, 0, 10, 64, ""},
		"one too many":    {measure.Amounts{Generate: 10, Depth: 54}, 0, 0, 0, 0, "need a context of 65, and this model has 64"},
		"depth too large": {measure.Amounts{Depth: 64}, 0, 0, 0, 0, "need a context of 66"},
		"asked context":   {measure.Amounts{Prompt: 20}, 16, 0, 0, 0, "has 16"},
	} {
		c.ask.Repeat = 1
		got, err := measure.PlanFor(small, measure.Request{Targets: []devices.Target{{Device: "cpu", Hold: devices.Hold{Context: c.asked}}}, Amounts: c.ask})
		switch {
		case c.refusal != "":
			if err == nil || !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil || got.Amount(fit.WorkPrompt) != c.prompt || got.Amount(fit.WorkGenerate) != c.generate || got.Context() != c.context:
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	unlimited, err := measure.PlanFor(library.Entry{Model: library.Model{Kind: library.KindChat}}, measure.Request{Targets: []devices.Target{{Device: "cpu"}}, Amounts: measure.Amounts{Repeat: 1}})
	if err != nil || unlimited.Amount(fit.WorkPrompt) != fit.UsualPrompt || unlimited.Amount(fit.WorkGenerate) != measure.DefaultBenchGenerate {
		t.Errorf("a limit that is not known: %+v, %v", unlimited, err)
	}
}

// What is asked for exactly is measured exactly, and what does not fit the model is refused.
func TestMeasureAmounts(t *testing.T) {
	w := &writer{}
	a := newWritingApp(t, w)
	cpu := []devices.Target{{Device: "cpu", Hold: devices.Hold{KV: "f32"}}}
	got, err := a.Measure(context.Background(), measure.Request{Targets: cpu, Amounts: measure.Amounts{Prompt: 3, Generate: 4, Depth: 5, Repeat: 2}}, nil)
	if err != nil || got.Err() != nil {
		t.Fatal(err, got.Err())
	}
	if got.Agreement() != 1 || w.options.KV != "f32" || w.options.Context != 10 {
		t.Errorf("%+v with %+v", got, w.options)
	}
	for work, context := range map[string]int{fit.WorkPrompt: 8, fit.WorkGenerate: 9} {
		m, ok := got.Rows[0].Measure(work)
		if !ok || m.Context != context || m.Unit != "tokens/s" || m.Device != "cpu" || m.Repeats != 2 || m.Median <= 0 || m.P10 > m.Median || m.P90 < m.Median {
			t.Errorf("%s: %+v", work, m)
		}
	}
	refuses := func(a *App, want string, targets []devices.Target, n measure.Amounts) {
		t.Helper()
		if _, err := a.Measure(context.Background(), measure.Request{Targets: targets, Amounts: n}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v on %+v: %v", n, targets, err)
		}
	}
	refuses(a, "is a language model", cpu, measure.Amounts{Texts: 3, Repeat: 1})
	embeds := newTestApp(t, &double{})
	for _, n := range []measure.Amounts{{Depth: 1, Repeat: 1}, {Generate: 1, Repeat: 1}} {
		refuses(embeds, "does not write text", []devices.Target{{Device: "cpu"}}, n)
	}
	refuses(embeds, "does not write text", cpu, measure.Amounts{Texts: 1, Repeat: 1})
}
