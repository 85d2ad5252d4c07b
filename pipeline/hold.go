package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/engine"
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
}

// asStored is the weight type of the files.
const asStored = "auto"

// WeightTypes are the types in which weights can be held, the usual one first: "auto", as
// the files have them.
func WeightTypes() []string { return []string{asStored, engine.Q8_0.String(), engine.Q4_K.String()} }

// CacheTypes are the types of caches of keys and values, the usual one first.
func CacheTypes() []string {
	return []string{engine.F16.String(), engine.F32.String(), engine.Q8_0.String()}
}

// Usual returns the hold with "" for the usual types, so that equal ones are equal values.
func (h Hold) Usual() Hold {
	if h.Weights == WeightTypes()[0] {
		h.Weights = ""
	}
	if h.KV == CacheTypes()[0] {
		h.KV = ""
	}
	return h
}

// weightType returns the type for weights; F32 means as the files have them.
func weightType(name string) (engine.DType, error) {
	if name == "" || name == asStored {
		return engine.F32, nil
	}
	t, ok := typeOf(name, WeightTypes())
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
	t, ok := typeOf(name, CacheTypes())
	if !ok {
		return 0, fmt.Errorf("the cache of keys and values cannot be of type %q; choose %s", name, anyOf(CacheTypes()))
	}
	return t, nil
}

// typeOf returns the type of a name, if it is allowed.
func typeOf(name string, allowed []string) (engine.DType, bool) {
	for _, t := range []engine.DType{engine.F32, engine.F16, engine.Q8_0, engine.Q4_K} {
		if t.String() == name && slices.Contains(allowed, name) {
			return t, true
		}
	}
	return 0, false
}

// anyOf writes a list as a choice: "a, b or c".
func anyOf(list []string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
