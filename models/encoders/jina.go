package encoders

import (
	"fmt"

	"inglenook/models/family"
	"inglenook/models/nn"
)

// JinaBERT, of which jina-embeddings-v2 are: Günther et al. 2023, arXiv:2310.19923. BERT whose
// attention fades with the distance, in place of positions, with gated feed-forward parts.

func readJina(f *family.Fields) family.Config {
	c := bertSizes(f)
	c.PositionType = "alibi"
	if kind := f.Text("position_embedding_type"); kind == "" {
		f.Fail("position_embedding_type is missing (only \"alibi\" is supported in JinaBERT)")
	}
	if kind := f.Text("feed_forward_type"); kind != "geglu" {
		f.Fail("feed_forward_type %q is not supported in JinaBERT (only \"geglu\")", kind)
	}
	c.Design = jina{}
	return c
}

type jina struct{}

// build implements Design.
func (jina) build(c family.Config, b nn.Builder) *encoder {
	at := base(b, "bert")
	m := newEmbeddings(c, at, c.Hidden)
	slopes := nn.Slopes(c.Heads)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("encoder.layer.%d", i))
		l := newPostNormAttention(c, at, bertLayer)
		l.attention.Params.Slopes = slopes
		l.mlp = jinaMLP(c, at)
		l.outputNorm = nn.NewLayerNorm(at, "mlp.layernorm", c.Hidden, c.Epsilon)
		m.layers = append(m.layers, l)
	}
	return &encoder{config: c, network: m, types: c.TypeVocab, positions: fromZero, pooler: newPooler(c, at, "pooler.dense")}
}

// jinaMLP returns the feed-forward part, whose matrix gated_layers [2·inner, hidden] has the
// gate's rows first. Older GGUF files have the gate apart.
func jinaMLP(c family.Config, b nn.Builder) nn.GatedMLP {
	m := nn.GatedMLP{Down: nn.NewLinear(b, "mlp.wo", c.Hidden, c.Intermediate), Activation: c.Activation}
	if apart := "mlp.gated_layers_w"; c.GGUF && b.Has(apart+".weight") {
		m.Gate, m.Up = nn.NewProjection(b, apart, c.Intermediate, c.Hidden, false), nn.NewProjection(b, "mlp.gated_layers", c.Intermediate, c.Hidden, false)
		return m
	}
	half := func(from int) nn.Linear {
		return nn.NewRows(b, "mlp.gated_layers", 2*c.Intermediate, c.Hidden, false, [2]int{from, from + c.Intermediate})
	}
	m.Gate, m.Up = half(0), half(c.Intermediate)
	return m
}
