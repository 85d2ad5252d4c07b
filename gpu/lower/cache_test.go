package lower

import (
	"fmt"
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// Keys that are rotated on their way into the cache have the bits of keys that were
// rotated before. If the rotated keys are wanted as a result, nothing is fused.
func TestRoPECache(t *testing.T) {
	const heads, kvHeads, size, first, rows = 4, 2, 32, 3, 5
	device := emulated(t)
	attend := func(d engine.DType, rotary *engine.Rotary, want bool) (out []float32, dispatches int) {
		keys, values := engine.NewCache("keys", d, 16, kvHeads*size), engine.NewCache("values", d, 16, kvHeads*size)
		defer keys.Release()
		defer values.Release()
		p := engine.CausalAttentionParams{Heads: heads, KVHeads: kvHeads, Scale: 0.2}
		for past, n := 0, first; past < first+rows; past, n = past+n, rows {
			g := engine.NewGraph()
			x := func(seed uint64, heads int) *engine.Tensor {
				return g.Floats("x", n, enginetest.Random(seed+uint64(past), n*heads*size))
			}
			at := make([]int32, n)
			for i := range at {
				at[i] = int32(past + i)
			}
			q, v := x(1, heads), x(3, kvHeads)
			k := g.RoPE(x(2, kvHeads), g.Ints("positions", at), rotary)
			if want {
				g.Want(k)
			}
			y := g.Want(g.CausalAttention(q, k, v, keys, values, g.Ints("past", []int32{int32(past)}), p))
			before := device.dispatches
			out = results(t, g, device, y)
			dispatches = device.dispatches - before
			g.Close()
		}
		return out, dispatches
	}
	for _, d := range []engine.DType{engine.F32, engine.F16, engine.Q8_0} {
		for _, rotary := range []*engine.Rotary{
			enginetest.NewRotary(size, size, 10000, false, 0), enginetest.NewRotary(size, size/2, 10000, true, 1.5),
		} {
			t.Run(fmt.Sprint(d, rotary.Interleaved), func(t *testing.T) {
				fused, few := attend(d, rotary, false)
				apart, more := attend(d, rotary, true)
				if few != more-1 {
					t.Errorf("%d dispatches, apart %d", few, more)
				}
				if !slices.Equal(fused, apart) {
					t.Error("the results differ")
				}
			})
		}
	}
}
