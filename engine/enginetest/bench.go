package enginetest

import (
	"context"
	"errors"
	"testing"

	"inglenook/engine"
)

// Bench measures a backend alone, without recording and planning, on the same
// cases as [Run]. It reports GFLOP/s for operations that multiply and GB/s of
// operands and results for those that mainly move data.
func Bench(b *testing.B, backend engine.Backend) {
	for _, c := range Cases() {
		b.Run(c.Name(), func(b *testing.B) {
			g := engine.NewGraph()
			op := g.Want(c.Record(g))
			measure(b, backend, g)
			perSecond := float64(b.N) / b.Elapsed().Seconds() / 1e9
			if n := c.operations(); n > 0 {
				b.ReportMetric(n*perSecond, "GFLOP/s")
			} else {
				b.ReportMetric(traffic(op)*perSecond, "GB/s")
			}
		})
	}
}

// measure submits the graph's operations to the backend b.N times.
func measure(b *testing.B, backend engine.Backend, g *engine.Graph) {
	b.Helper()
	report, err := g.Coverage(backend) // plans, too: every tensor has its offset now
	if err != nil {
		b.Skip(err)
	}
	arena, err := backend.Alloc(report.ArenaBytes)
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := errors.Join(arena.Close(), release(g)); err != nil {
			b.Error(err)
		}
	}()
	for _, op := range g.Ops() {
		for _, s := range op.Src {
			if s == nil || s.Op != engine.OpInput {
				continue
			}
			if _, err := arena.WriteAt(s.InputBytes(), int64(s.Offset)); err != nil {
				b.Fatal(err)
			}
		}
	}
	ctx, ops := context.Background(), g.Ops()
	once := func() {
		if err := backend.Submit(ctx, arena, ops); err != nil {
			b.Fatal(err)
		}
		if err := backend.Wait(ctx); err != nil {
			b.Fatal(err)
		}
	}
	once() // prepares the weights
	for b.Loop() {
		once()
	}
}

// operations are the floating-point multiplications and additions of the
// operations that are made of them, 0 for the others.
func (c Case) operations() float64 {
	switch c.Op {
	case engine.OpLinear:
		return 2 * float64(c.Rows) * float64(c.Cols) * float64(c.Outputs)
	case engine.OpAttention:
		pairs := 0.0
		for _, l := range c.Lengths {
			pairs += float64(l) * float64(l)
		}
		return 4 * pairs * float64(c.Cols)
	}
	return 0
}

// traffic is the number of bytes that an operation has to read and write.
func traffic(op *engine.Tensor) float64 {
	bytes := op.Bytes()
	for _, s := range op.Src {
		switch {
		case s == nil:
		case op.Op == engine.OpEmbed && s.Op == engine.OpWeight:
			bytes += op.Rows * s.DType.RowBytes(op.Cols) // only the rows that are looked up
		case op.Op == engine.OpRows && s.DType == engine.F32:
			bytes += op.Bytes()
		default:
			bytes += s.Bytes()
		}
	}
	return float64(bytes)
}
