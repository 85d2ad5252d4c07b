package enginetest

import (
	"context"
	"errors"
	"testing"

	"inglenook/engine"
)

// Bench measures a backend alone, without recording and planning, on the same
// cases as [Run] and on products and attention of the sizes of language models.
// It reports GB/s of operands and results, and GFLOP/s for operations that
// multiply.
func Bench(b *testing.B, backend engine.Backend) {
	for _, c := range append(Cases(), decoderBenchCases()...) {
		b.Run(c.Name(), func(b *testing.B) {
			g := engine.NewGraph()
			op := g.Want(c.Record(g))
			measure(b, backend, g, op)
			perSecond := float64(b.N) / b.Elapsed().Seconds() / 1e9
			b.ReportMetric(traffic(op)*perSecond, "GB/s")
			if flops := op.Cost().Flops; flops > 0 {
				b.ReportMetric(float64(flops)*perSecond, "GFLOP/s")
			}
		})
	}
}

// decoderBenchCases are the products of decoders with 1.1 and 0.5 billion
// weights, token by token and for prompts, and their attention.
func decoderBenchCases() (cs []Case) {
	for _, d := range []engine.DType{engine.Q8_0, engine.Q4_0, engine.Q4_K, engine.Q6_K, engine.F16} {
		for _, size := range []struct{ in, out int }{{2048, 5632}, {5632, 2048}, {2048, 2048}, {2048, 256}, {896, 4864}} {
			if size.in%d.Block() != 0 {
				continue
			}
			for _, rows := range []int{1, 128, 512} {
				cs = append(cs, Case{Op: engine.OpLinear, Rows: rows, Cols: size.in, Outputs: size.out, Weights: d, Bits: d.Quantized()})
			}
		}
	}
	for _, cache := range cacheTypes {
		cs = append(cs, causal(1, 2048, 32, 4, 64, cache), causal(512, 0, 32, 4, 64, cache), causal(512, 2048, 32, 4, 64, cache))
	}
	return cs
}

// measure submits op, the last of the graph's operations, b.N times. The
// operations before it fill caches, once.
func measure(b *testing.B, backend engine.Backend, g *engine.Graph, op *engine.Tensor) {
	b.Helper()
	report, err := g.Coverage(backend) // also plans: every tensor has its offset now
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
	ctx := context.Background()
	submit := func(ops ...*engine.Tensor) {
		if err := backend.Submit(ctx, arena, ops); err != nil {
			b.Fatal(err)
		}
		if err := backend.Wait(ctx, arena); err != nil {
			b.Fatal(err)
		}
	}
	submit(g.Ops()...) // also prepares the weights
	for b.Loop() {
		submit(op)
	}
}

// traffic returns the number of bytes that an operation reads and writes.
func traffic(op *engine.Tensor) float64 {
	cost := op.Cost()
	bytes := int64(op.Bytes()) + cost.WeightBytes + cost.CacheBytes
	for _, s := range op.Src {
		switch {
		case s == nil || s.Op == engine.OpWeight || s.Op == engine.OpCache:
		case op.Op == engine.OpRows && s.DType == engine.F32:
			bytes += int64(op.Bytes()) // only the rows that are picked
		default:
			bytes += int64(s.Bytes())
		}
	}
	return float64(bytes)
}
