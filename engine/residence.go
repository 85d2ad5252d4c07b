package engine

import (
	"context"
	"errors"
	"fmt"
)

// arenas are a graph's activation memory, one for each backend that runs part of
// it. They grow and are kept between runs.
type arenas struct {
	of    []Buffer
	owner []Backend
	size  []int
	made  []int // by backend: which of all arenas it has, counted from 1
	count int   // of all so far
}

// fit allocates for each backend with a run an arena of at least size bytes.
func (a *arenas) fit(ctx context.Context, size int, bs []Backend, runs []run) error {
	if len(a.owner) != len(bs) || !sameBackends(a.owner, bs) {
		if err := a.close(); err != nil {
			return err
		}
		a.of, a.owner, a.size, a.made = make([]Buffer, len(bs)), append([]Backend(nil), bs...), make([]int, len(bs)), make([]int, len(bs))
	}
	for _, r := range runs {
		i := r.backend
		if a.size[i] >= size {
			continue
		}
		if a.of[i] != nil {
			if err := a.of[i].Close(); err != nil {
				return failed(ctx, bs[i], StageAlloc, err)
			}
			a.of[i], a.size[i] = nil, 0
		}
		buf, err := bs[i].Alloc(size)
		if err != nil {
			return failed(ctx, bs[i], StageAlloc, fmt.Errorf("%d bytes for activations: %w", size, err))
		}
		a.count++
		a.of[i], a.size[i], a.made[i] = buf, size, a.count
	}
	return nil
}

func sameBackends(a, b []Backend) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (a *arenas) close() error {
	var errs []error
	for _, b := range a.of {
		if b != nil {
			errs = append(errs, b.Close())
		}
	}
	a.of, a.owner, a.size, a.made = nil, nil, nil, nil
	return errors.Join(errs...)
}

// residence tracks which backends hold a current copy of each value during one
// run, and copies values when the work moves to another device.
type residence struct {
	g    *Graph
	bs   []Backend
	held []uint64 // by value index: bit i set = backend i has it

	carried []byte // scratch for moving values between devices
}

// reside begins a run, in which the backends hold nothing yet but what was kept.
func (g *Graph) reside(bs []Backend) *residence {
	h := &g.residence
	h.g, h.bs, h.held = g, bs, sized(h.held, len(g.slab.values()))
	clear(h.held)
	for _, p := range g.places {
		if p.there {
			h.held[p.op.index] = 1 << p.backend
		}
	}
	return h
}

// bring copies every operand that is missing there into r's arena.
func (h *residence) bring(ctx context.Context, r run) error {
	// The backend's work in progress may use the same bytes for values that are
	// no longer needed.
	if err := h.bs[r.backend].Wait(ctx, h.g.arenas.of[r.backend]); err != nil {
		return failed(ctx, h.bs[r.backend], StageWait, err)
	}
	bit := uint64(1) << r.backend
	for _, op := range r.ops {
		for _, s := range op.Src {
			if s == nil || s.outlives() || h.held[s.index]&bit != 0 {
				continue
			}
			data := s.host
			if s.Op != OpInput {
				if h.held[s.index] == 0 {
					continue // computed within this run
				}
				var err error
				if data, err = h.read(ctx, s, sized(h.carried, s.Bytes())); err != nil {
					return err
				}
				h.carried = data
			}
			if _, err := h.g.arenas.of[r.backend].WriteAt(data, int64(s.Offset)); err != nil {
				return failed(ctx, h.bs[r.backend], StageWrite, fmt.Errorf("%s: %w", s.label(), err))
			}
			h.held[s.index] |= bit
		}
	}
	return nil
}

// made records that the results of r are in r's arena and nowhere else.
func (h *residence) made(r run) {
	for _, op := range r.ops {
		h.held[op.index] = 1 << r.backend
	}
}

// read copies a value out of the arena of a backend that holds it, into data.
func (h *residence) read(ctx context.Context, t *Tensor, data []byte) ([]byte, error) {
	for i, b := range h.bs {
		if h.held[t.index]&(1<<i) == 0 {
			continue
		}
		if err := b.Wait(ctx, h.g.arenas.of[i]); err != nil {
			return nil, failed(ctx, b, StageWait, err)
		}
		if _, err := h.g.arenas.of[i].ReadAt(data, int64(t.Offset)); err != nil {
			return nil, failed(ctx, b, StageRead, fmt.Errorf("%s: %w", t.label(), err))
		}
		return data, nil
	}
	return nil, fmt.Errorf("%s was never computed", t.label())
}

// collect waits for the devices and keeps the wanted results on the host.
func (h *residence) collect(ctx context.Context) error {
	for i, b := range h.bs {
		if h.g.arenas.of[i] == nil {
			continue
		}
		if err := b.Wait(ctx, h.g.arenas.of[i]); err != nil {
			return failed(ctx, b, StageWait, err)
		}
	}
	for _, t := range h.g.slab.values() {
		if !t.want {
			continue
		}
		data := t.host
		if t.Op != OpInput {
			var err error
			if data, err = h.read(ctx, t, h.g.spare.take(t.Bytes())); err != nil {
				return err
			}
		}
		t.host = data
	}
	return nil
}
