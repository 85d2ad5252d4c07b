package engine

import (
	"errors"
	"fmt"
	"slices"
)

// Report lists where each operation of a graph runs and why. Reports of equal
// runs share their placements, which must not be changed.
type Report struct {
	Placements []Placement
	Handovers  int // how often the work moves from one device to another
	ArenaBytes int // peak memory of all activations
}

// Placement is where one operation runs.
type Placement struct {
	Op      Op
	Name    string
	DType   DType // of the operation's weight or its caches, F32 where it has neither
	Device  string
	Refused []Refusal // the devices that were asked first and have no kernel
}

// Refusal is a device's reason for not running an operation.
type Refusal struct {
	Device string
	Reason string
}

// Fallback counts the operations of one kind that a device refused.
type Fallback struct {
	Op     Op
	Device string // the device that refused
	RunsOn string
	Reason string
	Count  int
}

// Fallbacks lists the refusals, equal ones counted together, in order.
func (r Report) Fallbacks() []Fallback {
	var out []Fallback
	for _, p := range r.Placements {
		for _, f := range p.Refused {
			out = countFallback(out, Fallback{Op: p.Op, Device: f.Device, RunsOn: p.Device, Reason: f.Reason, Count: 1})
		}
	}
	return out
}

func countFallback(list []Fallback, f Fallback) []Fallback {
	for i, have := range list {
		have.Count = 1
		if have == f {
			list[i].Count++
			return list
		}
	}
	return append(list, f)
}

// Coverage returns where each operation would run with these backends, best
// first, and how much memory the activations take. It needs no data.
func (g *Graph) Coverage(bs ...Backend) (Report, error) {
	return g.arrange(bs)
}

// arrange plans the arena and splits the operations into the graph's runs:
// stretches of operations that stay on one device.
func (g *Graph) arrange(bs []Backend) (Report, error) {
	if g.err != nil {
		return Report{}, g.err
	}
	if err := g.place(bs); err != nil {
		return Report{}, err
	}
	g.cut()
	return Report{
		Placements: g.placements(), Handovers: max(0, len(g.runs)-1), ArenaBytes: g.layout.plan(g.slab.values(), reach(bs)),
	}, nil
}

// cut makes the runs of the operations that are not left out.
func (g *Graph) cut() {
	g.runs, g.computed = g.runs[:0], slices.Grow(g.computed[:0], len(g.ops))
	for _, p := range g.places {
		if p.out {
			continue
		}
		if n := len(g.runs); n == 0 || g.runs[n-1].backend != p.backend {
			g.runs = append(g.runs, run{backend: p.backend})
		}
		r := &g.runs[len(g.runs)-1]
		first := len(g.computed) - len(r.ops)
		g.computed = append(g.computed, p.op)
		r.ops = g.computed[first:len(g.computed):len(g.computed)]
	}
}

// placements lists where the operations run. It returns the previous list if
// that is equal, and otherwise a new one: readers may still hold the old one.
func (g *Graph) placements() []Placement {
	if !slices.EqualFunc(g.reported, g.places, func(p Placement, q placed) bool { return p.equal(q.Placement) }) {
		g.reported = make([]Placement, len(g.places))
		for i, p := range g.places {
			g.reported[i] = p.Placement
			g.reported[i].Refused = slices.Clone(p.Refused)
		}
	}
	return g.reported[:len(g.reported):len(g.reported)]
}

func (p Placement) equal(q Placement) bool {
	return p.Op == q.Op && p.DType == q.DType && p.Name == q.Name && p.Device == q.Device && slices.Equal(p.Refused, q.Refused)
}

// run is a stretch of operations for one backend.
type run struct {
	backend int // index in the list of backends
	ops     []*Tensor
}

type placed struct {
	Placement
	op      *Tensor
	backend int  // index in the list of backends
	there   bool // an earlier run has left its result
	out     bool // nothing needs it to be computed
}

