package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/texts"
)

// How a model reads is checked on a person's texts, kept with it over a restart, and used
// where a request asks for what was kept. Other requests read as in the file.
func TestReadAsKept(t *testing.T) {
	home := t.TempDir()
	lines := []string{"a cat sleeps", "a dog barks", "the moon is full", "bread with honey"}
	apptest.Home(t)
	open := func() *App {
		a, err := New(Options{Home: home})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := open()
	h, err := a.CheckReading(t.Context(), texts.ReadingRequest{Model: library.StarterEmbed, Work: held.Embed, Texts: lines}, nil)
	if err != nil || h.Checked < 1 || h.Alike < 0.99 || h.Alike > 1+1e-6 {
		t.Fatalf("checked: %+v, %v", h, err)
	}
	h.Weights = held.EightBits // whatever was faster here
	if err := a.ReadAs(t.Context(), library.StarterEmbed, held.Embed, h); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(context.Background()); err != nil {
		t.Fatal(err)
	}

	a = open()
	defer a.Close(context.Background())
	compare := func(device, weights string, kept bool) texts.SimilarityResult {
		t.Helper()
		got, err := a.Similarity(t.Context(), texts.SimilarityRequest{Device: device, Weights: weights, AsKept: kept, Texts: lines}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	file, eight := compare("cpu", "", false), compare("cpu", held.EightBits, false)
	if got := compare("cpu", "", true); got.Held != h || got.Matrix[0][1] != eight.Matrix[0][1] || got.Matrix[0][1] == file.Matrix[0][1] {
		t.Errorf("as kept: %+v with %v; in 8 bits %v, as in the file %v", got.Held, got.Matrix[0][1], eight.Matrix[0][1], file.Matrix[0][1])
	}
	if got := compare("cpu", "auto", true); got.Held.Weights != "" || got.Matrix[0][1] != file.Matrix[0][1] {
		t.Errorf("asked for as in the file: %+v with %v, and not %v", got.Held, got.Matrix[0][1], file.Matrix[0][1])
	}
	ranked, err := a.Rerank(t.Context(), texts.RerankRequest{Model: library.StarterEmbed, AsKept: true, Query: "an animal", Texts: lines}, nil)
	if err != nil || ranked.Held.Weights != "" {
		t.Errorf("what is kept for vectors is used for scores: %+v, %v", ranked.Held, err)
	}
	if _, err := os.Stat(filepath.Join(a.Paths().Data, "eight-bits.json")); err != nil {
		t.Error(err)
	}
	for name, r := range map[string]texts.ReadingRequest{
		"no texts":       {Model: library.StarterEmbed, Work: held.Embed},
		"two scores":     {Model: library.StarterEmbed, Work: held.Rerank, Question: "q", Texts: lines[:2]},
		"no such model":  {Model: "org/none", Work: held.Embed, Texts: lines},
		"writes instead": {Model: library.StarterChat, Work: held.Embed, Texts: lines},
	} {
		if got, err := a.CheckReading(t.Context(), r, nil); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
