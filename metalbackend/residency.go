package metalbackend

import (
	"sync"

	"inglenook/metalbackend/objc"
)

// residency is the set of all weights. The system keeps its members ready for the
// GPU between passes. Only macOS 15 and later have such sets; elsewhere it does
// nothing.
type residency struct {
	sys *system

	mu      sync.Mutex
	set     objc.ID // 0 if there is none
	changed bool    // weights were added since the last settle
}

// newResidency makes a set for all work of a queue. Where the system, the device
// or the queue has none, or refuses it, the weights are made ready at every pass.
func newResidency(sys *system, queue objc.ID) *residency {
	r := &residency{sys: sys}
	if !sys.responds(sys.device, sys.sel.newResidency) || !sys.responds(queue, sys.sel.addResidency) {
		return r
	}
	descriptor := sys.instance("MTLResidencySetDescriptor")
	if descriptor == 0 {
		return r
	}
	defer sys.Send(descriptor, sys.sel.release)
	set, err := sys.make("keeping weights resident", sys.device, sys.sel.newResidency, uintptr(descriptor), 0)
	if err == nil {
		r.set = set
		sys.Send(queue, sys.sel.addResidency, uintptr(set))
	}
	return r
}

// add makes a weight a member, from the next settle on.
func (r *residency) add(m *memory) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set != 0 {
		defer r.sys.Pool()()
		r.sys.Send(r.set, r.sys.sel.addAllocation, m.Handle)
		r.changed = true
	}
}

// remove drops a weight at once: the set would keep its memory alive.
func (r *residency) remove(m *memory) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set != 0 {
		r.sys.Send(r.set, r.sys.sel.removeAllocation, m.Handle)
		r.sys.Send(r.set, r.sys.sel.commit)
	}
}

// settle makes additions effective, before work that needs them.
func (r *residency) settle() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changed {
		r.sys.Send(r.set, r.sys.sel.commit)
		r.sys.Send(r.set, r.sys.sel.requestResidency)
		r.changed = false
	}
}

// close frees the set. Memory that is freed later does not touch it.
func (r *residency) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set != 0 {
		r.sys.Send(r.set, r.sys.sel.endResidency)
		r.sys.Send(r.set, r.sys.sel.release)
		r.set = 0
	}
}
