package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/engine"
	"inglenook/pipeline/decoding"
	"inglenook/weights"
)

// Hold says how a model is held in memory. The zero value holds weights as the files do, and
// keys and values in F16.
type Hold struct {
	// Weights is one of WeightTypes, "" for "auto": the larger weights are quantized
	// while they are read.
	Weights string `json:"weights,omitempty"`
	// KV is the type of the cache of keys and values, one of CacheTypes; "" for "f16".
	KV string `json:"kv,omitempty"`
	// Context is how many tokens the model sees at once; 0 for the model's own limit or
	// 4096, whichever is less. Of a model that reads texts, it is the longest text.
	Context int `json:"context,omitempty"`
	// Sequences is how many texts a model that writes can write at once, each with a
	// context of its own; 0 for one.
	Sequences int `json:"sequences,omitempty"`
}

// MostSequences is the largest Hold.Sequences.
const MostSequences = decoding.MostSequences

// asStored is the weight type of the files.
const asStored = "auto"

// WeightTypes are the types in which weights can be held, the usual one first: "auto", as
// the files have them.
func WeightTypes() []string { return append([]string{asStored}, names(weights.QuantizeTypes())...) }

// CacheTypes are the types of caches of keys and values, the usual one first.
func CacheTypes() []string { return names(engine.CacheTypes()) }

func names(types []engine.DType) (list []string) {
	for _, t := range types {
		list = append(list, t.String())
	}
	return list
}

// Usual returns the hold with "" for the usual types, so that equal ones are equal values.
func (h Hold) Usual() Hold {
	if h.Weights == WeightTypes()[0] {
		h.Weights = ""
	}
	if h.KV == CacheTypes()[0] {
		h.KV = ""
	}
	if h.Sequences == 1 {
		h.Sequences = 0
	}
	return h
}

// weightType returns the type for weights; F32 means as the files have them.
func weightType(name string) (engine.DType, error) {
	if name == "" || name == asStored {
		return engine.F32, nil
	}
	t, ok := typeOf(name, weights.QuantizeTypes())
	if !ok {
		return 0, fmt.Errorf("weights cannot be held as %q; choose %s", name, anyOf(WeightTypes()))
	}
	return t, nil
}

// cacheType returns the type for a cache.
func cacheType(name string) (engine.DType, error) {
	if name == "" {
		return engine.F16, nil
	}
	t, ok := typeOf(name, engine.CacheTypes())
	if !ok {
		return 0, fmt.Errorf("the cache of keys and values cannot be of type %q; choose %s", name, anyOf(CacheTypes()))
	}
	return t, nil
}

// typeOf returns the type of a name, if it is allowed.
func typeOf(name string, allowed []engine.DType) (engine.DType, bool) {
	i := slices.IndexFunc(allowed, func(t engine.DType) bool { return t.String() == name })
	if i < 0 {
		return 0, false
	}
	return allowed[i], true
}

// anyOf writes a list as a choice: "a, b or c".
func anyOf(list []string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
