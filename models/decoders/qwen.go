package decoders

import (
	"fmt"
	"slices"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Qwen2 and 2.5: Yang et al. 2024, arXiv:2407.10671 and arXiv:2412.15115.
// Llama's network with biases at queries, keys and values. Qwen3: Yang et al.
// 2025, arXiv:2505.09388. Norms of each head's query and key replace the biases.

func readQwen2(f *family.Fields) family.Config {
	c := qwenSizes(f)
	c.Design = llamaDesign{qkvBias: true}
	return c
}

func readQwen3(f *family.Fields) family.Config {
	c := qwenSizes(f)
	c.Design = qwen3Design{attentionBias: f.FlagOr(false, "attention_bias")}
	return c
}

func qwenSizes(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 32768)
	c.Epsilon = f.Epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	window := 0
	if f.FlagOr(false, "use_sliding_window") {
		window = f.SizeOr(4096, family.MaxPositions, "sliding_window")
	}
	first := f.SizeOr(28, family.MaxLayers, "max_window_layers") // the layers before it have no window
	c.Everywhere(0, f.Rope(c, 10000, 1))
	for i, slides := range f.Sliding(c.Layers, func(i int) bool { return i >= first }) {
		if slides {
			c.Span[i].Window = window
		}
	}
	return c
}

type qwen3Design struct{ attentionBias bool }

// build implements Design: Llama's network with norms of each head's query
// and key.
func (d qwen3Design) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		attention := at.In("self_attn")
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention: nn.NormedAttention{
				Attention: newAttention(c, i, attention, d.attentionBias, "o_proj", d.attentionBias),
				QueryNorm: nn.NewRMSNorm(attention, "q_norm", c.HeadSize, c.Epsilon),
				KeyNorm:   nn.NewRMSNorm(attention, "k_norm", c.HeadSize, c.Epsilon),
			},
			mlpNorm: nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:     newGatedMLP(c, at.In("mlp"), false),
		})
	}
	return m, nil
}

// Qwen3 MoE: Yang et al. 2025, arXiv:2505.09388. Qwen3's network with a mixture of
// experts instead of the feed-forward part. A softmax over all experts picks some for each
// token.

// mixture holds the sizes of a family's experts.
type mixture struct {
	experts, topK, inner int
	normalize            bool // the weights of a token's experts add up to 1
}

// readMixture reads the sizes in the spelling of most families; inner is the width of an
// expert.
func readMixture(f *family.Fields, inner int) mixture {
	m := mixture{
		experts: f.Size(maxExperts, "num_experts", "num_local_experts"),
		topK:    f.Size(maxExperts, "num_experts_per_tok", "top_k_experts"),
		inner:   inner,
	}
	name := "num_experts_per_tok"
	if f.Values[name] == nil {
		name = "top_k_experts"
	}
	f.Refuse(m.topK > m.experts, fmt.Sprintf("%s is %d, but there are only %d experts", f.Label(name), m.topK, m.experts))
	return m
}

// maxExperts limits the experts of a layer.
const maxExperts = 1 << 12

type qwen3MoEDesign struct {
	mixture
	attentionBias bool
	sparse        []bool // of each layer: it has experts
}

func readQwen3MoE(f *family.Fields) family.Config {
	c := qwenSizes(f)
	d := qwen3MoEDesign{mixture: readMixture(f, f.Size(family.MaxInner, "moe_intermediate_size")), attentionBias: f.FlagOr(false, "attention_bias")}
	d.normalize = f.FlagOr(false, "norm_topk_prob")
	step := f.SizeOr(1, family.MaxLayers, "decoder_sparse_step")
	f.Refuse(step == 0, "decoder_sparse_step is 0")
	dense := indexes(f, "mlp_only_layers", c.Layers)
	for i := range c.Layers {
		d.sparse = append(d.sparse, (i+1)%max(step, 1) == 0 && !slices.Contains(dense, i))
	}
	c.Design = d
	return c
}

// indexes reads a list of the numbers of layers, nil if absent.
func indexes(f *family.Fields, name string, layers int) []int {
	v, ok := f.Values[name].([]any)
	if f.Values[name] != nil && !ok {
		f.Fail("%s is %s, not a list of layers", name, family.Brief(f.Values[name]))
	}
	var list []int
	for _, e := range v {
		list = append(list, f.Whole(name, e, 0, layers-1))
	}
	return list
}

// build implements Design: Qwen3's network with experts.
func (d qwen3MoEDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		attention := at.In("self_attn")
		layer := &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention: nn.NormedAttention{
				Attention: newAttention(c, i, attention, d.attentionBias, "o_proj", d.attentionBias),
				QueryNorm: nn.NewRMSNorm(attention, "q_norm", c.HeadSize, c.Epsilon),
				KeyNorm:   nn.NewRMSNorm(attention, "k_norm", c.HeadSize, c.Epsilon),
			},
			mlpNorm: nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
		}
		if d.sparse[i] {
			layer.mlp = d.routed(c, at.In("mlp"))
		} else {
			layer.mlp = newGatedMLP(c, at.In("mlp"), false)
		}
		m.layers = append(m.layers, layer)
	}
	return m, nil
}

// routed returns a layer's experts, with a softmax router.
func (m mixture) routed(c family.Config, b nn.Builder) nn.Experts {
	e := nn.NewExperts(b, nn.Mixture{Count: m.experts, Inner: m.inner, Hidden: c.Hidden})
	e.Router = nn.NewProjection(b, "gate", m.experts, c.Hidden, false)
	e.Route = engine.RouteParams{TopK: m.topK, Normalize: m.normalize}
	e.Shape = engine.GateParams{Activation: c.Activation}
	return e
}

// qwen3MoEGGUF reads what llama.cpp's files of Qwen3 with experts state; that weights
// add up to 1 they take for granted.
func qwen3MoEGGUF(r *family.Metadata) {
	r.Experts()
	r.Set("norm_topk_prob", "", true)
}
