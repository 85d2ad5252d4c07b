package engine_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// material is a graph with some values, for the mistakes below.
type material struct {
	*engine.Graph
	x, wide, long        *engine.Tensor // [4 6], [4 8], [5 6]
	ids, starts          *engine.Tensor // indexes below 4; two texts of 4 rows
	w, bias, table, norm *engine.Tensor // [3 6], [1 3], [4 6], [1 6]
}

func newMaterial() material {
	g := engine.NewGraph()
	floats := func(name string, rows, cols int) *engine.Tensor {
		return g.Floats(name, rows, enginetest.Random(1, rows*cols))
	}
	return material{
		Graph: g,
		x:     floats("x", 4, 6), wide: floats("wide", 4, 8), long: floats("long", 5, 6),
		ids: g.Ints("ids", []int32{3, 0, 2, 1}), starts: g.Ints("starts", []int32{0, 1, 4}),
		w: weight("layer.w", 3, 6), bias: weight("layer.b", 1, 3),
		table: weight("words", 4, 6), norm: weight("norm.w", 1, 6),
	}
}

func weight(name string, rows, cols int) *engine.Tensor {
	return enginetest.RandomWeight(name, engine.F32, rows, cols, 1, 2)
}

// mistake is a recording that is refused, with words of the error.
type mistake struct {
	name   string
	record func(m material) *engine.Tensor
	says   []string
}

