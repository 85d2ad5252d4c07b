package decoders

import (
	"fmt"
	"slices"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// LFM2 and 2.5: Amini et al. 2025, arXiv:2511.23404. Most layers are short convolutions
// between two gates. The others attend, with norms of each head's query and key. In
// LFM2-MoE all but the first layers have a mixture of experts, which sigmoids pick.

// lfm2Design says which layers are convolutions, and how wide these are.
type lfm2Design struct {
	width   int // of the convolutions
	recurs  []bool
	dense   int     // layers before the first that has experts
	mixture         // of the layers with experts
	bias    bool    // stored numbers help to pick the experts
	factor  float32 // of the experts' weights
}

func readLFM2(f *family.Fields) family.Config {
	c := lfm2Sizes(f)
	d := shortConvolutions(f, c.Layers)
	d.dense = c.Layers
	if f.FlagOr(true, "block_auto_adjust_ff_dim") {
		c.Intermediate = adjustedWidth(f, c.Intermediate)
	}
	c.Design = d
	return c
}

func readLFM2MoE(f *family.Fields) family.Config {
	c := lfm2Sizes(f)
	d := shortConvolutions(f, c.Layers)
	d.dense = f.SizeOr(2, c.Layers, "num_dense_layers")
	d.mixture = readMixture(f, f.Size(family.MaxInner, "moe_intermediate_size"))
	d.normalize = f.FlagOr(true, "norm_topk_prob")
	d.bias = f.FlagOr(true, "use_expert_bias")
	d.factor = float32(f.Number(1, 1e-6, 1e6, "routed_scaling_factor"))
	c.Design = d
	return c
}

func lfm2Sizes(f *family.Fields) family.Config {
	for _, older := range [][2]string{{"block_ff_dim", "intermediate_size"}, {"tie_embedding", "tie_word_embeddings"}} {
		if v := f.Values[older[0]]; v != nil {
			f.Values[older[1]] = v
		}
	}
	c := family.DecoderSizes(f, 128000)
	c.Epsilon = f.Epsilon(1e-5, "norm_eps", "rms_norm_eps")
	c.Activation = engine.SiLU
	c.Tied = f.FlagOr(true, "tie_word_embeddings")
	c.Everywhere(0, f.Rope(c, 1e6, 1))
	return c
}

// shortConvolutions reads which layers are convolutions: from layer_types, or all but
// those of full_attn_idxs. If neither is stated, none is.
func shortConvolutions(f *family.Fields, layers int) lfm2Design {
	d := lfm2Design{width: f.SizeOr(3, maxTaps, "conv_L_cache"), recurs: make([]bool, layers)}
	f.Refuse(d.width < 2, fmt.Sprintf("%s is %d, but a convolution needs a row before", f.Label("conv_L_cache"), d.width))
	f.Refuse(f.FlagOr(false, "conv_bias"), "conv_bias is set, which is not supported")
	attends := indexes(f, "full_attn_idxs", layers)
	types := f.LayerTypes(layers, "conv", "full_attention")
	for i := range d.recurs {
		switch {
		case types != nil:
			d.recurs[i] = types[i] == "conv"
		case f.Values["full_attn_idxs"] != nil:
			d.recurs[i] = !slices.Contains(attends, i)
		}
	}
	return d
}

// adjustedWidth returns the width of a feed-forward part that stands for two thirds of
// the one stated, rounded up.
func adjustedWidth(f *family.Fields, stated int) int {
	width := 2 * stated / 3
	if v, there := f.Values["block_ffn_dim_multiplier"]; v != nil || !there {
		width = int(f.Number(1, 1e-3, 1e3, "block_ffn_dim_multiplier") * float64(width))
		of := max(f.SizeOr(256, family.MaxInner, "block_multiple_of"), 1)
		width = (width + of - 1) / of * of
	}
	f.Refuse(width < 1 || width > family.MaxInner, fmt.Sprintf("%s is %d, which makes a feed-forward part of %d columns with block_ffn_dim_multiplier and block_multiple_of", f.Label("intermediate_size"), stated, width))
	return min(max(width, 1), family.MaxInner)
}

// build implements Design: Llama's network with other names and layers.
func (d lfm2Design) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := &llama{}, body(b, "model", "embed_tokens")
	m.words, m.head = wordsAndHead(c, b, at, "embed_tokens", "lm_head")
	m.norm = nn.NewRMSNorm(at, "embedding_norm", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		l := &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "operator_norm", c.Hidden, c.Epsilon),
			mlpNorm:       nn.NewRMSNorm(at, "ffn_norm", c.Hidden, c.Epsilon),
		}
		if d.recurs[i] {
			l.attention = d.convolution(c, at.In("conv"))
		} else {
			in := at.In("self_attn")
			l.attention = nn.NormedAttention{
				Attention: newAttention(c, i, in, false, "out_proj", false),
				QueryNorm: nn.NewRMSNorm(in, "q_layernorm", c.HeadSize, c.Epsilon),
				KeyNorm:   nn.NewRMSNorm(in, "k_layernorm", c.HeadSize, c.Epsilon),
			}
		}
		if in := at.In("feed_forward"); i < d.dense {
			l.mlp = lfm2MLP(c, in)
		} else {
			l.mlp = d.routed(c, in)
		}
		m.layers = append(m.layers, l)
	}
	return m, nil
}

