package enginetest

import (
	"math"
	"math/rand/v2"
	"slices"

	"inglenook/engine"
)

// Record records the case's operation with its data and returns the result.
func (c Case) Record(g *engine.Graph) *engine.Tensor {
	return records[c.Op](c, g)
}

var records = map[engine.Op]func(c Case, g *engine.Graph) *engine.Tensor{
	engine.OpEmbed: func(c Case, g *engine.Graph) *engine.Tensor {
		return g.Embed(c.matrix(c.Rows, c.Cols, 1), c.picks(g))
	},
	engine.OpLinear: func(c Case, g *engine.Graph) *engine.Tensor {
		w := c.matrix(c.Outputs, c.Cols, 1/math.Sqrt(float64(c.Cols)))
		return g.Linear(c.x(g, "x"), w, c.bias(c.Outputs), c.Activation)
	},
	engine.OpAdd: func(c Case, g *engine.Graph) *engine.Tensor {
		return g.Add(c.x(g, "a"), c.x(g, "b"))
	},
	engine.OpLayerNorm: func(c Case, g *engine.Graph) *engine.Tensor {
		var residual *engine.Tensor
		if c.Residual {
			residual = c.x(g, "residual")
		}
		return g.LayerNorm(c.x(g, "x"), residual, c.weight("w", 1, c.Cols), c.bias(c.Cols), c.Epsilon)
	},
	engine.OpAttention: func(c Case, g *engine.Graph) *engine.Tensor {
		var bias *engine.Tensor
		var slopes []float32
		if c.Fading {
			slopes = c.slopes()
		}
		if c.Buckets > 0 {
			bias = c.weight("relative bias", c.Buckets, c.Heads)
		}
		return g.Attention(c.x(g, "q"), c.x(g, "k"), c.x(g, "v"), c.starts(g), bias, engine.AttentionParams{
			Heads: c.Heads, Scale: float32(1 / math.Sqrt(float64(c.Cols/c.Heads))), MaxDistance: c.Distance,
			Reach: c.Reach, Causal: c.Causal, Slopes: slopes,
		})
	},
	engine.OpRows: func(c Case, g *engine.Graph) *engine.Tensor {
		return g.Rows(c.x(g, "x"), c.picks(g))
	},
	engine.OpPool: func(c Case, g *engine.Graph) *engine.Tensor {
		return g.Pool(c.x(g, "x"), c.starts(g), c.Modes...)
	},
	engine.OpL2Normalize: func(c Case, g *engine.Graph) *engine.Tensor {
		return g.L2Normalize(c.x(g, "x"))
	},
	engine.OpRMSNorm: func(c Case, g *engine.Graph) *engine.Tensor {
		cols := c.Cols
		if c.Head > 0 {
			cols = c.Head
		}
		return g.RMSNorm(c.x(g, "x"), c.weight("w", 1, cols), engine.RMSNormParams{Epsilon: c.Epsilon, Offset: c.Offset})
	},
	engine.OpRoPE: func(c Case, g *engine.Graph) *engine.Tensor {
		return g.RoPE(c.x(g, "x"), c.positions(g), c.Rotary)
	},
	engine.OpGate: func(c Case, g *engine.Graph) *engine.Tensor {
		if c.Limit > 0 {
			return g.ShapedGate(c.x(g, "gate"), c.x(g, "up"), engine.GateParams{Activation: c.Activation, Limit: c.Limit, Shift: 1})
		}
		if c.Alone {
			return g.Gate(c.x(g, "gate"), nil, c.Activation)
		}
		return g.Gate(c.x(g, "gate"), c.x(g, "up"), c.Activation)
	},
	engine.OpScale: func(c Case, g *engine.Graph) *engine.Tensor {
		return g.Scale(c.x(g, "x"), c.Factor)
	},
	engine.OpSoftCap: func(c Case, g *engine.Graph) *engine.Tensor {
		return g.SoftCap(c.x(g, "x"), c.Factor)
	},
	engine.OpCausalAttention: Case.causalAttention,
	engine.OpCrossAttention:  Case.crossAttention,
	engine.OpRoute: func(c Case, g *engine.Graph) *engine.Tensor {
		return c.routes(g, c.Cols)
	},
	engine.OpExperts: Case.experts,
	engine.OpMix: func(c Case, g *engine.Graph) *engine.Tensor {
		return g.Mix(g.Floats("y", c.Rows, Random(c.Seed+50, c.Rows*c.Mixture.TopK*c.Cols)), c.routes(g, c.Mixture.Experts))
	},
	engine.OpCausalConv: Case.causalConv,
	engine.OpDeltaRule:  Case.deltaRule,

	engine.OpDisentangled: Case.disentangled,
	engine.OpJoin:         Case.join,
}