// mistakes are invalid recordings, with what their errors must name.
var mistakes = []mistake{
	{"input of no rows", func(m material) *engine.Tensor { return m.Floats("x", 0, nil) }, []string{"x", "0 values", "0 rows"}},
	{"input of uneven rows", func(m material) *engine.Tensor { return m.Floats("x", 3, make([]float32, 7)) }, []string{"x", "7 values", "3 rows"}},
	{"input of negative rows", func(m material) *engine.Tensor { return m.Floats("x", -1, make([]float32, 7)) }, []string{"x", "-1 rows"}},
	{"input of no columns", func(m material) *engine.Tensor { return m.Floats("x", 3, nil) }, []string{"x", "[3 0]"}},
	{"no ids", func(m material) *engine.Tensor { return m.Ints("ids", nil) }, []string{"ids", "[0 1]"}},

	{"embed without a table", func(m material) *engine.Tensor { return m.Embed(nil, m.ids) }, []string{"embed", "table"}},
	{"embed in an activation", func(m material) *engine.Tensor { return m.Embed(m.x, m.ids) }, []string{"embed", "table"}},
	{"embed without ids", func(m material) *engine.Tensor { return m.Embed(m.table, nil) }, []string{"embed", "words", "i32"}},
	{"embed by floats", func(m material) *engine.Tensor { return m.Embed(m.table, m.x) }, []string{"embed", "words", "i32"}},
	{"embed beyond the table", func(m material) *engine.Tensor { return m.Embed(m.table, m.Ints("ids", []int32{0, 4})) }, []string{"embed", "words", "index 4", "position 1", "0 to 3"}},
	{"embed before the table", func(m material) *engine.Tensor { return m.Embed(m.table, m.Ints("ids", []int32{-1})) }, []string{"embed", "words", "index -1", "position 0"}},
	{"embed with the smallest id", func(m material) *engine.Tensor {
		return m.Embed(m.table, m.Ints("ids", []int32{math.MinInt32}))
	}, []string{"embed", "words", "-2147483648"}},
	{"embed in an empty table", func(m material) *engine.Tensor {
		return m.Embed(engine.NewWeight("void", engine.F32, 0, 6, nil), m.ids)
	}, []string{"embed", "void"}},
	{"embed in a table of ids", func(m material) *engine.Tensor {
		return m.Embed(engine.NewWeight("words", engine.I32, 4, 6, nil), m.ids)
	}, []string{"embed", "words", "i32"}},
	{"embed in a table of an unknown type", func(m material) *engine.Tensor {
		return m.Embed(engine.NewWeight("words", engine.DType(77), 4, 6, nil), m.ids)
	}, []string{"embed", "words", "dtype(77)"}},
	{"embed in a table without columns", func(m material) *engine.Tensor {
		return m.Embed(engine.NewWeight("words", engine.F32, 4, 0, nil), m.ids)
	}, []string{"words", "[4 0]"}},
	{"embed in a table that is too wide", func(m material) *engine.Tensor {
		return m.Embed(engine.NewWeight("words", engine.F32, 4, math.MaxInt/4, nil), m.ids)
	}, []string{"words", "too large"}},

	{"linear of nothing", func(m material) *engine.Tensor { return m.Linear(nil, m.w, nil, engine.None) }, []string{"linear", "layer.w", "missing"}},
	{"linear without a weight", func(m material) *engine.Tensor { return m.Linear(m.x, nil, nil, engine.None) }, []string{"linear", "weight is missing"}},
	{"linear of nothing by nothing", func(m material) *engine.Tensor { return m.Linear(nil, nil, nil, engine.None) }, []string{"linear"}},
	{"linear of ids", func(m material) *engine.Tensor { return m.Linear(m.ids, m.w, nil, engine.None) }, []string{"linear", "layer.w", "ids", "i32"}},
	{"linear of a weight", func(m material) *engine.Tensor { return m.Linear(m.w, m.w, nil, engine.None) }, []string{"linear", "layer.w"}},
	{"linear by an activation", func(m material) *engine.Tensor { return m.Linear(m.x, m.x, nil, engine.None) }, []string{"linear", "weight is missing"}},
	{"linear of other width", func(m material) *engine.Tensor { return m.Linear(m.wide, m.w, nil, engine.None) }, []string{"linear", "layer.w", "[3 6]", "[any 8]"}},
	{"linear with a long bias", func(m material) *engine.Tensor { return m.Linear(m.x, m.w, m.norm, engine.None) }, []string{"linear", "norm.w", "bias", "[1 6]", "[1 3]"}},
	{"linear with an upright bias", func(m material) *engine.Tensor {
		return m.Linear(m.x, m.w, weight("layer.b", 3, 1), engine.None)
	}, []string{"linear", "layer.b", "[3 1]", "[1 3]"}},
	{"linear with an unknown activation", func(m material) *engine.Tensor { return m.Linear(m.x, m.w, m.bias, 99) }, []string{"linear", "layer.w", "activation(99)"}},

	{"add of different widths", func(m material) *engine.Tensor { return m.Add(m.x, m.wide) }, []string{"add", "x", "[4 6]", "wide", "[4 8]"}},
	{"add of different heights", func(m material) *engine.Tensor { return m.Add(m.long, m.x) }, []string{"add", "[5 6]", "[4 6]"}},
	{"add of nothing", func(m material) *engine.Tensor { return m.Add(m.x, nil) }, []string{"add", "missing"}},
	{"add of a weight", func(m material) *engine.Tensor { return m.Add(m.x, m.table) }, []string{"add", "words"}},

	{"layer norm of nothing", func(m material) *engine.Tensor { return m.LayerNorm(nil, nil, m.norm, nil, 1e-5) }, []string{"layer_norm", "norm.w"}},
	{"layer norm without a weight", func(m material) *engine.Tensor { return m.LayerNorm(m.x, m.long, nil, nil, 1e-5) }, []string{"layer_norm"}},
	{"layer norm with another residual", func(m material) *engine.Tensor { return m.LayerNorm(m.x, m.long, m.norm, nil, 1e-5) }, []string{"layer_norm", "norm.w", "[5 6]", "[4 6]"}},
	{"layer norm with a residual of ids", func(m material) *engine.Tensor { return m.LayerNorm(m.x, m.ids, m.norm, nil, 1e-5) }, []string{"layer_norm", "norm.w", "ids"}},
	{"layer norm of other width", func(m material) *engine.Tensor { return m.LayerNorm(m.wide, nil, m.norm, nil, 1e-5) }, []string{"layer_norm", "norm.w", "[1 6]", "[1 8]"}},
	{"layer norm with a short bias", func(m material) *engine.Tensor { return m.LayerNorm(m.x, nil, m.norm, m.bias, 1e-5) }, []string{"layer_norm", "layer.b", "[1 3]", "[1 6]"}},
	{"layer norm with a negative epsilon", func(m material) *engine.Tensor { return m.LayerNorm(m.x, nil, m.norm, nil, -1) }, []string{"layer_norm", "norm.w", "-1"}},
	{"layer norm with epsilon NaN", func(m material) *engine.Tensor {
		return m.LayerNorm(m.x, nil, m.norm, nil, float32(math.NaN()))
	}, []string{"layer_norm", "norm.w", "NaN"}},
	{"layer norm with an infinite epsilon", func(m material) *engine.Tensor {
		return m.LayerNorm(m.x, nil, m.norm, nil, float32(math.Inf(1)))
	}, []string{"layer_norm", "norm.w", "Inf"}},

	{"attention of nothing", func(m material) *engine.Tensor { return m.attend(nil, m.x, m.x, m.starts, nil, 2, 1) }, []string{"attention", "missing"}},
	{"attention to nothing", func(m material) *engine.Tensor { return m.attend(m.x, nil, m.x, m.starts, nil, 2, 1) }, []string{"attention", "missing"}},
	{"attention to other keys", func(m material) *engine.Tensor { return m.attend(m.x, m.long, m.x, m.starts, nil, 2, 1) }, []string{"attention", "long", "[5 6]", "[4 6]"}},
	{"attention to wide values", func(m material) *engine.Tensor { return m.attend(m.x, m.x, m.wide, m.starts, nil, 2, 1) }, []string{"attention", "wide", "[4 8]"}},
	{"attention with no heads", func(m material) *engine.Tensor { return m.attend(m.x, m.x, m.x, m.starts, nil, 0, 1) }, []string{"attention", "x", "6 columns", "0 heads"}},
	{"attention with uneven heads", func(m material) *engine.Tensor { return m.attend(m.x, m.x, m.x, m.starts, nil, 4, 1) }, []string{"attention", "6 columns", "4 heads"}},
	{"attention without starts", func(m material) *engine.Tensor { return m.attend(m.x, m.x, m.x, nil, nil, 2, 1) }, []string{"attention", "starts"}},
	{"attention without scale", func(m material) *engine.Tensor { return m.attend(m.x, m.x, m.x, m.starts, nil, 2, 0) }, []string{"attention", "scale 0"}},
	{"attention with scale NaN", func(m material) *engine.Tensor {
		return m.attend(m.x, m.x, m.x, m.starts, nil, 2, float32(math.NaN()))
	}, []string{"attention", "scale NaN"}},
	{"attention with few biased heads", func(m material) *engine.Tensor {
		return m.attend(m.x, m.x, m.x, m.starts, weight("relative", 32, 3), 2, 1)
	}, []string{"attention", "relative", "[32 3]", "[any 2]"}},
	{"attention with uneven buckets", func(m material) *engine.Tensor {
		return m.attend(m.x, m.x, m.x, m.starts, weight("relative", 7, 2), 2, 1)
	}, []string{"attention", "relative", "7 buckets"}},
	{"attention with two buckets", func(m material) *engine.Tensor {
		return m.attend(m.x, m.x, m.x, m.starts, weight("relative", 2, 2), 2, 1)
	}, []string{"attention", "relative", "2 buckets"}},
	{"attention with a short maximum", func(m material) *engine.Tensor {
		return m.attend(m.x, m.x, m.x, m.starts, weight("relative", 128, 2), 2, 1)
	}, []string{"attention", "relative", "128 buckets", "distance 20"}},

	{"starts of one text too short", func(m material) *engine.Tensor { return m.attend(m.x, m.x, m.x, m.Ints("s", []int32{0, 3}), nil, 2, 1) }, []string{"attention", "0 to 3", "0 to 4"}},
	{"starts beyond the rows", func(m material) *engine.Tensor {
		return m.Pool(m.x, m.Ints("s", []int32{0, 2, 5}), engine.PoolMean)
	}, []string{"pool", "0 to 5", "0 to 4"}},
	{"starts after the first row", func(m material) *engine.Tensor {
		return m.Pool(m.x, m.Ints("s", []int32{1, 4}), engine.PoolMean)
	}, []string{"pool", "1 to 4"}},
	{"a single start", func(m material) *engine.Tensor { return m.Pool(m.x, m.Ints("s", []int32{0}), engine.PoolMean) }, []string{"pool", "1 starts"}},
	{"an empty text", func(m material) *engine.Tensor {
		return m.Pool(m.x, m.Ints("s", []int32{0, 2, 2, 4}), engine.PoolMean)
	}, []string{"pool", "text 1", "row 2 to 2"}},
	{"starts that go back", func(m material) *engine.Tensor {
		return m.Pool(m.x, m.Ints("s", []int32{0, 9, 4}), engine.PoolMean)
	}, []string{"pool", "text 1", "row 9 to 4"}},
	{"starts as floats", func(m material) *engine.Tensor {
		return m.Pool(m.x, m.Floats("s", 2, []float32{0, 4}), engine.PoolMean)
	}, []string{"pool", "starts", "i32"}},

	{"rows of nothing", func(m material) *engine.Tensor { return m.Rows(nil, m.ids) }, []string{"rows", "missing"}},
	{"rows by nothing", func(m material) *engine.Tensor { return m.Rows(m.x, nil) }, []string{"rows", "x", "i32"}},
	{"rows beyond the end", func(m material) *engine.Tensor { return m.Rows(m.x, m.Ints("i", []int32{4})) }, []string{"rows", "x", "index 4", "0 to 3"}},
	{"rows of a weight", func(m material) *engine.Tensor { return m.Rows(m.table, m.ids) }, []string{"rows", "words"}},

	{"pool of nothing", func(m material) *engine.Tensor { return m.Pool(nil, m.starts, engine.PoolMean) }, []string{"pool", "missing"}},
	{"pool without starts", func(m material) *engine.Tensor { return m.Pool(m.x, nil, engine.PoolMean) }, []string{"pool", "starts"}},
	{"pool without a mode", func(m material) *engine.Tensor { return m.Pool(m.x, m.starts) }, []string{"pool", "mode"}},
	{"pool by an unknown mode", func(m material) *engine.Tensor { return m.Pool(m.x, m.starts, 42) }, []string{"pool(42)"}},

	{"norm of nothing", func(m material) *engine.Tensor { return m.L2Normalize(nil) }, []string{"l2_normalize", "missing"}},
	{"norm of ids", func(m material) *engine.Tensor { return m.L2Normalize(m.ids) }, []string{"l2_normalize", "ids", "i32"}},

	{"attention with too few slopes", func(m material) *engine.Tensor {
		return m.Attention(m.x, m.x, m.x, m.starts, nil, engine.AttentionParams{Heads: 2, Scale: 1, Slopes: []float32{1}})
	}, []string{"attention", "1 slopes for 2 heads"}},
	{"attention that reaches backwards", func(m material) *engine.Tensor {
		return m.Attention(m.x, m.x, m.x, m.starts, nil, engine.AttentionParams{Heads: 2, Scale: 1, Reach: -1})
	}, []string{"attention", "a reach of -1"}},
	{"a wish for nothing", func(m material) *engine.Tensor { return m.Want(nil) }, []string{"nothing", "wanted"}},
	{"a wish for ids", func(m material) *engine.Tensor { return m.Want(m.ids) }, []string{"ids", "wanted"}},
	{"a wish for a weight", func(m material) *engine.Tensor { return m.Want(m.w) }, []string{"layer.w", "wanted"}},
	{"a wish for another graph's value", func(m material) *engine.Tensor { return m.Want(newMaterial().x) }, []string{"x", "wanted"}},
	{"an operand of another graph", func(m material) *engine.Tensor { return m.Add(m.x, newMaterial().x) }, []string{"add", "x", "another graph"}},
	{"ids of another graph", func(m material) *engine.Tensor { return m.Embed(m.table, newMaterial().ids) }, []string{"words", "ids", "another graph"}},
}