// lfm2MLP returns a feed-forward part that every row goes through. MLX gives its weights
// other names where the model has experts as well.
func lfm2MLP(c family.Config, b nn.Builder) nn.FeedForward {
	if b.Has("gate_proj.weight") && !b.GGUF {
		return newGatedMLP(c, b, false)
	}
	return nn.GatedMLP{
		Gate:       nn.NewProjection(b, "w1", c.Intermediate, c.Hidden, false),
		Up:         nn.NewProjection(b, "w3", c.Intermediate, c.Hidden, false),
		Down:       nn.NewProjection(b, "w2", c.Hidden, c.Intermediate, false),
		Activation: c.Activation,
	}
}

// convolution returns a layer that remembers the last rows. The rows of its first matrix
// are those of the gate before, of the gate after, and of what is convolved.
func (d lfm2Design) convolution(c family.Config, b nn.Builder) nn.ShortConv {
	n := nn.NewShortConv(b, c.Hidden, d.width)
	part := func(i int) nn.Linear {
		return nn.Linear{W: b.Rows("in_proj.weight", 3*c.Hidden, c.Hidden, [2]int{i * c.Hidden, (i + 1) * c.Hidden})}
	}
	n.Before, n.After, n.Input = part(0), part(1), part(2)
	n.Conv = b.Matrix("conv.weight", c.Hidden, d.width)
	n.Out = nn.NewProjection(b, "out_proj", c.Hidden, c.Hidden, false)
	return n
}

// routed returns a layer's experts. A GGUF file has a suffix at the name of the numbers
// that help to pick them.
func (d lfm2Design) routed(c family.Config, b nn.Builder) nn.Experts {
	e := nn.NewExperts(b, nn.Mixture{Count: d.experts, Inner: d.inner, Hidden: c.Hidden, Names: [3]string{"w1", "w3", "w2"}})
	e.Router = nn.NewProjection(b, "gate", d.experts, c.Hidden, false)
	if name := "expert_bias"; d.bias {
		if b.GGUF {
			name += ".bias"
		}
		e.Bias = b.Vector(name, d.experts)
	}
	e.Route = engine.RouteParams{TopK: d.topK, Sigmoid: true, Normalize: d.normalize, Epsilon: 1e-6, Factor: d.factor}
	e.Shape = engine.GateParams{Activation: c.Activation}
	return e
}

// lfm2GGUF reads which layers are convolutions: those without heads of keys.
func lfm2GGUF(r *family.Metadata) {
	key := r.Key("attention.head_count_kv")
	all, err := r.Meta.Ints(key)
	r.Note(err)
	layers := int(min(r.Optional("block_count"), family.MaxLayers))
	if r.Fields.Refuse(len(all) != layers, fmt.Sprintf("%s has %d values for %d layers", key, len(all), layers)); r.Fields.Err != nil {
		return
	}
	types := make([]any, layers)
	for i, n := range all {
		if types[i] = "conv"; n != 0 {
			types[i] = "full_attention"
			first := r.Fields.Values["num_key_value_heads"] == nil
			if first {
				r.Set("num_key_value_heads", key, family.WholeNumber(n))
			}
			r.Fields.Refuse(family.WholeNumber(n) != r.Fields.Values["num_key_value_heads"], fmt.Sprintf("%s differs between layers that attend, which is not supported", key))
		}
	}
	r.Set("layer_types", key, types)
	r.Whole("conv_L_cache", "shortconv.l_cache")
	r.Set("block_auto_adjust_ff_dim", "", false)
	r.Fields.Refuse(r.Optional("attention.sliding_window") > 0, r.Key("attention.sliding_window")+" is set, which is not supported in this architecture")
	r.Experts()
	r.Number("routed_scaling_factor", "expert_weights_scale")
	r.Whole("num_dense_layers", "leading_dense_block_count")
}
