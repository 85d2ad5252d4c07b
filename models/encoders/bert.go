package encoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// BERT: Devlin et al. 2018, arXiv:1810.04805. Also MiniLM, BGE, E5 and GTE
// encoders, which are BERT with other sizes.

func readBERT(f *family.Fields) family.Config {
	c := bertSizes(f)
	c.Design = bertDesign{}
	return c
}

// bertSizes reads the fields that RoBERTa and MPNet spell alike.
func bertSizes(f *family.Fields) family.Config {
	positions := f.Positions(512)
	return family.Config{
		Vocab:        f.Size(family.MaxVocab, "vocab_size"),
		Hidden:       f.Size(family.MaxHidden, "hidden_size"),
		Layers:       f.Size(family.MaxLayers, "num_hidden_layers"),
		Heads:        f.Size(family.MaxHidden, "num_attention_heads"),
		Intermediate: f.Size(family.MaxHidden, "intermediate_size"),
		Positions:    positions,
		MaxTokens:    positions,
		TypeVocab:    f.SizeOr(2, family.MaxVocab, "type_vocab_size"),
		Epsilon:      f.Epsilon(1e-12, "layer_norm_eps"),
		Activation:   f.Activation("hidden_act", "hidden_activation"),
	}
}

// bert is the network of BERT and of RoBERTa.
type bert struct {
	words, positions, types nn.Embedding // [vocab, hidden], [positions, hidden], [types, hidden]
	norm                    nn.LayerNorm // [1, hidden]
	layers                  nn.Stack
}

// Forward implements nn.Network.
func (m *bert) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := g.Add(m.words.Forward(g, p.Tokens), m.positions.Forward(g, p.Positions)) // [tokens, hidden]
	if p.Types != nil {
		x = g.Add(x, m.types.Forward(g, p.Types))
	}
	x = m.norm.Forward(g, x)
	return m.layers.Forward(p, x) // [tokens, hidden] or [texts, hidden]
}

type bertDesign struct{}

// build implements Design. The classifier reads the pooler's output.
func (bertDesign) build(c family.Config, b nn.Builder) *encoder {
	body := base(b, "bert")
	e := newBERT(c, body, fromZero)
	if c.Head == family.Logits {
		if e.pooler == nil {
			l := nn.NewLinear(body, "pooler.dense", c.Hidden, c.Hidden) // records what is missing
			e.pooler = &l
		}
		e.classifier = &classifier{in: *e.pooler, activation: engine.Tanh, out: nn.NewLinear(b, "classifier", c.Labels, c.Hidden)}
	}
	return e
}

// newBERT builds the encoder under BERT's names, which RoBERTa shares.
func newBERT(c family.Config, b nn.Builder, positions func([]int32) []int32) *encoder {
	m, at := &bert{}, b.In("embeddings")
	m.words = nn.NewEmbedding(at, "word_embeddings", c.Vocab, c.Hidden)
	m.positions = nn.NewEmbedding(at, "position_embeddings", c.Positions, c.Hidden)
	if c.TypeVocab > 0 {
		m.types = nn.NewEmbedding(at, "token_type_embeddings", c.TypeVocab, c.Hidden)
	}
	m.norm = nn.NewLayerNorm(at, "LayerNorm", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		m.layers = append(m.layers, newPostNormLayer(c, b.In(fmt.Sprintf("encoder.layer.%d", i)), bertLayer))
	}
	return &encoder{config: c, network: m, types: c.TypeVocab, positions: positions, pooler: newPooler(c, b)}
}

// bertLayer are BERT's names for the parts of a layer.
var bertLayer = layerNames{
	query: "attention.self.query", key: "attention.self.key", value: "attention.self.value",
	out: "attention.output.dense", attentionNorm: "attention.output.LayerNorm",
	up: "intermediate.dense", down: "output.dense", outputNorm: "output.LayerNorm",
}
