package engine

import (
	"fmt"
	"math"
	"slices"
)

// RMSNorm divides each stretch of d columns by its root mean square, then
// scales by w plus an offset (Zhang and Sennrich 2019, arXiv:1910.07467):
// x [n, m·d], w [1, d]; result [n, m·d]. With m > 1 it normalizes per head.
// Operands: x, w.
func (g *Graph) RMSNorm(x, w *Tensor, p RMSNormParams) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpRMSNorm, w.label(), x); err != nil {
		return g.Fail(err)
	}
	if err := needWeight(OpRMSNorm, "weight", w, 1, 0); err != nil {
		return g.Fail(err)
	}
	if w.Cols <= 0 || x.Cols%w.Cols != 0 {
		return g.Fail(fmt.Errorf("rms_norm %s: %d columns are no multiple of the weight's %d", w.Name, x.Cols, w.Cols))
	}
	if !(p.Epsilon >= 0) || !finite(p.Epsilon, p.Offset) {
		return g.Fail(fmt.Errorf("rms_norm %s: epsilon %v and offset %v cannot be", w.Name, p.Epsilon, p.Offset))
	}
	return withParams(g.floats(OpRMSNorm, w.Name, x.Rows, x.Cols, x, w), p)
}

// RoPE rotates pairs of columns of each head by angles that grow with the
// position: x [n, heads·HeadSize], positions [n, 1]; result as x. The angle of
// pair i is positions·Frequencies[i], in float32. Operands: x, positions.
func (g *Graph) RoPE(x, positions *Tensor, r *Rotary) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpRoPE, x.label(), x); err != nil {
		return g.Fail(err)
	}
	if err := needIndexes(OpRoPE, x.label(), positions, maxPosition); err != nil {
		return g.Fail(err)
	}
	if positions.Rows != x.Rows {
		return g.Fail(fmt.Errorf("rope %s: %d positions for %d rows", x.label(), positions.Rows, x.Rows))
	}
	if r == nil || r.HeadSize <= 0 || x.Cols%r.HeadSize != 0 || len(r.Frequencies) == 0 || 2*len(r.Frequencies) > r.HeadSize {
		return g.Fail(fmt.Errorf("rope %s: %s and the rotation do not fit", x.label(), x.shape()))
	}
	if !finite(r.Frequencies...) || !finite(r.Magnitude) {
		return g.Fail(fmt.Errorf("rope %s: a frequency or the magnitude is not finite", x.label()))
	}
	return withParams(g.floats(OpRoPE, x.Name, x.Rows, x.Cols, x, positions), r)
}

// maxPosition limits positions: beyond it float32 angles mean nothing.
const maxPosition = 1 << 24

// Gate is act(gate)·up, value by value (Shazeer 2020, arXiv:2002.05202):
// gate and up [n, d]; result [n, d]. Without up it is act(gate). Operands: gate, up.
func (g *Graph) Gate(gate, up *Tensor, act Activation) *Tensor {
	return g.ShapedGate(gate, up, GateParams{Activation: act})
}

// ShapedGate is act(min(gate, Limit))·(clamp(up, -Limit, Limit) + Shift), value by
// value, as in gpt-oss. Shapes and operands are those of Gate.
func (g *Graph) ShapedGate(gate, up *Tensor, p GateParams) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	for _, t := range []*Tensor{gate, up} {
		if t == nil && t == up && p.Limit == 0 && p.Shift == 0 {
			continue
		}
		if err := needFloats(OpGate, t.label(), t); err != nil {
			return g.Fail(err)
		}
	}
	if up != nil && (gate.Rows != up.Rows || gate.Cols != up.Cols) {
		return g.Fail(fmt.Errorf("gate: %s %s and %s %s differ in shape", gate.label(), gate.shape(), up.label(), up.shape()))
	}
	if int(p.Activation) >= len(activationNames) {
		return g.Fail(fmt.Errorf("gate %s: unknown %s", gate.label(), p.Activation))
	}
	if !(p.Limit >= 0) || !finite(p.Limit, p.Shift) {
		return g.Fail(fmt.Errorf("gate %s: the limit %v and the shift %v cannot be", gate.label(), p.Limit, p.Shift))
	}
	return withParams(g.floats(OpGate, gate.Name, gate.Rows, gate.Cols, gate, up), p)
}

