package models

import (
	"fmt"

	"inglenook/engine"
	"inglenook/weights"
)

// MPNet: Song et al. 2020, arXiv:2004.09297. RoBERTa's positions plus one
// table of relative position biases that all layers share.

// Constants of the reference implementation, whatever config.json says.
const (
	mpnetPad         = 1
	mpnetBuckets     = 32
	mpnetMaxDistance = 128
)

func mpnetSizes(f *fields) Config {
	c := bertSizes(f)
	c.TypeVocab = 0
	c.PadID = mpnetPad
	c.MaxTokens = c.Positions - mpnetPad - 1
	c.Buckets = mpnetBuckets
	if n := f.sizeOr(mpnetBuckets, 1<<20, "relative_attention_num_buckets"); n != mpnetBuckets {
		f.fail("relative_attention_num_buckets is %d; the reference implementation computes with %d alone", n, mpnetBuckets)
	}
	return c
}

func buildMPNet(c Config, s *weights.Scope) *encoder {
	b := base(s, "mpnet")
	em := b.In("embeddings")
	e := &encoder{
		config:        c,
		word:          em.Matrix("word_embeddings.weight", c.Vocab, c.Hidden),
		pos:           em.Matrix("position_embeddings.weight", c.Positions, c.Hidden),
		embeddingNorm: newNorm(em, "LayerNorm", c.Hidden, c.Epsilon),
		positions:     afterPad(mpnetPad),
		relative:      b.Matrix("encoder.relative_attention_bias.weight", c.Buckets, c.Heads),
		maxDistance:   mpnetMaxDistance,
		pooler:        optionalPooler(b, c.Hidden),
	}
	for i := range c.Layers {
		e.layers = append(e.layers, newLayer(b.In(fmt.Sprintf("encoder.layer.%d", i)), c, layerNames{
			query: "attention.attn.q", key: "attention.attn.k", value: "attention.attn.v",
			out: "attention.attn.o", attentionNorm: "attention.LayerNorm",
			up: "intermediate.dense", down: "output.dense", outputNorm: "output.LayerNorm",
		}))
	}
	if c.Head == Logits {
		in, out := newLinear(s, "classifier.dense", c.Hidden, c.Hidden), newLinear(s, "classifier.out_proj", c.Labels, c.Hidden)
		e.headIn, e.headAct, e.headOut = &in, engine.Tanh, &out
	}
	return e
}
