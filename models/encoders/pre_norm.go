package encoders

import (
	"inglenook/engine"
	"inglenook/models/nn"
)

// preNormLayer has a norm before each part.
type preNormLayer struct {
	attentionNorm nn.Norm // [1, hidden]; nil = none
	attention     nn.TextAttention
	mlpNorm       nn.Norm // [1, hidden]
	mlp           nn.FeedForward
}

// Forward implements nn.Layer.
func (l *preNormLayer) Forward(p nn.Pass, x *engine.Tensor) *engine.Tensor {
	g, h := p.Graph, x
	if l.attentionNorm != nil {
		h = l.attentionNorm.Forward(g, x)
	}
	x = g.Add(p.Leaving(x), l.attention.Forward(p, h)) // [wanted, hidden]
	return g.Add(x, l.mlp.Forward(g, l.mlpNorm.Forward(g, x)))
}
