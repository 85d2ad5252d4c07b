package encoders

import (
	"fmt"
	"strings"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// T5: Raffel et al. 2020, arXiv:1910.10683; with gated feed-forward parts since version 1.1
// (Shazeer 2020, arXiv:2002.05202), as in Flan-T5 (arXiv:2210.11416) and mT5
// (arXiv:2010.11934). No layer has a bias or scales its scores. Positions are biases by
// distance, which all layers share. Here is the half that reads, of which embedders such as
// sentence-t5 and GTR are made; the half that writes is in package decoders.

// T5Sizes reads the fields that both halves share.
func T5Sizes(f *family.Fields) (family.Config, T5Design) {
	c := family.Config{
		Vocab:        f.Size(family.MaxVocab, "vocab_size"),
		Hidden:       f.Size(family.MaxHidden, "d_model", "hidden_size"),
		Layers:       f.Size(family.MaxLayers, "num_layers", "num_hidden_layers"),
		Heads:        f.Size(family.MaxHidden, "num_heads", "num_attention_heads"),
		HeadSize:     f.Size(family.MaxHidden, "d_kv", "head_dim"),
		Intermediate: f.Size(family.MaxInner, "d_ff"),
		Epsilon:      f.Epsilon(1e-6, "layer_norm_epsilon"),
		ScoreScale:   1,
	}
	c.MaxTokens = f.SizeOr(512, family.MaxPositions, "n_positions")
	f.Refuse(c.MaxTokens == 0, "n_positions is 0")
	f.Refuse(c.Heads*c.HeadSize > family.MaxInner, fmt.Sprintf("%d attention heads of %d columns are not possible", c.Heads, c.HeadSize))
	d := T5Design{
		Buckets:     f.SizeOr(32, 1<<12, "relative_attention_num_buckets"),
		MaxDistance: f.SizeOr(128, family.MaxPositions, "relative_attention_max_distance"),
	}
	f.Refuse(d.Buckets < 4 || d.Buckets%2 != 0 || d.MaxDistance <= d.Buckets/2,
		fmt.Sprintf("%d buckets of distances up to %d are not possible", d.Buckets, d.MaxDistance))
	c.Activation, d.gated = t5Activation(f)
	return c, d
}

// t5Activation reads feed_forward_proj: the name of an activation, or "gated-" before it.
func t5Activation(f *family.Fields) (act engine.Activation, gated bool) {
	const key = "feed_forward_proj"
	name := f.Text(key)
	switch {
	case name != "":
	case f.Text("model_type") == "mt5":
		name = "gated-gelu"
	default:
		name = "relu"
	}
	name, gated = strings.CutPrefix(name, "gated-")
	if gated && name == "gelu" {
		name = "gelu_new" // as in the reference library
	}
	one := family.Fields{Values: map[string]any{key: name}, Where: f.Where}
	act = one.Activation(key)
	if f.Err == nil {
		f.Err = one.Err
	}
	return act, gated
}

func readT5Encoder(f *family.Fields) family.Config {
	c, d := T5Sizes(f)
	c.Positions, c.Design = c.MaxTokens, d
	return c
}

// T5Design is what only this family reads.
type T5Design struct {
	Buckets, MaxDistance int // of the biases by distance
	gated                bool
}

// T5Encoder is the half that reads.
type T5Encoder struct {
	words  nn.Embedding // [vocab, hidden]
	layers nn.Stack
	norm   nn.RMSNorm // [1, hidden]
}

// NewT5Encoder takes the weights of the half that reads; words is its table.
func NewT5Encoder(c family.Config, d T5Design, b nn.Builder, words nn.Embedding) *T5Encoder {
	m := &T5Encoder{words: words, norm: nn.NewRMSNorm(b, "final_layer_norm", c.Hidden, c.Epsilon)}
	relative := d.Relative(c, b, "block.0.layer.0.SelfAttention")
	for i := range c.Layers {
		at := b.In(fmt.Sprintf("block.%d", i))
		l := &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "layer.0.layer_norm", c.Hidden, c.Epsilon),
			mlpNorm:       nn.NewRMSNorm(at, "layer.1.layer_norm", c.Hidden, c.Epsilon),
			mlp:           d.FeedForward(c, at.In("layer.1.DenseReluDense")),
		}
		l.attention = nn.TextAttention{Relative: relative, Params: engine.AttentionParams{Heads: c.Heads, Scale: c.ScoreScale, MaxDistance: d.MaxDistance}}
		l.attention.Query, l.attention.Key, l.attention.Value, l.attention.Out = d.Projections(c, at.In("layer.0.SelfAttention"))
		m.layers = append(m.layers, l)
	}
	return m
}

// Forward implements nn.Network.
func (m *T5Encoder) Forward(p nn.Pass) *engine.Tensor {
	x := m.words.Forward(p.Graph, p.Tokens) // [tokens, hidden]
	x = m.layers.Forward(p, x)              // [tokens, hidden] or [texts, hidden]
	return m.norm.Forward(p.Graph, x)
}

// Relative takes the biases by distance [buckets, heads] of the first layer, which the others
// use as well.
func (d T5Design) Relative(c family.Config, b nn.Builder, first string) *engine.Tensor {
	return b.Matrix(first+".relative_attention_bias.weight", d.Buckets, c.Heads)
}

// Projections takes the four linear layers of an attention.
func (T5Design) Projections(c family.Config, b nn.Builder) (query, key, value, out nn.Linear) {
	linear := func(name string, out, in int) nn.Linear { return nn.NewProjection(b, name, out, in, false) }
	inner := c.Heads * c.HeadSize
	return linear("q", inner, c.Hidden), linear("k", inner, c.Hidden), linear("v", inner, c.Hidden), linear("o", c.Hidden, inner)
}

// FeedForward takes the weights of a feed-forward part.
func (d T5Design) FeedForward(c family.Config, b nn.Builder) nn.FeedForward {
	up := func(name string) nn.Linear { return nn.NewProjection(b, name, c.Intermediate, c.Hidden, false) }
	down := nn.NewProjection(b, "wo", c.Hidden, c.Intermediate, false)
	if d.gated {
		return nn.GatedMLP{Gate: up("wi_0"), Up: up("wi_1"), Down: down, Activation: c.Activation}
	}
	return nn.MLP{Up: up("wi"), Down: down, Activation: c.Activation}
}

// T5Words takes the table of words, which files store under one of several names.
func T5Words(c family.Config, b nn.Builder) nn.Embedding {
	for _, name := range []string{"shared", "encoder.embed_tokens", "decoder.embed_tokens"} {
		if b.Has(name + ".weight") {
			return nn.NewEmbedding(b, name, c.Vocab, c.Hidden)
		}
	}
	return nn.NewEmbedding(b, "shared", c.Vocab, c.Hidden)
}

// build implements Design.
func (d T5Design) build(c family.Config, b nn.Builder) *encoder {
	return &encoder{config: c, network: NewT5Encoder(c, d, b.In("encoder"), T5Words(c, b)), positions: fromZero}
}

// Ignores implements family.Ignorer: the half that writes, where a file has both.
func (T5Design) Ignores(name string) bool { return strings.HasPrefix(name, "decoder.") }
