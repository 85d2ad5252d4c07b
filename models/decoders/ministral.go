package decoders

import (
	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Ministral 3 and Devstral Small 2 (mistral.ai/news/mistral-3), and the language
// models of Mistral Small 3.1 and 3.2. Mistral's network without a window, with yarn;
// in Ministral 3, queries grow with the position.

func readMinistral3(f *family.Fields) family.Config {
	kind := f.Text("model_type")
	if kind == "mistral" { // Mistral Small 3.1 and 3.2, whose config.json describes pictures as well
		return readMistral(f)
	}
	if kind != "" && kind != "ministral3" {
		f.Fail("model_type is %.40q; within this architecture, only \"ministral3\" and \"mistral\" are supported", kind)
	}
	f.Refuse(kind != "" && f.Values["rope_parameters"] == nil && f.Values["rope_scaling"] == nil, "rope_parameters is missing")
	c := family.DecoderSizes(f, 262144)
	c.Epsilon = f.Epsilon(1e-5, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	turn := f.Rope(c, 1e6, 1)
	c.Everywhere(f.SizeOr(0, family.MaxPositions, "sliding_window"), turn)
	c.Design = ministralDesign{readWarming(f, c, turn)}
	return c
}

// readWarming reads how fast queries grow, which lies with the parameters of rotary
// positions. The steps are the positions of training.
func readWarming(f *family.Fields, c family.Config, turn *nn.Rope) nn.Warming {
	name := "rope_parameters"
	if f.Values["rope_scaling"] != nil {
		name = "rope_scaling"
	}
	in, done := f.In(name)
	defer done()
	w := nn.Warming{Rate: in.Number(0, 0, 100, "llama_4_scaling_beta"), Every: max(turn.Original, 1)}
	w.Positions = max(c.MaxTokens, int(float64(turn.Original)*turn.Factor))
	const most = 1 << 24 // numbers in the table of factors
	if w.Rate > 0 && w.Steps() > most/max(c.Heads*c.HeadSize, 1) {
		in.Fail("original_max_position_embeddings is %d, which divides %d positions into more steps than any model has", turn.Original, w.Positions)
	}
	return w
}

type ministralDesign struct{ warming nn.Warming }

// ministral is the network.
type ministral struct {
	*llama
	growth *nn.Growth // nil where queries do not grow
}

// Forward implements nn.Network.
func (m *ministral) Forward(p nn.Pass) *engine.Tensor {
	p.Growth = m.growth.Forward(p)
	return m.llama.Forward(p)
}

// build implements Design: Llama's layers.
func (d ministralDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, err := llamaDesign{}.build(c, b)
	if err != nil {
		return nil, err
	}
	return &ministral{m.(*llama), d.warming.Of(c.Heads * c.HeadSize)}, nil
}

// ministral3GGUF reads what the files add to yarn, and how fast queries grow. Files of
// Mistral Small 3.1 and 3.2 have neither.
func ministral3GGUF(r *family.Metadata) {
	r.WholeHeads()
	scaling, _ := r.Fields.Values["rope_scaling"].(map[string]any)
	put := func(field, name string) {
		if !r.Meta.Has(r.Key(name)) {
			return
		}
		if scaling == nil {
			r.Fields.Fail("%s is set, but %s is not", r.Key(name), r.Key("rope.scaling.type"))
			return
		}
		x, err := r.Meta.Float(r.Key(name))
		r.Note(err)
		r.Set(field, r.Key(name), nil)
		scaling[field] = family.Decimal(x)
	}
	put("mscale_all_dim", "rope.scaling.yarn_log_multiplier")
	put("llama_4_scaling_beta", "attention.temperature_scale")
	if scaling["mscale_all_dim"] != nil {
		scaling["mscale"] = family.Decimal(1)
	}
}
