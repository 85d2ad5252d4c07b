package decoders

import (
	"fmt"
	"math"
	"strings"

	"inglenook/engine"
	"inglenook/models/encoders"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// T5: Raffel et al. 2020, arXiv:1910.10683, and its descendants, as in package encoders,
// which has the half that reads. Each layer of the half that writes attends to what is
// written so far and then to the text that was read.

// t5Longer is how many times longer than in training a text and its answer may be together:
// positions are distances, beyond the largest of which all are alike.
const t5Longer = 4

func readT5(f *family.Fields) family.Config {
	c := readT5Halves(f, true)
	d := c.Design.(t5Design)
	d.scaled = f.FlagOr(c.Tied, "scale_decoder_outputs")
	c.Design = d
	return c
}

// readMT5 reads mT5, which never scales its last states.
func readMT5(f *family.Fields) family.Config { return readT5Halves(f, false) }

func readT5Halves(f *family.Fields, tied bool) family.Config {
	c, shared := encoders.T5Sizes(f)
	c.KVHeads, c.MaxTokens = c.Heads, min(t5Longer*c.MaxTokens, family.MaxPositions)
	c.TextToText, c.Tied = true, f.FlagOr(tied, "tie_word_embeddings")
	c.Start = f.SizeOr(f.SizeOr(0, family.MaxVocab, "pad_token_id"), family.MaxVocab, "decoder_start_token_id")
	f.Refuse(c.Start >= c.Vocab, "decoder_start_token_id is outside the vocabulary")
	d := t5Design{shared: shared, layers: f.SizeOr(c.Layers, family.MaxLayers, "num_decoder_layers")}
	f.Refuse(d.layers == 0, "num_decoder_layers is 0")
	c.Design = d
	return c
}

// t5Design is what only this family reads.
type t5Design struct {
	shared encoders.T5Design
	layers int  // of the half that writes
	scaled bool // its last states are, by the square root of their width
}

type t5 struct {
	reader *encoders.T5Encoder
	words  nn.Embedding // [vocab, hidden]
	layers []*t5Layer
	norm   nn.RMSNorm // [1, hidden]
	scale  float32    // of the last states; 0 = 1
	head   nn.Linear  // [vocab, hidden]
}

// Forward implements nn.Network.
func (m *t5) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	var source *engine.Tensor // [source, hidden]
	if n := len(p.Source); n > 0 {
		source = m.reader.Forward(nn.NewTextsPass(g, nn.Texts{Tokens: p.Source, Positions: make([]int32, n), Starts: []int32{0, int32(n)}}))
	}
	x := m.words.Forward(g, p.Tokens) // [tokens, hidden]
	for i, l := range m.layers {
		x = l.Forward(p.Layer(i, len(m.layers)), x, source) // the last one: [wanted, hidden]
	}
	x = m.norm.Forward(g, x)
	if p.Hidden {
		return x
	}
	if m.scale != 0 {
		x = g.Scale(x, m.scale)
	}
	return m.head.Forward(g, x) // [wanted, vocab]
}

// t5Layer is a layer of the half that writes.
type t5Layer struct {
	attentionNorm nn.RMSNorm // [1, hidden]
	attention     nn.Attention
	crossNorm     nn.RMSNorm // [1, hidden]
	cross         nn.CrossAttention
	mlpNorm       nn.RMSNorm // [1, hidden]
	mlp           nn.FeedForward
}

// Forward records the layer: [tokens, hidden] to [wanted, hidden]. source is the text that
// was read in this pass, or nil.
func (l *t5Layer) Forward(p nn.Pass, x, source *engine.Tensor) *engine.Tensor {
	g := p.Graph
	h := l.attention.Forward(p, l.attentionNorm.Forward(g, x)) // [wanted, hidden]
	x = g.Add(p.Leaving(x), h)
	x = g.Add(x, l.cross.Forward(p, l.crossNorm.Forward(g, x), source))
	return g.Add(x, l.mlp.Forward(g, l.mlpNorm.Forward(g, x)))
}

// build implements Design.
func (d t5Design) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m := &t5{words: encoders.T5Words(c, b)}
	m.reader = encoders.NewT5Encoder(c, d.shared, b.In("encoder"), m.words)
	at := b.In("decoder")
	m.norm = nn.NewRMSNorm(at, "final_layer_norm", c.Hidden, c.Epsilon)
	relative := d.shared.Relative(c, at, "block.0.layer.0.SelfAttention")
	for i := range d.layers {
		m.layers = append(m.layers, d.layer(c, at.In(fmt.Sprintf("block.%d", i)), relative))
	}
	if d.scaled {
		m.scale = float32(1 / math.Sqrt(float64(c.Hidden)))
	}
	m.head = nn.Linear{W: m.words.Table}
	if (b.Has("lm_head.weight") || !c.Tied) && !b.Copies("lm_head.weight", b.Scope, "shared.weight") {
		m.head = nn.NewProjection(b, "lm_head", c.Vocab, c.Hidden, false)
	}
	return m, nil
}

func (d t5Design) layer(c family.Config, b nn.Builder, relative *engine.Tensor) *t5Layer {
	norm := func(name string) nn.RMSNorm { return nn.NewRMSNorm(b, name+".layer_norm", c.Hidden, c.Epsilon) }
	heads := nn.Heads{Count: c.Heads, KV: c.Heads, Size: c.HeadSize, Scale: c.ScoreScale}
	l := &t5Layer{
		attentionNorm: norm("layer.0"), attention: nn.NewAttention(b, heads),
		crossNorm: norm("layer.1"), cross: nn.NewCrossAttention(b, heads),
		mlpNorm: norm("layer.2"), mlp: d.shared.FeedForward(c, b.In("layer.2.DenseReluDense")),
	}
	l.attention.Relative, l.attention.Params.MaxDistance = relative, d.shared.MaxDistance
	l.attention.Query, l.attention.Key, l.attention.Value, l.attention.Out = d.shared.Projections(c, b.In("layer.0.SelfAttention"))
	l.cross.Query, l.cross.Key, l.cross.Value, l.cross.Out = d.shared.Projections(c, b.In("layer.1.EncDecAttention"))
	return l
}

// Ignores implements family.Ignorer: old files store biases of the attention to the text that
// was read, which nothing uses.
func (t5Design) Ignores(name string) bool {
	return strings.HasSuffix(name, ".EncDecAttention.relative_attention_bias.weight")
}
