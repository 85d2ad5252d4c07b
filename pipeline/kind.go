package pipeline

import (
	"errors"
	"fmt"

	"inglenook/engine"
)

// KindCoverage tells where the operations that models of a kind consist of
// ("embedding", "reranker", "encoder", "chat", "text") would run, in the usual
// types of weights.
func KindCoverage(kind string, bs []engine.Backend) (engine.Report, error) {
	g := engine.NewGraph()
	defer g.Close()
	switch kind {
	case "embedding", "reranker", "encoder":
		recordReader(g)
	case "chat", "text":
		recordWriter(g)
	default:
		return engine.Report{}, fmt.Errorf("there is no kind of model %q; the kinds are embedding, reranker, encoder, chat and text", kind)
	}
	if err := g.Err(); err != nil {
		return engine.Report{}, errors.Join(errors.New("a kind's operations cannot be recorded"), err)
	}
	return g.Coverage(bs...)
}

// Sizes of the models that stand for their kind.
const (
	kindHidden = 256
	kindHeads  = 4
	kindTokens = 9
)

// shapeOnly is a weight without data.
func shapeOnly(d engine.DType, rows, cols int) *engine.Tensor {
	return engine.NewWeight("w", d, rows, cols, nil)
}

// recordReader records the operations of encoders, their modules and heads.
func recordReader(g *engine.Graph) {
	ids, starts := g.Ints("ids", make([]int32, kindTokens)), g.Ints("starts", []int32{0, 4, kindTokens})
	vector := shapeOnly(engine.F32, 1, kindHidden)
	for _, d := range engine.PlainTypes() {
		x := g.Embed(shapeOnly(d, 100, kindHidden), ids)
		x = g.LayerNorm(x, g.Embed(shapeOnly(d, 512, kindHidden), ids), vector, vector, 1e-12)
		for _, bias := range []*engine.Tensor{nil, shapeOnly(d, 32, kindHeads)} { // MPNet has one
			h := g.Attention(x, x, x, starts, bias, engine.AttentionParams{Heads: kindHeads, Scale: 1, MaxDistance: 128})
			x = g.Add(x, h)
		}
		for _, act := range engine.Activations() {
			x = g.Linear(x, shapeOnly(d, kindHidden, kindHidden), vector, act)
		}
		pooled := g.Pool(x, starts, engine.PoolModes()...)
		g.L2Normalize(pooled)
		g.Rows(x, g.Ints("first", []int32{0, 4}))
	}
}

// recordWriter records the operations of language models.
func recordWriter(g *engine.Graph) {
	positions, past := g.Ints("positions", make([]int32, kindTokens)), g.Ints("past", []int32{0})
	norm, headNorm := shapeOnly(engine.F32, 1, kindHidden), shapeOnly(engine.F32, 1, kindHidden/kindHeads)
	rotary := &engine.Rotary{HeadSize: kindHidden / kindHeads, Frequencies: make([]float32, kindHidden/kindHeads/2)}
	for _, d := range engine.WeightTypes() {
		w := shapeOnly(d, kindHidden, kindHidden)
		x := g.Embed(w, positions)
		x = g.RMSNorm(x, norm, engine.RMSNormParams{Epsilon: 1e-5})
		q := g.RoPE(g.RMSNorm(g.Linear(x, w, nil, engine.None), headNorm, engine.RMSNormParams{Epsilon: 1e-5}), positions, rotary)
		for _, cache := range []engine.DType{engine.F16, engine.F32, engine.Q8_0} {
			keys, values := engine.NewCache("k", cache, 64, kindHidden), engine.NewCache("v", cache, 64, kindHidden)
			x = g.Add(x, g.CausalAttention(q, q, q, keys, values, past, engine.CausalAttentionParams{Heads: kindHeads, KVHeads: kindHeads, Scale: 1}))
		}
		for _, act := range []engine.Activation{engine.SiLU, engine.GELU, engine.GELUTanh} {
			x = g.Gate(x, x, act)
		}
		x = g.LayerNorm(g.Scale(x, 2), nil, norm, norm, 1e-5)
		g.SoftCap(g.Linear(g.Rows(x, g.Ints("last", []int32{kindTokens - 1})), w, norm, engine.GELU), 30)
	}
}
