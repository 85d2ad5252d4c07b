package decoders

import (
	"fmt"
	"math"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Hunyuan dense, version 1 (github.com/Tencent-Hunyuan): Llama with norms of each head's
// query and key after they turn. Its positions are stretched once for all lengths, by
// a larger base.

func readHunyuan(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 2048)
	c.Epsilon = f.Epsilon(1e-5, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	c.Everywhere(0, hunyuanRope(f, c))
	c.Design = hunyuanDesign{f.FlagOr(false, "attention_bias")}
	return c
}

// hunyuanRope reads the positions. The type "dynamic" with alpha, which its files state,
// does not depend on the length of the text.
func hunyuanRope(f *family.Fields, c family.Config) *nn.Rope {
	name := "rope_parameters"
	if f.Values["rope_scaling"] != nil {
		name = "rope_scaling"
	}
	in, done := f.In(name)
	alpha := in.Number(0, 0, 1e6, "alpha")
	done()
	stretched := alpha > 0 && (in.Values["rope_type"] == "dynamic" || in.Values["type"] == "dynamic")
	if !stretched {
		return f.Rope(c, 10000, 1)
	}
	in.Values["rope_type"] = "default"
	if name == "rope_scaling" {
		delete(f.Values, "rope_parameters") // it says the same, or less
	}
	turn := f.Rope(c, 10000, 1)
	f.Refuse(turn.Dim <= 2, "too few columns turn for the type dynamic")
	d := float64(max(turn.Dim, 3))
	turn.Theta = max(turn.Theta*math.Pow(alpha, d/(d-2)), 1)
	return turn
}

type hunyuanDesign struct{ bias bool }

// build implements Design: Llama's network.
func (d hunyuanDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		attention := at.In("self_attn")
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention: nn.NormedAttention{
				Attention: newAttention(c, i, attention, d.bias, "o_proj", d.bias),
				QueryNorm: nn.NewRMSNorm(attention, "query_layernorm", c.HeadSize, c.Epsilon),
				KeyNorm:   nn.NewRMSNorm(attention, "key_layernorm", c.HeadSize, c.Epsilon),
				TurnFirst: true,
			},
			mlpNorm: nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:     newGatedMLP(c, at.In("mlp"), false),
		})
	}
	return m, nil
}
