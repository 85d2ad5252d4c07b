package decoders

import (
	"encoding/json"
	"fmt"
	"math"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Gemma: Mesnard et al. 2024, arXiv:2403.08295. Llama with word vectors times
// √hidden, heads wider than hidden/heads, and norms whose weights are stored
// minus 1. Gemma 2: Riviere et al. 2024, arXiv:2408.00118. Norms before and
// after each part of a layer, soft caps, every second layer with a window. Gemma
// 3 (text): Kamath et al. 2025, arXiv:2503.19786. Norms of each head's query and
// key instead of caps, five layers with a window to one without, and slower
// rotation in the layers without.

// gemma1Design states whether attention has biases.
type gemma1Design struct{ attentionBias bool }

func readGemma(f *family.Fields) family.Config {
	c := forWriting(f, f.GemmaSizes(8192))
	c.Activation = f.ActivationOr(engine.GELUTanh, "hidden_act")
	if c.Activation == engine.GELU { // the first release says "gelu" and means this
		c.Activation = engine.GELUTanh
	}
	c.Everywhere(0, f.Rope(c, 10000, 1))
	c.Design = gemma1Design{f.FlagOr(false, "attention_bias")}
	return c
}

// build implements Design: Llama's layers.
func (d gemma1Design) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newGemma(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: gemmaNorm(c, at, "input_layernorm", c.Hidden),
			attention:     newAttention(c, i, at.In("self_attn"), d.attentionBias, "o_proj", d.attentionBias),
			mlpNorm:       gemmaNorm(c, at, "post_attention_layernorm", c.Hidden),
			mlp:           newGatedMLP(c, at.In("mlp"), false),
		})
	}
	return m, nil
}

// gemmaDesign has the soft caps of scores and logits, and states whether each
// head's query and key have norms.
type gemmaDesign struct {
	scoreCap, logitCap float32 // 0 = none
	headNorms          bool
	attentionBias      bool
}

func readGemma2(f *family.Fields) family.Config {
	c := forWriting(f, f.GemmaSizes(8192))
	c.Design = gemmaDesign{
		scoreCap: readCap(f, 50, "attn_logit_softcapping"), logitCap: readCap(f, 30, "final_logit_softcapping"),
		attentionBias: f.FlagOr(false, "attention_bias"),
	}
	c.ScoreScale = f.GemmaScale()
	r := f.Rope(c, 10000, 1)
	window := f.GemmaWindow()
	for i, slides := range f.Sliding(c.Layers, func(i int) bool { return i%2 == 0 }) {
		c.Span[i].Rope = r
		if slides {
			c.Span[i].Window = window
		}
	}
	return c
}

func readGemma3(f *family.Fields) family.Config {
	for name, usual := range map[string]int{"vocab_size": 262208, "num_attention_heads": 8, "num_key_value_heads": 4} { // what the 4B's leaves out
		if _, stated := f.Values[name]; !stated {
			f.Values[name] = family.WholeNumber(usual)
		}
	}
	c := f.Gemma3()
	c.Design = gemmaDesign{
		scoreCap: readCap(f, 0, "attn_logit_softcapping"), logitCap: readCap(f, 0, "final_logit_softcapping"),
		headNorms: true, attentionBias: f.FlagOr(false, "attention_bias"),
	}
	return forWriting(f, c)
}

// forWriting refuses a Gemma that reads in both directions.
func forWriting(f *family.Fields, c family.Config) family.Config {
	f.Refuse(f.FlagOr(false, "use_bidirectional_attention"), "use_bidirectional_attention is set: such a model reads text in both directions and cannot write any")
	return c
}

// readCap reads a soft cap: the default if absent, none if null.
func readCap(f *family.Fields, def float64, name string) float32 {
	v, stated := f.Values[name]
	if stated && v == nil {
		return 0
	}
	return float32(f.Number(def, 1e-3, 1e9, name))
}

// gemma is the network of all Gemmas.
type gemma struct {
	words     nn.Embedding // [vocab, hidden]
	wordScale float32      // √hidden, in float32 whatever the type of the table
	layers    nn.Stack
	norm      nn.RMSNorm // [1, hidden]
	head      nn.Linear  // [vocab, hidden]
	logitCap  float32    // 0 = none
}

// Forward implements nn.Network.
func (m *gemma) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := g.Scale(m.words.Forward(g, p.Tokens), m.wordScale) // [tokens, hidden]
	x = m.layers.Forward(p, x)                              // [wanted, hidden]
	x = m.norm.Forward(g, x)
	if p.Hidden {
		return x
	}
	x = m.head.Forward(g, x) // [wanted, vocab]
	if m.logitCap > 0 {
		x = g.SoftCap(x, m.logitCap)
	}
	return x
}

// gemmaLayer has a norm before and after each part.
type gemmaLayer struct {
	attentionNorm, attentionEnd nn.RMSNorm // [1, hidden]
	attention                   nn.Layer   // nn.Attention, in Gemma 3 nn.NormedAttention
	mlpNorm, mlpEnd             nn.RMSNorm // [1, hidden]
	mlp                         nn.GatedMLP
}

