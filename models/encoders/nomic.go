package encoders

import (
	"fmt"
	"math"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
	"inglenook/weights"
)

// NomicBERT: Nussbaum et al. 2024, arXiv:2402.01613. BERT with rotary positions and gated
// feed-forward parts. With experts: Nussbaum and Duderstadt 2025, arXiv:2502.07972, in which every
// second feed-forward part is a mixture, and none is gated. Its config.json has GPT-2's names, those of the reference library, or both.

func readNomic(f *family.Fields) family.Config {
	c := family.Config{
		Vocab:        f.Size(family.MaxVocab, "vocab_size"),
		Hidden:       f.Size(family.MaxHidden, "hidden_size", "n_embd"),
		Layers:       f.Size(family.MaxLayers, "num_hidden_layers", "n_layer"),
		Heads:        f.Size(family.MaxHidden, "num_attention_heads", "n_head"),
		Intermediate: f.Size(family.MaxHidden, "intermediate_size", "n_inner"),
		MaxTokens:    f.SizeOr(2048, family.MaxPositions, "max_position_embeddings", "max_trained_positions", "n_positions"),
		TypeVocab:    f.SizeOr(2, family.MaxVocab, "type_vocab_size"),
		Epsilon:      f.Epsilon(1e-12, "layer_norm_eps", "layer_norm_epsilon"),
		Activation:   f.ActivationOr(engine.SiLU, "hidden_act"),
	}
	c.Positions = c.MaxTokens
	turnWhole(f, &c)
	f.Refuse(f.Number(1, 0, 1, "rotary_emb_fraction") != 1, "rotary_emb_fraction is below 1, which is not supported in NomicBERT")
	c.Everywhere(0, f.Rope(c, f.Number(1000, 1, 1e12, "rotary_emb_base"), 1))
	d := nomic{gated: true, qkvBias: f.FlagOr(false, "qkv_proj_bias")}
	switch kind := f.Text("activation_function"); kind {
	case "", "swiglu":
		for _, key := range []string{"mlp_fc1_bias", "mlp_fc2_bias"} {
			f.Refuse(f.FlagOr(false, key), key+" is set beside gated feed-forward parts, which is not supported in NomicBERT")
		}
	case "gelu":
		d.gated, c.Activation = false, engine.GELU
		d.upBias, d.downBias = f.FlagOr(true, "mlp_fc1_bias"), f.FlagOr(true, "mlp_fc2_bias")
	default:
		f.Fail("activation_function %q is not supported in NomicBERT (only \"swiglu\" and \"gelu\")", kind)
	}
	for _, key := range []string{"prenorm", "parallel_block", "causal", "use_rms_norm", "rotary_emb_interleaved", "expert_choice_router"} {
		f.Refuse(f.FlagOr(false, key), key+" is set, which is not supported in NomicBERT")
	}
	f.Refuse(f.Values["rotary_emb_scale_base"] != nil, "rotary_emb_scale_base is set, which is not supported in NomicBERT")
	d.every = f.SizeOr(0, family.MaxLayers, "moe_every_n_layers")
	if d.every > 0 {
		d.experts, d.topK = f.Size(maxNomicExperts, "num_experts"), f.SizeOr(1, maxNomicExperts, "moe_top_k")
		f.Refuse(d.gated, "moe_every_n_layers is set beside gated feed-forward parts, which is not supported in NomicBERT")
		f.Refuse(d.topK < 1 || d.topK > d.experts, fmt.Sprintf("moe_top_k is %d of %d experts", d.topK, d.experts))
		f.Refuse(f.SizeOr(0, maxNomicExperts, "num_shared_experts") > 0, "num_shared_experts is set, which is not supported in NomicBERT")
		d.normalize = f.FlagOr(false, "moe_normalize_expert_weights")
	}
	c.Design = d
	return c
}

// maxNomicExperts bounds the experts of a layer.
const maxNomicExperts = 1 << 12

// nomicGGUF reads what files with experts state beside: which layers have them. Their layers
// are not gated.
func nomicGGUF(r *family.Metadata) {
	typesGGUF(r)
	f := r.Fields
	r.Whole("num_experts", "expert_count")
	r.Whole("moe_top_k", "expert_used_count")
	r.Whole("moe_every_n_layers", "moe_every_n_layers")
	f.Values["activation_function"] = "gelu"
	f.Refuse(f.Values["num_experts"] == nil, f.Label("num_experts")+" is missing")
	f.Refuse(f.Values["moe_every_n_layers"] == nil, f.Label("moe_every_n_layers")+" is missing")
	f.Refuse(f.Values["moe_top_k"] == nil, f.Label("moe_top_k")+" is missing")
}

