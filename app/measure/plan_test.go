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
	embed := func(n int) []job { return []job{{work: fit.WorkEmbed, amount: n}} }
	writes := func(prompt, generate int) []job {
		return []job{{work: fit.WorkPrompt, amount: prompt}, {work: fit.WorkGenerate, amount: generate}}
	}
	quick, thorough := 30*time.Second, 4*time.Minute
	for name, c := range map[string]struct {
		model   library.Model
		ask     Request
		want    plan
		refusal string
	}{
		"a quick embedding": {
			library.Model{Kind: library.KindEmbedding},
			Request{},
			plan{jobs: embed(32), pace: usualPace(5), rounds: 1, budget: quick, memory: true},
			"",
		},
		"a thorough one": {
			library.Model{Kind: library.KindReranker},
			Request{Thorough: true},
			plan{jobs: []job{{work: fit.WorkRerank, amount: 256}}, pace: usualPace(9), rounds: 1, budget: thorough, memory: true},
			"",
		},
		"a small context": {
			library.Model{Kind: library.KindText, MaxLength: 512},
			Request{Thorough: true, Curve: true},
			plan{jobs: writes(256, 128), pace: usualPace(5), rounds: 2, sizes: []int{128, 256}, budget: thorough, memory: true},
			"",
		},
		"a large context": {
			library.Model{Kind: library.KindChat, MaxLength: 131072},
			Request{Curve: true},
			plan{jobs: writes(128, 32), pace: usualPace(3), rounds: 2, sizes: []int{128, 256, 512, 1024, 2048, 4096, 8192}, budget: quick, memory: true},
			"",
		},
		"exact amounts": {
			library.Model{Kind: library.KindEmbedding},
			Request{Amounts: Amounts{Texts: 3, Pairs: 2, Repeat: 4}, Norms: true},
			plan{jobs: []job{{work: fit.WorkEmbed, amount: 3}, {work: fit.WorkRerank, amount: 2}}, pace: exactPace(4), rounds: 1, norms: true},
			"",
		},
		"norms alone":    {library.Model{Kind: library.KindChat}, Request{Amounts: Amounts{Repeat: 4}, Norms: true}, plan{pace: exactPace(4), rounds: 1, norms: true}, ""},
		"only a repeat":  {library.Model{Kind: library.KindEmbedding}, Request{Amounts: Amounts{Repeat: 4}}, plan{jobs: embed(256), pace: exactPace(4), rounds: 1}, ""},
		"no context":     {library.Model{Kind: library.KindChat, MaxLength: 2, Name: "tiny"}, Request{}, plan{}, "tiny has room for 2 tokens"},
		"unknown kind":   {library.Model{Name: "odd"}, Request{}, plan{}, "odd cannot be measured"},
		"no repetitions": {library.Model{Kind: library.KindEmbedding}, Request{Amounts: Amounts{Texts: 3}}, plan{}, "there is nothing to measure"},
	} {
		c.ask.Targets = []devices.Target{{Device: "cpu"}}
		got, err := planFor(library.Entry{Model: c.model}, c.ask)
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
		got, err := planFor(small, Request{Targets: []devices.Target{{Device: "cpu", Hold: devices.Hold{Context: c.asked}}}, Amounts: c.ask})
		switch {
		case c.refusal != "":
			if err == nil || !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil || got.amount(fit.WorkPrompt) != c.prompt || got.amount(fit.WorkGenerate) != c.generate || got.context() != c.context:
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	unlimited, err := planFor(library.Entry{Model: library.Model{Kind: library.KindChat}}, Request{Targets: []devices.Target{{Device: "cpu"}}, Amounts: Amounts{Repeat: 1}})
	if err != nil || unlimited.amount(fit.WorkPrompt) != fit.UsualPrompt || unlimited.amount(fit.WorkGenerate) != defaultGenerate {
		t.Errorf("a limit that is not known: %+v, %v", unlimited, err)
	}
}
