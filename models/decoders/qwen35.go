package decoders

import (
	"fmt"
	"slices"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Qwen3.5, 3.6 and 3.8: after Qwen3-Next (Qwen team 2025). Three of four layers are
// gated delta networks (Yang et al. 2024, arXiv:2412.06464), which remember a state of
// fixed size. The fourth attends, rotates a part of each head, and gates what its
// heads return (Qiu et al. 2025, arXiv:2505.06708). Weights of the norms are stored
// minus 1, except in files of llama.cpp and MLX.

// qwen35Design has the sizes of the recurrent layers, and which layers these are.
type qwen35Design struct {
	width           int // of the convolution
	heads, keyHeads int // of values; of queries and keys
	value, key      int // columns of their heads
	recurrent       []bool
	attentionBias   bool
	mixture              // no experts: a dense model
	wholeNorms      bool // weights of norms are stored as they are
}

func readQwen35(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 32768)
	c.HeadSize = f.SizeOr(256, family.MaxHidden, "head_dim")
	c.Epsilon = f.Epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	c.Everywhere(0, f.Rope(c, 10000, 0.25))
	f.Refuse(!f.FlagOr(true, "attn_output_gate"), "attn_output_gate is off, which is not supported")
	if f.Spelled != nil {
		c.Drafts = f.SizeOr(0, family.MaxLayers, "drafts")
	}
	c.Design = qwen35Design{
		width:         f.Size(maxTaps, "linear_conv_kernel_dim"),
		heads:         f.Size(family.MaxHidden, "linear_num_value_heads"),
		keyHeads:      f.Size(family.MaxHidden, "linear_num_key_heads"),
		value:         f.Size(maxStateSide, "linear_value_head_dim"),
		key:           f.Size(maxStateSide, "linear_key_head_dim"),
		recurrent:     recurrentLayers(f, c.Layers),
		attentionBias: f.FlagOr(false, "attention_bias"),
	}.checked(f)
	return c
}

// readQwen35MoE reads a model with a mixture of experts instead of each feed-forward
// part, and beside it an expert that reads every row.
func readQwen35MoE(f *family.Fields) family.Config {
	shared := f.Size(family.MaxInner, "shared_expert_intermediate_size")
	f.Values["intermediate_size"] = family.WholeNumber(shared)
	c := readQwen35(f)
	d := c.Design.(qwen35Design)
	d.mixture = readMixture(f, f.Size(family.MaxInner, "moe_intermediate_size"))
	d.normalize = true
	c.Design = d
	return c
}

// Limits of the recurrent layers.
const (
	maxTaps      = 64
	maxStateSide = 1 << 12
)

// checked refuses sizes that do not go together.
func (d qwen35Design) checked(f *family.Fields) qwen35Design {
	f.Refuse(d.width < 2, "linear_conv_kernel_dim is 1, but a convolution needs a row before")
	if d.heads%d.keyHeads != 0 {
		f.Fail("linear_num_value_heads is %d, which does not divide into the %d groups of linear_num_key_heads", d.heads, d.keyHeads)
	}
	if d.heads*d.value > family.MaxInner || d.keyHeads*d.key > family.MaxInner {
		f.Fail("%d heads of linear_value_head_dim %d and %d of linear_key_head_dim %d are not possible", d.heads, d.value, d.keyHeads, d.key)
	}
	return d
}

// recurrentLayers reads which layers are recurrent: from layer_types, or all but every
// full_attention_interval-th.
func recurrentLayers(f *family.Fields, layers int) []bool {
	is := make([]bool, layers)
	every := f.SizeOr(4, family.MaxLayers, "full_attention_interval")
	f.Refuse(every == 0, f.Label("full_attention_interval")+" is 0")
	types := f.LayerTypes(layers, "full_attention", "linear_attention")
	for i := range is {
		if types == nil {
			is[i] = every > 0 && (i+1)%every != 0
		} else {
			is[i] = types[i] == "linear_attention"
		}
	}
	return is
}

