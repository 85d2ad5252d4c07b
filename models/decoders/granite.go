package decoders

import (
	"fmt"
	"math"
	"slices"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Granite 3 and 4 (github.com/ibm-granite/granite-3.0-language-models): Llama's network with four
// multipliers (Yang et al. 2022, arXiv:2203.03466): of the word vectors, of what each
// part of a layer adds, of the scores and of the logits. Of Granite 4, those models
// whose layers all attend: the others have layers of Mamba-2.

func readGranite(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 2048)
	c, d := graniteConfig(f, c, rotates(f, true))
	d.mlpBias = f.FlagOr(false, "mlp_bias")
	c.Design = d
	return c
}

func readGraniteHybrid(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 2048)
	c.Intermediate = f.Size(family.MaxInner, "shared_intermediate_size")
	c, d := graniteConfig(f, c, rotates(f, false))
	d.fused = true
	kinds, _ := f.Values["layer_types"].([]any)
	f.Refuse(slices.Contains(kinds, any("mamba")), "layer_types has Mamba layers, which this version does not support yet; choose a dense model of this family, such as granite-4.0-1b")
	f.Refuse(f.SizeOr(8, maxExperts, "num_local_experts") > 0, "num_local_experts is not 0: Granite with experts is not supported; choose a dense model of this family, such as granite-4.0-1b")
	f.Refuse(f.LayerTypes(c.Layers, "attention", "full_attention") == nil, "layer_types is missing, which says that all layers attend")
	c.Design = d
	return c
}

// rotates reads whether positions rotate queries and keys, or are not known at all.
func rotates(f *family.Fields, usual bool) bool {
	switch kind := f.Text("position_embedding_type"); kind {
	case "":
		return usual
	case "rope":
		return true
	case "nope":
	default:
		f.Fail("position_embedding_type is %.40q; only \"rope\" and \"nope\" are supported", kind)
	}
	return false
}

// graniteConfig reads what all Granites have; turns reports whether positions rotate.
func graniteConfig(f *family.Fields, c family.Config, turns bool) (family.Config, graniteDesign) {
	c.Epsilon = f.Epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	c.ScoreScale = float32(f.Number(1, 1e-6, 1e6, "attention_multiplier"))
	turn := f.Rope(c, 10000, 1)
	if !turns {
		turn = nil
	}
	c.Everywhere(0, turn)
	bias := f.FlagOr(false, "attention_bias")
	return c, graniteDesign{
		bias: bias, words: float32(f.Number(1, 1e-6, 1e6, "embedding_multiplier")),
		part: float32(f.Number(1, 1e-6, 1e6, "residual_multiplier")), logits: float32(f.Number(1, 1e-6, 1e6, "logits_scaling")),
	}
}

// graniteDesign has the multipliers of the word vectors, of each part of a layer, and
// what divides the logits.
type graniteDesign struct {
	words, part, logits float32
	bias, mlpBias       bool
	fused               bool // gate and up are one matrix, and have the names of a shared expert
}

// granite is the network.
type granite struct {
	llama
	wordScale, logitScale float32
}

// Forward implements nn.Network.
func (m *granite) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := g.Scale(m.words.Forward(g, p.Tokens), m.wordScale) // [tokens, hidden]
	x = m.layers.Forward(p, x)                              // [wanted, hidden]
	x = m.norm.Forward(g, x)
	if p.Hidden {
		return x
	}
	return g.Scale(m.head.Forward(g, x), m.logitScale) // [wanted, vocab]
}

// graniteLayer is Llama's layer, of whose parts a share is added.
type graniteLayer struct {
	attentionNorm nn.RMSNorm // [1, hidden]
	attention     nn.Attention
	mlpNorm       nn.RMSNorm // [1, hidden]
	mlp           nn.GatedMLP
	share         float32
}

// Forward implements nn.Layer.
func (l *graniteLayer) Forward(p nn.Pass, x *engine.Tensor) *engine.Tensor {
	g := p.Graph
	h := l.attentionNorm.Forward(g, x) // [tokens, hidden]
	h = l.attention.Forward(p, h)      // [wanted, hidden]
	x = g.Add(p.Leaving(x), g.Scale(h, l.share))
	h = l.mlp.Forward(g, l.mlpNorm.Forward(g, x))
	return g.Add(x, g.Scale(h, l.share))
}

// build implements Design.
func (d graniteDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	body, at := newLlama(c, b)
	m := &granite{llama: *body, wordScale: d.words, logitScale: 1 / d.logits}
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		m.layers = append(m.layers, &graniteLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention:     newAttention(c, i, at.In("self_attn"), d.bias, "o_proj", d.bias),
			mlpNorm:       nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:           d.mlp(c, at),
			share:         d.part,
		})
	}
	return m, nil
}

// mlp returns a layer's feed-forward part.
func (d graniteDesign) mlp(c family.Config, at nn.Builder) nn.GatedMLP {
	if d.fused {
		return newFusedMLP(c, at.In("shared_mlp"), "input_linear", "output_linear")
	}
	return newGatedMLP(c, at.In("mlp"), d.mlpBias)
}

// graniteGGUF reads the multipliers. A file that does not state that of the scores
// means the usual one.
func graniteGGUF(r *family.Metadata) {
	r.WholeHeads()
	if heads := r.Optional("attention.head_count"); heads > 0 {
		r.Set("attention_multiplier", "", family.Decimal(1/math.Sqrt(max(math.Floor(r.Optional("embedding_length")/heads), 1))))
	}
	r.Number("attention_multiplier", "attention.scale")
	r.Number("embedding_multiplier", "embedding_scale")
	r.Number("residual_multiplier", "residual_scale")
	r.Number("logits_scaling", "logit_scale")
	turns, err := r.Meta.Bool(r.Key("rope.scaling.finetuned")) // llama.cpp's word for it
	r.Note(err)
	if err == nil && !turns {
		r.Set("position_embedding_type", r.Key("rope.scaling.finetuned"), "nope")
	}
}
