package metalbackend

import (
	"fmt"

	"inglenook/engine"
	"inglenook/gpu"
	"inglenook/metalbackend/objc"
)

// Features are the properties of the GPU that determine what it can run.
type Features struct {
	Family      int // of Apple's GPUs: 7 is the M1's
	SharedBytes int // bytes of threadgroup memory for one threadgroup
	BufferBytes int // of the longest buffer
}

// leastFamily is the first with simdgroup reductions and matrices; describe asks
// for families up to lastFamily.
const (
	leastFamily = 7
	lastFamily  = 15
)

// describe returns what a GPU is. The error says why it cannot be used; any lets a
// GPU of an earlier family pass.
func describe(sys *system, id string, any bool) (engine.Device, Features, error) {
	number := func(sel objc.Sel) int { return int(sys.Send(sys.device, sel)) }
	name := sys.GoString(objc.ID(sys.Send(sys.device, sys.sel.name)))
	f := Features{SharedBytes: number(sys.sel.sharedBytes), BufferBytes: number(sys.sel.longestBuffer)}
	for family := 1; family <= lastFamily; family++ {
		if yes(sys.Send(sys.device, sys.sel.supportsFamily, uintptr(familyApple+family))) {
			f.Family = family
		}
	}
	d := engine.Device{ID: id, Kind: "metal", Name: name, MemoryBytes: uint64(number(sys.sel.workingSet))}
	switch {
	case f.Family < leastFamily && !any:
		return d, f, unsuitable("the GPU %q is not of Apple's family %d (M1) or later: it lacks the matrix instructions that the kernels use", name, leastFamily)
	case d.MemoryBytes < leastMemory:
		return d, f, unsuitable("the GPU %q can work with %s of memory, which no model fits in", name, megabytes(int(d.MemoryBytes)))
	case f.SharedBytes < gpu.SharedBytes:
		return d, f, unsuitable("the GPU %q has %d bytes of threadgroup memory; the kernels take up to %d", name, f.SharedBytes, gpu.SharedBytes)
	}
	d.Features = []string{fmt.Sprintf("apple%d", f.Family)}
	return d, f, nil
}

// UnsuitableError reports that the machine's GPU, if it has one, cannot run the
// kernels. Nothing is broken.
type UnsuitableError struct{ reason string }

func (e *UnsuitableError) Error() string { return e.reason }

func unsuitable(format string, args ...any) error {
	return &UnsuitableError{fmt.Sprintf(format, args...)}
}
