package enginetest

import (
	"fmt"
	"strings"

	"inglenook/engine"
)

// Case describes one operation with its sizes, types and parameters. Fields that
// an operation does not use stay zero.
type Case struct {
	Op         engine.Op
	Rows, Cols int // of x; for Embed and Rows of the table
	Outputs    int // Linear: rows of the weight; Embed and Rows: how many are picked
	Weights    engine.DType
	Bias       bool // Linear, LayerNorm
	Residual   bool // LayerNorm
	Activation engine.Activation
	Modes      []engine.PoolMode
	Lengths    []int // Attention and Pool: rows of each text; their sum is Rows
	Heads      int
	Buckets    int // Attention, CausalAttention: rows of the relative bias, 0 for none
	Distance   int // Attention, CausalAttention: MaxDistance
	Reach      int // Attention
	Causal     bool
	Fading     bool // Attention: a slope a head
	Epsilon    float32

	Offset     float32        // RMSNorm
	Head       int            // RMSNorm: columns of the weight, 0 for all; RoPE: of a head
	Rotary     *engine.Rotary // RoPE
	First      int            // RoPE: the first position
	Factor     float32        // Scale's factor, the bound of SoftCap
	Context    *Context       // CausalAttention, CrossAttention
	Recurrence *Recurrence    // CausalConv, DeltaRule
	Mixture    *Mixture       // Route, Experts, Mix
	Limit      float32        // Gate, with a shift of 1
	Alone      bool           // Gate: without a factor
	Rounded    bool           // Linear: the graph rounds (engine.Graph.Rounds)
	Bits       bool           // Linear, Embed, Experts: weights of random bits instead of quantized values

	Mean, Deviation float32 // of the values of x; a Deviation of 0 means 1
	ZeroRow         bool    // the first row of x is all zero
	ZeroWeight      bool    // Linear: the first row of the weight is all zero
	Outlier         float32 // one value of the last row of x, 0 for none
	After           int     // rows after that with the outlier
	Seed            uint64
	Tolerance       float64 // largest Difference from the reference
	// MaxNMSE, if not 0, is the largest NMSE and replaces Tolerance: a product
	// with quantized weights may round activations to 8 bits a block, which
	// moves every value a little.
	MaxNMSE float64
}

// Tolerances. Float32 arithmetic in any order of summation stays within the
// first. The others are for difficult data, where the rounding of the float32
// input's own mean or score limits every float32 kernel.
const (
	exact      = 0
	close32    = 1e-4
	hardScores = 2e-3
	hardMean   = 6e-3

	// A value halfway between two levels of an 8-bit cache may round to either
	// where arithmetic differs in its last bit.
	roundedCache  = 1e-3
	roundedPasses = 1e-2 // the same, and its effects through several layers
	rounded8      = 5e-4 // normalized mean squared error
	roundedHalf   = 1e-6 // the same, of values that became halves: ten times what that costs
)

// sizes are odd and even, below and above vector widths and block sizes.
var sizes = []int{1, 3, 7, 16, 17, 31, 33, 64, 65, 96, 128, 384, 1000}

var weightTypes = engine.PlainTypes()

// Cases lists every case of the suite.
func Cases() []Case {
	var all []Case
	for _, list := range [][]Case{
		embedCases(), linearCases(), addCases(), layerNormCases(),
		attentionCases(), rowsCases(), poolCases(), l2NormalizeCases(),
		quantizedLinearCases(), quantizedEmbedCases(),
		rmsNormCases(), ropeCases(), gateCases(), scaleCases(), softCapCases(), causalAttentionCases(), relativeAttentionCases(), crossAttentionCases(),
		routeCases(), expertsCases(), mixCases(),
		causalConvCases(), deltaRuleCases(),
		outlierCases(), hardRangesCases(), disentangledCases(), joinCases(), limitedAttentionCases(), activationCases(), roundedCases(), // new cases come last: a case's place is its seed
	} {
		all = append(all, list...)
	}
	for i := range all {
		all[i].Seed = uint64(i + 1)
	}
	return all
}

