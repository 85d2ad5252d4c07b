package encoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// ALBERT: Lan et al. 2019, arXiv:1909.11942. BERT with narrow vectors of words, whose layers
// share their weights in groups.

func readALBERT(f *family.Fields) family.Config {
	c := bertSizes(f)
	c.Activation = f.ActivationOr(engine.GELUTanh, "hidden_act")
	d := albert{width: embeddingSize(f), groups: f.SizeOr(1, family.MaxLayers, "num_hidden_groups"), inner: f.SizeOr(1, family.MaxLayers, "inner_group_num")}
	f.Refuse(d.groups < 1 || d.groups > c.Layers, fmt.Sprintf("%d layers do not divide into num_hidden_groups (%d)", c.Layers, d.groups))
	f.Refuse(d.inner < 1 || d.inner*c.Layers > family.MaxLayers, fmt.Sprintf("inner_group_num is %d, which is outside 1 to %d", d.inner, family.MaxLayers/max(c.Layers, 1)))
	c.Design = d
	return c
}

type albert struct {
	width  int // columns of the vectors of words
	groups int // of layers with the same weights
	inner  int // layers in a group, all of which run in its place
}

// build implements Design.
func (d albert) build(c family.Config, b nn.Builder) *encoder {
	at := base(b, "albert")
	m := newEmbeddings(c, at, d.width)
	m.positions = nn.NewEmbedding(at, "embeddings.position_embeddings", c.Positions, d.width)
	widen := nn.NewLinear(at, "encoder.embedding_hidden_mapping_in", c.Hidden, d.width)
	m.widen = &widen
	groups := make([][]nn.Layer, d.groups)
	for i := range groups {
		for k := range d.inner {
			groups[i] = append(groups[i], newPostNormLayer(c, at.In(fmt.Sprintf("encoder.albert_layer_groups.%d.albert_layers.%d", i, k)), albertLayer))
		}
	}
	for i := range c.Layers {
		m.layers = append(m.layers, groups[i*d.groups/c.Layers]...)
	}
	e := &encoder{config: c, network: m, types: c.TypeVocab, positions: fromZero, pooler: newPooler(c, at, "pooler")}
	if c.Head == family.Logits {
		e.classifier = newPooledClassifier(c, at, b, "pooler")
	}
	return e
}

var albertLayer = layerNames{
	query: "attention.query", key: "attention.key", value: "attention.value",
	out: "attention.dense", attentionNorm: "attention.LayerNorm",
	up: "ffn", down: "ffn_output", outputNorm: "full_layer_layer_norm",
}
