package models

import (
	"fmt"

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

func buildDistilBERT(c Config, s *weights.Scope) *encoder {
	b := base(s, "distilbert")
	em := b.In("embeddings")
	e := &encoder{
		config:        c,
		word:          em.Matrix("word_embeddings.weight", c.Vocab, c.Hidden),
		pos:           em.Matrix("position_embeddings.weight", c.Positions, c.Hidden),
		embeddingNorm: newNorm(em, "LayerNorm", c.Hidden, c.Epsilon),
		positions:     fromZero,
	}
	for i := range c.Layers {
		e.layers = append(e.layers, newLayer(b.In(fmt.Sprintf("transformer.layer.%d", i)), c, layerNames{
			query: "attention.q_lin", key: "attention.k_lin", value: "attention.v_lin",
			out: "attention.out_lin", attentionNorm: "sa_layer_norm",
			up: "ffn.lin1", down: "ffn.lin2", outputNorm: "output_layer_norm",
		}))
	}
	if c.Head == Logits {
		in, out := newLinear(s, "pre_classifier", c.Hidden, c.Hidden), newLinear(s, "classifier", c.Labels, c.Hidden)
		e.headIn, e.headAct, e.headOut = &in, engine.ReLU, &out
	}
	return e
}
