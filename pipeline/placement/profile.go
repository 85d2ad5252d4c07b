package placement

import (
	"time"

	"inglenook/engine"
)

// Profile says what the passes of one request consisted of.
type Profile struct {
	Passes int
	Ops    []OpTime    // in the order of their first use
	Cost   engine.Cost // of all operations
}

// OpTime sums up one kind of operation over all passes.
type OpTime struct {
	Op     engine.Op
	DType  engine.DType // of its weight, F32 where it has none
	Device string
	Count  int
	Took   time.Duration // 0 where the device does not measure it
}

// add counts one pass: ops are the graph's operations, in the order of the
// report's placements.
func (p *Profile) add(r engine.Report, ops []*engine.Tensor) {
	p.Passes++
	for i, placed := range r.Placements {
		t := p.of(placed)
		t.Count++
		t.Took += ops[i].Elapsed
		c := ops[i].Cost()
		p.Cost.Flops += c.Flops
		p.Cost.WeightBytes += c.WeightBytes
		p.Cost.CacheBytes += c.CacheBytes
	}
}

// join adds the passes of another profile.
func (p *Profile) join(q Profile) {
	p.Passes += q.Passes
	for _, t := range q.Ops {
		own := p.of(engine.Placement{Op: t.Op, DType: t.DType, Device: t.Device})
		own.Count, own.Took = own.Count+t.Count, own.Took+t.Took
	}
	p.Cost.Flops += q.Cost.Flops
	p.Cost.WeightBytes += q.Cost.WeightBytes
	p.Cost.CacheBytes += q.Cost.CacheBytes
}

func (p *Profile) of(placed engine.Placement) *OpTime {
	for i := range p.Ops {
		if t := &p.Ops[i]; t.Op == placed.Op && t.DType == placed.DType && t.Device == placed.Device {
			return t
		}
	}
	p.Ops = append(p.Ops, OpTime{Op: placed.Op, DType: placed.DType, Device: placed.Device})
	return &p.Ops[len(p.Ops)-1]
}
