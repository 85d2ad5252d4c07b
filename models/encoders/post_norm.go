package encoders

import (
	"math"
	"strings"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// postNormLayer is the layer of Vaswani et al. 2017 (arXiv:1706.03762) with the
// norm after each part, which BERT, DistilBERT, RoBERTa and MPNet share.
type postNormLayer struct {
	attention     nn.TextAttention
	attentionNorm nn.LayerNorm // [1, hidden]
	mlp           nn.FeedForward
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
func newPostNormLayer(c family.Config, b nn.Builder, n layerNames) *postNormLayer {
	l := newPostNormAttention(c, b, n)
	l.mlp = nn.MLP{
		Up: nn.NewLinear(b, n.up, c.Intermediate, c.Hidden), Down: nn.NewLinear(b, n.down, c.Hidden, c.Intermediate),
		Activation: c.Activation,
	}
	l.outputNorm = nn.NewLayerNorm(b, n.outputNorm, c.Hidden, c.Epsilon)
	return l
}

// newPostNormAttention returns one layer with the weights of its attention alone.
func newPostNormAttention(c family.Config, b nn.Builder, n layerNames) *postNormLayer {
	d := c.Hidden
	l := &postNormLayer{
		attention: nn.TextAttention{
			Query: nn.NewLinear(b, n.query, d, d), Key: nn.NewLinear(b, n.key, d, d), Value: nn.NewLinear(b, n.value, d, d),
			Out:    nn.NewLinear(b, n.out, d, d),
			Params: engine.AttentionParams{Heads: c.Heads, Scale: float32(1 / math.Sqrt(float64(d/c.Heads)))},
		},
		attentionNorm: nn.NewLayerNorm(b, n.attentionNorm, d, c.Epsilon),
	}
	if strings.HasPrefix(c.PositionType, "relative_key") {
		l.attention.Far = &nn.Distances{
			Table:   nn.NewTiled(b, "attention.self.distance_embedding", 2*c.Positions-1, d/c.Heads, c.Heads),
			Queries: c.PositionType == "relative_key_query",
		}
	}
	return l
}