func (m material) attend(q, k, v, starts, bias *engine.Tensor, heads int, scale float32) *engine.Tensor {
	return m.Attention(q, k, v, starts, bias, engine.AttentionParams{Heads: heads, Scale: scale, MaxDistance: 20})
}

// The graph keeps the first mistake, whatever is recorded after it. Run, Coverage and
// Prepare return it without asking a backend.
func TestMistakesStick(t *testing.T) {
	for _, mistake := range slices.Concat(mistakes, decoderMistakes) {
		t.Run(mistake.name, func(t *testing.T) {
			m := newMaterial()
			y := mistake.record(m)
			err := m.Err()
			if err == nil {
				t.Fatal("the mistake is not noticed")
			}
			for _, word := range mistake.says {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q does not say %q", err, word)
				}
			}
			recordEverything(m, y)
			if m.Err() != err {
				t.Errorf("%q became %q", err, m.Err())
			}
			b := &enginetest.ReferenceBackend{}
			if _, got := m.Run(t.Context(), b); got != err {
				t.Errorf("Run returns %v", got)
			}
			if _, got := m.Coverage(b); got != err {
				t.Errorf("Coverage returns %v", got)
			}
			if got := m.Prepare(t.Context(), nil, b); got != err {
				t.Errorf("Prepare returns %v", got)
			}
			if _, got := m.Result(y); got == nil {
				t.Error("a mistake has a result")
			}
			m.Reset()
			if m.Err() != nil {
				t.Errorf("after Reset there still is %v", m.Err())
			}
		})
	}
}

