package own

import (
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/gpu"
	"inglenook/gpu/lower"
)

// layer records a layer of an encoder with rows of 384 values, which wants what lies between the
// two products, if kept.
func layer(g *engine.Graph, rows int, weights engine.DType, heads int, kept bool) {
	g.Rounds = true
	x := g.Floats("x", rows, make([]float32, rows*384))
	weight := func(d engine.DType, rows, cols int) *engine.Tensor {
		return engine.NewWeight("w", d, rows, cols, nil)
	}
	bias := func(cols int) *engine.Tensor { return weight(engine.F32, 1, cols) }
	linear := func(x *engine.Tensor, out int, act engine.Activation) *engine.Tensor {
		return g.Linear(x, weight(weights, out, x.Cols), bias(out), act)
	}
	starts := g.Ints("starts", []int32{0, int32(rows)})
	q, k, v := linear(x, 384, engine.None), linear(x, 384, engine.None), linear(x, 384, engine.None)
	h := g.Attention(q, k, v, starts, nil, engine.AttentionParams{Heads: heads, Scale: 1})
	x = g.LayerNorm(linear(h, 384, engine.None), x, bias(384), bias(384), 1e-12)
	between := linear(x, 1536, engine.GELU)
	if kept {
		g.Want(between)
	}
	g.Want(g.LayerNorm(linear(between, 384, engine.None), x, bias(384), bias(384), 1e-12))
}

// TestLayer: of a layer with halves, queries, keys and values stay halves, and the last two
// products are one launch, where there are enough rows for blocks that keep theirs.
func TestLayer(t *testing.T) {
	whole := []string{"own_pack_1", "own_rows_384_1", "own_halves_64_f32", "own_pack_1", "own_rows_384_0", "own_norm_1_3", "own_feed_384_1536", "layer_norm_4"}
	for _, c := range []struct {
		name    string
		rows    int
		weights engine.DType
		heads   int
		kept    bool // what lies between the two products is a result
		change  func(s *Shaper)
		want    []string
	}{
		{"many rows", 128 * 132, engine.F16, 12, false, nil, whole},
		{"not enough for the second wave", 128 * 150, engine.F16, 12, false, nil, []string{"own_pack_1", "own_short_1_0_128_1", "own_halves_64_f32", "own_pack_1", "own_short_1_0_128_0", "own_norm_1_3", "own_short_1_0_128_0", "own_pack_1", "own_hopper_1_0_192_0", "layer_norm_4"}},
		{"a result between", 128 * 132, engine.F16, 12, true, nil, append(slices.Clone(whole[:6]), "own_rows_384_0", "own_pack_1", "own_hopper_1_0_192_0", "layer_norm_4")},
		{"blocks", 128 * 132, engine.Q8_0, 12, false, nil, []string{
			"own_pack_1", "own_unpack_q8_0", "own_unpack_q8_0", "own_unpack_q8_0", "own_rows_384_1", "own_halves_64_f32", "own_pack_1", "own_unpack_q8_0", "own_rows_384_0", "own_norm_1_3",
			"own_unpack_q8_0", "own_unpack_q8_0", "own_feed_384_1536", "layer_norm_4",
		}},
		{"a unit for parts of two heads", 128 * 132, engine.F16, 4, false, nil, slices.Concat([]string{"own_pack_1", "own_rows_384_0", "own_pair_2", "attention_matrix_128_f32"}, whole[3:])},
		{"an older card", 128 * 132, engine.F16, 12, false, func(s *Shaper) { s.Hopper = false }, []string{
			"own_pack_1", "own_product_1_0_128", "own_pair_2", "attention_matrix_64_f32", "own_pack_1", "own_product_1_0_128", "own_norm_1_3", "own_product_1_0_128", "own_pack_1", "own_product_1_0_128", "layer_norm_4",
		}},
		{"apart", 128 * 132, engine.F16, 12, false, func(s *Shaper) { s.Apart = true }, []string{
			"own_pack_1", "own_rows_384_0", "own_rows_384_0", "own_rows_384_0", "own_pair_2", "attention_matrix_64_f32", "own_pack_1", "own_rows_384_0", "layer_norm_4", "own_pack_1", "own_rows_384_0", "own_pack_1", "own_hopper_1_0_192_0", "layer_norm_4",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := engine.NewGraph()
			defer g.Close()
			layer(g, c.rows, c.weights, c.heads, c.kept)
			list, err := lower.New(lower.Sketch{}).Lower(t.Context(), nil, g.Ops())
			if err != nil {
				t.Fatal(err)
			}
			scratch := gpu.Region{Memory: &gpu.Memory{}, Size: Scratch(list)}
			shaper := &Shaper{Hopper: true, Processors: 132}
			if c.change != nil {
				c.change(shaper)
			}
			var got []string
			work, all := 0.0, 0.0
			for _, d := range list.Dispatches {
				all += d.Work
			}
			for _, d := range shaper.Shape(list, scratch).Dispatches {
				got = append(got, d.Kernel.Name)
				work += d.Work
				for n, r := range d.Bindings {
					if r.Memory == scratch.Memory && r.Offset+r.Size > scratch.Size {
						t.Errorf("%s: argument %d ends at %d of %d bytes of scratch memory", d.Kernel.Name, n, r.Offset+r.Size, scratch.Size)
					}
				}
				if d.Shared[0] > 227<<10 {
					t.Errorf("%s takes %d bytes of shared memory", d.Kernel.Name, d.Shared[0])
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("launches are\n%q, want\n%q", got, c.want)
			}
			if work != all {
				t.Errorf("the work is %g of %g", work, all)
			}
		})
	}
}
