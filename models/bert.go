package models

import (
	"inglenook/engine"
	"inglenook/weights"
)

// BERT: Devlin et al. 2018, arXiv:1810.04805. Also MiniLM, BGE, E5 and GTE
// encoders, which are BERT with other sizes.

func bertSizes(f *fields) Config {
	positions := f.size(maxPositions, "max_position_embeddings")
	return Config{
		Vocab:        f.size(maxVocab, "vocab_size"),
		Hidden:       f.size(maxHidden, "hidden_size"),
		Layers:       f.size(maxLayers, "num_hidden_layers"),
		Heads:        f.size(maxHidden, "num_attention_heads"),
		Intermediate: f.size(maxHidden, "intermediate_size"),
		Positions:    positions,
		MaxTokens:    positions,
		TypeVocab:    f.sizeOr(2, maxVocab, "type_vocab_size"),
		PadID:        f.sizeOr(0, maxVocab, "pad_token_id"),
		Epsilon:      f.epsilon(1e-12, "layer_norm_eps"),
		Activation:   f.activation("hidden_act", "hidden_activation"),
	}
}

func buildBERT(c Config, s *weights.Scope) *encoder {
	e := buildBERTBody(c, base(s, "bert"))
	e.positions = fromZero
	if c.Head == Logits {
		// the classifier reads the pooler's output
		head := newLinear(s, "classifier", c.Labels, c.Hidden)
		if e.pooler == nil {
			l := newLinear(base(s, "bert"), "pooler.dense", c.Hidden, c.Hidden) // reports what is missing
			e.pooler = &l
		}
		e.headIn, e.headAct, e.headOut = e.pooler, engine.Tanh, &head
	}
	return e
}

// bertLayer are BERT's names for the parts of a layer.
var bertLayer = layerNames{
	query: "attention.self.query", key: "attention.self.key", value: "attention.self.value",
	out: "attention.output.dense", attentionNorm: "attention.output.LayerNorm",
	up: "intermediate.dense", down: "output.dense", outputNorm: "output.LayerNorm",
}

// buildBERTBody builds embeddings, layers and pooler under BERT's names, which
// RoBERTa shares.
func buildBERTBody(c Config, s *weights.Scope) *encoder {
	e := newEncoder(s, c, "encoder.layer", bertLayer)
	e.pooler = optionalPooler(s, c.Hidden)
	if c.TypeVocab > 0 {
		e.typ = s.In("embeddings").Matrix("token_type_embeddings.weight", c.TypeVocab, c.Hidden)
	}
	return e
}