func embedCases() (cs []Case) {
	for _, d := range weightTypes {
		for _, cols := range sizes {
			cs = append(cs, Case{Op: engine.OpEmbed, Rows: 101, Cols: cols, Outputs: 37, Weights: d, Tolerance: exact})
		}
		cs = append(cs,
			Case{Op: engine.OpEmbed, Rows: 1, Cols: 8, Outputs: 1, Weights: d, Tolerance: exact},
			Case{Op: engine.OpEmbed, Rows: 5000, Cols: 384, Outputs: 1000, Weights: d, Tolerance: exact},
		)
	}
	return cs
}

func linearCases() (cs []Case) {
	rows := []int{1, 2, 3, 5, 8, 17, 33}
	n := 0
	for _, in := range sizes {
		for _, out := range sizes {
			cs = append(cs, Case{
				Op: engine.OpLinear, Rows: rows[n%len(rows)], Cols: in, Outputs: out,
				Weights: weightTypes[n%len(weightTypes)], Bias: n%2 == 0,
				Activation: engine.Activation(n % len(engine.Activations())), Tolerance: close32,
			})
			n++
		}
	}
	for _, d := range weightTypes {
		for _, act := range engine.Activations() {
			cs = append(cs,
				Case{Op: engine.OpLinear, Rows: 9, Cols: 48, Outputs: 40, Weights: d, Bias: true, Activation: act, Tolerance: close32},
				// inputs far into the activation's saturated ends
				Case{Op: engine.OpLinear, Rows: 9, Cols: 16, Outputs: 67, Weights: d, Bias: true, Activation: act, Deviation: 60, Tolerance: close32})
		}
		for _, rows := range []int{1, 4, 6, 7, 12, 13, 64, 100} {
			cs = append(cs, Case{Op: engine.OpLinear, Rows: rows, Cols: 384, Outputs: 384, Weights: d, Bias: true, Tolerance: close32})
		}
		cs = append(cs,
			Case{Op: engine.OpLinear, Rows: 130, Cols: 384, Outputs: 1536, Weights: d, Bias: true, Activation: engine.GELU, Tolerance: close32},
			Case{Op: engine.OpLinear, Rows: 130, Cols: 1536, Outputs: 384, Weights: d, Bias: true, Tolerance: close32},
			Case{Op: engine.OpLinear, Rows: 1, Cols: 768, Outputs: 3072, Weights: d, Tolerance: close32},
			Case{Op: engine.OpLinear, Rows: 1025, Cols: 33, Outputs: 17, Weights: d, Tolerance: close32},
			Case{Op: engine.OpLinear, Rows: 2, Cols: 5000, Outputs: 3, Weights: d, Bias: true, Tolerance: close32},
		)
	}
	return cs
}

// roundedCases are products whose activations a backend may round to halves.
func roundedCases() (cs []Case) {
	for _, d := range []engine.DType{engine.F16, engine.BF16} {
		for _, rows := range []int{1, 5, 17, 130, 300} {
			cs = append(cs, Case{Op: engine.OpLinear, Rows: rows, Cols: 384, Outputs: 385, Weights: d, Rounded: true, Bias: true, MaxNMSE: roundedHalf})
		}
		cs = append(cs,
			Case{Op: engine.OpLinear, Rows: 130, Cols: 384, Outputs: 1536, Weights: d, Rounded: true, Bias: true, Activation: engine.GELU, MaxNMSE: roundedHalf},
			Case{Op: engine.OpLinear, Rows: 70, Cols: 1536, Outputs: 384, Weights: d, Rounded: true, MaxNMSE: roundedHalf},
			Case{Op: engine.OpLinear, Rows: 70, Cols: 1024, Outputs: 64, Weights: d, Rounded: true, Deviation: 1e-4, MaxNMSE: roundedHalf},
			Case{Op: engine.OpLinear, Rows: 70, Cols: 1024, Outputs: 64, Weights: d, Rounded: true, Outlier: 60000, ZeroRow: true, MaxNMSE: roundedHalf},
		)
	}
	return cs
}

