package family

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"inglenook/weights/gguf"
)

// Metadata converts metadata to the spelling of config.json, for the readers
// of the families.
type Metadata struct {
	Meta    *gguf.Meta
	Arch    string // general.architecture, with which the keys begin
	Fields  *Fields
	Mixture bool // the family has experts
}

// NewMetadata returns a reader of a file's metadata that has read nothing yet.
func NewMetadata(meta *gguf.Meta, arch string, mixture bool) *Metadata {
	f := &Fields{Values: map[string]any{}, Spelled: map[string]string{}, Where: "the metadata of the GGUF file: "}
	return &Metadata{Meta: meta, Arch: arch, Fields: f, Mixture: mixture}
}

// Common reads the keys that all architectures share. A key that llama.cpp
// requires and the family does not gets no default here.
func (r *Metadata) Common() {
	r.Whole("hidden_size", "embedding_length")
	r.Whole("num_hidden_layers", "block_count")
	r.Whole("num_attention_heads", "attention.head_count")
	r.Whole("num_key_value_heads", "attention.head_count_kv")
	r.Whole("intermediate_size", "feed_forward_length")
	r.Whole("max_position_embeddings", "context_length")
	r.Whole("head_dim", "attention.key_length")
	r.Number("rms_norm_eps", "attention.layer_norm_rms_epsilon")
	r.Number("layer_norm_eps", "attention.layer_norm_epsilon")
	r.vocabulary()
	f := r.Fields
	for hf, same := range map[string]string{ // spellings of some families
		"layer_norm_epsilon": "layer_norm_eps", "n_inner": "intermediate_size", "ffn_hidden_size": "intermediate_size",
		"num_kv_heads": "num_key_value_heads", "n_positions": "max_position_embeddings",
	} {
		if v, there := f.Values[same]; there {
			f.Values[hf], f.Spelled[hf] = v, f.Spelled[same]
		}
	}
	if n := r.Optional("expert_count"); n > 0 && !r.Mixture {
		f.Fail("%s is %v: mixtures of experts are not supported", r.Key("expert_count"), n)
	}
	if v, k := r.Optional("attention.value_length"), r.Optional("attention.key_length"); v != k && v > 0 {
		f.Fail("%s is %v, but %s is %v: they have to be equal", r.Key("attention.value_length"), v, r.Key("attention.key_length"), k)
	}
	r.rope()
}

// Writes refuses a file whose model reads in both directions, in a family that writes.
func (r *Metadata) Writes() {
	if causal, err := r.Meta.Bool(r.Key("attention.causal")); err == nil && !causal {
		r.Fields.Fail("%s is false: such a model reads text in both directions and cannot write any", r.Key("attention.causal"))
	}
}

// Reads refuses a file whose model reads in one direction, in a family that writes none.
func (r *Metadata) Reads() {
	if causal, err := r.Meta.Bool(r.Key("attention.causal")); err == nil && causal {
		r.Fields.Fail("%s is true: an encoder that sees no later words is not supported", r.Key("attention.causal"))
	}
}

// Experts reads the sizes of a mixture of experts.
func (r *Metadata) Experts() {
	r.Whole("num_experts", "expert_count")
	r.Whole("num_experts_per_tok", "expert_used_count")
	r.Whole("moe_intermediate_size", "expert_feed_forward_length")
}

// vocabulary counts the tokens. Files without a vocabulary state its size.
func (r *Metadata) vocabulary() {
	const tokens = "tokenizer.ggml.tokens"
	if r.Meta.Has(tokens) {
		all, err := r.Meta.Strings(tokens)
		r.Note(err)
		r.Set("vocab_size", "the number of "+tokens, WholeNumber(len(all)))
		return
	}
	r.Whole("vocab_size", "vocab_size")
}

