package models

import (
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

var mpnetLayer = layerNames{
	query: "attention.attn.q", key: "attention.attn.k", value: "attention.attn.v",
	out: "attention.attn.o", attentionNorm: "attention.LayerNorm",
	up: "intermediate.dense", down: "output.dense", outputNorm: "output.LayerNorm",
}

func buildMPNet(c Config, s *weights.Scope) *encoder {
	b := base(s, "mpnet")
	e := newEncoder(b, c, "encoder.layer", mpnetLayer)
	e.positions = afterPad(mpnetPad)
	e.relative = b.Matrix("encoder.relative_attention_bias.weight", c.Buckets, c.Heads)
	e.maxDistance = mpnetMaxDistance
	e.pooler = optionalPooler(b, c.Hidden)
	if c.Head == Logits {
		in, out := newLinear(s, "classifier.dense", c.Hidden, c.Hidden), newLinear(s, "classifier.out_proj", c.Labels, c.Hidden)
		e.headIn, e.headAct, e.headOut = &in, engine.Tanh, &out
	}
	return e
}