// build implements Design: Llama's network with other layers.
func (d qwen35Design) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	d.wholeNorms = c.GGUF || d.fromMLX(at)
	m.norm = d.norm(c, at, "norm", c.Hidden)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		l := &preNormLayer{
			attentionNorm: d.norm(c, at, "input_layernorm", c.Hidden),
			mlpNorm:       d.norm(c, at, "post_attention_layernorm", c.Hidden),
			mlp:           d.feedForward(c, at.In("mlp")),
		}
		if d.recurrent[i] {
			l.attention = d.deltaNet(c, at.In("linear_attn"))
		} else {
			l.attention = d.attention(c, i, at.In("self_attn"))
		}
		m.layers = append(m.layers, l)
	}
	return m, nil
}

// head implements guessed: the head is a layer that attends, with norms around what it
// reads. In a GGUF file it is the layer behind the others.
func (d qwen35Design) head(c family.Config, b nn.Builder, m *llama) *head {
	all := body(b, "model", "embed_tokens")
	d.wholeNorms = c.GGUF || d.fromMLX(all)
	at, layer := b.In("mtp"), b.In("mtp.layers.0")
	words, states, joined, end := "pre_fc_norm_embedding", "pre_fc_norm_hidden", "fc", "norm"
	if c.GGUF {
		at = all.In(fmt.Sprintf("layers.%d", c.Layers))
		layer = at
		words, states, joined, end = "enorm", "hnorm", "eh_proj", "shared_head.norm"
	}
	if !at.Has(joined + ".weight") {
		return nil
	}
	return &head{
		words: m.words, out: m.head,
		wordNorm: d.norm(c, at, words, c.Hidden), stateNorm: d.norm(c, at, states, c.Hidden),
		word: nn.Linear{W: at.Part(joined+".weight", c.Hidden, 2*c.Hidden, 0, 2)},
		past: nn.Linear{W: at.Part(joined+".weight", c.Hidden, 2*c.Hidden, 1, 2)},
		layer: &preNormLayer{
			attentionNorm: d.norm(c, layer, "input_layernorm", c.Hidden),
			attention:     d.attention(c, c.Layers-1, layer.In("self_attn")),
			mlpNorm:       d.norm(c, layer, "post_attention_layernorm", c.Hidden),
			mlp:           d.feedForward(c, layer.In("mlp")),
		},
		number: c.Layers + 1,
		norm:   d.norm(c, at, end, c.Hidden),
	}
}

// fromMLX reports whether MLX stored the checkpoint, quantized or not: it turns the
// convolutions, so that they end with a side of 1, and adds 1 to the norms.
func (d qwen35Design) fromMLX(b nn.Builder) bool {
	first := slices.Index(d.recurrent, true)
	shape := b.Shape(fmt.Sprintf("layers.%d.linear_attn.conv1d.weight", first))
	return len(shape) == 3 && shape[2] == 1 && d.width > 1
}

func (d qwen35Design) norm(c family.Config, b nn.Builder, name string, n int) nn.RMSNorm {
	if d.wholeNorms {
		return nn.NewRMSNorm(b, name, n, c.Epsilon)
	}
	return gemmaNorm(c, b, name, n)
}

// feedForward returns a layer's feed-forward part.
func (d qwen35Design) feedForward(c family.Config, b nn.Builder) nn.FeedForward {
	if d.experts == 0 {
		return newGatedMLP(c, b, false)
	}
	return nn.SharedExpert{
		Experts: d.routed(c, b),
		Shared:  newGatedMLP(c, b.In("shared_expert"), false),
		Share:   nn.NewProjection(b, "shared_expert_gate", 1, c.Hidden, false),
	}
}

