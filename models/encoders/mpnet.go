package encoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// MPNet: Song et al. 2020, arXiv:2004.09297. RoBERTa's positions plus one
// table of relative position biases that all layers share.

// Constants of the reference implementation, which config.json does not change.
const (
	mpnetPad         = 1
	mpnetBuckets     = 32
	mpnetMaxDistance = 128
)

func readMPNet(f *family.Fields) family.Config {
	c := bertSizes(f)
	c.TypeVocab = 0
	c.PadID = mpnetPad
	c.MaxTokens = c.Positions - mpnetPad - 1
	if n := f.SizeOr(mpnetBuckets, 1<<20, "relative_attention_num_buckets"); n != mpnetBuckets {
		f.Fail("relative_attention_num_buckets is %d; the reference implementation computes with %d alone", n, mpnetBuckets)
	}
	c.Design = mpnetDesign{}
	return c
}

type mpnet struct {
	words, positions nn.Embedding // [vocab, hidden], [positions, hidden]
	norm             nn.LayerNorm // [1, hidden]
	layers           nn.Stack
}

// Forward implements nn.Network.
func (m *mpnet) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := g.Add(m.words.Forward(g, p.Tokens), m.positions.Forward(g, p.Positions)) // [tokens, hidden]
	x = m.norm.Forward(g, x)
	return m.layers.Forward(p, x) // [tokens, hidden] or [texts, hidden]
}

type mpnetDesign struct{}

// build implements Design.
func (mpnetDesign) build(c family.Config, b nn.Builder) *encoder {
	body := base(b, "mpnet")
	m, at := &mpnet{}, body.In("embeddings")
	m.words = nn.NewEmbedding(at, "word_embeddings", c.Vocab, c.Hidden)
	m.positions = nn.NewEmbedding(at, "position_embeddings", c.Positions, c.Hidden)
	m.norm = nn.NewLayerNorm(at, "LayerNorm", c.Hidden, c.Epsilon)
	relative := body.Matrix("encoder.relative_attention_bias.weight", mpnetBuckets, c.Heads) // [buckets, heads]
	for i := range c.Layers {
		l := newPostNormLayer(c, body.In(fmt.Sprintf("encoder.layer.%d", i)), mpnetLayer)
		l.attention.Relative, l.attention.Params.MaxDistance = relative, mpnetMaxDistance
		m.layers = append(m.layers, l)
	}
	e := &encoder{config: c, network: m, positions: afterPad(mpnetPad), pooler: newPooler(c, body, "pooler.dense")}
	if c.Head == family.Logits {
		e.classifier = newDenseClassifier(c, b)
	}
	return e
}

var mpnetLayer = layerNames{
	query: "attention.attn.q", key: "attention.attn.k", value: "attention.attn.v",
	out: "attention.attn.o", attentionNorm: "attention.LayerNorm",
	up: "intermediate.dense", down: "output.dense", outputNorm: "output.LayerNorm",
}
