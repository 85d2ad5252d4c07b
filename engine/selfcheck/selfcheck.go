// Package selfcheck finds out whether a device computes what the processor
// does: every operation in every type of weight or cache, at small sizes, once.
// It is for the first use of a device in a program that people run; package
// enginetest holds the far larger suite for those who write a backend.
//
// What it cannot find is an error that shows at other sizes, or now and then.
package selfcheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"inglenook/engine"
)

// Finding is what became of one kind of operation.
type Finding struct {
	Op    engine.Op
	DType engine.DType // of its weights or caches, F32 where it has neither
	// Refused is why the device has no kernel for it, empty where it has one.
	Refused string
	// Difference is the largest of a value from the processor's, by the size of
	// the result; it is infinite where a value is not a number.
	Difference float64
	// Allowed is what rounding explains.
	Allowed float64
	Probes  int // how many passes it was tried in
}

// Wrong reports whether the device computes something else.
func (f Finding) Wrong() bool { return !(f.Difference <= f.Allowed) }

func (f Finding) String() string {
	return fmt.Sprintf("%s in %s differs from the CPU's by %.2g of its size, of which %.2g would be rounding", f.Op, f.DType, f.Difference, f.Allowed)
}

// Differences that rounding explains, by the size (root mean square) of a
// result: of functions in other approximations, and of what is rounded to 8 bits
// (caches; activations that the processor multiplies with block types, which
// other devices need not round). A value that is simply wrong is off by about 1.
const (
	plainDifference   = 2e-3
	roundedDifference = 0.1
)

// allowed is the difference that rounding explains for one kind of operation.
func allowed(op engine.Op, d engine.DType) float64 {
	if d.Quantized() && op != engine.OpEmbed {
		return roundedDifference
	}
	return plainDifference
}

// Run tries all kinds of operations on a device, and on the processor to compare.
// Findings come in the order of engine.Ops, an error when the device itself fails.
func Run(ctx context.Context, device, cpu engine.Backend) (list []Finding, err error) {
	g := engine.NewGraph()
	r := recorder{g: g, types: engine.WeightTypes(), seed: 1}
	for _, op := range engine.Ops() {
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
		f.Difference = max(f.Difference, difference(got[i], want[i])) // keeps an infinity
	}
	slices.SortStableFunc(list, func(a, b Finding) int { return (int(a.Op)-int(b.Op))*1000 + int(a.DType) - int(b.DType) })
	return list, nil
}

// results runs all probes and gives their results and where each was placed.
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

// difference is max|a − b| / RMS(b).
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
