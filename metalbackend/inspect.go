package metalbackend

import (
	"slices"
	"time"

	"inglenook/gpu"
	"inglenook/metalbackend/objc"
)

// GPU is what Metal tells of one GPU of this machine.
type GPU struct {
	Name          string
	Family        int // of Apple's GPUs, 0 if it is none
	Memory        int // bytes that it can work with
	LongestBuffer int // bytes
	SharedBytes   int // of threadgroup memory
	Unsuitable    error
}

// Inspect lists the GPUs that Metal knows, and which of them is the default: -1 if
// there is none.
func Inspect(rt objc.Runtime) (all []GPU, standard int) {
	defer rt.Pool()()
	s := &system{Runtime: rt, sel: register(rt)}
	look := func(id objc.ID) GPU {
		s.device = id
		d, f, err := describe(s, "metal", false)
		return GPU{d.Name, f.Family, int(d.MemoryBytes), f.BufferBytes, f.SharedBytes, err}
	}
	standard = -1
	first := rt.Device()
	if first != 0 {
		defer s.Send(first, s.sel.release)
		all, standard = append(all, look(first)), 0
	}
	list := rt.Devices()
	if list == 0 {
		return all, standard
	}
	defer s.Send(list, s.sel.release)
	for i := range s.Send(list, s.sel.count) {
		if id := objc.ID(s.Send(list, s.sel.objectAt, i)); id != first {
			all = append(all, look(id))
		}
	}
	return all, standard
}

// Pipeline is what Metal tells of a kernel with values for its function constants,
// or why it made no pipeline of it.
type Pipeline struct {
	gpu.Kernel
	Threads int           // of one threadgroup, at most: fewer than 1024 show that registers are short
	Width   int           // threads in lockstep
	Shared  int           // bytes of threadgroup memory that the kernel declares itself
	Took    time.Duration // to make it
	Refused error
}

// Pipelines lists what was made or refused so far, by name.
func (b *Backend) Pipelines() (list []Pipeline) {
	b.lock.Lock()
	defer b.lock.Unlock()
	for key, p := range b.library.states {
		list = append(list, Pipeline{Kernel: key, Threads: int(p.threads), Width: p.width, Shared: p.shared, Took: p.took})
	}
	list = append(list, b.library.refusals.list()...)
	slices.SortFunc(list, func(x, y Pipeline) int { return compareKernels(x.Kernel, y.Kernel) })
	return list
}

// list returns what is refused.
func (r *refusals) list() (list []Pipeline) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, err := range r.sources {
		list = append(list, Pipeline{Kernel: gpu.Kernel{Name: name}, Refused: err})
	}
	for key, err := range r.states {
		list = append(list, Pipeline{Kernel: key, Refused: err})
	}
	return list
}