func addCases() (cs []Case) {
	for _, rows := range []int{1, 3, 130} {
		for _, cols := range sizes {
			cs = append(cs, Case{Op: engine.OpAdd, Rows: rows, Cols: cols, Tolerance: 1e-6})
		}
	}
	return cs
}

func layerNormCases() (cs []Case) {
	n := 0
	for _, cols := range sizes[1:] { // one column is all mean
		for _, rows := range []int{1, 13, 130} {
			cs = append(cs, Case{
				Op: engine.OpLayerNorm, Rows: rows, Cols: cols, Weights: weightTypes[n%len(weightTypes)],
				Residual: n/2%2 == 0, Bias: n%2 == 0, Epsilon: 1e-12, Tolerance: close32,
			})
			n++
		}
	}
	for _, residual := range []bool{false, true} {
		for _, bias := range []bool{false, true} {
			for _, d := range weightTypes {
				c := Case{Op: engine.OpLayerNorm, Rows: 7, Cols: 384, Weights: d, Residual: residual, Bias: bias, Epsilon: 1e-5, Tolerance: close32}
				cs = append(cs, c)
				c.Deviation = 1e-4 // a variance far below epsilon
				cs = append(cs, c)
				c.Deviation, c.Epsilon = 1e-6, 1e-12
				cs = append(cs, c)
				c.Deviation, c.Mean, c.Epsilon, c.Tolerance = 1, 1e4, 1e-5, hardMean // E[x²] − E[x]² would lose everything
				cs = append(cs, c)
				c.Deviation, c.Mean, c.Tolerance = 1e4, 0, close32
				cs = append(cs, c)
			}
		}
	}
	return append(cs,
		Case{Op: engine.OpLayerNorm, Rows: 3, Cols: 1, Bias: true, Epsilon: 1e-5, Tolerance: close32},
		Case{Op: engine.OpLayerNorm, Rows: 3, Cols: 65, Bias: true, ZeroRow: true, Epsilon: 1e-12, Tolerance: close32},
	)
}

// ragged is a realistic batch: very short, medium and long texts.
var ragged = []int{1, 2, 5, 1, 17, 33, 64, 8, 1, 130}

func attentionCases() (cs []Case) {
	attention := func(heads, size int, lengths ...int) Case {
		return Case{Op: engine.OpAttention, Rows: total(lengths), Cols: heads * size, Heads: heads, Lengths: lengths, Tolerance: close32}
	}
	for _, size := range []int{1, 8, 16, 20, 32, 33, 64, 96, 128} {
		cs = append(cs, attention(1, size, 7), attention(3, size, 1, 9, 31), attention(2, size, 40, 1, 65))
	}
	for length := 1; length <= 130; length++ {
		cs = append(cs, attention(2, 16, length))
	}
	for _, size := range []int{20, 32, 33, 64} {
		cs = append(cs, attention(4, size, ragged...))
	}
	cs = append(cs, attention(12, 32, 317), attention(2, 64, 3, 317, 1), attention(12, 32, ragged...))
	for _, d := range weightTypes {
		for _, table := range []struct{ buckets, distance int }{{32, 128}, {16, 64}, {20, 8}, {4, 2}} {
			for _, lengths := range [][]int{{1}, {9, 1, 40}} {
				cs = append(cs, attention(4, 20, lengths...).biased(d, table.buckets, table.distance))
			}
		}
		cs = append(cs, attention(3, 20, 317).biased(d, 32, 128)) // distances beyond the last bucket's edge
	}
	for _, deviation := range []float32{10, 30} { // scores whose exp overflows unless the largest is subtracted
		c := attention(4, 64, 1, 7, 33, 130)
		c.Deviation, c.Tolerance = deviation, hardScores
		cs = append(cs, c)
		cs = append(cs, c.biased(engine.F32, 32, 128))
	}
	c := attention(2, 32, 5, 12)
	c.ZeroRow = true // a query that weighs all keys equally
	return append(cs, c)
}

