package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// OLMo 2: Walsh et al. 2025, arXiv:2501.00656. Llama's layers with norms behind each
// part instead of before it, and norms of all queries and of all keys of a token. OLMo 3:
// Ettinger et al. 2025, arXiv:2512.13961. Three layers with a window to one without;
// only the latter stretch positions.

func readOlmo2(f *family.Fields) family.Config {
	return olmoConfig(f, 10000, f.SizeOr(0, family.MaxPositions, "sliding_window"))
}

func readOlmo3(f *family.Fields) family.Config {
	return olmoConfig(f, 500000, usualWindow(f))
}

// usualWindow reads the window, which is 4096 positions where config.json does not say
// anything, and none where it says null.
func usualWindow(f *family.Fields) int {
	if _, stated := f.Values["sliding_window"]; !stated && f.Spelled == nil {
		return 4096
	}
	return f.SizeOr(0, family.MaxPositions, "sliding_window")
}

// olmoConfig reads the config of both; theta is the family's default.
func olmoConfig(f *family.Fields, theta float64, window int) family.Config {
	c := family.DecoderSizes(f, 2048)
	c.Epsilon = f.Epsilon(1e-5, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	far, near := olmoRopes(f, c, theta)
	c.Everywhere(0, far)
	for i, slides := range f.Sliding(c.Layers, func(i int) bool { return (i+1)%4 != 0 }) {
		if slides && window > 0 {
			c.Span[i] = family.Span{Window: window, Rope: near}
		}
	}
	c.Design = olmoDesign{f.FlagOr(false, "attention_bias")}
	return c
}

// olmoRopes reads the positions of the layers that see all tokens and of those with a
// window: today's rope_parameters by kind of layer, or one spelling for both, of which
// those with a window take the base.
func olmoRopes(f *family.Fields, c family.Config, theta float64) (far, near *nn.Rope) {
	if both, _ := f.Values["rope_parameters"].(map[string]any); both["full_attention"] == nil && both["sliding_attention"] == nil {
		far = f.Rope(c, theta, 1)
		return far, &nn.Rope{Dim: far.Dim, Theta: far.Theta, Type: "default", Original: far.Original}
	}
	f.Refuse(f.Values["rope_scaling"] != nil, "rope_scaling is set beside rope_parameters for each kind of layer; keep one of them")
	both, done := f.RopesByLayer()
	defer done()
	wide, wideDone := both.In("full_attention")
	defer wideDone()
	narrow, narrowDone := both.In("sliding_attention")
	defer narrowDone()
	return wide.RopeParameters(c, theta, 1, 0), narrow.RopeParameters(c, theta, 1, 0)
}

type olmoDesign struct{ bias bool }

// build implements Design: Llama's network.
func (d olmoDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		attention := at.In("self_attn")
		m.layers = append(m.layers, &postNormLayer{
			attention: nn.NormedAttention{
				Attention: newAttention(c, i, attention, d.bias, "o_proj", d.bias),
				QueryNorm: nn.NewRMSNorm(attention, "q_norm", c.Heads*c.HeadSize, c.Epsilon),
				KeyNorm:   nn.NewRMSNorm(attention, "k_norm", c.KVHeads*c.HeadSize, c.Epsilon),
			},
			attentionEnd: nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:          newGatedMLP(c, at.In("mlp"), false),
			mlpEnd:       nn.NewRMSNorm(at, "post_feedforward_layernorm", c.Hidden, c.Epsilon),
		})
	}
	return m, nil
}

// postNormLayer has a norm behind each part: that of OLMo 2 and 3 and EXAONE 4.
type postNormLayer struct {
	attention            nn.NormedAttention
	attentionEnd, mlpEnd nn.RMSNorm // [1, hidden]
	mlp                  nn.GatedMLP
}

// Forward implements nn.Layer.
func (l *postNormLayer) Forward(p nn.Pass, x *engine.Tensor) *engine.Tensor {
	g := p.Graph
	h := l.attention.Forward(p, x) // [wanted, hidden]
	x = g.Add(p.Leaving(x), l.attentionEnd.Forward(g, h))
	h = l.mlp.Forward(g, x)
	return g.Add(x, l.mlpEnd.Forward(g, h))
}
