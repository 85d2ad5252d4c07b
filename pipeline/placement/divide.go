package placement

import (
	"fmt"
	"slices"
	"sort"

	"inglenook/engine"
)

// A model that is larger than the memory of a device is divided: the device has as many of the
// last layers as it has room for, and the CPU has those before. Then what a pass hands over is
// one row for each token, once.

// room is what a device has of a model.
type room struct {
	has     int   // layers; 0: they were not counted
	most    int   // layers that it may have, since there was no room for more; 0: all
	refused error // why there was not; nil once the layers are divided anew
	told    string
}

const (
	usualShare = 0.94 // of what is free: the driver takes some for its own, and other programs come and go
	less       = 8    // of so many layers, one less where there was no room for them
)

// part is a device that has the last layers of a model.
type part struct {
	*engine.Guard
	first, layers int // its first layer, of all
}

// Supports refuses the layers before.
func (p *part) Supports(op *engine.Tensor) error {
	if op.Layer < p.first {
		return &noRoomForLayer{p.layers - p.first + 1, p.layers}
	}
	return p.Guard.Supports(op)
}

// noRoomForLayer is why a device does not have a layer.
type noRoomForLayer struct{ has, of int }

func (e *noRoomForLayer) Error() string {
	return fmt.Sprintf("its memory has room for %d of %d layers", e.has, e.of)
}

func (e *noRoomForLayer) Unwrap() error { return engine.ErrNoKernel }

// Divide finds out how many layers of a model the first device has room for. g has recorded the
// longest pass, sequences is how many have caches of their own. It asks nothing of a device that
// shares the computer's memory.
func (f *List) Divide(g *engine.Graph, sequences int) error {
	if len(f.devices) == 0 {
		return nil
	}
	device := f.devices[0]
	free := int64(float64(engine.Room(device)) * usualShare)
	if free <= 0 {
		return nil
	}
	refused := f.room.refused
	f.room.refused = nil
	f.pending = slices.DeleteFunc(f.pending, func(s string) bool { return refused != nil && s == f.room.told }) // it is even less
	layers := 0
	for _, op := range g.Ops() {
		layers = max(layers, op.Layer)
	}
	var failed error
	fits := func(b engine.Backend) bool {
		all, _, err := g.Footprints(append([]engine.Backend{b}, f.Backends[1:]...)...)
		if err != nil {
			failed = err
			return false
		}
		return all[0].Total()+int64(sequences-1)*all[0].Caches <= free
	}
	least := 0 // layers that the CPU has
	if f.room.most > 0 {
		least = max(0, layers-f.room.most)
	}
	f.room.has = layers
	if least == 0 && fits(device) {
		f.Backends[0] = device
		return nil
	}
	first := 1 + least + sort.Search(layers-least, func(i int) bool { return fits(&part{device, 1 + least + i, layers}) })
	if failed != nil {
		return failed
	}
	cause := ""
	if refused != nil {
		cause = fmt.Sprintf(" (%v)", refused)
	}
	if first > layers {
		f.drop(0, "has no room for this model"+cause)
		f.changed = false // it has nothing of it now
		f.Tell("%s, so %s computes with it", f.left, f.next())
		return nil
	}
	f.Backends[0], f.room.has = &part{device, first, layers}, layers-first+1
	if refused != nil {
		f.left = fmt.Sprintf("the device %s has no room for so much of this model%s", device.Device().ID, cause)
		f.room.told = fmt.Sprintf("%s, so %s computes %d of its %d layers", f.left, f.Backends[1].Device().ID, first-1, layers)
		f.Tell("%s", f.room.told)
	}
	return nil
}

// yield reports whether the first device may do with fewer layers, after there was no room for
// those that it has. All that it holds of the model has to be released first.
func (f *List) yield(err error) bool {
	if f.room.has < 2 || engine.Room(f.devices[0]) == 0 {
		return false
	}
	f.room.most = f.room.has - max(1, f.room.has/less)
	f.room.refused, f.changed = err, true
	return true
}
