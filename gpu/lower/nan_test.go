package lower

import (
	"math"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// A NaN passes through every operation, so that a faulty GPU is noticed: no minimum,
// maximum or comparison hides it.
func TestNaNStays(t *testing.T) {
	d := emulated(t)
	const rows, cols = 3, 37
	values := enginetest.Random(1, rows*cols)
	values[cols+5] = float32(math.NaN())
	w := enginetest.RandomWeight("w", engine.F32, 1, cols, 1, 2)
	defer w.Release()
	ops := map[string]func(g *engine.Graph, x *engine.Tensor) *engine.Tensor{
		"add":          func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.Add(x, x) },
		"scale":        func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.Scale(x, 2) },
		"soft_cap":     func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.SoftCap(x, 30) },
		"rms_norm":     func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.RMSNorm(x, w, engine.RMSNormParams{}) },
		"layer_norm":   func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.LayerNorm(x, nil, w, nil, 1e-5) },
		"l2_normalize": func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.L2Normalize(x) },
		"rope": func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.RoPE(x, g.Ints("positions", []int32{1, 2, 3}), enginetest.NewRotary(cols, 36, 10000, false, 0))
		},
	}
	for _, act := range engine.Activations() {
		ops["gate "+act.String()] = func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.Gate(x, g.Floats("up", rows, enginetest.Random(3, rows*cols)), act)
		}
	}
	for _, mode := range engine.PoolModes() {
		if mode != engine.PoolCLS && mode != engine.PoolLast {
			ops["pool "+mode.String()] = func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
				return g.Pool(x, g.Ints("starts", []int32{0, rows}), mode)
			}
		}
	}
	for name, record := range ops {
		g := engine.NewGraph()
		y := g.Want(record(g, g.Floats("x", rows, values)))
		found := false
		for _, v := range results(t, g, d, y) {
			found = found || math.IsNaN(float64(v))
		}
		if !found {
			t.Errorf("%s: the NaN is gone", name)
		}
		g.Close()
	}
}
