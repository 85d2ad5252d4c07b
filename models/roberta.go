package models

import (
	"inglenook/engine"
	"inglenook/weights"
)

// RoBERTa: Liu et al. 2019, arXiv:1907.11692; XLM-RoBERTa: Conneau et al.
// 2019, arXiv:1911.02116; CamemBERT. BERT's names, positions that start after
// the padding id, and a two-layer classification head.

func robertaSizes(f *fields) Config {
	c := bertSizes(f)
	c.PadID = f.sizeOr(1, maxVocab, "pad_token_id")
	c.TypeVocab = f.sizeOr(2, maxVocab, "type_vocab_size")
	c.MaxTokens = c.Positions - c.PadID - 1
	return c
}

func buildRoBERTa(c Config, s *weights.Scope) *encoder {
	e := buildBERTBody(c, base(s, "roberta"))
	e.positions = afterPad(c.PadID)
	if c.Head == Logits {
		in, out := newLinear(s, "classifier.dense", c.Hidden, c.Hidden), newLinear(s, "classifier.out_proj", c.Labels, c.Hidden)
		e.headIn, e.headAct, e.headOut = &in, engine.Tanh, &out
	}
	return e
}
