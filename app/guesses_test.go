package app

import (
	"context"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/measure"
)

// TestMeasureGuesses: what passes of several tokens take is measured for a language model, and what guesses
// bring in a text that repeats itself; not for another model.
func TestMeasureGuesses(t *testing.T) {
	a := newRealApp(t)
	ask := measure.Request{Model: library.StarterChat, Targets: []devices.Target{{Device: "cpu"}}, Guesses: true}
	got, err := a.Measure(context.Background(), ask, nil)
	if err != nil || got.Err() != nil {
		t.Fatal(err, got.Err())
	}
	g := got.Rows[0].Guesses
	if g == nil || len(g.Passes) != 5 || g.Passes[0].Cost != 1 || g.Passes[0].Tokens != 1 || g.Passes[4].Tokens != 16 || g.Right > g.Guessed {
		t.Fatalf("%+v", g)
	}
	for _, p := range g.Passes {
		if p.Cost <= 0 || p.Needed < 0 {
			t.Errorf("%+v", p)
		}
	}
	t.Logf("%+v", *g)
	ask.Model = library.StarterEmbed
	if got, err := a.Measure(context.Background(), ask, nil); err != nil || got.Err() != nil || got.Rows[0].Guesses != nil {
		t.Errorf("an embedder: %+v, %v", got.Rows, err)
	}
}
