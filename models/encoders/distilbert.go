package encoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// DistilBERT: Sanh et al. 2019, arXiv:1910.01108. BERT without token types and
// pooler, with its own names.

func readDistilBERT(f *family.Fields) family.Config {
	positions := f.Positions(512)
	return family.Config{
		Vocab:        f.Size(family.MaxVocab, "vocab_size"),
		Hidden:       f.Size(family.MaxHidden, "dim", "hidden_size"),
		Layers:       f.Size(family.MaxLayers, "n_layers", "num_hidden_layers"),
		Heads:        f.Size(family.MaxHidden, "n_heads", "num_attention_heads"),
		Intermediate: f.Size(family.MaxHidden, "hidden_dim", "intermediate_size"),
		Positions:    positions,
		MaxTokens:    positions,
		Epsilon:      f.Epsilon(1e-12, "layer_norm_eps"),
		Activation:   f.Activation("activation", "hidden_act"),
		Design:       distilBERTDesign{},
	}
}

type distilBERT struct {
	words, positions nn.Embedding // [vocab, hidden], [positions, hidden]
	norm             nn.LayerNorm // [1, hidden]
	layers           nn.Stack
}

// Forward implements nn.Network.
func (m *distilBERT) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := g.Add(m.words.Forward(g, p.Tokens), m.positions.Forward(g, p.Positions)) // [tokens, hidden]
	x = m.norm.Forward(g, x)
	return m.layers.Forward(p, x) // [tokens, hidden] or [texts, hidden]
}

type distilBERTDesign struct{}

// build implements Design.
func (distilBERTDesign) build(c family.Config, b nn.Builder) *encoder {
	body := base(b, "distilbert")
	m, at := &distilBERT{}, body.In("embeddings")
	m.words = nn.NewEmbedding(at, "word_embeddings", c.Vocab, c.Hidden)
	m.positions = nn.NewEmbedding(at, "position_embeddings", c.Positions, c.Hidden)
	m.norm = nn.NewLayerNorm(at, "LayerNorm", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		m.layers = append(m.layers, newPostNormLayer(c, body.In(fmt.Sprintf("transformer.layer.%d", i)), distilBERTLayer))
	}
	e := &encoder{config: c, network: m, positions: fromZero}
	if c.Head == family.Logits {
		e.classifier = &classifier{
			in: nn.NewLinear(b, "pre_classifier", c.Hidden, c.Hidden), activation: engine.ReLU,
			out: nn.NewLinear(b, "classifier", c.Labels, c.Hidden),
		}
	}
	return e
}

var distilBERTLayer = layerNames{
	query: "attention.q_lin", key: "attention.k_lin", value: "attention.v_lin",
	out: "attention.out_lin", attentionNorm: "sa_layer_norm",
	up: "ffn.lin1", down: "ffn.lin2", outputNorm: "output_layer_norm",
}