// deltaNet returns a recurrent layer. A GGUF file has its heads in another order,
// and its rates as they are.
func (d qwen35Design) deltaNet(c family.Config, b nn.Builder) nn.DeltaNet {
	keys, values := d.keyHeads*d.key, d.heads*d.value
	mixed := 2*keys + values
	n := nn.NewDeltaNet(b, engine.DeltaRuleParams{
		Heads: d.heads, KeyHeads: d.keyHeads, Size: d.key, Tiled: c.GGUF, LogRates: !c.GGUF, Epsilon: 1e-6,
	}, d.value, mixed, d.width, c.Activation)
	shifts := "dt_bias"
	if c.GGUF {
		shifts = "dt_proj.bias"
	}
	n.Input = nn.NewProjection(b, "in_proj_qkv", mixed, c.Hidden, false)
	n.Conv = b.Matrix("conv1d.weight", mixed, d.width)
	n.Gate = nn.NewProjection(b, "in_proj_z", values, c.Hidden, false)
	n.Decay = nn.NewProjection(b, "in_proj_a", d.heads, c.Hidden, false)
	n.Correction = nn.NewProjection(b, "in_proj_b", d.heads, c.Hidden, false)
	n.Rates, n.Shifts = b.Vector("A_log", d.heads), b.Vector(shifts, d.heads)
	n.Norm = nn.NewRMSNorm(b, "norm", d.value, c.Epsilon) // stored as it is
	n.Out = nn.NewProjection(b, "out_proj", c.Hidden, values, false)
	return n
}

// attention returns layer i's attention. Its query matrix has the rows of a
// head's query, then those of its gate, for each head in turn.
func (d qwen35Design) attention(c family.Config, i int, b nn.Builder) nn.Layer {
	a := nn.NewAttention(b, headsOf(c, i))
	kv, all := c.KVHeads*c.HeadSize, 2*c.Heads*c.HeadSize
	var queries, gates [][2]int
	for at := 0; at < all; at += 2 * c.HeadSize {
		queries = append(queries, [2]int{at, at + c.HeadSize})
		gates = append(gates, [2]int{at + c.HeadSize, at + 2*c.HeadSize})
	}
	part := func(rows [][2]int) nn.Linear {
		l := nn.Linear{W: b.Rows("q_proj.weight", all, c.Hidden, rows...)}
		if d.attentionBias {
			l.B = b.VectorPart("q_proj.bias", all, rows...)
		}
		return l
	}
	gate := part(gates)
	a.Query = part(queries)
	a.Key = nn.NewProjection(b, "k_proj", kv, c.Hidden, d.attentionBias)
	a.Value = nn.NewProjection(b, "v_proj", kv, c.Hidden, d.attentionBias)
	a.Out = nn.NewProjection(b, "o_proj", c.Hidden, c.Heads*c.HeadSize, d.attentionBias)
	return nn.NormedAttention{
		Attention: a, Gate: &gate,
		QueryNorm: d.norm(c, b, "q_norm", c.HeadSize),
		KeyNorm:   d.norm(c, b, "k_norm", c.HeadSize),
	}
}

// qwen35GGUF reads the sizes of the recurrent layers, which have the names of
// state space models there. The layers that draft tokens are counted among the
// others.
func qwen35GGUF(r *family.Metadata) {
	r.Whole("linear_conv_kernel_dim", "ssm.conv_kernel")
	r.Whole("linear_key_head_dim", "ssm.state_size")
	r.Whole("linear_num_key_heads", "ssm.group_count")
	r.Whole("linear_num_value_heads", "ssm.time_step_rank")
	r.Whole("full_attention_interval", "full_attention_interval")
	heads, inner := r.Optional("ssm.time_step_rank"), r.Optional("ssm.inner_size")
	if heads > 0 {
		if float64(int(inner/heads)) != inner/heads {
			r.Fields.Fail("%s is %v, which does not divide into the %v heads of %s", r.Key("ssm.inner_size"), inner, heads, r.Key("ssm.time_step_rank"))
			return
		}
		r.Set("linear_value_head_dim", r.Key("ssm.inner_size"), family.Decimal(inner/heads))
	}
	if drafts := r.Optional("nextn_predict_layers"); drafts > 0 {
		r.Set("num_hidden_layers", r.Key("block_count"), family.Decimal(r.Optional("block_count")-drafts))
		r.Set("drafts", r.Key("nextn_predict_layers"), family.Decimal(drafts))
	}
}

// qwen35MoEGGUF reads the sizes of the experts as well.
func qwen35MoEGGUF(r *family.Metadata) {
	qwen35GGUF(r)
	r.Experts()
	r.Whole("shared_expert_intermediate_size", "expert_shared_feed_forward_length")
}
