package measure

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
)

func TestPlanFor(t *testing.T) {
	embed := func(n int) []Job { return []Job{{Work: fit.WorkEmbed, Amount: n}} }
	writes := func(prompt, generate int) []Job {
		return []Job{{Work: fit.WorkPrompt, Amount: prompt}, {Work: fit.WorkGenerate, Amount: generate}}
	}
	quick, thorough := 30*time.Second, 4*time.Minute
	for name, c := range map[string]struct {
		model   library.Model
		ask     Request
		want    Plan
		refusal string
	}{
		"a quick embedding": {
			library.Model{Kind: library.KindEmbedding},
			Request{},
			Plan{Jobs: embed(32), Pace: UsualPace(5), Rounds: 1, Budget: quick, Memory: true},
			"",
		},
		"a thorough one": {
			library.Model{Kind: library.KindReranker},
			Request{Thorough: true},
			Plan{Jobs: []Job{{Work: fit.WorkRerank, Amount: 256}}, Pace: UsualPace(9), Rounds: 1, Budget: thorough, Memory: true},
			"",
		},
		"a small context": {
			library.Model{Kind: library.KindText, MaxLength: 512},
			Request{Thorough: true, Curve: true},
			Plan{Jobs: writes(256, 128), Pace: UsualPace(5), Rounds: 2, Sizes: []int{128, 256}, Budget: thorough, Memory: true},
			"",
		},
		"a large context": {
			library.Model{Kind: library.KindChat, MaxLength: 131072},
			Request{Curve: true},
			Plan{Jobs: writes(128, 32), Pace: UsualPace(3), Rounds: 2, Sizes: []int{128, 256, 512, 1024, 2048, 4096, 8192}, Budget: quick, Memory: true},
			"",
		},
		"exact amounts": {
			library.Model{Kind: library.KindEmbedding},
			Request{Amounts: Amounts{Texts: 3, Pairs: 2, Repeat: 4}, Norms: true},
			Plan{Jobs: []Job{{Work: fit.WorkEmbed, Amount: 3}, {Work: fit.WorkRerank, Amount: 2}}, Pace: ExactPace(4), Rounds: 1, Norms: true},
			"",
		},
		"norms alone":    {library.Model{Kind: library.KindChat}, Request{Amounts: Amounts{Repeat: 4}, Norms: true}, Plan{Pace: ExactPace(4), Rounds: 1, Norms: true}, ""},
		"only a repeat":  {library.Model{Kind: library.KindEmbedding}, Request{Amounts: Amounts{Repeat: 4}}, Plan{Jobs: embed(256), Pace: ExactPace(4), Rounds: 1}, ""},
		"no context":     {library.Model{Kind: library.KindChat, MaxLength: 2, Name: "tiny"}, Request{}, Plan{}, "tiny has room for 2 tokens"},
		"unknown kind":   {library.Model{Name: "odd"}, Request{}, Plan{}, "odd cannot be measured"},
		"no repetitions": {library.Model{Kind: library.KindEmbedding}, Request{Amounts: Amounts{Texts: 3}}, Plan{}, "there is nothing to measure"},
	} {
		c.ask.Targets = []devices.Target{{Device: "cpu"}}
		got, err := PlanFor(library.Entry{Model: c.model}, c.ask)
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
		got, err := PlanFor(small, Request{Targets: []devices.Target{{Device: "cpu", Hold: devices.Hold{Context: c.asked}}}, Amounts: c.ask})
		switch {
		case c.refusal != "":
			if err == nil || !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil || got.Amount(fit.WorkPrompt) != c.prompt || got.Amount(fit.WorkGenerate) != c.generate || got.Context() != c.context:
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	unlimited, err := PlanFor(library.Entry{Model: library.Model{Kind: library.KindChat}}, Request{Targets: []devices.Target{{Device: "cpu"}}, Amounts: Amounts{Repeat: 1}})
	if err != nil || unlimited.Amount(fit.WorkPrompt) != fit.UsualPrompt || unlimited.Amount(fit.WorkGenerate) != DefaultBenchGenerate {
		t.Errorf("a limit that is not known: %+v, %v", unlimited, err)
	}
}
