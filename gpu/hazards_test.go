package gpu

import "testing"

// binding makes a dispatch of regions at the indexes from 0.
func binding(regions ...Region) *Dispatch {
	d := &Dispatch{}
	copy(d.Bindings[:], regions)
	return d
}

func TestHazards(t *testing.T) {
	arena, other := &Memory{Size: 1000}, &Memory{Size: 1000}
	weight := &Memory{Size: 1000, ReadOnly: true}
	reads, writes := uint32(0), uint32(1) // the buffer with index 0
	for name, c := range map[string]struct {
		first, second         Region
		firstMode, secondMode uint32
		barrier               bool
	}{
		"read after write":         {Region{arena, 0, 64}, Region{arena, 32, 64}, writes, reads, true},
		"write after read":         {Region{arena, 0, 64}, Region{arena, 63, 64}, reads, writes, true},
		"write after write":        {Region{arena, 64, 64}, Region{arena, 0, 65}, writes, writes, true},
		"both read":                {Region{arena, 0, 64}, Region{arena, 0, 64}, reads, reads, false},
		"neighbours":               {Region{arena, 0, 64}, Region{arena, 64, 64}, writes, writes, false},
		"neighbours the other way": {Region{arena, 64, 64}, Region{arena, 0, 64}, writes, writes, false},
		"another memory":           {Region{arena, 0, 64}, Region{other, 0, 64}, writes, writes, false},
		"a weight":                 {Region{weight, 0, 64}, Region{weight, 0, 64}, reads, reads, false},
		"inline bytes":             {Region{nil, 0, 64}, Region{nil, 0, 64}, reads, reads, false},
	} {
		var h Hazards
		if h.Add(binding(c.first), c.firstMode) {
			t.Errorf("%s: the first dispatch waits", name)
		}
		if got := h.Add(binding(c.second), c.secondMode); got != c.barrier {
			t.Errorf("%s: a barrier is needed: %v", name, got)
		}
		h.Reset()
		if h.Add(binding(c.second), c.secondMode) {
			t.Errorf("%s: a barrier is needed after one", name)
		}
	}
}

// An operand is written in place, with another dispatch between it and its reader.
func TestHazardsInPlace(t *testing.T) {
	arena := &Memory{Size: 1000}
	var h Hazards
	if h.Add(binding(Region{arena, 0, 64}, Region{arena, 0, 64}), 1<<1) {
		t.Error("a dispatch waits for itself")
	}
	h.Add(binding(Region{arena, 128, 64}), 0)
	if h.Add(binding(Region{arena, 128, 4}), 0) {
		t.Error("two readers wait for each other")
	}
	if !h.Add(binding(Region{arena, 0, 4}), 0) {
		t.Error("what was written before something else is forgotten")
	}
	if h.Add(binding(Region{arena, 0, 64}), 0) {
		t.Error("a reader waits for a reader after the barrier")
	}
}
