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
	relativeKeys(f, &c)
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

// relativeKeys reads whether attention compares words with vectors of their distance (Shaw et
// al. 2018, arXiv:1803.02155; Huang et al. 2020, arXiv:2009.13658) in place of positions.
func relativeKeys(f *family.Fields, c *family.Config) {
	switch kind := f.Text("position_embedding_type"); kind {
	case "", "absolute":
	case "relative_key", "relative_key_query":
		c.PositionType = kind
	default:
		f.Fail("position_embedding_type %.40q is not supported (only \"absolute\", \"relative_key\" and \"relative_key_query\")", kind)
	}
}

// bert is the network of BERT and of those that change its layers or its vectors of words,
// which may be narrower than the layers.
type bert struct {
	words, positions, types nn.Embedding // [vocab, width], [positions, width] or nothing, [types, width]
	norm                    nn.LayerNorm // [1, width]
	widen                   *nn.Linear   // [hidden, width], or nil
	layers                  nn.Stack
}

// Forward implements nn.Network.
func (m *bert) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := m.words.Forward(g, p.Tokens) // [tokens, width]
	if m.positions.Table != nil {
		x = g.Add(x, m.positions.Forward(g, p.Positions))
	}
	if p.Types != nil {
		x = g.Add(x, m.types.Forward(g, p.Types))
	}
	x = m.norm.Forward(g, x)
	if m.widen != nil {
		x = m.widen.Forward(g, x) // [tokens, hidden]
	}
	return m.layers.Forward(p, x) // [tokens, hidden] or [texts, hidden]
}

type bertDesign struct{}

// build implements Design. The classifier reads the pooler's output.
func (bertDesign) build(c family.Config, b nn.Builder) *encoder {
	body := base(b, "bert")
	e := newBERT(c, body, fromZero)
	switch {
	case c.Head != family.Logits:
	case c.GGUF: // RoBERTa's head, as BERT's own is never whole
		e.classifier = newDenseClassifier(c, b)
		if c.TypeVocab == 0 { // DistilBERT's
			e.classifier.activation = engine.ReLU
		}
	default:
		e.classifier = newPooledClassifier(c, body, b, "pooler.dense")
	}
	return e
}

// newPooledClassifier returns BERT's head: labels of what the pooler gives.
func newPooledClassifier(c family.Config, body, b nn.Builder, pooler string) *classifier {
	return &classifier{in: nn.NewLinear(body, pooler, c.Hidden, c.Hidden), activation: engine.Tanh, out: nn.NewLinear(b, "classifier", c.Labels, c.Hidden)}
}

// newBERT builds the encoder under BERT's names, which RoBERTa shares.
func newBERT(c family.Config, b nn.Builder, positions func([]int32) []int32) *encoder {
	m := newEmbeddings(c, b, c.Hidden)
	if c.PositionType == "" {
		m.positions = nn.NewEmbedding(b, "embeddings.position_embeddings", c.Positions, c.Hidden)
	}
	for i := range c.Layers {
		m.layers = append(m.layers, newPostNormLayer(c, b.In(fmt.Sprintf("encoder.layer.%d", i)), bertLayer))
	}
	return &encoder{config: c, network: m, types: c.TypeVocab, positions: positions, pooler: newPooler(c, b, "pooler.dense")}
}

// newEmbeddings builds the vectors of words and types, of so many columns, without layers
// and positions.
func newEmbeddings(c family.Config, b nn.Builder, width int) *bert {
	m, at := &bert{}, b.In("embeddings")
	m.words = nn.NewEmbedding(at, "word_embeddings", c.Vocab, width)
	if c.TypeVocab > 0 {
		m.types = nn.NewEmbedding(at, "token_type_embeddings", c.TypeVocab, width)
	}
	m.norm = nn.NewLayerNorm(at, "LayerNorm", width, c.Epsilon)
	return m
}

// bertLayer are BERT's names for the parts of a layer.
var bertLayer = layerNames{
	query: "attention.self.query", key: "attention.self.key", value: "attention.self.value",
	out: "attention.output.dense", attentionNorm: "attention.output.LayerNorm",
	up: "intermediate.dense", down: "output.dense", outputNorm: "output.LayerNorm",
}
