package decoders

import (
	"inglenook/engine"
	"inglenook/models/nn"
)

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
