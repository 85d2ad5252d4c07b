package encoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// ModernBERT: Warner et al. 2024, arXiv:2412.13663. Rotary positions, gated feed-forward
// parts, and two layers in which tokens see those near them to one in which they see all.

func readModernBERT(f *family.Fields) family.Config {
	c := family.Config{
		Vocab:        f.Size(family.MaxVocab, "vocab_size"),
		Hidden:       f.Size(family.MaxHidden, "hidden_size"),
		Layers:       f.Size(family.MaxLayers, "num_hidden_layers"),
		Heads:        f.Size(family.MaxHidden, "num_attention_heads"),
		Intermediate: f.Size(family.MaxHidden, "intermediate_size"),
		MaxTokens:    f.Positions(8192),
		Epsilon:      f.Epsilon(1e-5, "norm_eps", "layer_norm_eps"),
		Activation:   f.Activation("hidden_activation", "hidden_act"),
	}
	c.Positions = c.MaxTokens
	turnWhole(f, &c)
	f.Refuse(f.Values["rope_scaling"] != nil, "rope_scaling is set, which is not supported in ModernBERT")
	global, local := f.LayerRopes(c, f.Number(160000, 1, 1e12, "global_rope_theta"), f.Number(10000, 1, 1e12, "local_rope_theta"))
	window := f.SizeOr(128, family.MaxPositions, "local_attention")
	f.Refuse(window == 0, "local_attention is 0")
	every := f.SizeOr(3, family.MaxLayers, "global_attn_every_n_layers")
	f.Refuse(every == 0, "global_attn_every_n_layers is 0")
	c.Everywhere(0, global)
	for i, slides := range f.Sliding(c.Layers, func(i int) bool { return i%max(every, 1) != 0 }) {
		if slides {
			c.Span[i] = family.Span{Window: window, Rope: local}
		}
	}
	d := modernBERT{
		attentionBias: f.FlagOr(false, "attention_bias"), mlpBias: f.FlagOr(false, "mlp_bias"),
		normBias: f.FlagOr(false, "norm_bias"), headBias: f.FlagOr(false, "classifier_bias"),
		classifierActivation: f.Activation("classifier_activation"),
	}
	switch pooling := f.Text("classifier_pooling"); pooling {
	case "", "cls":
	case "mean":
		d.pooling = meanBefore
	default:
		f.Fail("classifier_pooling %q is not supported (only \"cls\" and \"mean\")", pooling)
	}
	c.Design = d
	return c
}

// modernBERT is what only this family reads.
type modernBERT struct {
	attentionBias, mlpBias, normBias, headBias bool
	classifierActivation                       engine.Activation
	pooling                                    headPooling
}

// modern is the network of ModernBERT.
type modern struct {
	words  nn.Embedding // [vocab, hidden]
	norm   nn.LayerNorm // [1, hidden]
	layers nn.Stack
	last   nn.LayerNorm // [1, hidden]
}

// Forward implements nn.Network.
func (m *modern) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := m.norm.Forward(g, m.words.Forward(g, p.Tokens)) // [tokens, hidden]
	return m.last.Forward(g, m.layers.Forward(p, x))     // [tokens, hidden] or [texts, hidden]
}

// build implements Design.
func (d modernBERT) build(c family.Config, b nn.Builder) *encoder {
	norm := func(b nn.Builder, name string) nn.LayerNorm {
		return nn.NewNorm(b, name, c.Hidden, c.Epsilon, d.normBias)
	}
	at := body(b, "embeddings.tok_embeddings", "model")
	m := &modern{words: nn.NewEmbedding(at, "embeddings.tok_embeddings", c.Vocab, c.Hidden), norm: norm(at, "embeddings.norm"), last: norm(at, "final_norm")}
	blocks := newTurning(c)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		l := &preNormLayer{attention: blocks.stacked(c, i, at, "attn.Wqkv", "attn.Wo", d.attentionBias), mlpNorm: norm(at, "mlp_norm"), mlp: d.gated(c, at)}
		if i > 0 {
			l.attentionNorm = norm(at, "attn_norm")
		}
		m.layers = append(m.layers, l)
	}
	e := &encoder{config: c, network: m, positions: fromZero}
	if c.Head == family.Logits {
		e.classifier = &classifier{
			in: nn.NewProjection(b, "head.dense", c.Hidden, c.Hidden, d.headBias), activation: d.classifierActivation, norm: norm(b, "head.norm"),
			out: nn.NewLinear(b, "classifier", c.Labels, c.Hidden), pooling: d.pooling,
		}
	}
	return e
}

// gated returns the feed-forward part, whose matrix Wi [2·inner, hidden] has the gate's rows first.
func (d modernBERT) gated(c family.Config, b nn.Builder) nn.GatedMLP {
	half := func(from int) nn.Linear {
		return nn.NewRows(b, "mlp.Wi", 2*c.Intermediate, c.Hidden, d.mlpBias, [2]int{from, from + c.Intermediate})
	}
	return nn.GatedMLP{Gate: half(0), Up: half(c.Intermediate), Down: nn.NewProjection(b, "mlp.Wo", c.Hidden, c.Intermediate, d.mlpBias), Activation: c.Activation}
}