// turnWhole completes the sizes of encoders whose heads divide the hidden columns and turn as a whole.
func turnWhole(f *family.Fields, c *family.Config) {
	c.HeadSize = f.HeadSize(*c)
	c.ScoreScale = float32(1 / math.Sqrt(float64(c.HeadSize)))
}

// nomic is what only this family reads.
type nomic struct {
	gated                     bool // feed-forward parts have a gate
	qkvBias, upBias, downBias bool
	every                     int // the second of so many layers has experts; 0 = none has
	experts, topK             int // of a layer, and of a token
	normalize                 bool
}

// build implements Design.
func (d nomic) build(c family.Config, b nn.Builder) *encoder {
	at := body(b, "embeddings.word_embeddings", "nomic_bert", "bert")
	m := &bert{
		words: nn.NewEmbedding(at, "embeddings.word_embeddings", c.Vocab, c.Hidden),
		norm:  nn.NewLayerNorm(at, "emb_ln", c.Hidden, c.Epsilon),
	}
	if c.TypeVocab > 0 {
		m.types = nn.NewEmbedding(at, "embeddings.token_type_embeddings", c.TypeVocab, c.Hidden)
	}
	blocks := newTurning(c)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("encoder.layers.%d", i))
		m.layers = append(m.layers, &postNormLayer{
			attention:     blocks.stacked(c, i, at, "attn.Wqkv", "attn.out_proj", d.qkvBias),
			attentionNorm: nn.NewLayerNorm(at, "norm1", c.Hidden, c.Epsilon),
			mlp:           d.mlp(c, at.In("mlp"), d.every > 0 && i%d.every == 1),
			outputNorm:    nn.NewLayerNorm(at, "norm2", c.Hidden, c.Epsilon),
		})
	}
	return &encoder{config: c, network: m, types: c.TypeVocab, positions: fromZero}
}

// mlp returns the feed-forward part of a layer, with or without experts.
func (d nomic) mlp(c family.Config, b nn.Builder, mixture bool) nn.FeedForward {
	switch {
	case mixture:
		return d.mixture(c, b)
	case d.gated:
		return nn.GatedMLP{
			Gate:       nn.NewProjection(b, "fc12", c.Intermediate, c.Hidden, false),
			Up:         nn.NewProjection(b, "fc11", c.Intermediate, c.Hidden, false),
			Down:       nn.NewProjection(b, "fc2", c.Hidden, c.Intermediate, false),
			Activation: c.Activation,
		}
	}
	return nn.MLP{
		Up: nn.NewProjection(b, "fc1", c.Intermediate, c.Hidden, d.upBias), Down: nn.NewProjection(b, "fc2", c.Hidden, c.Intermediate, d.downBias),
		Activation: c.Activation,
	}
}

// plainExperts are experts without a gate, whose sum has one bias.
type plainExperts struct {
	router     nn.Linear      // [experts, hidden]
	up, down   *engine.Tensor // of each expert: [inner, hidden], [hidden, inner]
	bias       *nn.Embedding  // [1, hidden]; nil = none
	activation engine.Activation
	route      engine.RouteParams
}

// mixture returns a feed-forward part with experts. GGUF files have no bias of the sum.
func (d nomic) mixture(c family.Config, b nn.Builder) *plainExperts {
	up := weights.Stack{Parts: d.experts, Rows: c.Intermediate, Cols: c.Hidden}
	down := weights.Stack{Parts: d.experts, Rows: c.Hidden, Cols: c.Intermediate, Turned: !b.GGUF}
	suffix := ""
	if b.GGUF {
		suffix = ".weight"
	}
	m := &plainExperts{
		router: nn.NewProjection(b, "router.layer", d.experts, c.Hidden, false),
		up:     b.Stack("experts.mlp.w1"+suffix, up), down: b.Stack("experts.mlp.w2"+suffix, down),
		activation: c.Activation, route: engine.RouteParams{TopK: d.topK, Normalize: d.normalize},
	}
	if b.Has("experts.bias") {
		m.bias = &nn.Embedding{Table: b.Vector("experts.bias", c.Hidden)}
	}
	return m
}

// Forward implements nn.FeedForward.
func (m *plainExperts) Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	routes := g.Route(m.router.Forward(g, x), nil, nil, m.route)
	h := g.Gate(g.Experts(x, routes, m.up, nil), nil, m.activation) // [n, topK·inner]
	y := g.Mix(g.Experts(h, routes, m.down, nil), routes)           // [n, hidden]
	if m.bias != nil {
		y = g.Add(y, m.bias.Forward(g, g.Ints("the only bias", make([]int32, x.Rows))))
	}
	return y
}
