package models

import (
	"inglenook/engine"
	"inglenook/weights"
)

// DistilBERT: Sanh et al. 2019, arXiv:1910.01108. BERT without token types and
// pooler, with its own names.

func distilBERTSizes(f *fields) Config {
	positions := f.size(maxPositions, "max_position_embeddings")
	return Config{
		Vocab:        f.size(maxVocab, "vocab_size"),
		Hidden:       f.size(maxHidden, "dim", "hidden_size"),
		Layers:       f.size(maxLayers, "n_layers", "num_hidden_layers"),
		Heads:        f.size(maxHidden, "n_heads", "num_attention_heads"),
		Intermediate: f.size(maxHidden, "hidden_dim", "intermediate_size"),
		Positions:    positions,
		MaxTokens:    positions,
		PadID:        f.sizeOr(0, maxVocab, "pad_token_id"),
		Epsilon:      f.epsilon(1e-12, "layer_norm_eps"),
		Activation:   f.activation("activation", "hidden_act"),
	}
}

var distilBERTLayer = layerNames{
	query: "attention.q_lin", key: "attention.k_lin", value: "attention.v_lin",
	out: "attention.out_lin", attentionNorm: "sa_layer_norm",
	up: "ffn.lin1", down: "ffn.lin2", outputNorm: "output_layer_norm",
}

func buildDistilBERT(c Config, s *weights.Scope) *encoder {
	e := newEncoder(base(s, "distilbert"), c, "transformer.layer", distilBERTLayer)
	e.positions = fromZero
	if c.Head == Logits {
		in, out := newLinear(s, "pre_classifier", c.Hidden, c.Hidden), newLinear(s, "classifier", c.Labels, c.Hidden)
		e.headIn, e.headAct, e.headOut = &in, engine.ReLU, &out
	}
	return e
}
