package fit

import (
	"errors"
	"slices"
	"testing"

	"inglenook/app/devices"
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
		list := suggest(entries, c.memory, Pace(c.bytesPerS))
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

// What is recommended depends on the computer alone: not on whether its speed was measured, and in
// which moment. What is said of the speed follows a measurement.
func TestTheSameAtEveryStart(t *testing.T) {
	entries, err := catalogue.Entries()
	if err != nil {
		t.Fatal(err)
	}
	names := func(list []Suggestion) (names []string) {
		for _, s := range list {
			names = append(names, s.Model.Name)
		}
		return names
	}
	const gib = 1 << 30
	for _, c := range []struct {
		device devices.Device
		first  string
	}{
		{devices.Device{Kind: "cpu", MemoryBytes: 4 * gib, Threads: 2}, "Qwen3.5 2B"},
		{devices.Device{Kind: "cpu", MemoryBytes: 8 * gib, Threads: 4}, "Qwen3.5 4B"},
		{devices.Device{Kind: "cpu", MemoryBytes: 32 * gib, Threads: 16}, "Qwen3.5 4B"},
		{devices.Device{Kind: "cpu", MemoryBytes: 256 * gib, Threads: 128}, "Qwen3.5 4B"},
		{devices.Device{Kind: "metal", MemoryBytes: 16 * gib}, "Qwen3.5 9B"},
		{devices.Device{Kind: "cuda", MemoryBytes: 8 * gib}, "Qwen3.5 4B"},
	} {
		unknown := suggestFor(entries, c.device, 0)
		if len(unknown) == 0 || unknown[0].Model.Name != c.first || unknown[0].TokensPerS <= 0 || unknown[0].Pace <= 0 {
			t.Errorf("%+v: %+v", c.device, unknown)
			continue
		}
		for _, measured := range []Pace{1e8, 1e10, 1e12} {
			list := suggestFor(entries, c.device, measured)
			if !slices.Equal(names(list), names(unknown)) {
				t.Errorf("%+v at %g: %q, and %q before it was measured", c.device, measured, names(list), names(unknown))
			}
			if want := float64(measured) / float64(list[0].Download.Bytes); list[0].TokensPerS != want || list[0].Pace != measured {
				t.Errorf("%+v at %g: %v tokens a second are told, want %v", c.device, measured, list[0].TokensPerS, want)
			}
		}
	}
}

// A model of which few weights are read for a token is as fast as those are few; one that writes
// nothing has no such speed, and an unknown one is not slow.
func TestPace(t *testing.T) {
	of := func(task string, parameters, active int64) library.CatalogueEntry {
		return library.CatalogueEntry{Task: task, Parameters: parameters, Active: active, Downloads: []library.CatalogueDownload{{Bytes: 4e9}, {Bytes: 8e9}}}
	}
	for _, c := range []struct {
		entry library.CatalogueEntry
		pace  Pace
		want  float64
		slow  bool
	}{
		{of(library.KindChat, 8e9, 0), 8e9, 2, true},
		{of(library.KindChat, 8e9, 1e9), 8e9, 16, false},
		{of(library.KindText, 8e9, 0), 80e9, 20, false},
		{of(library.KindEmbedding, 8e9, 0), 8e9, 0, false},
		{of(library.KindChat, 8e9, 0), 0, 0, false},
	} {
		if got := c.pace.TokensPerS(c.entry); got != c.want || Slow(got) != c.slow {
			t.Errorf("%+v at %v: %v tokens a second, slow %v", c.entry, c.pace, got, Slow(got))
		}
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