// rope reads how positions rotate queries and keys.
func (r *Metadata) rope() {
	f := r.Fields
	r.Set("rope_theta", r.Key("rope.freq_base"), json.Number("10000")) // where the file says nothing
	r.Number("rope_theta", "rope.freq_base")
	heads, hidden, size := r.Optional("attention.head_count"), r.Optional("embedding_length"), r.Optional("attention.key_length")
	if size == 0 && heads > 0 {
		size = math.Floor(hidden / heads)
	}
	if dim := r.Optional("rope.dimension_count"); r.Meta.Has(r.Key("rope.dimension_count")) && size > 0 {
		f.Refuse(!(dim > 0 && dim <= size), fmt.Sprintf("%s is %v, but a head has %v columns", r.Key("rope.dimension_count"), dim, size))
		r.Set("partial_rotary_factor", r.Key("rope.dimension_count"), Decimal(min((dim+0.5)/size, 1))) // half a column more, so that rounding down finds dim
		r.Set("rotary_pct", r.Key("rope.dimension_count"), f.Values["partial_rotary_factor"])
	} else {
		r.Set("partial_rotary_factor", r.Key("rope.dimension_count"), json.Number("1"))
		r.Set("rotary_pct", r.Key("rope.dimension_count"), json.Number("1"))
	}
	kind := "linear" // where a factor stands alone
	if r.Meta.Has(r.Key("rope.scaling.type")) {
		var err error
		kind, err = r.Meta.String(r.Key("rope.scaling.type"))
		r.Note(err)
	}
	factor := r.Optional("rope.scaling.factor")
	if factor == 0 {
		factor = r.Optional("rope.scale_linear")
	}
	switch {
	case kind == "none" || kind == "linear" && (factor == 0 || factor == 1):
	case kind == "linear":
		f.Values["rope_scaling"] = map[string]any{"rope_type": kind, "factor": Decimal(factor)}
	case kind == "yarn", kind == "longrope":
		r.Stretched(kind, factor)
	default:
		f.Fail("%s is %q, which is not supported", r.Key("rope.scaling.type"), kind)
	}
}

// Stretched sets the parameters of yarn and longrope. The factors of longrope
// are tensors.
func (r *Metadata) Stretched(kind string, factor float64) {
	scaling := map[string]any{"rope_type": kind}
	put := func(to, from string) {
		if r.Meta.Has(r.Key(from)) {
			scaling[to] = Decimal(r.Optional(from))
		}
	}
	if factor != 0 {
		scaling["factor"] = Decimal(factor)
	}
	put("original_max_position_embeddings", "rope.scaling.original_context_length")
	put("beta_fast", "rope.scaling.yarn_beta_fast")
	put("beta_slow", "rope.scaling.yarn_beta_slow")
	put("attention_factor", "rope.scaling.attn_factor")
	put("attention_factor", "rope.scaling.yarn_attn_factor")
	r.Fields.Values["rope_scaling"] = scaling
}

// WholeHeads checks that whole heads rotate: the converter permuted the rows of
// whole heads.
func (r *Metadata) WholeHeads() {
	if p := r.Fields.Values["partial_rotary_factor"]; p != json.Number("1") {
		r.Fields.Fail("%s does not cover a whole head, as it has to in this architecture", r.Key("rope.dimension_count"))
	}
}

// ParallelResidual reads whether the parts of a layer run in parallel.
func (r *Metadata) ParallelResidual() {
	key := r.Key("use_parallel_residual")
	v, err := r.Meta.Bool(key)
	r.Note(err)
	r.Set("use_parallel_residual", key, v)
}

// Key returns the key of a name, which begins with the architecture.
func (r *Metadata) Key(name string) string { return r.Arch + "." + name }

// Set sets a field of config.json and the key that messages name.
func (r *Metadata) Set(field, key string, v any) {
	r.Fields.Values[field] = v
	if key != "" {
		r.Fields.Spelled[field] = key
	}
}

// Note keeps the first error about a key that is present.
func (r *Metadata) Note(err error) {
	if err != nil && !errors.Is(err, gguf.ErrNoKey) && r.Fields.Err == nil {
		r.Fields.Err = err
	}
}

// Whole copies an integer, or an array with one value for each layer if all are
// equal.
func (r *Metadata) Whole(field, name string) {
	key := r.Key(name)
	r.Fields.Spelled[field] = key
	if !r.Meta.Has(key) {
		return
	}
	all, err := r.Meta.Ints(key)
	r.Note(err)
	if len(all) == 0 {
		r.Fields.Fail("%s is an empty array", key)
		return
	}
	for _, n := range all {
		switch {
		case n == all[0]:
		case slices.Contains(layerwise, r.Arch):
			return
		default:
			r.Fields.Fail("%s differs between layers (%d and %d), which is not supported", key, all[0], n)
			return
		}
	}
	r.Fields.Values[field] = WholeNumber(all[0])
}

// layerwise are the architectures whose readers look at the values of each layer.
var layerwise = []string{"gemma4", "lfm2", "lfm2moe"}

// Number copies a number.
func (r *Metadata) Number(field, name string) {
	key := r.Key(name)
	r.Fields.Spelled[field] = key
	if x, err := r.Meta.Float(key); err == nil {
		r.Fields.Values[field] = Decimal(x)
	} else {
		r.Note(err)
	}
}

// Optional returns a number, 0 if absent.
func (r *Metadata) Optional(name string) float64 {
	all, err := r.Meta.Floats(r.Key(name))
	r.Note(err)
	if len(all) == 0 {
		return 0
	}
	return float64(all[0])
}

// Decimal returns a number as config.json represents it.
func Decimal(x float64) json.Number { return json.Number(strconv.FormatFloat(x, 'g', -1, 64)) }
