package lower

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/engine/quant"
	"inglenook/gpu"
	"inglenook/metalbackend/kernels"
)

// linearDispatch lowers one product whose weight has no data.
func linearDispatch(t *testing.T, d engine.DType, rows, in, out int) gpu.Dispatch {
	t.Helper()
	g := engine.NewGraph()
	g.Linear(g.Floats("x", rows, make([]float32, rows*in)), engine.NewWeight("w", d, out, in, nil), nil, engine.None)
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	list := lowered(t, g.Ops())
	if len(list.Dispatches) != 1 {
		t.Fatalf("%d dispatches", len(list.Dispatches))
	}
	return list.Dispatches[0]
}

// Each product takes the right kernel, with the right width.
func TestLinearKernels(t *testing.T) {
	for _, c := range []struct {
		d             engine.DType
		rows, in, out int
		kernel        string
		groups        [3]uint32
		threads       uint32
	}{
		{engine.Q4_0, 1, 2048, 100, "linear_vec_q4_0", [3]uint32{25, 1, 1}, 64}, // shared by two
		{engine.Q4_0, 1, 4096, 100, "linear_vec_q4_0", [3]uint32{25, 1, 1}, 128},
		{engine.Q4_0, 1, 32, 3, "linear_vec_q4_0", [3]uint32{1, 1, 1}, 32}, // too short to share: each has its own
		{engine.Q4_0, 1, 32, 9, "linear_vec_q4_0", [3]uint32{2, 1, 1}, 64},
		{engine.Q6_K, 1, 2048, 3, "linear_vec_q6_k", [3]uint32{1, 1, 1}, 64},
		{engine.Q4_K, 1, 4096, 20_000, "linear_vec_q4_k", [3]uint32{5000, 1, 1}, 64}, // enough without
		{engine.Q8_0, 1, 64, 40_001, "linear_vec_q8_0", [3]uint32{5001, 1, 1}, 64},
		{engine.F16, 1, 128, 4, "linear_vec_f16", [3]uint32{1, 1, 1}, 32},
		{engine.F16, 1, 127, 4, "linear_few_f16", [3]uint32{1, 1, 1}, 32},
		{engine.Q4_0, 2, 32, 17, "linear_few_q4_0", [3]uint32{2, 1, 1}, 64},
		{engine.Q3_K, 3, 1024, 3, "linear_few_q3_k", [3]uint32{1, 1, 1}, 128},
		{engine.F32, 8, 5000, 3, "linear_few_f32", [3]uint32{1, 1, 1}, 256},
		{engine.BF16, 9, 33, 65, "linear_tile_bf16", [3]uint32{1, 2, 1}, 128},
		{engine.IQ4_XS, 100, 256, 64, "linear_tile_iq4_xs", [3]uint32{4, 1, 1}, 128},
	} {
		d := linearDispatch(t, c.d, c.rows, c.in, c.out)
		if d.Kernel.Name != c.kernel || d.Groups != c.groups || d.Threads != c.threads {
			t.Errorf("%d×%d to %d in %s: %s in %d groups of %d, expected %s in %d of %d",
				c.rows, c.in, c.out, c.d, d.Kernel.Name, d.Groups, d.Threads, c.kernel, c.groups, c.threads)
		}
	}
}