// recordEverything uses y wherever a value can be used, like a model that goes on
// recording after a mistake.
func recordEverything(m material, y *engine.Tensor) {
	m.Ints("more ids", []int32{1})
	m.Floats("more", 1, []float32{1})
	m.Embed(y, y)
	m.Linear(y, m.w, m.bias, engine.GELU)
	m.Linear(m.x, y, y, engine.GELU)
	m.Add(y, m.x)
	m.LayerNorm(y, y, y, y, 1)
	m.Attention(y, y, y, y, y, engine.AttentionParams{})
	m.Rows(y, y)
	m.Pool(y, y)
	m.RMSNorm(y, y, engine.RMSNormParams{})
	m.RoPE(y, y, nil)
	m.Gate(y, y, 99)
	m.Scale(y, 1)
	m.SoftCap(y, 1)
	m.CausalAttention(y, y, y, y, y, y, engine.CausalAttentionParams{})
	m.Want(m.L2Normalize(y))
}

// A value from before Reset is not confused with the new value at its place.
func TestResetForgets(t *testing.T) {
	m := newMaterial()
	old := m.Add(m.x, m.x)
	m.Reset()
	m.Floats("new", 4, make([]float32, 24))
	m.Add(old, old)
	if err := m.Err(); err == nil || !strings.Contains(err.Error(), "before Reset") {
		t.Errorf("a value from before Reset is used: %v", err)
	}
}

