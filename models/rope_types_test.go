package models

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/models/family"
)

// ropeTypes are the ways to stretch positions that some checkpoint names, and one that none does.
var ropeTypes = []string{"linear", "dynamic", "yarn", "longrope", "su", "llama3", "proportional", "ntk", "mrope", "twisted"}

// ropePlaces are where a config.json may name one.
var ropePlaces = [][]string{
	{"rope_scaling"},
	{"rope_parameters"},
	{"rope_parameters", "full_attention"},
	{"rope_parameters", "sliding_attention"},
}

// TestRopeTypes: wherever a family that turns positions is told how to stretch them, it does so or
// refuses the model; no type is passed over in silence.
func TestRopeTypes(t *testing.T) {
	tried := 0
	for _, dir := range sweptConfigs {
		data, err := os.ReadFile(filepath.Join("testdata", dir, "config.json"))
		if err != nil {
			t.Fatal(err)
		}
		before, err := ParseConfig(data)
		if err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		if !slices.ContainsFunc(before.Span, turns) {
			continue
		}
		for _, place := range ropePlaces {
			if slides := slices.ContainsFunc(before.Span, func(s family.Span) bool { return s.Window > 0 }); place[len(place)-1] == "sliding_attention" && !slides {
				continue // there are no such layers
			}
			for _, key := range []string{"rope_type", "type"} {
				for _, kind := range ropeTypes {
					config, was := stretched(t, data, place, key, kind)
					after, err := ParseConfig(config)
					if tried++; was == kind {
						continue
					}
					if err == nil && !slices.ContainsFunc(after.Span, func(s family.Span) bool { return turns(s) && follows(s, kind) }) {
						t.Errorf("%s: %s %q in %s is passed over", dir, key, kind, strings.Join(place, "."))
					}
				}
			}
		}
	}
	if tried < 2000 {
		t.Errorf("only %d configs were tried", tried)
	}
}

func turns(s family.Span) bool { return s.Rope != nil }

// follows reports whether positions are stretched in a way of that name. The type mrope turns
// texts as the default does; su is longrope, and yarn is it in Phi-3.
func follows(s family.Span, kind string) bool {
	switch kind {
	case "mrope":
		return true
	case "su", "yarn":
		return s.Rope.Type == "longrope" || s.Rope.Type == kind
	}
	return s.Rope.Type == kind
}

// stretched returns a config.json that names a type at a place, in the key of that name, with
// numbers that each type takes, and the type that was there.
func stretched(t *testing.T, data []byte, place []string, key, kind string) (config []byte, was any) {
	t.Helper()
	var c map[string]any
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	at := c
	if inner, ok := c["text_config"].(map[string]any); ok {
		at = inner
	}
	for _, name := range place {
		inner, _ := at[name].(map[string]any)
		if inner = maps.Clone(inner); inner == nil {
			inner = map[string]any{}
		}
		at[name] = inner
		at = inner
	}
	if was = at["rope_type"]; was == nil {
		was = at["type"]
	}
	delete(at, "rope_type")
	delete(at, "type")
	maps.Copy(at, map[string]any{key: kind, "factor": 2, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 16})
	out, err := json.Marshal(c)
	if err != nil {
		t.Fatal(fmt.Errorf("%v: %w", place, err))
	}
	return out, was
}