// place asks the backends, best first, for each operation.
func (g *Graph) place(bs []Backend) error {
	if len(bs) == 0 {
		return errors.New("no backend to run on")
	}
	g.ids = g.ids[:0]
	for _, b := range bs {
		g.ids = append(g.ids, b.Device().ID)
	}
	g.refused.reset(g.ops, len(bs))
	g.places = sized(g.places, len(g.ops))
	for i, op := range g.ops {
		p := &g.places[i]
		*p = placed{op: op, Placement: Placement{Op: op.Op, Name: op.Name, DType: op.storedType(), Refused: p.Refused[:0]}}
		if err := p.ask(bs, g.ids, &g.refused); err != nil {
			return err
		}
	}
	return nil
}

// ask finds the first backend that has a kernel for the operation. An operation
// whose caches already hold data runs on the device of the caches.
func (p *placed) ask(bs []Backend, ids []string, refused *refusedCaches) (err error) {
	home := p.op.cacheHome()
	if home != "" && !slices.Contains(ids, home) {
		return fmt.Errorf("%s %s: its cache lives on %s, which takes no part in this run", p.Op, p.Name, home)
	}
	for i, b := range bs {
		if home != "" && ids[i] != home {
			p.Refused = append(p.Refused, Refusal{ids[i], fmt.Sprintf("%s: its cache lives on %s", p.Op, home)})
			continue
		}
		if err = refused.supports(i, b, p.op); err == nil {
			p.backend, p.Device = i, ids[i]
			return nil
		}
		if !errors.Is(err, ErrNoKernel) {
			return &DeviceError{ids[i], StagePlace, fmt.Errorf("%s %s: %w", p.Op, p.Name, err)}
		}
		p.Refused = append(p.Refused, Refusal{ids[i], err.Error()})
	}
	if home != "" {
		return &LateRefusalError{home, err}
	}
	return fmt.Errorf("%s %s %s in %s runs on no device here: %w", p.Op, p.Name, p.op.shape(), p.DType, err)
}

// refusedCaches are the caches of a graph that backends cannot use. A cache lives on one
// device, so all operations that share one have to run there.
type refusedCaches struct {
	cached []*Tensor // the operations with caches
	asked  []bool    // by backend: it was asked for all of these
	all    []refusedCache
}

type refusedCache struct {
	backend int // index in the list of backends
	cache   *Tensor
	err     error // why the backend refuses an operation with the cache
}

func (r *refusedCaches) reset(ops []*Tensor, backends int) {
	r.cached, r.asked, r.all = r.cached[:0], sized(r.asked, backends), r.all[:0]
	clear(r.asked)
	for _, op := range ops {
		if op.usesCache() {
			r.cached = append(r.cached, op)
		}
	}
}

// supports returns why backend b, whose index is i, cannot run an operation, or another
// that shares a cache with it.
func (r *refusedCaches) supports(i int, b Backend, op *Tensor) error {
	if err := b.Supports(op); err != nil || !op.usesCache() {
		return err
	}
	if !r.asked[i] {
		r.asked[i] = true
		r.ask(i, b)
	}
	for _, refused := range r.all {
		if refused.backend == i && slices.Contains(op.Src, refused.cache) {
			return refused.err
		}
	}
	return nil
}

// ask finds the caches that a backend cannot use.
func (r *refusedCaches) ask(i int, b Backend) {
	for _, op := range r.cached {
		err := b.Supports(op)
		if err == nil {
			continue
		}
		for _, s := range op.Src {
			if s != nil && s.Op == OpCache {
				r.all = append(r.all, refusedCache{i, s, err})
			}
		}
	}
}

func (t *Tensor) usesCache() bool {
	return slices.ContainsFunc(t.Src, func(s *Tensor) bool { return s != nil && s.Op == OpCache })
}

// storedType returns the type of the operation's first weight or cache, F32 if
// it has neither.
func (t *Tensor) storedType() DType {
	for _, s := range t.Src {
		if s != nil && s.outlives() {
			return s.DType
		}
	}
	return F32
}
