package decoders

import (
	"encoding/json"
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Falcon: Almazrouei et al. 2023, arXiv:2311.16867. Three kinds: 7B (one key
// and value for all heads, one norm for both parts of a layer), 40B and later
// (keys and values in groups, a norm for each part), and RefinedWeb (a key and
// value each, one part after the other, ALiBi, biases).

// falconDesign is the arrangement of the layers of one kind.
type falconDesign struct {
	parallel bool // attention and feed-forward side by side
	norms    int  // before them: 2, or 1 that both share
	alibi    bool // positions are biases of the scores
	bias     bool // of the linear layers
}

func readFalcon(f *family.Fields) family.Config {
	d := falconDesign{
		parallel: f.FlagOr(true, "parallel_attn"), norms: 2,
		alibi: f.FlagOr(false, "alibi"), bias: f.FlagOr(false, "bias"),
	}
	c := family.Config{
		Vocab:      f.Size(family.MaxVocab, "vocab_size"),
		Hidden:     f.Size(family.MaxHidden, "hidden_size", "n_embed"),
		Layers:     f.Size(family.MaxLayers, "num_hidden_layers", "n_layer"),
		Heads:      f.Size(family.MaxHidden, "num_attention_heads", "n_head"),
		MaxTokens:  f.Positions(2048),
		Epsilon:    f.Epsilon(1e-5, "layer_norm_epsilon"),
		Activation: f.Activation("activation"),
		Tied:       f.FlagOr(true, "tie_word_embeddings"),
	}
	c.HeadSize = f.HeadSize(c)
	c.Intermediate = f.SizeOr(4*c.Hidden, family.MaxInner, "ffn_hidden_size")
	f.Refuse(c.Intermediate < 1, "ffn_hidden_size is 0")
	groups := f.FlagOr(false, "new_decoder_architecture")
	norms := f.SizeOr(0, 2, "num_ln_in_parallel_attn")
	switch {
	case groups:
		c.KVHeads = f.SizeOr(c.Heads, family.MaxHidden, "num_kv_heads", "n_head_kv")
		f.Refuse(!d.parallel, "new_decoder_architecture without parallel_attn is not possible")
		if norms != 0 {
			d.norms = norms
		}
	case f.FlagOr(true, "multi_query"):
		c.KVHeads = 1
	default:
		c.KVHeads = c.Heads
	}
	if !groups && d.parallel {
		d.norms = 1
		f.Refuse(norms == 2, "num_ln_in_parallel_attn is 2 without new_decoder_architecture")
	}
	var r *nn.Rope
	if !d.alibi {
		r = f.Rope(c, 10000, 1)
	}
	c.Everywhere(0, r)
	c.Design = d
	return c
}

type falcon struct {
	words  nn.Embedding // [vocab, hidden]
	layers nn.Stack
	norm   nn.LayerNorm // [1, hidden]
	head   nn.Linear    // [vocab, hidden]
}

// Forward implements nn.Network.
func (m *falcon) Forward(p nn.Pass) *engine.Tensor {
	x := m.words.Forward(p.Graph, p.Tokens) // [tokens, hidden]
	x = m.layers.Forward(p, x)              // [wanted, hidden]
	x = m.norm.Forward(p.Graph, x)
	if p.Hidden {
		return x
	}
	return m.head.Forward(p.Graph, x) // [wanted, vocab]
}

// build implements Design.
func (d falconDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := &falcon{}, body(b, "transformer", "word_embeddings")
	if c.GGUF && !at.Has("h.0.ln_attn.weight") {
		d.norms = 1
	}
	m.words, m.head = wordsAndHead(c, b, at, "word_embeddings", "lm_head")
	m.norm = nn.NewLayerNorm(at, "ln_f", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		m.layers = append(m.layers, d.layer(c, i, at.In(fmt.Sprintf("h.%d", i))))
	}
	return m, nil
}

// layer returns layer i with its weights.
func (d falconDesign) layer(c family.Config, i int, b nn.Builder) nn.Layer {
	norm := func(name string) nn.LayerNorm { return nn.NewLayerNorm(b, name, c.Hidden, c.Epsilon) }
	attention := d.attention(c, i, b.In("self_attention"))
	mlp := nn.MLP{
		Up:         nn.NewProjection(b, "mlp.dense_h_to_4h", c.Intermediate, c.Hidden, d.bias),
		Down:       nn.NewProjection(b, "mlp.dense_4h_to_h", c.Hidden, c.Intermediate, d.bias),
		Activation: c.Activation,
	}
	switch {
	case !d.parallel:
		return &preNormLayer{attentionNorm: norm("input_layernorm"), attention: attention, mlpNorm: norm("post_attention_layernorm"), mlp: mlp}
	case d.norms == 2:
		return &parallelNormsLayer{attentionNorm: norm("ln_attn"), attention: attention, mlpNorm: norm("ln_mlp"), mlp: mlp}
	}
	return &parallelLayer{norm: norm("input_layernorm"), attention: attention, mlp: mlp}
}

// attention returns layer i's attention, with queries, keys and values from their fused
// matrix.
func (d falconDesign) attention(c family.Config, i int, b nn.Builder) nn.Attention {
	heads := headsOf(c, i)
	rows := heads.Grouped()
	if c.GGUF {
		rows = heads.Stacked()
	}
	a := nn.NewAttention(b, heads)
	a.SplitFused(b, "query_key_value", rows, c.Hidden, d.bias)
	a.Out = nn.NewProjection(b, "dense", c.Hidden, c.Hidden, d.bias)
	if d.alibi {
		a.Params.Slopes, a.Params.RoundBias, a.Params.BiasScale = falconSlopes(c), true, c.ScoreScale
	}
	return a
}

// falconSlopes returns those of ALiBi. Falcon's own code, with which it was trained, rounds
// them and their products to bfloat16, so the model does, too.
func falconSlopes(c family.Config) []float32 {
	slopes := nn.Slopes(c.Heads)
	for i, x := range slopes {
		slopes[i] = engine.BF16ToF32(engine.F32ToBF16(x))
	}
	return slopes
}

// falconGGUF reads the metadata of a GGUF file. GGUF stores Falcon without ALiBi
// and biases. The number of key and value heads, 1 if absent, replaces the kind:
// the 7B kind is the 40B kind with one group.
func falconGGUF(r *family.Metadata) {
	r.WholeHeads()
	r.Set("new_decoder_architecture", "", true)
	if r.Fields.Values["num_kv_heads"] == nil {
		r.Set("num_kv_heads", r.Key("attention.head_count_kv"), json.Number("1"))
	}
}
