package metalbackend

import (
	"sync"
	"time"

	"inglenook/metalbackend/objc"
)

// residency is the set of all weights. The system keeps its members ready for the
// GPU between passes, but takes them back after about a second without work. So it
// is asked again and again until a while after the last pass: the next question in a
// chat then need not wait for gigabytes. Only macOS 15 and later have such sets;
// elsewhere it does nothing.
type residency struct {
	sys    *system
	usable func() error // why the GPU does no more work, nil while it does

	mu      sync.Mutex
	set     objc.ID     // 0 if there is none
	changed bool        // weights were added since the last settle
	used    time.Time   // when work last needed the weights
	again   *time.Timer // of the next request; nil while there is none to come
}

const (
	requestEvery = 500 * time.Millisecond
	keepFor      = 3 * time.Minute // after the last work
)

// newResidency makes a set for all work of a queue. Where the system, the device
// or the queue has none, or refuses it, the weights are made ready at every pass.
func newResidency(sys *system, queue objc.ID, usable func() error) *residency {
	r := &residency{sys: sys, usable: usable}
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

// settle makes additions effective, before work that needs them, and keeps the
// weights resident from then on.
func (r *residency) settle() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set == 0 {
		return
	}
	if r.changed {
		r.sys.Send(r.set, r.sys.sel.commit)
		r.sys.Send(r.set, r.sys.sel.requestResidency)
		r.changed = false
	}
	r.used = time.Now()
	if r.again == nil {
		r.again = time.AfterFunc(requestEvery, r.request)
	}
}

// request asks for residency once more, until the weights have not been used for a
// while or the GPU is not used any more.
func (r *residency) request() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set == 0 || time.Since(r.used) > keepFor || r.usable() != nil {
		r.again = nil
		return
	}
	defer r.sys.Pool()()
	r.sys.Send(r.set, r.sys.sel.requestResidency)
	r.again.Reset(requestEvery)
}

// close frees the set. Memory that is freed later does not touch it.
func (r *residency) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.again != nil {
		r.again.Stop()
	}
	if r.set != 0 {
		r.sys.Send(r.set, r.sys.sel.endResidency)
		r.sys.Send(r.set, r.sys.sel.release)
		r.set = 0
	}
}
