package engine

import (
	"errors"
	"slices"
)

// LateRefusalError reports that a device found only while it worked that it has no
// kernel for an operation, although the operation's caches live there. Once the
// caches are released, another device can run the operation: from now on this one
// refuses it. The device itself is in order.
type LateRefusalError struct {
	Device string // its id
	Err    error  // wraps ErrNoKernel
}

func (e *LateRefusalError) Error() string { return e.Device + ": " + e.Err.Error() }

func (e *LateRefusalError) Unwrap() error { return e.Err }

// afterRefusal reports whether a pass that ended with err can be tried again,
// because a device refuses operations now that it accepted before. Nothing is lost by
// that: a pass writes what it wrote before. If the pass cannot be tried again, the
// error says why.
func (g *Graph) afterRefusal(err error, bs []Backend) (again bool, _ error) {
	if failed, ok := errors.AsType[*DeviceError](err); !ok || failed.Stage == StagePlace || !errors.Is(err, ErrNoKernel) {
		return false, err
	}
	before := make([]int, len(g.places))
	for i, p := range g.places {
		before[i] = p.backend
	}
	if err := g.place(bs); err != nil {
		return false, err
	}
	same := slices.EqualFunc(g.places, before, func(p placed, backend int) bool { return p.backend == backend })
	return !same, err // a device that contradicts itself has failed
}
