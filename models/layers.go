package models

import (
	"math"

	"inglenook/engine"
	"inglenook/models/nn"
)

// Layers that several families share, besides Llama's.

// parallelLayer is a layer whose attention and feed-forward read the same normed
// rows in parallel: that of Phi, of some of StableLM, and of Falcon 7B.
type parallelLayer struct {
	norm      nn.LayerNorm // [1, hidden]
	attention nn.Attention
	mlp       nn.FeedForward
}

// Forward implements nn.Layer.
func (l *parallelLayer) Forward(p nn.Pass, x *engine.Tensor) *engine.Tensor {
	g := p.Graph
	h := l.norm.Forward(g, x)      // [tokens, hidden]
	a := l.attention.Forward(p, h) // [wanted, hidden]
	x = p.Leaving(x)
	h = l.mlp.Forward(g, p.Leaving(h))
	return g.Add(x, g.Add(a, h))
}

// parallelNormsLayer is a layer whose parts run in parallel, each after a norm
// of its own: that of GPT-NeoX and Falcon 40B.
type parallelNormsLayer struct {
	attentionNorm nn.LayerNorm // [1, hidden]
	attention     nn.Attention
	mlpNorm       nn.LayerNorm // [1, hidden]
	mlp           nn.FeedForward
}

// Forward implements nn.Layer.
func (l *parallelNormsLayer) Forward(p nn.Pass, x *engine.Tensor) *engine.Tensor {
	g := p.Graph
	a := l.attention.Forward(p, l.attentionNorm.Forward(g, x)) // [wanted, hidden]
	x = p.Leaving(x)
	h := l.mlp.Forward(g, l.mlpNorm.Forward(g, x))
	return g.Add(x, g.Add(a, h))
}

// postNormLayer is the layer of Vaswani et al. 2017 (arXiv:1706.03762) with the
// norm after each part, which BERT, DistilBERT, RoBERTa and MPNet share.
type postNormLayer struct {
	attention     nn.TextAttention
	attentionNorm nn.LayerNorm // [1, hidden]
	mlp           nn.MLP
	outputNorm    nn.LayerNorm // [1, hidden]
}

// Forward implements nn.Layer.
func (l *postNormLayer) Forward(p nn.Pass, x *engine.Tensor) *engine.Tensor {
	rest := p.Leaving(x)           // [wanted, hidden]
	h := l.attention.Forward(p, x) // [wanted, hidden]
	x = l.attentionNorm.ForwardSum(p.Graph, h, rest)
	return l.outputNorm.ForwardSum(p.Graph, l.mlp.Forward(p.Graph, x), x)
}

// layerNames are one family's names for the parts of a layer.
type layerNames struct {
	query, key, value, out, attentionNorm, up, down, outputNorm string
}

// newPostNormLayer returns one layer with its weights.
func newPostNormLayer(c Config, b nn.Builder, n layerNames) *postNormLayer {
	d := c.Hidden
	return &postNormLayer{
		attention: nn.TextAttention{
			Query: nn.NewLinear(b, n.query, d, d), Key: nn.NewLinear(b, n.key, d, d), Value: nn.NewLinear(b, n.value, d, d),
			Out:    nn.NewLinear(b, n.out, d, d),
			Params: engine.AttentionParams{Heads: c.Heads, Scale: float32(1 / math.Sqrt(float64(d/c.Heads)))},
		},
		attentionNorm: nn.NewLayerNorm(b, n.attentionNorm, d, c.Epsilon),
		mlp: nn.MLP{
			Up: nn.NewLinear(b, n.up, c.Intermediate, d), Down: nn.NewLinear(b, n.down, d, c.Intermediate),
			Activation: c.Activation,
		},
		outputNorm: nn.NewLayerNorm(b, n.outputNorm, d, c.Epsilon),
	}
}