// join has a tensor for each of the case's lengths.
func (c Case) join(g *engine.Graph) *engine.Tensor {
	var xs []*engine.Tensor
	for i, rows := range c.Lengths {
		part := c
		part.Rows = rows
		xs = append(xs, part.x(g, string(rune('a'+i))))
	}
	return g.Join(xs...)
}

// disentangled has a row of the tables for each distance up to a third of them, and then
// one for two distances. A Distance of 1 or 2 leaves out the first or the second table.
func (c Case) disentangled(g *engine.Graph) *engine.Tensor {
	longest := slices.Max(c.Lengths)
	distances := make([]int32, 2*longest-1)
	for i := range distances {
		distance := i - (longest - 1)
		if far := c.Buckets / 6; distance > far || distance < -far {
			distance = (distance + max(min(distance, far), -far)) / 2
		}
		distances[i] = int32(max(0, min(c.Buckets/2+distance, c.Buckets-1)))
	}
	table := func(name string) *engine.Tensor {
		return g.Floats(name, c.Buckets, Random(c.Seed+1000*uint64(name[0])+7, c.Buckets*c.Cols))
	}
	var keys, queries *engine.Tensor
	if c.Distance != 1 {
		keys = table("a table")
	}
	if c.Distance != 2 {
		queries = table("b table")
	}
	return g.Disentangled(c.x(g, "q"), c.x(g, "k"), c.x(g, "v"), c.starts(g), g.Ints("distances", distances), keys, queries,
		engine.DisentangledParams{Heads: c.Heads, Scale: float32(1 / math.Sqrt(float64(3*c.Cols/c.Heads)))})
}

// x returns an activation [Rows, Cols] with the case's mean and deviation; each
// name has its own values.
func (c Case) x(g *engine.Graph, name string) *engine.Tensor {
	values := Random(c.Seed+1000*uint64(name[0]), c.Rows*c.Cols)
	deviation := c.Deviation
	if deviation == 0 {
		deviation = 1
	}
	for i := range values {
		values[i] = c.Mean + deviation*values[i]
	}
	if c.ZeroRow {
		clear(values[:c.Cols])
	}
	if c.Outlier != 0 {
		values[len(values)-c.After*c.Cols-c.Cols/2-1] = c.Outlier
	}
	return g.Floats(name, c.Rows, values)
}

// matrix returns the weight [rows, cols] of Embed and Linear.
func (c Case) matrix(rows, cols int, deviation float64) *engine.Tensor {
	if c.Bits {
		return RandomBits("w", c.Weights, rows, cols, c.Seed+100)
	}
	values := Random(c.Seed+100, rows*cols)
	for i := range values {
		values[i] *= float32(deviation)
	}
	if c.ZeroWeight {
		clear(values[:cols])
	}
	return Weight("w", c.Weights, rows, cols, values)
}

func (c Case) weight(name string, rows, cols int) *engine.Tensor {
	return RandomWeight(name, c.Weights, rows, cols, 1, c.Seed+200)
}

func (c Case) bias(cols int) *engine.Tensor {
	if !c.Bias {
		return nil
	}
	d := c.Weights
	if d.Quantized() {
		d = engine.F32 // as in GGUF files
	}
	return RandomWeight("bias", d, 1, cols, 1, c.Seed+300)
}

// picks returns Outputs indexes of rows, among them the first and the last row.
func (c Case) picks(g *engine.Graph) *engine.Tensor {
	r := rand.New(rand.NewPCG(c.Seed, 1))
	ids := make([]int32, c.Outputs)
	for i := range ids {
		ids[i] = r.Int32N(int32(c.Rows))
	}
	ids[0] = int32(c.Rows - 1)
	if len(ids) > 1 {
		ids[1] = 0
	}
	return g.Ints("ids", ids)
}

func (c Case) starts(g *engine.Graph) *engine.Tensor {
	return g.Ints("starts", Starts(c.Lengths...))
}

// Starts turns the lengths of texts into their starts: 0 first, the sum last.
func Starts(lengths ...int) []int32 {
	starts := make([]int32, 1, len(lengths)+1)
	for _, l := range lengths {
		starts = append(starts, starts[len(starts)-1]+int32(l))
	}
	return starts
}
