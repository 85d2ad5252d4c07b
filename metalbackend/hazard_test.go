package metalbackend

import "testing"

func TestHazards(t *testing.T) {
	arena, other := &memory{bytes: 1000}, &memory{bytes: 1000}
	weight := &memory{bytes: 1000, fixed: true}
	touching := func(rs ...region) *dispatch {
		d := &dispatch{}
		for i, r := range rs {
			d.bind(i, r)
		}
		return d
	}
	reads, writes := uint32(0), uint32(1) // what is bound first
	at := func(m *memory, from, bytes int) region { return region{m, from, bytes} }
	for name, c := range map[string]struct {
		first, second region
		was, now      uint32
		clash         bool
	}{
		"read after write":         {at(arena, 0, 64), at(arena, 32, 64), writes, reads, true},
		"write after read":         {at(arena, 0, 64), at(arena, 63, 64), reads, writes, true},
		"write after write":        {at(arena, 64, 64), at(arena, 0, 65), writes, writes, true},
		"both read":                {at(arena, 0, 64), at(arena, 0, 64), reads, reads, false},
		"neighbours":               {at(arena, 0, 64), at(arena, 64, 64), writes, writes, false},
		"neighbours the other way": {at(arena, 64, 64), at(arena, 0, 64), writes, writes, false},
		"another memory":           {at(arena, 0, 64), at(other, 0, 64), writes, writes, false},
		"a weight":                 {at(weight, 0, 64), at(weight, 0, 64), reads, reads, false},
		"bytes of the command":     {at(nil, 0, 64), at(nil, 0, 64), reads, reads, false},
	} {
		var h hazards
		h.note(touching(c.first), c.was)
		if got := h.clash(touching(c.second), c.now); got != c.clash {
			t.Errorf("%s: a barrier is needed: %v", name, got)
		}
		h.barrier()
		if h.clash(touching(c.second), c.now) {
			t.Errorf("%s: a barrier is needed after one", name)
		}
	}

	var h hazards // an operand that is written in place, and one in between
	d := touching(at(arena, 0, 64), at(arena, 0, 64))
	if h.clash(d, 1<<1) {
		t.Error("a dispatch waits for itself")
	}
	h.note(d, 1<<1)
	h.note(touching(at(arena, 128, 64)), reads)
	if !h.clash(touching(at(arena, 0, 4)), reads) || h.clash(touching(at(arena, 128, 4)), reads) {
		t.Error("what was written before something else is forgotten")
	}
}
