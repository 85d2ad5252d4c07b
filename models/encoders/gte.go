package encoders

import (
	"fmt"

	"inglenook/models/family"
	"inglenook/models/nn"
)

// GTE of 2024: Zhang et al. 2024, arXiv:2407.19669. BERT with rotary positions and gated
// feed-forward parts. The models' own code calls the family "new".

func readGTE(f *family.Fields) family.Config {
	c := bertSizes(f)
	c.TypeVocab = f.SizeOr(1, family.MaxVocab, "type_vocab_size")
	c.PositionType = "rope"
	turnWhole(f, &c)
	c.Everywhere(0, gteRope(f, c))
	if kind := f.Text("layer_norm_type"); kind != "" && kind != "layer_norm" {
		f.Fail("layer_norm_type %q is not supported in GTE (only \"layer_norm\")", kind)
	}
	f.Refuse(f.FlagOr(false, "logn_attention_scale"), "logn_attention_scale is set, which is not supported in GTE")
	f.Refuse(!f.FlagOr(true, "pack_qkv"), "pack_qkv is off, which is not supported in GTE")
	c.Design = gte{}
	return c
}

// gteRope reads rotary positions, which the models' own code may stretch in a way of its own.
func gteRope(f *family.Fields, c family.Config) *nn.Rope {
	scaling, done := f.In("rope_scaling")
	defer done()
	if f.RopeName() != "rope_scaling" || scaling.Text("type") != "ntk" {
		return f.Rope(c, 160000, 1)
	}
	scaling.Refuse(scaling.Values["mixed_b"] != nil, "mixed_b is set, which is not supported in GTE")
	return &nn.Rope{
		Type: "ntk", Dim: c.HeadSize, Theta: f.Number(10000, 1, 1e12, "rope_theta"), Original: c.MaxTokens,
		Factor: scaling.Number(1, 1, 1<<20, "factor"),
	}
}

type gte struct{}

// build implements Design.
func (gte) build(c family.Config, b nn.Builder) *encoder {
	at := body(b, "embeddings.word_embeddings", "new", "gte")
	m := newEmbeddings(c, at, c.Hidden)
	blocks := newTurning(c)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("encoder.layer.%d", i))
		half := func(from int) nn.Linear {
			return nn.NewRows(at, "mlp.up_gate_proj", 2*c.Intermediate, c.Hidden, false, [2]int{from, from + c.Intermediate})
		}
		m.layers = append(m.layers, &postNormLayer{
			attention:     blocks.stacked(c, i, at, "attention.qkv_proj", "attention.o_proj", true),
			attentionNorm: nn.NewLayerNorm(at, "attn_ln", c.Hidden, c.Epsilon),
			mlp:           nn.GatedMLP{Up: half(0), Gate: half(c.Intermediate), Down: nn.NewLinear(at, "mlp.down_proj", c.Hidden, c.Intermediate), Activation: c.Activation},
			outputNorm:    nn.NewLayerNorm(at, "mlp_ln", c.Hidden, c.Epsilon),
		})
	}
	e := &encoder{config: c, network: m, types: c.TypeVocab, positions: fromZero, pooler: newPooler(c, at, "pooler.dense")}
	if c.Head == family.Logits {
		e.classifier = newPooledClassifier(c, at, b, "pooler.dense")
	}
	return e
}
