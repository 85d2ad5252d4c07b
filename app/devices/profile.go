package devices

import (
	"slices"
	"time"

	"inglenook/pipeline/placement"
)

// Profile says what the forward passes of a request consisted of.
type Profile struct {
	Passes int
	Ops    []OpTime
	Flops  int64 // multiplications and additions of matrix products
	Bytes  int64 // of weights, keys and values that had to be read
}

// OpTime sums up one kind of operation over all passes.
type OpTime struct {
	Op     string
	DType  string // of its weight
	Device string
	Count  int
	Took   time.Duration
}

// And returns both together.
func (p Profile) And(q Profile) Profile {
	out := Profile{Passes: p.Passes + q.Passes, Flops: p.Flops + q.Flops, Bytes: p.Bytes + q.Bytes, Ops: slices.Clone(p.Ops)}
	for _, t := range q.Ops {
		i := slices.IndexFunc(out.Ops, func(o OpTime) bool { return o.Op == t.Op && o.DType == t.DType && o.Device == t.Device })
		if i < 0 {
			out.Ops = append(out.Ops, t)
			continue
		}
		out.Ops[i].Count, out.Ops[i].Took = out.Ops[i].Count+t.Count, out.Ops[i].Took+t.Took
	}
	return out
}

func NewProfile(p placement.Profile) Profile {
	out := Profile{Passes: p.Passes, Flops: p.Cost.Flops, Bytes: p.Cost.WeightBytes + p.Cost.CacheBytes}
	for _, t := range p.Ops {
		out.Ops = append(out.Ops, OpTime{t.Op.String(), t.DType.String(), t.Device, t.Count, t.Took})
	}
	return out
}
