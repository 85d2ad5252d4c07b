package metalbackend

// hazards are the bytes that were touched since the last barrier. Dispatches of
// one encoder run concurrently: a barrier has to come before one that reads what
// was written since, or writes what was read or written.
type hazards struct {
	since []access
}

// access is a stretch of memory that a dispatch touches.
type access struct {
	memory   *memory
	from, to int // bytes
	written  bool
}

// clash reports whether a dispatch would meet what is under way.
func (h *hazards) clash(d *dispatch, written uint32) bool {
	for i := range d.bindings {
		r := &d.bindings[i].region
		if r.memory == nil || r.memory.fixed {
			continue
		}
		writes := written>>i&1 != 0
		for j := range h.since {
			a := &h.since[j]
			if (writes || a.written) && a.memory == r.memory && a.from < r.offset+r.bytes && r.offset < a.to {
				return true
			}
		}
	}
	return false
}

// note adds what a dispatch touches.
func (h *hazards) note(d *dispatch, written uint32) {
	for i := range d.bindings {
		if r := &d.bindings[i].region; r.memory != nil && !r.memory.fixed {
			h.since = append(h.since, access{r.memory, r.offset, r.offset + r.bytes, written>>i&1 != 0})
		}
	}
}

// barrier forgets everything: what follows waits for it.
func (h *hazards) barrier() {
	clear(h.since)
	h.since = h.since[:0]
}
