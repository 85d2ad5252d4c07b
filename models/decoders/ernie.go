package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// ERNIE 4.5 dense (Baidu 2025, ernie.baidu.com/blog/publication/ERNIE_Technical_Report.pdf):
// Llama, whose heads turn in neighbouring pairs of columns.

func readErnie(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 131072)
	c.Epsilon = f.Epsilon(1e-5, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	c.Tied = f.FlagOr(true, "tie_word_embeddings")
	c.Everywhere(0, f.Rope(c, 500000, 1))
	c.Design = ernieDesign{f.FlagOr(false, "use_bias")}
	return c
}

type ernieDesign struct{ bias bool }

// build implements Design: Llama's network.
func (d ernieDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention:     newPairedAttention(c, i, at.In("self_attn"), d.bias, d.bias),
			mlpNorm:       nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:           newGatedMLP(c, at.In("mlp"), d.bias),
		})
	}
	return m, nil
}
