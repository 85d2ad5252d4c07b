package models

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/nn"
	"inglenook/weights"
)

// gpt-oss: Agarwal et al. 2025, arXiv:2508.10925. Llama's layers with biases, with
// experts, and with a score for attending to nothing in each head. Every second
// layer has a window. Experts gate with x·sigmoid(1.702·x), within limits, and 1 is
// added to the other factor; their weights are in MXFP4.

type gptOSSDesign struct {
	mixture
	limit  float32
	packed bool // safetensors store the experts in MXFP4
}

func readGPTOSS(f *fields) Config {
	c := decoderSizes(f, 131072)
	c.Epsilon = f.epsilon(1e-5, "rms_norm_eps")
	act := f.activationOr(engine.SiLU, "hidden_act") // says silu, and means the gate of build
	f.refuse(act != engine.SiLU, "hidden_act is not silu")
	f.refuse(!f.flagOr(true, "attention_bias"), "attention_bias is false: gpt-oss has biases")
	d := gptOSSDesign{mixture: f.mixture(c.Intermediate), limit: float32(f.number(7, 1e-3, 1e6, "swiglu_limit"))}
	d.normalize = true
	alpha := f.number(1.702, 0, 1e6, "swiglu_alpha")
	f.refuse(alpha != 1.702, fmt.Sprintf("swiglu_alpha is %v; only 1.702 is supported", alpha))
	d.packed = f.quantizer() == "mxfp4"
	window := f.sizeOr(128, maxPositions, "sliding_window")
	f.refuse(window == 0, "sliding_window is 0")
	c.everywhere(0, f.rope(c, 150000, 1))
	for i, slides := range f.sliding(c.Layers, func(i int) bool { return i%2 == 0 }) {
		if slides {
			c.Span[i].Window = window
		}
	}
	c.design = d
	return c
}

// build implements decoderDesign.
func (d gptOSSDesign) build(c Config, b nn.Builder) (network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		attention := c.attention(i, at.In("self_attn"), true, "o_proj", true)
		attention.Sinks = at.Vector(d.sinks(b), c.Heads)
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention:     attention,
			mlpNorm:       nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:           d.routed(c, at.In("mlp")),
		})
	}
	return m, nil
}

func (d gptOSSDesign) sinks(b nn.Builder) string {
	if b.GGUF {
		return "self_attn.sinks.weight"
	}
	return "self_attn.sinks"
}

// routed returns a layer's experts.
func (d gptOSSDesign) routed(c Config, b nn.Builder) nn.Experts {
	e := d.weights(c, b)
	e.Router = nn.NewLinear(b, "router", d.experts, c.Hidden)
	e.Route = engine.RouteParams{TopK: d.topK, Normalize: d.normalize}
	e.Shape = engine.GateParams{Activation: engine.QuickGELU, Limit: d.limit, Shift: 1}
	return e
}

// weights takes the experts. Safetensors store the rows of gate and up in turn; in
// plain numbers they are transposed.
func (d gptOSSDesign) weights(c Config, b nn.Builder) nn.Experts {
	at := b.In("experts")
	vectors := func(name string, s weights.Stack) *engine.Tensor { return at.StackVectors(name, s) }
	if b.GGUF {
		e := nn.NewExperts(b, nn.Mixture{Count: d.experts, Inner: d.inner, Hidden: c.Hidden})
		e.Gate.B = vectors("gate_proj.bias", weights.Stack{Parts: d.experts, Rows: d.inner})
		e.Up.B = vectors("up_proj.bias", weights.Stack{Parts: d.experts, Rows: d.inner})
		e.Down.B = vectors("down_proj.bias", weights.Stack{Parts: d.experts, Rows: c.Hidden})
		return e
	}
	gate := weights.Stack{Parts: d.experts, Rows: d.inner, Cols: c.Hidden, Of: 2 * d.inner, Every: 2, Turned: !d.packed}
	up, down := gate, weights.Stack{Parts: d.experts, Rows: c.Hidden, Cols: d.inner, Turned: !d.packed}
	up.From = 1
	take := at.Stack
	if d.packed {
		take = at.PackedStack
	}
	return nn.Experts{
		Gate: nn.Linear{W: take("gate_up_proj", gate), B: vectors("gate_up_proj_bias", gate)},
		Up:   nn.Linear{W: take("gate_up_proj", up), B: vectors("gate_up_proj_bias", up)},
		Down: nn.Linear{W: take("down_proj", down), B: vectors("down_proj_bias", down)},
	}
}

// gptOSSGGUF reads what llama.cpp's files of gpt-oss state. That every second layer has
// a window, and that YaRN's bounds are not rounded, they take for granted.
func gptOSSGGUF(r *ggufReader) {
	r.experts()
	r.whole("intermediate_size", "expert_feed_forward_length")
	r.whole("sliding_window", "attention.sliding_window")
	if scaling, ok := r.fields.m["rope_scaling"].(map[string]any); ok && scaling["rope_type"] == "yarn" {
		scaling["truncate"] = false
	}
}
