// Package selfcheck checks whether a device computes what the processor does:
// every operation in every type of weight or cache, at small sizes, once. A
// program runs it before the first use of a device; package enginetest holds the
// far larger suite for those who write a backend.
//
// It cannot find errors that appear only at other sizes or intermittently.
package selfcheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"inglenook/engine"
)

// Finding is the result for one kind of operation.
type Finding struct {
	Op    engine.Op
	DType engine.DType // of its weights or caches, F32 where it has neither
	// Refused is why the device has no kernel for it, empty if it has one.
	Refused string
	// Difference is the largest deviation of a value from the processor's,
	// relative to the size of the result. It is infinite if a value is NaN.
	Difference float64
	// Allowed is the difference that rounding explains.
	Allowed float64
	Probes  int // how many passes tested it
}

// Wrong reports whether the device computes something else.
func (f Finding) Wrong() bool { return !(f.Difference <= f.Allowed) }

func (f Finding) String() string {
	return fmt.Sprintf("%s in %s differs from the CPU's by %.2g of its size, of which %.2g would be rounding", f.Op, f.DType, f.Difference, f.Allowed)
}

// Differences that rounding explains, relative to the size (root mean square)
// of a result. The first is for functions with other approximations. The second
// is for values rounded to 8 bits: caches, and activations that the processor
// multiplies with block types, which other devices need not round. A wrong
// value is off by about 1.
const (
	plainDifference   = 2e-3
	roundedDifference = 0.1
)

// allowed returns the difference that rounding explains for one kind of
// operation.
func allowed(op engine.Op, d engine.DType) float64 {
	if d.Quantized() && op != engine.OpEmbed {
		return roundedDifference
	}
	return plainDifference
}

// Run tries all kinds of operations on a device, and on the processor to
// compare. Findings are in the order of engine.Ops. It returns an error if the
// device itself fails.
func Run(ctx context.Context, device, cpu engine.Backend) ([]Finding, error) {
	return Some(ctx, device, cpu, engine.Ops()...)
}

// Some is Run for some of the operations.
func Some(ctx context.Context, device, cpu engine.Backend, ops ...engine.Op) (list []Finding, err error) {
	g := engine.NewGraph()
	r := recorder{g: g, types: engine.WeightTypes(), seed: 1}
	for _, op := range ops {
		probes[op](&r)
	}
	defer func() { err = errors.Join(err, r.release(r.weights, r.caches), g.Close()) }()
	want, _, err := r.results(ctx, cpu)
	if err != nil {
		return nil, err
	}
	if err := r.release(r.caches); err != nil { // they live on one device
		return nil, err
	}
	got, report, err := r.results(ctx, device, cpu)
	if err != nil {
		return nil, err
	}
	id := device.Device().ID
	for i, placed := range report {
		k := slices.IndexFunc(list, func(f Finding) bool { return f.Op == placed.Op && f.DType == placed.DType })
		if k < 0 {
			k = len(list)
			list = append(list, Finding{Op: placed.Op, DType: placed.DType, Allowed: allowed(placed.Op, placed.DType)})
		}
		f := &list[k]
		f.Probes++
		if placed.Device != id {
			f.Refused = placed.Refused[0].Reason
			continue
		}
		f.Difference = max(f.Difference, difference(got[i], want[i])) // preserves an infinity
	}
	slices.SortStableFunc(list, func(a, b Finding) int { return (int(a.Op)-int(b.Op))*1000 + int(a.DType) - int(b.DType) })
	return list, nil
}

// results runs all probes and returns their results and where each was placed.
func (r *recorder) results(ctx context.Context, bs ...engine.Backend) (values [][]float32, placed []engine.Placement, err error) {
	report, err := r.g.Run(ctx, bs...)
	if err != nil {
		return nil, nil, err
	}
	ops := r.g.Ops()
	for _, t := range r.wanted {
		v, err := r.g.Result(t)
		if err != nil {
			return nil, nil, err
		}
		values, placed = append(values, v), append(placed, report.Placements[slices.Index(ops, t)])
	}
	return values, placed, nil
}

// difference returns max|a − b| / RMS(b).
func difference(a, b []float32) float64 {
	largest, squares := 0.0, 0.0
	for i, v := range b {
		d := math.Abs(float64(a[i]) - float64(v))
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		largest = max(largest, d)
		squares += float64(v) * float64(v)
	}
	if largest == 0 {
		return 0
	}
	return largest / math.Sqrt(squares/float64(len(b)))
}
