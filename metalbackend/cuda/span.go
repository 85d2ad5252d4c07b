package cuda

import (
	"cmp"
	"slices"
	"unsafe"

	"inglenook/gpu/msl"
)

// span is host memory that a launch binds, with its copy on the card. Overlapping
// bindings share one.
type span struct {
	host   []byte
	device uintptr
}

func start(b []byte) uintptr { return uintptr(unsafe.Pointer(&b[0])) }

func (s span) end() uintptr { return start(s.host) + uintptr(len(s.host)) }

// upload copies the buffers to allocations of exactly their sizes.
func (e *Executor) upload(buffers [][]byte) ([]span, error) {
	var spans []span
	for _, b := range buffers {
		if len(b) > 0 {
			spans = append(spans, span{host: b})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(start(a.host), start(b.host)) })
	joined := spans[:0]
	for _, s := range spans {
		if n := len(joined); n > 0 && start(s.host) < joined[n-1].end() {
			last := &joined[n-1]
			last.host = unsafe.Slice(&last.host[0], max(s.end(), last.end())-start(last.host))
			continue
		}
		joined = append(joined, s)
	}
	for i := range joined {
		s := &joined[i]
		n := uint64(len(s.host))
		if err := e.d.Fault("cuMemAlloc", e.d.Alloc(&s.device, n)); err != nil {
			return joined, err
		}
		if err := e.d.Fault("cuMemcpyHtoD", e.d.ToDevice(s.device, &s.host[0], n)); err != nil {
			return joined, err
		}
	}
	return joined, nil
}

// address returns where a buffer lies on the card.
func address(b []byte, spans []span) uintptr {
	for _, s := range spans {
		if at := start(b); at >= start(s.host) && at < s.end() {
			return s.device + at - start(s.host)
		}
	}
	return 0
}

// download copies everything that the kernel may have written back to the host.
func (e *Executor) download(kernel *msl.Kernel, buffers [][]byte, spans []span) error {
	for _, p := range kernel.Params {
		if p.Kind != msl.Buffer || !p.Written || len(buffers[p.Index]) == 0 {
			continue
		}
		b := buffers[p.Index]
		if err := e.d.Fault("cuMemcpyDtoH", e.d.ToHost(&b[0], address(b, spans), uint64(len(b)))); err != nil {
			return err
		}
	}
	return nil
}

func (e *Executor) release(spans []span) {
	for _, s := range spans {
		if s.device != 0 {
			e.d.Free(s.device)
		}
	}
}
