package gpu

// Hazards finds where barriers belong among dispatches that may run at the same
// time. A barrier has to come before a dispatch that reads what was written since
// the last one, or writes what was read or written. The zero value is ready.
type Hazards struct {
	since []access // since the last barrier
}

// access is a range of bytes that a dispatch touches.
type access struct {
	Region
	written bool
}

// Add records the accesses of a dispatch and reports whether a barrier has to
// come before it. Bit i of written means that the kernel writes the buffer with
// index i.
func (h *Hazards) Add(d *Dispatch, written uint32) (barrier bool) {
	if barrier = h.conflicts(d, written); barrier {
		h.Reset()
	}
	for i := range d.Bindings {
		if r := &d.Bindings[i]; r.Memory != nil && !r.Memory.ReadOnly {
			h.since = append(h.since, access{*r, written>>i&1 != 0})
		}
	}
	return barrier
}

// Reset forgets all accesses: what follows waits for them anyway.
func (h *Hazards) Reset() {
	clear(h.since)
	h.since = h.since[:0]
}

// conflicts reports whether a dispatch must wait for one that may still be
// running.
func (h *Hazards) conflicts(d *Dispatch, written uint32) bool {
	for i := range d.Bindings {
		r := &d.Bindings[i]
		if r.Memory == nil || r.Memory.ReadOnly {
			continue
		}
		writes := written>>i&1 != 0
		for j := range h.since {
			a := &h.since[j]
			if (writes || a.written) && a.overlaps(r) {
				return true
			}
		}
	}
	return false
}