// Scale multiplies every value by a factor. Operand: x.
func (g *Graph) Scale(x *Tensor, factor float32) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpScale, x.label(), x); err != nil {
		return g.Fail(err)
	}
	if !finite(factor) {
		return g.Fail(fmt.Errorf("scale %s: the factor %v is not finite", x.label(), factor))
	}
	return withParams(g.floats(OpScale, x.Name, x.Rows, x.Cols, x), ScaleParams{factor})
}

// SoftCap bounds every value smoothly: x becomes limit·tanh(x/limit) (Gemma 2,
// arXiv:2408.00118, §2). Operand: x.
func (g *Graph) SoftCap(x *Tensor, limit float32) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpSoftCap, x.label(), x); err != nil {
		return g.Fail(err)
	}
	if !(limit > 0) || !finite(limit) {
		return g.Fail(fmt.Errorf("soft_cap %s: the bound %v is no positive number", x.label(), limit))
	}
	return withParams(g.floats(OpSoftCap, x.Name, x.Rows, x.Cols, x), SoftCapParams{limit})
}

// CausalAttention appends k and v to their caches and then attends: every row of
// q sees itself and all rows before it. q [n, heads·headSize]; k and v [n,
// kvHeads·headSize]; keys and values caches [capacity, kvHeads·headSize] of
// equal shape and type; past [1, 1] the number of rows that the caches hold. Row
// i is at position past+i and sees the positions up to its own, or only the last
// Window of them. Query head h reads key and value head h·kvHeads/heads
// (grouped-query attention, Ainslie et al. 2023, arXiv:2305.13245). Scores are
// SoftCap(Scale·q·k) plus the position bias. Result [n, heads·headSize].
// Operands: q, k, v, keys, values, past.
func (g *Graph) CausalAttention(q, k, v, keys, values, past *Tensor, p CausalAttentionParams) *Tensor {
	return g.SinkAttention(q, k, v, keys, values, past, nil, p)
}

// SinkAttention is CausalAttention whose queries may attend to nothing: sinks is
// nil or a weight [1, heads] with a score of each head for that, beside those of
// the keys (gpt-oss; Xiao et al. 2023, arXiv:2309.17453). Operands: q, k, v, keys,
// values, past, sinks.
func (g *Graph) SinkAttention(q, k, v, keys, values, past, sinks *Tensor, p CausalAttentionParams) *Tensor {
	return g.causalAttention(q, k, v, keys, values, past, sinks, nil, p)
}

// RelativeAttention is CausalAttention with a bias of each score by the distance of
// its key: a weight [buckets, heads], whose row for a distance is [BackwardBucket]
// (Raffel et al. 2020, arXiv:1910.10683, §2.1). Operands: q, k, v, keys, values,
// past, nil, bias.
func (g *Graph) RelativeAttention(q, k, v, keys, values, past, bias *Tensor, p CausalAttentionParams) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needWeight(OpCausalAttention, "relative bias", bias, 0, p.Heads); err != nil {
		return g.Fail(err)
	}
	if half := bias.Rows / 2; half < 1 || p.MaxDistance <= half || p.Slopes != nil {
		return g.Fail(fmt.Errorf("causal_attention %s: %d buckets of distances up to %d, beside %d slopes, cannot be", q.label(), bias.Rows, p.MaxDistance, len(p.Slopes)))
	}
	return g.causalAttention(q, k, v, keys, values, past, nil, bias, p)
}

