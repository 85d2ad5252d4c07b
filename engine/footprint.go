package engine

// Footprint is the memory that runs of a graph need on one device, in bytes.
type Footprint struct {
	Weights int64 // in the layouts that the device keeps
	Caches  int64 // with all their rows
	Working int64 // for values: the arena, and what operations need besides it
}

// Total returns the sum.
func (f Footprint) Total() int64 { return f.Weights + f.Caches + f.Working }

// Measurer is a [Backend] that can predict its memory use.
type Measurer interface {
	// Footprint returns the memory for preparing these operations, in this
	// order, and submitting them, besides the arena. It reads no data and
	// allocates nothing.
	Footprint(ops []*Tensor) Footprint
}

// Roomer is a [Backend] with memory of its own, which the host does not share.
type Roomer interface {
	// Room returns how many bytes of it are free, 0 where that is unknown.
	Room() int64
}

// Room returns the bytes that are free in a backend's own memory, 0 where it has none or that
// is unknown.
func Room(b Backend) int64 {
	if r, ok := b.(Roomer); ok {
		return r.Room()
	}
	return 0
}

// Footprints returns what the graph would need on each of the backends, in their
// order, and where its operations would run. It needs no data.
func (g *Graph) Footprints(bs ...Backend) ([]Footprint, Report, error) {
	report, err := g.Coverage(bs...)
	if err != nil {
		return nil, report, err
	}
	all := make([]Footprint, len(bs))
	places := g.inPrepareOrder()
	for i, b := range bs {
		var ops []*Tensor
		for _, p := range places {
			if p.backend == i {
				ops = append(ops, p.op)
			}
		}
		if ops != nil {
			all[i] = footprint(b, ops)
			all[i].Working += int64(report.ArenaBytes)
		}
	}
	return all, report, nil
}

// footprint asks a backend. For one that does not know, everything is as large
// as in the file.
func footprint(b Backend, ops []*Tensor) (f Footprint) {
	if m, ok := b.(Measurer); ok {
		return m.Footprint(ops)
	}
	seen := map[*Tensor]bool{}
	for _, op := range ops {
		for _, s := range op.Src {
			if s == nil || !s.outlives() || seen[s] {
				continue
			}
			seen[s] = true
			if s.Op == OpCache {
				f.Caches += int64(s.Bytes())
			} else {
				f.Weights += int64(s.Bytes())
			}
		}
	}
	return f
}

// Footprint returns that of the backend.
func (g *Guard) Footprint(ops []*Tensor) Footprint { return footprint(g.Backend, ops) }
