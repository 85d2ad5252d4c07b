package models_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/models"
	"inglenook/weights"
)

// textToText is a tiny model of models/testdata/text-to-text with the reference library's
// answers.
type textToText struct {
	name  string
	model models.Decoder
	cases []textToTextCase
}

type textToTextCase struct {
	IDs        []int32   `json:"ids"`
	DecoderIDs []int32   `json:"decoder_ids"`
	Greedy     []int32   `json:"greedy"`
	Data       []float32 `json:"data"`
}

func textToTexts(t *testing.T) (all []textToText) {
	t.Helper()
	for _, name := range []string{"t5", "flan-t5", "mt5"} {
		dir := filepath.Join("testdata", "text-to-text", name)
		m := textToText{name: name}
		var want struct{ Cases []textToTextCase }
		readJSON(t, filepath.Join(dir, "expected.json"), &want)
		m.cases = want.Cases
		set, err := weights.Open(os.DirFS(dir), weights.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { set.Close() })
		config, err := configOf(dir, set)
		if err != nil {
			t.Fatal(err)
		}
		if m.model, err = models.LoadDecoder(config, set); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if notes := m.model.Config().Notes; len(notes) > 0 {
			t.Errorf("%s: %q", name, notes)
		}
		all = append(all, m)
	}
	return all
}

// write runs one pass and counts its tokens as read.
func (m textToText) write(t *testing.T, b engine.Backend, in models.Input, c *models.Cache) []float32 {
	t.Helper()
	g := engine.NewGraph()
	defer g.Close()
	y := g.Want(m.model.Forward(g, in, c, nil, models.Logits))
	report, err := g.Run(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if f := report.Fallbacks(); len(f) > 0 {
		t.Errorf("%s: not on the device: %v", m.name, f)
	}
	data, err := g.Result(y)
	if err != nil {
		t.Fatal(err)
	}
	c.Advance()
	return data
}

// The logits are those of the reference library, and the same token by token: later passes
// read the text from the cache.
func TestTextToTextParity(t *testing.T) {
	devices, all := backends(t), textToTexts(t) // the models' weights go before the devices
	for device, b := range devices {
		for _, m := range all {
			for i, want := range m.cases {
				longest := max(len(want.IDs), len(want.DecoderIDs))
				got := m.write(t, b, models.Input{Tokens: want.DecoderIDs, Source: want.IDs}, newCache(t, m.model, engine.F32, longest))
				reference := make([]float64, len(want.Data))
				for k, x := range want.Data {
					reference[k] = float64(x)
				}
				if d := enginetest.Difference(got, reference); d > 2e-4 {
					t.Errorf("%s: %s, case %d: %.1e from the reference library", device, m.name, i, d)
				}
				c := newCache(t, m.model, engine.F32, longest)
				steps := m.write(t, b, models.Input{Tokens: want.DecoderIDs[:1], Source: want.IDs}, c)
				for _, id := range want.DecoderIDs[1:] {
					steps = append(steps, m.write(t, b, models.Input{Tokens: []int32{id}}, c)...)
				}
				if d := enginetest.Difference(steps, reference); d > 2e-4 {
					t.Errorf("%s: %s, case %d: %.1e from the reference library, token by token", device, m.name, i, d)
				}
			}
		}
	}
}

// What is written greedily is what the reference library writes. The cache is used for one text
// after the other.
func TestTextToTextGreedy(t *testing.T) {
	devices, all := backends(t), textToTexts(t) // the models' weights go before the devices
	for device, b := range devices {
		for _, m := range all {
			c := newCache(t, m.model, engine.F32, 64)
			for i, want := range m.cases {
				var got []int32
				c.Len = 0 // the cache holds the text before, and what was written to it
				for in := (models.Input{Tokens: []int32{0}, Source: want.IDs}); len(got) < len(want.Greedy); in = (models.Input{Tokens: got[len(got)-1:]}) {
					got = append(got, int32(largest(m.write(t, b, in, c))))
				}
				if !slices.Equal(got, want.Greedy) {
					t.Errorf("%s: %s, case %d: %d, the reference library writes %d", device, m.name, i, got, want.Greedy)
				}
			}
		}
	}
}

func largest(xs []float32) (at int) {
	for i, x := range xs {
		if x > xs[at] {
			at = i
		}
	}
	return at
}

func TestTextToTextRefusals(t *testing.T) {
	m := textToTexts(t)[0].model
	causal := languages(t)[0].model
	long := make([]int32, 9)
	for _, c := range []struct {
		model     models.Decoder
		in        models.Input
		len, held int
		say       string
	}{
		{m, models.Input{Tokens: []int32{0}}, 0, 0, "no text to answer"},
		{m, models.Input{Tokens: []int32{0}, Source: []int32{}}, 0, 0, "no text to answer"},
		{m, models.Input{Tokens: []int32{0}, Source: []int32{5}}, 3, 4, "comes first"},
		{m, models.Input{Tokens: []int32{0}, Source: long}, 0, 0, "does not fit into a context of 8"},
		{m, models.Input{Tokens: []int32{0}}, 0, 9, "does not fit into a context of 8"},
		{m, models.Input{Tokens: []int32{0}, Source: []int32{3, 64}}, 0, 0, "token id 64 at position 1"},
		{m, models.Input{Source: []int32{3}}, 0, 0, "no tokens"},
		{causal, models.Input{Tokens: []int32{0}, Source: []int32{3}}, 0, 0, "answers no other one"},
	} {
		cache := newCache(t, c.model, engine.F32, 8)
		cache.Len, cache.Source = c.len, c.held
		g := engine.NewGraph()
		c.model.Forward(g, c.in, cache, nil, models.Logits)
		if err := g.Err(); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%v: %v, want %q", c.in, err, c.say)
		}
		g.Close()
	}
}