// limitedAttentionCases have rows that see a part of their text, or less of what is far away.
func limitedAttentionCases() (cs []Case) {
	for _, lengths := range [][]int{{1}, {7}, {130}, {317}, ragged} {
		for _, reach := range []int{0, 1, 5, 8, 64, 200} {
			for n, size := range []int{16, 20, 33, 64} {
				c := Case{Op: engine.OpAttention, Rows: total(lengths), Cols: 3 * size, Heads: 3, Lengths: lengths, Reach: reach, Causal: (reach+n)%2 == 0, Fading: n == 1, Tolerance: close32}
				cs = append(cs, c)
				c.Causal, c.Fading = !c.Causal, n > 1
				cs = append(cs, c)
			}
		}
	}
	c := Case{Op: engine.OpAttention, Rows: 700, Cols: 64, Heads: 1, Lengths: []int{700}, Reach: 64, Tolerance: close32} // queries of a text in several parts
	cs = append(cs, c)
	c.Deviation, c.Tolerance = 10, hardScores
	cs = append(cs, c)
	far := []int{7, 600, 33} // with steep slopes most of a long text does not matter, and a kernel may leave it out
	c = Case{Op: engine.OpAttention, Rows: total(far), Cols: 64, Heads: 8, Lengths: far, Fading: true, Tolerance: close32}
	cs = append(cs, c)
	c.Causal = true
	cs = append(cs, c)
	c.Causal, c.Deviation, c.Tolerance = false, 10, hardScores
	cs = append(cs, c)
	c = Case{Op: engine.OpAttention, Rows: total(ragged), Cols: 80, Heads: 4, Lengths: ragged, Reach: 9, Tolerance: close32}.biased(engine.F32, 32, 128)
	cs = append(cs, c)
	c.Causal = true
	return append(cs, c)
}

// biased gives attention a relative position bias.
func (c Case) biased(d engine.DType, buckets, distance int) Case {
	c.Weights, c.Buckets, c.Distance = d, buckets, distance
	return c
}

func disentangledCases() (cs []Case) {
	disentangled := func(heads, size, rows int, lengths ...int) Case {
		return Case{Op: engine.OpDisentangled, Rows: total(lengths), Cols: heads * size, Heads: heads, Buckets: rows, Lengths: lengths, Tolerance: close32}
	}
	for _, size := range []int{1, 8, 20, 33, 64, 96} {
		cs = append(cs, disentangled(1, size, 14, 7), disentangled(3, size, 64, 1, 9, 31), disentangled(2, size, 12, 40, 1, 65))
	}
	for _, length := range []int{1, 2, 3, 15, 16, 17, 31, 32, 33, 64, 97, 130, 301} {
		cs = append(cs, disentangled(2, 16, 128, length), disentangled(1, 24, 2*length+1, length))
	}
	for without := 1; without <= 2; without++ {
		c := disentangled(4, 20, 96, ragged...)
		c.Distance = without
		cs = append(cs, c)
	}
	c := disentangled(4, 64, 512, 1, 7, 33, 130) // scores whose exp overflows unless the largest is subtracted
	c.Deviation, c.Tolerance = 10, hardScores
	return append(cs, c, disentangled(2, 64, 512, 512))
}

func rowsCases() (cs []Case) {
	for _, cols := range sizes {
		cs = append(cs, Case{Op: engine.OpRows, Rows: 29, Cols: cols, Outputs: 11, Tolerance: exact})
	}
	return append(cs,
		Case{Op: engine.OpRows, Rows: 1, Cols: 5, Outputs: 1, Tolerance: exact},
		Case{Op: engine.OpRows, Rows: 3, Cols: 64, Outputs: 500, Tolerance: exact},
	)
}

func joinCases() (cs []Case) {
	for _, cols := range sizes {
		for _, lengths := range [][]int{{1, 1}, {2, 5, 1}, {1, 1, 1, 1}, {17, 1, 40, 3}} {
			cs = append(cs, Case{Op: engine.OpJoin, Rows: total(lengths), Cols: cols, Lengths: lengths, Tolerance: exact})
		}
	}
	return append(cs, Case{Op: engine.OpJoin, Rows: 9, Cols: 33, Lengths: []int{9}, Tolerance: exact})
}