// The graph copies the modes that it is given.
func TestPoolKeepsItsModes(t *testing.T) {
	m := newMaterial()
	modes := []engine.PoolMode{engine.PoolMax}
	y := m.Pool(m.x, m.starts, modes...)
	modes[0] = engine.PoolCLS
	if got := y.Params.(engine.PoolParams).Modes[0]; got != engine.PoolMax {
		t.Errorf("the mode became %s", got)
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{engine.OpLayerNorm.String(), "layer_norm"},
		{engine.Op(200).String(), "op(200)"},
		{engine.GELUTanh.String(), "gelu_tanh"},
		{engine.PoolMeanSqrtLen.String(), "mean_sqrt_len"},
		{engine.BF16.String(), "bf16"},
		{engine.OpCausalAttention.String(), "causal_attention"},
		{engine.Q4_K.String(), "q4_k"},
		{engine.IQ4_XS.String(), "iq4_xs"},
		{engine.DType(99).String(), "dtype(99)"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	seen := map[string]bool{}
	for _, op := range engine.Ops() {
		if name := op.String(); name == "" || seen[name] {
			t.Errorf("operation %d is called %q", op, name)
		}
		seen[op.String()] = true
	}
	if n := len(engine.Activations()); n != 8 {
		t.Errorf("%d activations", n)
	}
	if n := len(engine.PoolModes()); n != 6 {
		t.Errorf("%d pooling modes", n)
	}
}