func (g *Graph) causalAttention(q, k, v, keys, values, past, sinks, bias *Tensor, p CausalAttentionParams) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	for _, t := range []*Tensor{q, k, v} {
		if err := needFloats(OpCausalAttention, t.label(), t); err != nil {
			return g.Fail(err)
		}
	}
	if p.Heads <= 0 || p.KVHeads <= 0 || p.Heads%p.KVHeads != 0 || q.Cols%p.Heads != 0 {
		return g.Fail(fmt.Errorf("causal_attention %s: %d columns do not make %d heads in %d groups", q.label(), q.Cols, p.Heads, p.KVHeads))
	}
	if err := needCaches(q, k, v, keys, values, q.Cols/p.Heads*p.KVHeads); err != nil {
		return g.Fail(err)
	}
	if past == nil || past.Rows != 1 {
		return g.Fail(fmt.Errorf("causal_attention %s: needs the one number of rows that the caches hold", q.label()))
	}
	if err := needIndexes(OpCausalAttention, "past", past, keys.Rows); err != nil {
		return g.Fail(err)
	}
	if at := past.int(0); at+q.Rows > keys.Rows {
		return g.Fail(fmt.Errorf("causal_attention %s: %d rows after %d do not fit into a cache of %d", q.label(), q.Rows, at, keys.Rows))
	}
	if err := p.check(); err != nil {
		return g.Fail(fmt.Errorf("causal_attention %s: %w", q.label(), err))
	}
	if sinks != nil {
		if err := needWeight(OpCausalAttention, "sinks", sinks, 1, p.Heads); err != nil {
			return g.Fail(err)
		}
	}
	return withCausalParams(g.floats(OpCausalAttention, q.Name, q.Rows, q.Cols, q, k, v, keys, values, past, sinks, bias), p)
}

func (p CausalAttentionParams) check() error {
	switch {
	case !(p.Scale > 0) || !finite(p.Scale):
		return fmt.Errorf("scale %v is no positive number", p.Scale)
	case p.Window < 0:
		return fmt.Errorf("a window of %d positions cannot be", p.Window)
	case !(p.SoftCap >= 0) || !finite(p.SoftCap, p.BiasScale):
		return fmt.Errorf("soft cap %v and bias scale %v cannot be", p.SoftCap, p.BiasScale)
	case p.Slopes != nil && len(p.Slopes) != p.Heads:
		return fmt.Errorf("%d slopes for %d heads", len(p.Slopes), p.Heads)
	case !finite(p.Slopes...):
		return fmt.Errorf("a slope is not finite")
	}
	return nil
}

// needCaches requires keys and values of cols columns and caches that fit them.
func needCaches(q, k, v, keys, values *Tensor, cols int) error {
	for _, t := range []*Tensor{k, v} {
		if t.Rows != q.Rows || t.Cols != cols {
			return fmt.Errorf("causal_attention: %s %s is not [%d %d]", t.label(), t.shape(), q.Rows, cols)
		}
	}
	for _, c := range []*Tensor{keys, values} {
		switch {
		case c == nil || c.Op != OpCache:
			return fmt.Errorf("causal_attention %s: a cache is missing", q.label())
		case c.Cols != cols || c.Rows != keys.Rows || c.DType != keys.DType:
			return fmt.Errorf("causal_attention %s: the cache %s %s does not fit %d columns", q.label(), c.Name, c.shape(), cols)
		case !slices.Contains(cacheTypes, c.DType) || cols%c.DType.Block() != 0:
			return fmt.Errorf("causal_attention %s: a cache of %d columns cannot be of type %s", q.label(), cols, c.DType)
		case c.Rows > maxValues/cols:
			return fmt.Errorf("causal_attention %s: the cache %s %s is too large", q.label(), c.Name, c.shape())
		}
	}
	if keys == values {
		return fmt.Errorf("causal_attention %s: keys and values need a cache each", q.label())
	}
	return nil
}

