package engine

import (
	"errors"
	"fmt"
	"slices"
)

// Report says where each operation of a graph runs and why.
type Report struct {
	Placements []Placement
	Handovers  int // how often the work passes from one device to another
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

// Refusal is one device's reason for not running an operation.
type Refusal struct {
	Device string
	Reason string
}

// Fallback sums up the operations of one kind that a device refused.
type Fallback struct {
	Op     Op
	Device string // that refused
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

// Coverage says where each operation would run with these backends, best
// first, and how much memory the activations take. It needs no data.
func (g *Graph) Coverage(bs ...Backend) (Report, error) {
	r, _, err := g.arrange(bs)
	return r, err
}

// arrange plans the arena and cuts the operations into runs, one a stretch of
// operations that stay on one device.
func (g *Graph) arrange(bs []Backend) (Report, []run, error) {
	if g.err != nil {
		return Report{}, nil, g.err
	}
	ops := g.Ops()
	places, err := place(ops, bs)
	if err != nil {
		return Report{}, nil, err
	}
	r := Report{Placements: make([]Placement, len(places)), ArenaBytes: plan(g.values)}
	var runs []run
	first := 0
	for i, p := range places {
		r.Placements[i] = p.Placement
		if next := i + 1; next == len(places) || places[next].backend != p.backend {
			runs = append(runs, run{p.backend, ops[first:next:next]})
			first = next
		}
	}
	r.Handovers = max(0, len(runs)-1)
	return r, runs, nil
}

// run is a stretch of operations for one backend.
type run struct {
	backend int // index in the list of backends
	ops     []*Tensor
}

type placed struct {
	Placement
	op      *Tensor
	backend int // index in the list of backends
}

// place asks the backends, best first, for each operation.
func place(ops []*Tensor, bs []Backend) ([]placed, error) {
	if len(bs) == 0 {
		return nil, errors.New("no backend to run on")
	}
	ids := make([]string, len(bs))
	for i, b := range bs {
		ids[i] = b.Device().ID
	}
	users := cacheUsers(ops)
	out := make([]placed, len(ops))
	for i, op := range ops {
		out[i] = placed{op: op, Placement: Placement{Op: op.Op, Name: op.Name, DType: op.storedType()}}
		if err := out[i].ask(bs, ids, users); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ask finds the first backend that has a kernel for the operation. An operation
// whose caches hold something already runs where they are.
func (p *placed) ask(bs []Backend, ids []string, users map[*Tensor][]*Tensor) (err error) {
	home := p.op.cacheHome()
	if home != "" && !slices.Contains(ids, home) {
		return fmt.Errorf("%s %s: its cache lives on %s, which takes no part in this run", p.Op, p.Name, home)
	}
	for i, b := range bs {
		if home != "" && ids[i] != home {
			p.Refused = append(p.Refused, Refusal{ids[i], fmt.Sprintf("%s: its cache lives on %s", p.Op, home)})
			continue
		}
		if err = supports(b, p.op, users); err == nil {
			p.backend, p.Device = i, ids[i]
			return nil
		}
		if !errors.Is(err, ErrNoKernel) {
			return fmt.Errorf("%s: %s %s: %w", ids[i], p.Op, p.Name, err)
		}
		p.Refused = append(p.Refused, Refusal{ids[i], err.Error()})
	}
	return fmt.Errorf("%s %s %s in %s runs on no device here: %w", p.Op, p.Name, p.op.shape(), p.DType, err)
}

// supports asks for an operation and for those that share a cache with it: a
// cache lives on one device, so that all its operations have to run there.
func supports(b Backend, op *Tensor, users map[*Tensor][]*Tensor) error {
	if err := b.Supports(op); err != nil {
		return err
	}
	for _, s := range op.Src {
		for _, other := range users[s] {
			if other == op {
				continue
			}
			if err := b.Supports(other); err != nil {
				return err
			}
		}
	}
	return nil
}

// cacheUsers lists the operations that use each cache.
func cacheUsers(ops []*Tensor) map[*Tensor][]*Tensor {
	users := map[*Tensor][]*Tensor{}
	for _, op := range ops {
		for _, s := range op.Src {
			if s != nil && s.Op == OpCache {
				users[s] = append(users[s], op)
			}
		}
	}
	return users
}

// storedType is the type of the operation's first weight or cache, F32 where it
// has neither.
func (t *Tensor) storedType() DType {
	for _, s := range t.Src {
		if s != nil && s.outlives() {
			return s.DType
		}
	}
	return F32
}
