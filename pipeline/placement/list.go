package placement

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"inglenook/engine"
)

// List holds the backends that one open model runs on: best first, the CPU
// last. A device leaves the list if it fails, under this model or another one,
// or if its numbers cannot be right. What ran there runs again on the devices
// behind it. No device comes back.
type List struct {
	Backends  []engine.Backend // the devices, then the CPU: what a graph runs on
	Available func() int64     // bytes of memory that are free; nil, or 0, where that is unknown

	devices  []*engine.Guard // those in use
	room     room            // of the first device
	changed  bool            // the list, since the weights were prepared for it
	left     string
	suspects []suspect
	pending  []string
}

// suspect is a device that gave odd numbers. The CPU has the last word. If its
// numbers for the same pass are in order, the device is turned off; if they are
// odd, too, the model is at fault.
type suspect struct {
	guard *engine.Guard
	odd   *oddNumbers
}

// NewList returns a list of backends, the CPU last. available returns the bytes of memory that
// are free (0 = unknown), and may be nil.
func NewList(bs []engine.Backend, available func() int64) *List {
	f := &List{Available: available}
	for i, b := range bs {
		if i == len(bs)-1 {
			f.Backends = append(f.Backends, b)
			break
		}
		if guard := engine.NewGuard(b); guard.Failed() == nil { // else whoever it failed under was told
			f.devices, f.Backends = append(f.devices, guard), append(f.Backends, guard)
		}
	}
	return f
}

// Free returns the bytes of memory that are free; 0 where that is unknown.
func (f *List) Free() int64 {
	if f.Available == nil {
		return 0
	}
	return f.Available()
}

// Moved reports whether the list has changed since the last call of Arrived. If so,
// what the devices hold of the model has to be released.
func (f *List) Moved() bool {
	for i := 0; i < len(f.devices); {
		if f.devices[i].Failed() == nil {
			i++
			continue
		}
		f.drop(i, "is turned off")
	}
	return f.changed
}

// Arrived ends a move to other devices. If fits returns an error, the model has
// no room there, and Arrived returns that.
func (f *List) Arrived(fits func(available int64) error) error {
	if f.Available != nil {
		if err := fits(f.Available()); err != nil {
			f.pending = nil // the error says it
			return fmt.Errorf("%s, and nothing can take over: %w", f.left, err)
		}
	}
	f.changed = false
	return nil
}

// drop removes device i from the list.
func (f *List) drop(i int, why string) {
	f.left = fmt.Sprintf("the device %s %s", f.devices[i].Device().ID, why)
	f.devices, f.Backends = slices.Delete(f.devices, i, i+1), slices.Delete(f.Backends, i, i+1)
	f.changed = true
}

// next returns the device on which the work goes on.
func (f *List) next() string { return f.Backends[0].Device().ID }

// Leave takes the device on which a pass failed with err off the list, or only has
// what it holds of the model released where that is enough. It returns nil if the pass may be tried again, and an error if not.
func (f *List) Leave(err error) error {
	var failed *engine.DeviceError
	var odd *oddNumbers
	var wrong *unproven
	var full *engine.NoRoomError
	var late *engine.LateRefusalError
	switch {
	case errors.As(err, &wrong): // other models may do well there
		f.drop(0, wrong.Reason)
		f.Tell("%s, so %s computes with it", f.left, f.next())
		return nil
	case errors.As(err, &odd):
		f.suspects = append(f.suspects, suspect{f.devices[0], odd})
		f.drop(0, odd.Error())
		return nil
	case errors.As(err, &late): // with new caches another device does what this one cannot
		f.changed = true
		f.left = fmt.Sprintf("the device %s cannot do everything for this model (%v)", late.Device, late.Err)
		f.Tell("%s, so %s does the rest", f.left, f.Backends[len(f.Backends)-1].Device().ID)
		return nil
	case errors.As(err, &full): // the device works on for other models
		i := f.index(full.Device)
		if i < 0 {
			return err
		}
		if i == 0 && f.yield(full.Err) {
			return nil
		}
		f.pending = slices.DeleteFunc(f.pending, func(s string) bool { return s == f.room.told })
		f.drop(i, fmt.Sprintf("has no room for this model (%v)", full.Err))
		f.Tell("%s, so %s computes with it", f.left, f.next())
		return nil
	case errors.As(err, &failed):
		i := f.index(failed.Device)
		if i < 0 {
			return err
		}
		first := f.devices[i].Fail(failed.Err)
		f.drop(i, fmt.Sprintf("failed (%v)", failed.Err))
		if first {
			f.Tell("%s, so %s takes over; it is not used again until the program is restarted", f.left, f.next())
		}
		return nil
	}
	return err
}

// index returns the place of a device in the list, -1 if it is not there.
func (f *List) index(id string) int {
	return slices.IndexFunc(f.devices, func(g *engine.Guard) bool { return g.Device().ID == id })
}

// Somewhere calls do. If a device fails there, it calls do again with the
// devices that are left.
func (f *List) Somewhere(do func() error) error {
	for {
		err := do()
		if err == nil || f.Leave(err) != nil {
			return err
		}
	}
}

// Doubt returns an error for odd numbers of a device; see oddity. It accepts
// the CPU's, because no other backend would have better ones. peak is the
// largest magnitude of the model's numbers so far; Doubt updates it.
func (f *List) Doubt(values []float32, cols int, peak *float32) error {
	if len(f.Backends) == 1 {
		return nil
	}
	if odd := oddity(values, cols, *peak); odd != nil {
		return odd
	}
	*peak = max(*peak, magnitude(values))
	return nil
}

// Settle decides about the devices that gave odd numbers for a pass. values are
// the numbers of the device that ran the pass after them.
func (f *List) Settle(values []float32, cols int, peak float32) {
	if len(f.suspects) == 0 {
		return
	}
	own := oddity(values, cols, peak)
	for _, x := range f.suspects {
		id := x.guard.Device().ID
		switch {
		case own != nil:
			f.Tell("the device %s %v with this model, and so does %s, on which it stays", id, x.odd, f.next())
		case x.guard.Fail(x.odd):
			f.Tell("the device %s %v, so %s takes over; it is not used again until the program is restarted", id, x.odd, f.next())
		}
	}
	f.suspects = nil
}

// Tell keeps a sentence for Notices.
func (f *List) Tell(format string, args ...any) {
	f.pending = append(f.pending, fmt.Sprintf(format, args...))
}

// Notices are sentences for a person that were not given out yet.
func (f *List) Notices() []string {
	n := f.pending
	f.pending = nil
	return n
}

// ReleaseWeights frees what backends prepared for the weights of a recorded
// pass. It ignores errors, because a lost device may not even be able to free
// memory.
func ReleaseWeights(g *engine.Graph) {
	for w := range WeightsOf(g) {
		_ = w.Release()
	}
}

// WeightsOf are the weights of a recorded pass, one for each use.
func WeightsOf(g *engine.Graph) iter.Seq[*engine.Tensor] {
	return func(yield func(*engine.Tensor) bool) {
		for _, op := range g.Ops() {
			for _, w := range op.Src {
				if w != nil && w.Op == engine.OpWeight && !yield(w) {
					return
				}
			}
		}
	}
}