// A gated pair of products is one dispatch where possible, and computes the same.
func TestGatedLinear(t *testing.T) {
	device := emulated(t)
	for _, d := range engine.WeightTypes() {
		for _, c := range []struct {
			rows       int
			bias       bool
			dispatches int
		}{{1, false, 1}, {3, false, 1}, {8, false, 1}, {9, false, 3}, {1, true, 3}} {
			in, out := 2*max(d.Block(), 30), 11
			g := engine.NewGraph()
			weight := func(name string, seed uint64) *engine.Tensor {
				if d.Quantized() {
					return enginetest.RandomBits(name, d, out, in, seed)
				}
				return enginetest.RandomWeight(name, d, out, in, 0.2, seed)
			}
			var bias *engine.Tensor
			if c.bias {
				bias = enginetest.RandomWeight("bias", engine.F32, 1, out, 1, 3)
			}
			x := g.Floats("x", c.rows, enginetest.Random(4, c.rows*in))
			y := g.Want(g.Gate(g.Linear(x, weight("gate", 1), bias, engine.None), g.Linear(x, weight("up", 2), nil, engine.None), engine.SiLU))
			want, err := enginetest.Evaluate(g)
			if err != nil {
				t.Fatal(err)
			}
			before := device.dispatches
			got := results(t, g, device, y)
			if n := device.dispatches - before; n != c.dispatches {
				t.Errorf("%s %d rows, bias %v: %d dispatches, expected %d", d, c.rows, c.bias, n, c.dispatches)
			}
			if off := enginetest.NMSE(got, want[y].Values, y.Cols, 0); !(off < 1e-6) {
				t.Errorf("%s %d rows, bias %v: the normalized mean squared error is %g", d, c.rows, c.bias, off)
			}
			release(t, g)
		}
	}
}

// Kernels and their lowering agree on the numbers that both declare.
func TestLinearSizes(t *testing.T) {
	source := kernels.Source()
	number := func(pattern string) (n int) {
		m := regexp.MustCompile(pattern).FindStringSubmatch(source)
		if m == nil {
			t.Fatalf("the kernels have no %s", pattern)
		}
		fmt.Sscan(m[1], &n)
		return n
	}
	for name, n := range map[string]int{
		"FEW_ROWS": fewRows, "FEW_COLUMNS": fewColumns,
		"TILE_ROWS": tileRows, "TILE_COLUMNS": tileColumns, "TILE_DEPTH": tileDepth, "TILE_THREADS": tileThreads,
	} {
		if m := number(`constant int ` + name + ` = (\d+);`); m != n {
			t.Errorf("%s is %d in the kernels and %d here", name, m, n)
		}
	}
	for _, d := range engine.WeightTypes() {
		name, values := "Vec"+strings.ToUpper(d.String()), d.Block()
		if values == 1 {
			name, values = "VecPlain", quad
		}
		if quant.Grid(d) != nil {
			name = "VecCodebook"
		}
		parts, rows := number(name+` \{\s+enum \{[^}]*PARTS = (\d+)`), number(name+` \{\s+enum \{[^}]*ROWS = (\d+)`)
		if v := linearVec[d]; rows != v.columns || simdWidth/parts*values != v.step {
			t.Errorf("%s: %d rows and steps of %d in the kernel, %d and %d here", d, rows, simdWidth/parts*values, v.columns, v.step)
		}
	}
}

// Rows of very different size keep their digits in one tile, where x becomes half: the
// common exponent grows along the sum, and an infinity or a NaN stays in its row.
func TestLinearMagnitudes(t *testing.T) {
	const rows, in, out = 33, 512, 70
	device := emulated(t)
	for _, d := range []engine.DType{engine.Q8_0, engine.Q4_K, engine.F16} {
		x := enginetest.Random(1, rows*in)
		for i := range x {
			x[i] *= float32(math.Pow(10, float64(i/in%9-4))) // 1e-4 to 1e4
			if i%in >= in/2 {
				x[i] *= 100
			}
		}
		x[7*in+300], x[8*in+300] = float32(math.Inf(1)), float32(math.NaN())
		g := engine.NewGraph()
		y := g.Want(g.Linear(g.Floats("x", rows, x), enginetest.RandomWeight("w", d, out, in, 0.2, 2), nil, engine.None))
		want, err := enginetest.Evaluate(g)
		if err != nil {
			t.Fatal(err)
		}
		got := results(t, g, device, y)
		for r := range rows {
			var off, energy float64
			for i := r * out; i < (r+1)*out; i++ {
				v := want[y].Values[i]
				off += (float64(got[i]) - v) * (float64(got[i]) - v)
				energy += v * v
			}
			if odd := r == 7 || r == 8; odd != !(off < 1e-4*energy) {
				t.Errorf("%s: row %d is off by %g of %g", d, r, off, energy)
			}
		}
		release(t, g)
	}
}