func poolCases() (cs []Case) {
	pool := func(cols int, lengths []int, modes ...engine.PoolMode) Case {
		return Case{Op: engine.OpPool, Rows: total(lengths), Cols: cols, Lengths: lengths, Modes: modes, Tolerance: close32}
	}
	for _, mode := range engine.PoolModes() {
		for _, cols := range []int{1, 7, 33, 384} {
			cs = append(cs, pool(cols, []int{1}, mode), pool(cols, []int{317}, mode), pool(cols, ragged, mode))
		}
	}
	for _, cols := range []int{3, 65, 384} {
		cs = append(cs,
			pool(cols, ragged, engine.PoolModes()...),
			pool(cols, ragged, engine.PoolMean, engine.PoolMax),
			pool(cols, []int{4, 1}, engine.PoolLast, engine.PoolCLS, engine.PoolLast),
		)
	}
	c := pool(64, ragged, engine.PoolMax)
	c.Mean = -100 // the largest value is negative
	return append(cs, c)
}

func l2NormalizeCases() (cs []Case) {
	for _, cols := range sizes {
		cs = append(cs, Case{Op: engine.OpL2Normalize, Rows: 5, Cols: cols, Tolerance: close32})
	}
	for _, deviation := range []float32{1e-10, 1e-5, 1e5, 1e15} {
		cs = append(cs, Case{Op: engine.OpL2Normalize, Rows: 4, Cols: 384, Deviation: deviation, Tolerance: close32})
	}
	return append(cs,
		Case{Op: engine.OpL2Normalize, Rows: 1, Cols: 384, ZeroRow: true, Tolerance: exact},
		Case{Op: engine.OpL2Normalize, Rows: 130, Cols: 384, ZeroRow: true, Tolerance: close32},
	)
}

func total(lengths []int) (n int) {
	for _, l := range lengths {
		n += l
	}
	return n
}

// Name describes the case in words that are unique in the suite.
func (c Case) Name() string {
	var b strings.Builder
	add := func(when bool, format string, args ...any) {
		if when {
			fmt.Fprintf(&b, " "+format, args...)
		}
	}
	fmt.Fprintf(&b, "%s %dx%d", c.Op, c.Rows, c.Cols)
	add(c.Outputs > 0, "to %d", c.Outputs)
	add(c.Weights != engine.F32, "%s", c.Weights)
	add(c.Activation != engine.None, "%s", c.Activation)
	add(c.Residual, "residual")
	add(c.Bias, "bias")
	add(c.Epsilon > 0, "epsilon %g", c.Epsilon)
	add(c.Heads > 0, "heads %d", c.Heads)
	add(len(c.Lengths) > 0, "texts %d", len(c.Lengths))
	add(c.Buckets > 0, "buckets %d to %d", c.Buckets, c.Distance)
	add(c.Reach > 0, "reach %d", c.Reach)
	add(c.Causal, "causal")
	add(c.Fading, "fading")
	for _, m := range c.Modes {
		add(true, "%s", m)
	}
	add(c.Head > 0, "head %d", c.Head)
	add(c.Offset != 0, "offset %g", c.Offset)
	if c.Rotary != nil {
		add(true, "%s", rotaryName(c.Rotary))
	}
	add(c.First > 0, "from %d", c.First)
	add(c.Factor != 0, "by %g", c.Factor)
	add(c.Context != nil, "%s", c.Context)
	add(c.Mixture != nil, "%s", c.Mixture)
	add(c.Limit != 0, "limit %g", c.Limit)
	add(c.Alone, "alone")
	add(c.Recurrence != nil, "%s", c.Recurrence)
	add(c.Rounded, "rounded")
	add(c.Bits, "random bits")
	add(c.Mean != 0, "mean %g", c.Mean)
	add(c.Deviation != 0, "deviation %g", c.Deviation)
	add(c.ZeroRow, "zero row")
	add(c.ZeroWeight, "zero weight")
	add(c.Outlier != 0, "outlier %g", c.Outlier)
	add(c.After > 0, "before %d", c.After)
	return b.String()
}
