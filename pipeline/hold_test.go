package pipeline

import (
	"strings"
	"testing"

	"inglenook/engine"
)

// Every allowed type is understood; everything else is refused with a list of them.
func TestHoldTypes(t *testing.T) {
	for _, c := range []struct {
		what  string
		parse func(string) (engine.DType, error)
		types []string
		usual engine.DType
		list  string
	}{
		{"weights", weightType, WeightTypes(), engine.F32, "auto, q8_0 or q4_k"},
		{"cache", cacheType, CacheTypes(), engine.F16, "f16, f32 or q8_0"},
	} {
		seen := map[engine.DType]bool{}
		for _, name := range c.types {
			got, err := c.parse(name)
			if err != nil || seen[got] {
				t.Errorf("%s %s: %v, %v", c.what, name, got, err)
			}
			seen[got] = true
		}
		for _, name := range []string{"", c.types[0]} {
			if got, err := c.parse(name); got != c.usual || err != nil {
				t.Errorf("%s %q: %v, %v", c.what, name, got, err)
			}
		}
		for _, name := range []string{"q3", "Q8_0", "bf16"} {
			if _, err := c.parse(name); err == nil || !strings.Contains(err.Error(), c.list) {
				t.Errorf("%s %q: %v", c.what, name, err)
			}
		}
	}
}

func TestUsualHold(t *testing.T) {
	if got := (Hold{Weights: "auto", KV: "f16", Context: 7}).Usual(); got != (Hold{Context: 7}) {
		t.Errorf("%+v", got)
	}
	if h := (Hold{Weights: "q8_0", KV: "f32"}); h.Usual() != h {
		t.Errorf("%+v", h.Usual())
	}
}
