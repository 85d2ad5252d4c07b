package probe

import (
	"context"
	"time"

	"inglenook/engine"
)

// NormColumns is the width of the rows that [Norm] measures: about that of a small model.
const NormColumns = 1024

const (
	normLeast = 7 // repetitions
	normTime  = 30 * time.Millisecond
)

// Norms are the operations that [Norm] can measure.
func Norms() []engine.Op { return []engine.Op{engine.OpLayerNorm, engine.OpRMSNorm} }

// NormBytes returns how many bytes of values a norm of so many rows reads and writes.
func NormBytes(rows int) int64 { return 2 * 4 * int64(rows) * NormColumns }

// Norm returns how long one norm of so many rows takes on a device. Several of them follow each
// other in a graph, as in a model, so that submitting the graph counts little.
func Norm(ctx context.Context, b engine.Backend, op engine.Op, rows int) (Seconds, error) {
	g := engine.NewGraph()
	defer g.Close()
	scale := engine.NewWeight("scale", engine.F32, 1, NormColumns, zeros{})
	defer scale.Release()
	x := g.Floats("x", rows, make([]float32, rows*NormColumns))
	count := min(32, max(2, 1024/rows))
	for range count {
		if op == engine.OpLayerNorm {
			x = g.LayerNorm(x, nil, scale, scale, 1e-5)
		} else {
			x = g.RMSNorm(x, scale, engine.RMSNormParams{Epsilon: 1e-5})
		}
	}
	g.Want(x)
	if err := g.Prepare(ctx, nil, b); err != nil {
		return nil, err
	}
	seconds, err := Times(ctx, g, b, normLeast, normTime)
	for i := range seconds {
		seconds[i] /= float64(count)
	}
	return seconds, err
}
