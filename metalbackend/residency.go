package metalbackend

import (
	"sync"

	"inglenook/metalbackend/objc"
)

// residency is the set of all weights, which asks the system to keep them ready
// for the GPU between tokens and messages. Only macOS 15 and later have such
// sets; elsewhere it does nothing.
type residency struct {
	sys *system

	mu      sync.Mutex
	set     objc.ID // 0: there is none
	changed bool    // weights were added and are not asked for yet
}

// newResidency makes a set that belongs to all work of a queue.
func newResidency(sys *system, queue objc.ID) (*residency, error) {
	r := &residency{sys: sys}
	descriptor := sys.instance("MTLResidencySetDescriptor")
	if descriptor == 0 {
		return r, nil
	}
	defer sys.Send(descriptor, sys.sel.release)
	var err error
	if r.set, err = sys.make("keeping weights resident", sys.device, sys.sel.newResidency, uintptr(descriptor), 0); err != nil {
		return nil, err
	}
	sys.Send(queue, sys.sel.addResidency, uintptr(r.set))
	return r, nil
}

// add keeps a weight ready from the next work on.
func (r *residency) add(m *memory) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set != 0 {
		r.sys.Send(r.set, r.sys.sel.addAllocation, m.Handle)
		r.changed = true
	}
}

// remove lets a weight go at once: the set would keep its memory.
func (r *residency) remove(m *memory) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set != 0 {
		r.sys.Send(r.set, r.sys.sel.removeAllocation, m.Handle)
		r.sys.Send(r.set, r.sys.sel.commit)
	}
}

// settle makes what was added effective, before work that needs it.
func (r *residency) settle() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changed {
		r.sys.Send(r.set, r.sys.sel.commit)
		r.sys.Send(r.set, r.sys.sel.requestResidency)
		r.changed = false
	}
}

// close gives the set back; memory that is freed later leaves no trace in it.
func (r *residency) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set != 0 {
		r.sys.Send(r.set, r.sys.sel.endResidency)
		r.sys.Send(r.set, r.sys.sel.release)
		r.set = 0
	}
}
