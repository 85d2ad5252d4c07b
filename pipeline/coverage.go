package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"inglenook/engine"
	"inglenook/models"
)

// Coverage tells where the operations of a checkpoint would run on backends,
// best first, the CPU last. Config and directory of tensors suffice for that: no
// weight is read.
func Coverage(checkpoint fs.FS, weightsFile string, bs []engine.Backend) (engine.Report, error) {
	root, err := transformerRoot(checkpoint)
	if err != nil {
		return engine.Report{}, err
	}
	s, err := openSource(root, weightsFile, engine.F32)
	if err != nil {
		return engine.Report{}, err
	}
	defer s.close()
	if s.config.Causal {
		return coverDecoder(s, bs)
	}
	return coverEncoder(s, checkpoint, bs)
}

func coverEncoder(s source, checkpoint fs.FS, bs []engine.Backend) (engine.Report, error) {
	model, err := models.Load(s.config, s.set)
	if err != nil {
		return engine.Report{}, err
	}
	g := engine.NewGraph()
	defer g.Close()
	batch := models.Batch{Tokens: make([]int32, 9), Starts: []int32{0, 4, 9}}
	if s.config.Head == models.Logits {
		g.Want(model.Forward(g, batch, models.Logits))
		return g.Coverage(bs...)
	}
	mods, err := readModules(checkpoint, s.config.Hidden)
	if err != nil {
		return engine.Report{}, err
	}
	defer mods.close()
	e := Embedder{enc: &encoder{model: model, config: s.config}, mods: mods}
	g.Want(e.record(0)(g, batch))
	return g.Coverage(bs...)
}

// coverDecoder looks at a prompt of some tokens and at a single one.
func coverDecoder(s source, bs []engine.Backend) (engine.Report, error) {
	decoder, err := models.LoadDecoder(s.config, s.set)
	if err != nil {
		return engine.Report{}, err
	}
	cache, err := decoder.NewCache(engine.F16, min(64, s.config.MaxTokens))
	if err != nil {
		return engine.Report{}, err
	}
	g := engine.NewGraph()
	defer g.Close()
	var all engine.Report
	for _, n := range []int{min(33, cache.Capacity), 1} {
		g.Reset()
		g.Want(decoder.Forward(g, make([]int32, n), cache, []int32{int32(n - 1)}, models.Logits))
		r, err := g.Coverage(bs...)
		if err != nil {
			return all, err
		}
		all.Placements = append(all.Placements, r.Placements...)
		all.Handovers, all.ArenaBytes = r.Handovers, max(all.ArenaBytes, r.ArenaBytes)
	}
	return all, nil
}

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
	for _, d := range []engine.DType{engine.F32, engine.F16, engine.BF16} {
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

// Refused sums up which operations would not run on the device, in one sentence's
// end; empty where all would.
func Refused(r engine.Report, device string) string {
	var kinds []string
	count := 0
	reason := ""
	for _, f := range r.Fallbacks() {
		if f.Device != device {
			continue
		}
		count += f.Count
		if name := f.Op.String(); !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
		if reason == "" {
			reason = f.Reason
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d operations have no kernel there (%v; %s)", count, len(r.Placements), kinds, reason)
}
