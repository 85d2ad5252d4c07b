package cudabackend

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// TestAttentionHalvesOnCard compares an attention over halves (own/cu/attention_halves.cu), with the
// products before it, with the reference, on a real card.
func TestAttentionHalvesOnCard(t *testing.T) {
	b := card(t)
	processors := b.shaper.Processors
	slopes := []float32{1, 0.5, 0.25, 0.125}
	for n, c := range []struct {
		heads, size int
		lengths     []int
		weights     engine.DType
		buckets     int
		params      engine.AttentionParams
		halved      bool // else what shares a unit does not suit the heads, or another launch comes between
	}{
		{12, 32, []int{128, 128, 1, 7, 200, 64, 65, 300}, engine.F16, 0, engine.AttentionParams{}, true},
		{12, 32, slices.Repeat([]int{1, 2, 1}, 100), engine.F16, 0, engine.AttentionParams{}, true}, // a block has many
		{4, 96, []int{40, 90, 130}, engine.F16, 0, engine.AttentionParams{}, false},
		{6, 64, []int{500}, engine.Q8_0, 0, engine.AttentionParams{}, true},
		{3, 128, []int{70, 3, 3, 3, 80}, engine.BF16, 0, engine.AttentionParams{}, false},
		{6, 64, []int{33, 150, 66}, engine.F16, 32, engine.AttentionParams{MaxDistance: 128}, false},
		{4, 64, []int{256, 40}, engine.F16, 0, engine.AttentionParams{Reach: 20}, true},
		{4, 64, []int{256, 40}, engine.F16, 0, engine.AttentionParams{Causal: true}, true},
		{4, 64, []int{256, 40}, engine.F16, 0, engine.AttentionParams{Slopes: slopes}, true},
	} {
		hidden := c.heads * c.size
		t.Run(fmt.Sprintf("%d heads of %d, %s, %d buckets, reach %d", c.heads, c.size, c.weights, c.buckets, c.params.Reach), func(t *testing.T) {
			if b.shaper.Processors = processors; hidden == 384 {
				b.shaper.Processors = 1 // blocks that keep their rows (own/cu/rows.cu) have enough to do
			}
			g := engine.NewGraph()
			defer g.Close()
			g.Rounds = true
			starts, rows := []int32{0}, 0
			for _, l := range c.lengths {
				rows += l
				starts = append(starts, int32(rows))
			}
			values := enginetest.Random(uint64(n), rows*hidden)
			for i := range values[:hidden] { // a row of small ones
				values[i] *= 1e-3
			}
			values[2*hidden+3] = 10
			x := g.Floats("x", rows, values)
			linear := func(seed int) *engine.Tensor {
				w := enginetest.RandomWeight("w", c.weights, hidden, hidden, float32(1/math.Sqrt(float64(hidden))), uint64(10*n+seed))
				return g.Linear(x, w, enginetest.RandomWeight("bias", engine.F32, 1, hidden, 0.1, uint64(n)), engine.None)
			}
			var bias *engine.Tensor
			if c.buckets > 0 {
				bias = enginetest.RandomWeight("distances", engine.F32, c.buckets, c.heads, 1, uint64(n))
			}
			c.params.Heads, c.params.Scale = c.heads, float32(1/math.Sqrt(float64(c.size)))
			q, k, v := linear(1), linear(2), linear(3)
			y := g.Want(g.Attention(q, k, v, g.Ints("starts", starts), bias, c.params))
			allowed := 5e-6 // x, q, k, v and weights are rounded
			if c.weights == engine.Q8_0 {
				allowed = 5e-4
			}
			if off := errorOnCard(t, b, g, y); off > allowed {
				t.Errorf("the normalized mean squared error is %.2g", off)
			} else {
				t.Logf("the normalized mean squared error is %.2g", off)
			}
			if halved := launched(b, "own_halves_"); halved != c.halved {
				t.Errorf("an attention over halves: %v", halved)
			}
		})
	}
}
