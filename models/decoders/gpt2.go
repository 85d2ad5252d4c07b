package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// GPT-2: Radford et al. 2019, "Language Models are Unsupervised Multitask
// Learners". Learned positions, LayerNorm before each part, and linear layers
// that are stored transposed.

// gpt2Design states whether the scores of layer i are also divided by i+1.
type gpt2Design struct{ scaleByLayer bool }

func readGPT2(f *family.Fields) family.Config {
	c := family.Config{
		Vocab:      f.Size(family.MaxVocab, "vocab_size"),
		Hidden:     f.Size(family.MaxHidden, "n_embd", "hidden_size"),
		Layers:     f.Size(family.MaxLayers, "n_layer", "num_hidden_layers"),
		Heads:      f.Size(family.MaxHidden, "n_head", "num_attention_heads"),
		Positions:  f.Size(family.MaxPositions, "n_positions", "n_ctx", "max_position_embeddings"),
		Epsilon:    f.Epsilon(1e-5, "layer_norm_epsilon"),
		Activation: f.ActivationOr(engine.GELUTanh, "activation_function"),
		Tied:       f.FlagOr(true, "tie_word_embeddings"),
	}
	c.MaxTokens, c.KVHeads, c.HeadSize = c.Positions, c.Heads, f.HeadSize(c)
	if c.Intermediate = f.SizeOr(0, family.MaxInner, "n_inner"); c.Intermediate == 0 {
		c.Intermediate = 4 * c.Hidden
	}
	if !f.FlagOr(true, "scale_attn_weights") {
		c.ScoreScale = 1
	}
	f.Refuse(f.FlagOr(false, "add_cross_attention"), "add_cross_attention is set: such a model needs an encoder beside it")
	c.Everywhere(0, nil)
	c.Design = gpt2Design{scaleByLayer: f.FlagOr(false, "scale_attn_by_inverse_layer_idx")}
	return c
}

type gpt2 struct {
	words, positions nn.Embedding // [vocab, hidden], [positions, hidden]
	layers           nn.Stack
	norm             nn.LayerNorm // [1, hidden]
	head             nn.Linear    // [vocab, hidden]
}

// Forward implements nn.Network.
func (m *gpt2) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := g.Add(m.words.Forward(g, p.Tokens), m.positions.Forward(g, p.Positions)) // [tokens, hidden]
	x = m.layers.Forward(p, x)                                                    // [wanted, hidden]
	x = m.norm.Forward(g, x)
	if p.Hidden {
		return x
	}
	return m.head.Forward(g, x) // [wanted, vocab]
}

// build implements Design.
func (d gpt2Design) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := &gpt2{}, body(b, "transformer", "wte")
	m.words, m.head = wordsAndHead(c, b, at, "wte", "lm_head")
	m.positions = nn.NewEmbedding(at, "wpe", c.Positions, c.Hidden)
	m.norm = nn.NewLayerNorm(at, "ln_f", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("h.%d", i))
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: nn.NewLayerNorm(at, "ln_1", c.Hidden, c.Epsilon),
			attention:     d.attention(c, i, at.In("attn")),
			mlpNorm:       nn.NewLayerNorm(at, "ln_2", c.Hidden, c.Epsilon),
			mlp: nn.MLP{
				Up:         conv1D(at, "mlp.c_fc", c.Intermediate, c.Hidden),
				Down:       conv1D(at, "mlp.c_proj", c.Hidden, c.Intermediate),
				Activation: c.Activation,
			},
		})
	}
	return m, nil
}

// attention splits queries, keys and values out of their fused matrix.
func (d gpt2Design) attention(c family.Config, i int, b nn.Builder) nn.Attention {
	heads := headsOf(c, i)
	if d.scaleByLayer {
		heads.Scale = float32(float64(heads.Scale) / float64(i+1))
	}
	a, r := nn.NewAttention(b, heads), heads.Stacked()
	a.Query = conv1D(b, "c_attn", r.All, c.Hidden, r.Query...)
	a.Key = conv1D(b, "c_attn", r.All, c.Hidden, r.Key...)
	a.Value = conv1D(b, "c_attn", r.All, c.Hidden, r.Value...)
	a.Out = conv1D(b, "c_proj", c.Hidden, c.Hidden)
	return a
}

// conv1D is a linear layer [out, in], or the given rows of it, that checkpoints
// store as [in, out]; GGUF files store it transposed back.
func conv1D(b nn.Builder, name string, out, in int, rows ...[2]int) nn.Linear {
	if rows == nil {
		rows = [][2]int{{0, out}}
	}
	l := nn.Linear{B: b.VectorPart(name+".bias", out, rows...)}
	if b.GGUF {
		l.W = b.Rows(name+".weight", out, in, rows...)
	} else {
		l.W = b.Transposed(name+".weight", in, out, rows...)
	}
	return l
}
