package encoders

import (
	"fmt"
	"math"
	"slices"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// CLIP: Radford et al. 2021, arXiv:2103.00020. Two towers give vectors of texts and of
// pictures that can be compared. Here is the one that reads texts: a token sees those before
// it, and the state of the token that ends a text is projected to the text's vector.

// readCLIP reads a checkpoint with both towers.
func readCLIP(f *family.Fields) family.Config {
	arch := f.Architecture()
	f.Refuse(arch != "" && arch != "CLIPModel", fmt.Sprintf("the head of %.40q is not supported (only \"CLIPModel\", and its halves \"CLIPTextModel\" and \"CLIPVisionModel\", also with \"WithProjection\")", arch))
	text, done := f.In("text_config")
	f.Refuse(text.Values == nil, "text_config is missing, which describes the half that reads texts")
	c := clipText(text, f.SizeOr(512, family.MaxHidden, "projection_dim"))
	done()
	d := c.Design.(clipDesign)
	d.view = readCLIPView(f)
	c.Design, c.Picture = d, d.view.size
	return c
}

// readCLIPText reads a checkpoint with the tower for texts alone.
func readCLIPText(f *family.Fields) family.Config {
	if f.Architecture() == "CLIPTextModel" {
		return clipText(f, 0)
	}
	return clipText(f, f.SizeOr(512, family.MaxHidden, "projection_dim"))
}

// clipText reads the config of the tower for texts, with the reference library's sizes where
// it states none. Its vectors have so many columns; 0: as many as the states.
func clipText(f *family.Fields, projection int) family.Config {
	c := f.TextTower(family.Config{Vocab: 49408, Hidden: 512, Layers: 12, Heads: 8, Intermediate: 2048, Positions: 77, Epsilon: 1e-5, Activation: engine.QuickGELU})
	c.Width = projection
	c.Design = clipDesign{projection: projection, end: int32(f.SizeOr(49407, family.MaxVocab, "eos_token_id"))}
	return c
}

// clipDesign is what only this family reads.
type clipDesign struct {
	projection int   // columns of a text's vector; 0: those of a state
	end        int32 // the token that ends a text
	view       clipView
}

func (d clipDesign) pictures() (clipView, int) { return d.view, d.projection }

// clipTextTower is the network from tokens to states.
type clipTextTower struct {
	words, places nn.Embedding // [vocab, hidden], [positions, hidden]
	layers        nn.Stack
	norm          nn.LayerNorm // [1, hidden]
}

// Forward implements nn.Network.
func (m *clipTextTower) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := g.Add(m.words.Forward(g, p.Tokens), m.places.Forward(g, p.Positions)) // [tokens, hidden]
	x = m.layers.Forward(p, x)                                                 // [tokens, hidden] or [texts, hidden]
	return m.norm.Forward(g, x)
}

// build implements Design.
func (d clipDesign) build(c family.Config, b nn.Builder) *encoder {
	at := body(b, "embeddings.token_embedding", "text_model")
	e := &encoder{config: c, network: newTextTower(c, at, true), positions: fromZero, pooler: &pooler{of: d.last}}
	if d.projection > 0 {
		vector := nn.NewProjection(b, "text_projection", d.projection, c.Hidden, false)
		e.pooler.linear = &vector
	}
	return e
}

// newTextTower returns the network of a half that reads texts, in which a token sees all others or
// those before it.
func newTextTower(c family.Config, b nn.Builder, causal bool) *clipTextTower {
	m := &clipTextTower{
		words:  nn.NewEmbedding(b, "embeddings.token_embedding", c.Vocab, c.Hidden),
		places: nn.NewEmbedding(b, "embeddings.position_embedding", c.Positions, c.Hidden),
		norm:   nn.NewLayerNorm(b, "final_layer_norm", c.Hidden, c.Epsilon),
	}
	for i := range c.Layers {
		l := newCLIPLayer(c, b.In(fmt.Sprintf("encoder.layers.%d", i)))
		l.attention.Params.Causal = causal
		m.layers = append(m.layers, l)
	}
	return m
}

// newCLIPLayer returns a layer of either tower with its weights.
func newCLIPLayer(c family.Config, b nn.Builder) *preNormLayer {
	d, at := c.Hidden, b.In("self_attn")
	linear := func(name string) nn.Linear { return nn.NewLinear(at, name, d, d) }
	return &preNormLayer{
		attentionNorm: nn.NewLayerNorm(b, "layer_norm1", d, c.Epsilon),
		attention: nn.TextAttention{
			Query: linear("q_proj"), Key: linear("k_proj"), Value: linear("v_proj"), Out: linear("out_proj"),
			Params: engine.AttentionParams{Heads: c.Heads, Scale: float32(1 / math.Sqrt(float64(d/c.Heads)))},
		},
		mlpNorm: nn.NewLayerNorm(b, "layer_norm2", d, c.Epsilon),
		mlp: nn.MLP{
			Up: nn.NewLinear(b, "mlp.fc1", c.Intermediate, d), Down: nn.NewLinear(b, "mlp.fc2", d, c.Intermediate),
			Activation: c.Activation,
		},
	}
}

// last returns which token stands for a text: the first that ends it, or the first of all if
// none does. Configs of old checkpoints name a wrong one, 2; there it is the one of the highest
// id, as in the reference library.
func (d clipDesign) last(ids []int32) int {
	if d.end == 2 {
		return slices.Index(ids, slices.Max(ids))
	}
	return max(0, slices.Index(ids, d.end))
}
