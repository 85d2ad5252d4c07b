package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
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

func readGPTOSS(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 131072)
	c.Epsilon = f.Epsilon(1e-5, "rms_norm_eps")
	act := f.ActivationOr(engine.SiLU, "hidden_act") // says silu, and means the gate of build
	f.Refuse(act != engine.SiLU, "hidden_act is not silu")
	f.Refuse(!f.FlagOr(true, "attention_bias"), "attention_bias is false: gpt-oss has biases")
	d := gptOSSDesign{mixture: readMixture(f, c.Intermediate), limit: float32(f.Number(7, 1e-3, 1e6, "swiglu_limit"))}
	d.normalize = true
	alpha := f.Number(1.702, 0, 1e6, "swiglu_alpha")
	f.Refuse(alpha != 1.702, fmt.Sprintf("swiglu_alpha is %v; only 1.702 is supported", alpha))
	d.packed = f.Quantizer() == "mxfp4"
	window := f.SizeOr(128, family.MaxPositions, "sliding_window")
	f.Refuse(window == 0, "sliding_window is 0")
	c.Everywhere(0, f.Rope(c, 150000, 1))
	for i, slides := range f.Sliding(c.Layers, func(i int) bool { return i%2 == 0 }) {
		if slides {
			c.Span[i].Window = window
		}
	}
	c.Design = d
	return c
}

// build implements Design.
func (d gptOSSDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		attention := newAttention(c, i, at.In("self_attn"), true, "o_proj", true)
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
func (d gptOSSDesign) routed(c family.Config, b nn.Builder) nn.Experts {
	e := d.weights(c, b)
	e.Router = nn.NewLinear(b, "router", d.experts, c.Hidden)
	e.Route = engine.RouteParams{TopK: d.topK, Normalize: d.normalize}
	e.Shape = engine.GateParams{Activation: engine.QuickGELU, Limit: d.limit, Shift: 1}
	return e
}

// weights takes the experts. Safetensors store the rows of gate and up in turn; in
// plain numbers they are transposed.
func (d gptOSSDesign) weights(c family.Config, b nn.Builder) nn.Experts {
	at := b.In("experts")
	vectors := func(name string, s weights.Stack) *engine.Tensor { return at.StackVectors(name, s) }
	if b.GGUF || at.Has("gate_proj.weight") { // the latter as MLX stores them
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
func gptOSSGGUF(r *family.Metadata) {
	r.Experts()
	r.Whole("intermediate_size", "expert_feed_forward_length")
	r.Whole("sliding_window", "attention.sliding_window")
	if scaling, ok := r.Fields.Values["rope_scaling"].(map[string]any); ok && scaling["rope_type"] == "yarn" {
		scaling["truncate"] = false
	}
}
