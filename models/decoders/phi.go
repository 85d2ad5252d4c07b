package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Phi-1.5 and Phi-2: Li et al. 2023, arXiv:2309.05463. Attention and
// feed-forward in parallel after one LayerNorm, biases everywhere, and rotary
// positions in a part of each head.

func readPhi(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 2048)
	c.Epsilon = f.Epsilon(1e-5, "layer_norm_eps")
	c.Activation = f.ActivationOr(engine.GELUTanh, "hidden_act")
	f.Refuse(f.FlagOr(false, "qk_layernorm"), "qk_layernorm is set, which no published model of this family does and this version does not compute")
	c.Everywhere(0, f.Rope(c, 10000, 0.5))
	c.Design = phiDesign{}
	return c
}

type phi struct {
	words  nn.Embedding // [vocab, hidden]
	layers nn.Stack
	norm   nn.LayerNorm // [1, hidden]
	head   nn.Linear    // [vocab, hidden]
}

// Forward implements nn.Network.
func (m *phi) Forward(p nn.Pass) *engine.Tensor {
	x := m.words.Forward(p.Graph, p.Tokens) // [tokens, hidden]
	x = m.layers.Forward(p, x)              // [wanted, hidden]
	x = m.norm.Forward(p.Graph, x)
	if p.Hidden {
		return x
	}
	return m.head.Forward(p.Graph, x) // [wanted, vocab]
}

type phiDesign struct{}

// build implements Design.
func (phiDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := &phi{}, body(b, "model", "embed_tokens")
	m.words, m.head = wordsAndHead(c, b, at, "embed_tokens", "lm_head")
	m.head.B = b.Vector("lm_head.bias", c.Vocab) // [1, vocab]
	m.norm = nn.NewLayerNorm(at, "final_layernorm", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		m.layers = append(m.layers, &parallelLayer{
			norm:      nn.NewLayerNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention: newAttention(c, i, at.In("self_attn"), true, "dense", true),
			mlp: nn.MLP{
				Up:         nn.NewLinear(at, "mlp.fc1", c.Intermediate, c.Hidden),
				Down:       nn.NewLinear(at, "mlp.fc2", c.Hidden, c.Intermediate),
				Activation: c.Activation,
			},
		})
	}
	return m, nil
}
