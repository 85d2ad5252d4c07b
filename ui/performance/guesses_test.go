package performance

import (
	"math"
	"strings"
	"testing"

	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/master"
	"inglenook/ui/uitest"
)

// TestGuesses: what it costs to check guesses is measured for a model that writes, where that is ticked, and the page
// says in a sentence what it means.
func TestGuesses(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads, d.Kept.Model = 2, "org/talker"
	d.Offered = append(d.Offered, library.Model{ID: "org/talker", Name: "org/talker", Kind: library.KindChat, Source: library.SourceHubCache, Usable: true, DType: "f16"})
	b := inPerformance(t, d)
	p := b.performance()
	if m, _ := p.models.picker.Model(); m.ID != "org/talker" {
		t.Fatalf("chosen is %q", m.ID)
	}
	p.pick(pageGuesses)
	if !p.plan.guess.Visible() || !p.results.blank.Visible() || p.results.hint.Title.Text != "Nothing measured yet" {
		t.Errorf("before: %q", p.results.hint.Title.Text)
	}
	p.plan.guess.SetChecked(true)
	p.run.start()
	b.Loop.Until(t, "a measurement", func() bool { return p.record.result != nil && !p.results.history.empty() })
	got := uitest.AllText(p.results.guesses.view)
	for _, want := range []string{"pays if more than 40 % of the predictions are right", "33 of 40 were right", "writing was 62 % faster"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if l := p.results.guesses.plot.Lines; len(l) == 0 || l[0].Values[4] != 6.1 || len(p.results.guesses.plot.Places) != 5 {
		t.Errorf("the plot has %+v", l)
	}
	b.Idle()
	master.CheckCanvas(t, "guesses", b.Window.Canvas())
	p.models.picker.Offer(d.Offered, d.Offered[0].ID)
	p.modelChosen()
	p.results.turn()
	if p.plan.guess.Visible() || p.results.page() == pageGuesses {
		t.Errorf("another kind of model shows page %d", p.results.page())
	}
}

// TestWhatGuessesNeed: where no guess can pay, and where every one does, it is said so.
func TestWhatGuessesNeed(t *testing.T) {
	for want, needed := range map[string]float64{"do not pay": 1e6, "every right prediction pays": 0, "more than 60 %": 0.6} {
		r := measure.Row{Guesses: &measure.Guesses{Passes: []measure.PassPoint{{Tokens: 1, Cost: 1}, {Tokens: 4, Needed: needed}}}}
		if got := needText(r); !strings.Contains(got, want) {
			t.Errorf("%v: %q", needed, got)
		}
	}
	if got := gainText(measure.Guesses{}); !strings.Contains(got, "none were made") {
		t.Error(got)
	}
	if got := gainText(measure.Guesses{Guessed: 9, Right: 1, Gain: math.Copysign(0.1, -1)}); !strings.Contains(got, "10 % slower") {
		t.Error(got)
	}
}
