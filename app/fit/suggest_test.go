package fit

import (
	"errors"
	"slices"
	"testing"

	"inglenook/app/library"
	"inglenook/catalogue"
)

// Every computer gets a model that fits into its memory and is written with at a speed that
// a person can bear, the recommended one first.
func TestSuggest(t *testing.T) {
	entries, err := catalogue.Entries()
	if err != nil {
		t.Fatal(err)
	}
	const gib = 1 << 30
	for name, c := range map[string]struct {
		memory    int64
		bytesPerS float64
		want      []string // the recommended one, a quicker one, a larger one
	}{
		"an old laptop":       {4 * gib, 8e9, []string{"Qwen3.5 0.8B", "Qwen3.5 2B"}},
		"a laptop":            {8 * gib, 20e9, []string{"Qwen3.5 2B", "Qwen3.5 0.8B", "Qwen3.5 4B"}},
		"16 GB":               {16 * gib, 50e9, []string{"Qwen3.5 4B", "Qwen3.5 2B", "Qwen3.5 9B"}},
		"a Mac of 16 GB":      {16 * gib, 100e9, []string{"Qwen3.5 9B", "Qwen3.5 4B", "Gemma 4 12B"}},
		"a GPU":               {80 * gib, 2000e9, []string{"Qwen3.5 9B", "Qwen3.5 4B", "Gemma 4 12B"}},
		"slow beyond comfort": {32 * gib, 3e9, []string{"Qwen3.5 0.8B"}},
		"unknown speed":       {8 * gib, 0, []string{"Qwen3.5 0.8B", "Qwen3.5 2B"}},
		"unknown memory":      {0, 20e9, []string{"Qwen3.5 2B", "Qwen3.5 0.8B", "Qwen3.5 4B"}},
		"1 GB":                {1 * gib, 8e9, nil},
	} {
		list := suggest(entries, c.memory, c.bytesPerS)
		var got []string
		for _, s := range list {
			got = append(got, s.Model.Name)
			if need := float64(s.Download.Bytes)*1.2 + besideWeights; c.memory > 0 && need > memoryShare*float64(c.memory) {
				t.Errorf("%s: %s needs %.1f GB", name, s.Model.Name, need/1e9)
			}
			if s.Download.File == "" || c.bytesPerS > 0 && s.TokensPerS <= 0 {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q are suggested, want %q", name, got, c.want)
		}
	}
	if list := suggest([]library.CatalogueEntry{}, 8*gib, 1e10); list != nil {
		t.Errorf("of an empty catalogue %v is suggested", list)
	}
}

// All rooms recommend what was recommended first; what failed is asked again.
func TestOneAdvice(t *testing.T) {
	var a advice
	broken := errors.New("no device")
	if _, err := a.once(func() ([]Suggestion, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	speed := 0.0
	ask := func() ([]Suggestion, error) { speed += 10; return []Suggestion{{TokensPerS: speed}}, nil }
	for range 3 {
		if list, err := a.once(ask); err != nil || len(list) != 1 || list[0].TokensPerS != 10 {
			t.Errorf("suggested %+v, %v", list, err)
		}
	}
}