// CrossAttention is softmax(scale·q·kᵀ)·v per head, every row of q seeing all rows
// of the caches (Vaswani et al. 2017, arXiv:1706.03762, §3.2.3): q [n, heads·size];
// keys and values caches [capacity, heads·size] of equal shape and type; past [1, 1]
// the number of rows that they hold. k and v [m, heads·size] are appended to them
// first, or both are nil. Result [n, heads·size]. Operands: q, k, v, keys, values,
// past.
func (g *Graph) CrossAttention(q, k, v, keys, values, past *Tensor, p CrossAttentionParams) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpCrossAttention, q.label(), q); err != nil {
		return g.Fail(err)
	}
	if p.Heads <= 0 || q.Cols%p.Heads != 0 || !(p.Scale > 0) || !finite(p.Scale) {
		return g.Fail(fmt.Errorf("cross_attention %s: %d columns, %d heads and the scale %v do not fit", q.label(), q.Cols, p.Heads, p.Scale))
	}
	if err := needRead(q, keys, values); err != nil {
		return g.Fail(err)
	}
	if (k == nil) != (v == nil) {
		return g.Fail(fmt.Errorf("cross_attention %s: keys and values come together", q.label()))
	}
	if past == nil || past.Rows != 1 {
		return g.Fail(fmt.Errorf("cross_attention %s: needs the one number of rows that the caches hold", q.label()))
	}
	if err := needIndexes(OpCrossAttention, "past", past, keys.Rows+1); err != nil {
		return g.Fail(err)
	}
	held := past.int(0)
	if k != nil {
		for _, t := range []*Tensor{k, v} {
			if err := needFloats(OpCrossAttention, t.label(), t); err != nil {
				return g.Fail(err)
			}
			if t.Rows != k.Rows || t.Cols != q.Cols {
				return g.Fail(fmt.Errorf("cross_attention: %s %s is not [%d %d]", t.label(), t.shape(), k.Rows, q.Cols))
			}
		}
		held += k.Rows
	}
	if held < 1 || held > keys.Rows {
		return g.Fail(fmt.Errorf("cross_attention %s: %d rows are none to attend to, or do not fit into a cache of %d", q.label(), held, keys.Rows))
	}
	return withParams(g.floats(OpCrossAttention, q.Name, q.Rows, q.Cols, q, k, v, keys, values, past), p)
}

// needRead requires caches that fit the queries.
func needRead(q, keys, values *Tensor) error {
	for _, c := range []*Tensor{keys, values} {
		switch {
		case c == nil || c.Op != OpCache:
			return fmt.Errorf("cross_attention %s: a cache is missing", q.label())
		case c.Cols != q.Cols || c.Rows != keys.Rows || c.DType != keys.DType:
			return fmt.Errorf("cross_attention %s: the cache %s %s does not fit %d columns", q.label(), c.Name, c.shape(), q.Cols)
		case !slices.Contains(cacheTypes, c.DType) || q.Cols%c.DType.Block() != 0:
			return fmt.Errorf("cross_attention %s: a cache of %d columns cannot be of type %s", q.label(), q.Cols, c.DType)
		case c.Rows > maxValues/q.Cols:
			return fmt.Errorf("cross_attention %s: the cache %s %s is too large", q.label(), c.Name, c.shape())
		}
	}
	if keys == values {
		return fmt.Errorf("cross_attention %s: keys and values need a cache each", q.label())
	}
	return nil
}

// Held returns how many rows the caches of a CrossAttention hold once its keys and
// values are appended. Without an input that says how many were there before, it is
// not known.
func (t *Tensor) Held() (rows int, ok bool) {
	if needInts(t.Op, "past", t.Src[5]) != nil {
		return 0, false
	}
	rows = t.Src[5].int(0)
	if t.Src[1] != nil {
		rows += t.Src[1].Rows
	}
	return rows, true
}

func finite(xs ...float32) bool {
	for _, x := range xs {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
	}
	return true
}
