package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// EXAONE 4: LG AI Research 2025, arXiv:2507.11407. Norms behind each part of a layer and of
// each head's query and key. In the 32B, three layers with a window and rotary
// positions follow one another, and one without either.

func readExaone4(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 2048)
	c.Epsilon = f.Epsilon(1e-5, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	window, turn := usualWindow(f), f.Rope(c, 10000, 1)
	c.Everywhere(0, turn)
	for i, slides := range f.Sliding(c.Layers, every(f, 4)) {
		switch {
		case window == 0: // no layer has one, and all rotate
		case slides:
			c.Span[i].Window = window
		default:
			c.Span[i].Rope = nil
		}
	}
	c.Design = exaone4Design{}
	return c
}

// every returns which layers have a window where no list says so: all but one in
// so many.
func every(f *family.Fields, usual int) func(i int) bool {
	n := usual
	if f.Values["layer_types"] == nil {
		n = f.SizeOr(usual, family.MaxLayers, "sliding_window_pattern")
		f.Refuse(n == 0, "sliding_window_pattern is 0")
	}
	return func(i int) bool { return n > 0 && (i+1)%n != 0 }
}

type exaone4Design struct{}

// build implements Design: Llama's network.
func (exaone4Design) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		attention := at.In("self_attn")
		m.layers = append(m.layers, &postNormLayer{
			attention: nn.NormedAttention{
				Attention: newAttention(c, i, attention, false, "o_proj", false),
				QueryNorm: nn.NewRMSNorm(attention, "q_norm", c.HeadSize, c.Epsilon),
				KeyNorm:   nn.NewRMSNorm(attention, "k_norm", c.HeadSize, c.Epsilon),
			},
			attentionEnd: nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:          newGatedMLP(c, at.In("mlp"), false),
			mlpEnd:       nn.NewRMSNorm(at, "post_feedforward_layernorm", c.Hidden, c.Epsilon),
		})
	}
	return m, nil
}