// Forward implements nn.Layer.
func (l *gemmaLayer) Forward(p nn.Pass, x *engine.Tensor) *engine.Tensor {
	g := p.Graph
	h := l.attentionNorm.Forward(g, x) // [tokens, hidden]
	h = l.attention.Forward(p, h)      // [wanted, hidden]
	x = p.Leaving(x)
	x = g.Add(x, l.attentionEnd.Forward(g, h))
	h = l.mlp.Forward(g, l.mlpNorm.Forward(g, x))
	return g.Add(x, l.mlpEnd.Forward(g, h))
}

// build implements Design.
func (d gemmaDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newGemma(c, b)
	m.logitCap = d.logitCap
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		m.layers = append(m.layers, &gemmaLayer{
			attentionNorm: gemmaNorm(c, at, "input_layernorm", c.Hidden),
			attentionEnd:  gemmaNorm(c, at, "post_attention_layernorm", c.Hidden),
			attention:     d.attention(c, i, at.In("self_attn")),
			mlpNorm:       gemmaNorm(c, at, "pre_feedforward_layernorm", c.Hidden),
			mlpEnd:        gemmaNorm(c, at, "post_feedforward_layernorm", c.Hidden),
			mlp:           newGatedMLP(c, at.In("mlp"), false),
		})
	}
	return m, nil
}

// newGemma builds all but the layers, and returns the builder for the layers.
func newGemma(c family.Config, b nn.Builder) (*gemma, nn.Builder) {
	m, at := &gemma{wordScale: float32(math.Sqrt(float64(c.Hidden)))}, body(b, "model", "embed_tokens")
	m.words, m.head = wordsAndHead(c, b, at, "embed_tokens", "lm_head")
	m.norm = gemmaNorm(c, at, "norm", c.Hidden)
	return m, at
}

// attention returns layer i's attention.
func (d gemmaDesign) attention(c family.Config, i int, b nn.Builder) nn.Layer {
	a := newAttention(c, i, b, d.attentionBias, "o_proj", d.attentionBias)
	a.Params.SoftCap = d.scoreCap
	if !d.headNorms {
		return a
	}
	return nn.NormedAttention{
		Attention: a,
		QueryNorm: gemmaNorm(c, b, "q_norm", c.HeadSize),
		KeyNorm:   gemmaNorm(c, b, "k_norm", c.HeadSize),
	}
}

// gemmaNorm is an RMSNorm whose stored weights are 1 less than the actual
// factors, except in GGUF files.
func gemmaNorm(c family.Config, b nn.Builder, name string, n int) nn.RMSNorm {
	norm := nn.NewRMSNorm(b, name, n, c.Epsilon)
	if !c.GGUF {
		norm.Offset = 1
	}
	return norm
}

// gemma2GGUF reads the metadata of a GGUF file.
func gemma2GGUF(r *family.Metadata) {
	r.Whole("sliding_window", "attention.sliding_window")
	r.Number("attn_logit_softcapping", "attn_logit_softcapping")
	r.Number("final_logit_softcapping", "final_logit_softcapping")
	gemmaScaleGGUF(r, 46)
}

// gemma3GGUF reads both kinds of positions; only those of the layers with full
// attention are stretched.
func gemma3GGUF(r *family.Metadata) {
	r.Number("final_logit_softcapping", "final_logit_softcapping")
	r.Number("rope_local_base_freq", "rope.freq_base_swa")
	gemmaScaleGGUF(r, 62)
	if r.Optional("attention.sliding_window") == 0 {
		r.Set("sliding_window", r.Key("attention.sliding_window"), nil)
		r.Set("sliding_window_pattern", "", json.Number("1"))
		return
	}
	slidingGGUF(r)
}

// slidingGGUF reads the window and which layers have it: all but one in so many, or a
// truth value for each layer.
func slidingGGUF(r *family.Metadata) {
	r.Whole("sliding_window", "attention.sliding_window")
	const pattern = "attention.sliding_window_pattern"
	slides, err := r.Meta.Bools(r.Key(pattern))
	if err != nil {
		r.Whole("sliding_window_pattern", pattern)
		return
	}
	types := make([]any, len(slides))
	for i, s := range slides {
		types[i] = "full_attention"
		if s {
			types[i] = "sliding_attention"
		}
	}
	r.Set("layer_types", r.Key(pattern), types)
}

// gemmaScaleGGUF sets the size that divides the scores, which no file states. It
// is the head's, except in the largest model, which is recognized by its layers.
func gemmaScaleGGUF(r *family.Metadata, layers float64) {
	by := r.Optional("attention.key_length")
	if by == 0 {
		by = 256
	}
	if heads := r.Optional("attention.head_count"); r.Optional("block_count") == layers && heads > 0 {
		by = math.Floor(r.Optional("embedding_length") / heads)
	}
	r.Set("query_pre_attn_scalar", r.Key("attention.key_length"), family.Decimal(by))
}
