package models

import (
	"fmt"
	"slices"

	"inglenook/engine"
	"inglenook/models/nn"
)

// Qwen3 MoE: Yang et al. 2025, arXiv:2505.09388. Qwen3's network with a mixture of
// experts instead of the feed-forward part. A softmax over all experts picks some for each
// token.

// mixture holds the sizes of a family's experts.
type mixture struct {
	experts, topK, inner int
	normalize            bool // the weights of a token's experts add up to 1
}

// mixture reads the sizes in the spelling of most families; inner is the width of an
// expert.
func (f *fields) mixture(inner int) mixture {
	m := mixture{
		experts: f.size(maxExperts, "num_experts", "num_local_experts"),
		topK:    f.size(maxExperts, "num_experts_per_tok"),
		inner:   inner,
	}
	f.refuse(m.topK > m.experts, fmt.Sprintf("%s is %d, but there are only %d experts", f.label("num_experts_per_tok"), m.topK, m.experts))
	return m
}

// maxExperts limits the experts of a layer.
const maxExperts = 1 << 12

type qwen3MoEDesign struct {
	mixture
	attentionBias bool
	sparse        []bool // of each layer: it has experts
}

func readQwen3MoE(f *fields) Config {
	c := qwenSizes(f)
	d := qwen3MoEDesign{mixture: f.mixture(f.size(maxInner, "moe_intermediate_size")), attentionBias: f.flagOr(false, "attention_bias")}
	d.normalize = f.flagOr(false, "norm_topk_prob")
	step := f.sizeOr(1, maxLayers, "decoder_sparse_step")
	f.refuse(step == 0, "decoder_sparse_step is 0")
	dense := f.indexes("mlp_only_layers", c.Layers)
	for i := range c.Layers {
		d.sparse = append(d.sparse, (i+1)%max(step, 1) == 0 && !slices.Contains(dense, i))
	}
	c.design = d
	return c
}

// indexes reads a list of the numbers of layers, nil if absent.
func (f *fields) indexes(name string, layers int) []int {
	v, ok := f.m[name].([]any)
	if f.m[name] != nil && !ok {
		f.fail("%s is %s, not a list of layers", name, brief(f.m[name]))
	}
	var list []int
	for _, e := range v {
		list = append(list, f.whole(name, e, 0, layers-1))
	}
	return list
}

// build implements decoderDesign: Qwen3's network with experts.
func (d qwen3MoEDesign) build(c Config, b nn.Builder) (network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		attention := at.In("self_attn")
		layer := &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention: nn.NormedAttention{
				Attention: c.attention(i, attention, d.attentionBias, "o_proj", d.attentionBias),
				QueryNorm: nn.NewRMSNorm(attention, "q_norm", c.HeadSize, c.Epsilon),
				KeyNorm:   nn.NewRMSNorm(attention, "k_norm", c.HeadSize, c.Epsilon),
			},
			mlpNorm: nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
		}
		if d.sparse[i] {
			layer.mlp = d.routed(c, at.In("mlp"))
		} else {
			layer.mlp = c.gatedMLP(at.In("mlp"), false)
		}
		m.layers = append(m.layers, layer)
	}
	return m, nil
}

// routed returns a layer's experts, with a softmax router.
func (m mixture) routed(c Config, b nn.Builder) nn.Experts {
	e := nn.NewExperts(b, nn.Mixture{Count: m.experts, Inner: m.inner, Hidden: c.Hidden})
	e.Router = nn.NewProjection(b, "gate", m.experts, c.Hidden, false)
	e.Route = engine.RouteParams{TopK: m.topK, Normalize: m.normalize}
	e.Shape = engine.GateParams{Activation: c.Activation}
	return e
}
