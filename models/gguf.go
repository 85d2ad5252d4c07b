package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"inglenook/weights/gguf"
)

// ConfigFromGGUF reads the metadata of a GGUF file as ParseConfig reads
// config.json. LoadDecoder takes what they omit from the tensors: which layers
// have biases, whether the head is tied, the factors that stretch positions.
func ConfigFromGGUF(meta *gguf.Meta) (Config, error) {
	arch, err := meta.String("general.architecture")
	if err != nil {
		return Config{}, err
	}
	a, ok := ggufFamilies[arch]
	if !ok {
		return Config{}, fmt.Errorf("the GGUF file holds a model of the architecture %q, which is not supported; supported are %s", arch, supportedGGUF())
	}
	r := &ggufReader{meta: meta, arch: arch, fields: &fields{m: map[string]any{}, spelled: map[string]string{}, where: "the metadata of the GGUF file: "}, mixture: a.mixture}
	r.common()
	if a.more != nil {
		a.more(r)
	}
	if r.fields.err != nil {
		return Config{}, r.fields.err
	}
	f, name, err := familyOf(a.architectures[0], "")
	if err != nil {
		return Config{}, err
	}
	c := f.read(r.fields)
	c.Architecture, c.ModelType, c.GGUF = name, arch, true
	return c.decoder(r.fields), r.fields.err
}

// ggufFamily maps a general.architecture to families of config.json, with a
// reader for the keys that not all architectures have.
type ggufFamily struct {
	architectures []string // the first is the one that files are read as
	more          func(*ggufReader)
	mixture       bool // the family has experts
}

var ggufFamilies = map[string]ggufFamily{
	"llama":    {[]string{"LlamaForCausalLM", "MistralForCausalLM"}, (*ggufReader).wholeHeads, false},
	"qwen2":    {[]string{"Qwen2ForCausalLM"}, nil, false},
	"qwen3":    {[]string{"Qwen3ForCausalLM"}, nil, false},
	"qwen3moe": {[]string{"Qwen3MoeForCausalLM"}, qwen3MoEGGUF, true},
	"qwen35":   {[]string{"Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration"}, qwen35GGUF, false},
	"smollm3":  {[]string{"SmolLM3ForCausalLM"}, (*ggufReader).wholeHeads, false},
	"phi2":     {[]string{"PhiForCausalLM"}, nil, false},
	"phi3":     {[]string{"Phi3ForCausalLM"}, phi3GGUF, false},
	"stablelm": {[]string{"StableLmForCausalLM"}, (*ggufReader).parallelResidual, false},
	"falcon":   {[]string{"FalconForCausalLM"}, falconGGUF, false},
	"gemma":    {[]string{"GemmaForCausalLM"}, nil, false},
	"gemma2":   {[]string{"Gemma2ForCausalLM"}, gemma2GGUF, false},
	"gemma3":   {[]string{"Gemma3ForCausalLM"}, gemma3GGUF, false},
	"gemma4":   {[]string{"Gemma4ForCausalLM", "Gemma4ForConditionalGeneration", "Gemma4UnifiedForConditionalGeneration"}, gemma4GGUF, false},
	"gpt2":     {[]string{"GPT2LMHeadModel"}, nil, false},
	"gpt-oss":  {[]string{"GptOssForCausalLM"}, gptOSSGGUF, true},
	"gptneox":  {[]string{"GPTNeoXForCausalLM"}, (*ggufReader).parallelResidual, false},
}

// InGGUF reports whether models of an architecture, named as in config.json, can
// be read from GGUF files.
func InGGUF(architecture string) bool {
	for _, f := range ggufFamilies {
		if slices.Contains(f.architectures, architecture) {
			return true
		}
	}
	return false
}

func supportedGGUF() string {
	var names []string
	for name := range ggufFamilies {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// ggufReader converts metadata to the spelling of config.json, for the readers
// of the families.
type ggufReader struct {
	meta    *gguf.Meta
	arch    string
	fields  *fields
	mixture bool // the family has experts
}

// common reads the keys that all architectures share. A key that llama.cpp
// requires and the family does not gets no default here.
func (r *ggufReader) common() {
	r.whole("hidden_size", "embedding_length")
	r.whole("num_hidden_layers", "block_count")
	r.whole("num_attention_heads", "attention.head_count")
	r.whole("num_key_value_heads", "attention.head_count_kv")
	r.whole("intermediate_size", "feed_forward_length")
	r.whole("max_position_embeddings", "context_length")
	r.whole("head_dim", "attention.key_length")
	r.number("rms_norm_eps", "attention.layer_norm_rms_epsilon")
	r.number("layer_norm_eps", "attention.layer_norm_epsilon")
	r.vocabulary()
	f := r.fields
	for hf, same := range map[string]string{ // spellings of some families
		"layer_norm_epsilon": "layer_norm_eps", "n_inner": "intermediate_size", "ffn_hidden_size": "intermediate_size",
		"num_kv_heads": "num_key_value_heads", "n_positions": "max_position_embeddings",
	} {
		if v, there := f.m[same]; there {
			f.m[hf], f.spelled[hf] = v, f.spelled[same]
		}
	}
	if n := r.optional("expert_count"); n > 0 && !r.mixture {
		f.fail("%s is %v: mixtures of experts are not supported", r.key("expert_count"), n)
	}
	if causal, err := r.meta.Bool(r.key("attention.causal")); err == nil && !causal {
		f.fail("%s is false: such a model reads text in both directions and cannot write any", r.key("attention.causal"))
	}
	if v, k := r.optional("attention.value_length"), r.optional("attention.key_length"); v != k && v > 0 {
		f.fail("%s is %v, but %s is %v: they have to be equal", r.key("attention.value_length"), v, r.key("attention.key_length"), k)
	}
	r.rope()
}

// experts reads the sizes of a mixture of experts.
func (r *ggufReader) experts() {
	r.whole("num_experts", "expert_count")
	r.whole("num_experts_per_tok", "expert_used_count")
	r.whole("moe_intermediate_size", "expert_feed_forward_length")
}

// qwen3MoEGGUF reads what llama.cpp's files of Qwen3 with experts state; that weights
// add up to 1 they take for granted.
func qwen3MoEGGUF(r *ggufReader) {
	r.experts()
	r.set("norm_topk_prob", "", true)
}

// vocabulary counts the tokens. Files without a vocabulary state its size.
func (r *ggufReader) vocabulary() {
	const tokens = "tokenizer.ggml.tokens"
	if r.meta.Has(tokens) {
		all, err := r.meta.Strings(tokens)
		r.note(err)
		r.set("vocab_size", "the number of "+tokens, wholeNumber(len(all)))
		return
	}
	r.whole("vocab_size", "vocab_size")
}

// rope reads how positions rotate queries and keys.
func (r *ggufReader) rope() {
	f := r.fields
	r.set("rope_theta", r.key("rope.freq_base"), json.Number("10000")) // where the file says nothing
	r.number("rope_theta", "rope.freq_base")
	heads, hidden, size := r.optional("attention.head_count"), r.optional("embedding_length"), r.optional("attention.key_length")
	if size == 0 && heads > 0 {
		size = math.Floor(hidden / heads)
	}
	if dim := r.optional("rope.dimension_count"); r.meta.Has(r.key("rope.dimension_count")) && size > 0 {
		f.refuse(!(dim > 0 && dim <= size), fmt.Sprintf("%s is %v, but a head has %v columns", r.key("rope.dimension_count"), dim, size))
		r.set("partial_rotary_factor", r.key("rope.dimension_count"), decimal(min((dim+0.5)/size, 1))) // half a column more, so that rounding down finds dim
		r.set("rotary_pct", r.key("rope.dimension_count"), f.m["partial_rotary_factor"])
	} else {
		r.set("partial_rotary_factor", r.key("rope.dimension_count"), json.Number("1"))
		r.set("rotary_pct", r.key("rope.dimension_count"), json.Number("1"))
	}
	kind := "linear" // where a factor stands alone
	if r.meta.Has(r.key("rope.scaling.type")) {
		var err error
		kind, err = r.meta.String(r.key("rope.scaling.type"))
		r.note(err)
	}
	factor := r.optional("rope.scaling.factor")
	if factor == 0 {
		factor = r.optional("rope.scale_linear")
	}
	switch {
	case kind == "none" || kind == "linear" && (factor == 0 || factor == 1):
	case kind == "linear":
		f.m["rope_scaling"] = map[string]any{"rope_type": kind, "factor": decimal(factor)}
	case kind == "yarn", kind == "longrope":
		r.stretched(kind, factor)
	default:
		f.fail("%s is %q, which is not supported", r.key("rope.scaling.type"), kind)
	}
}

// stretched sets the parameters of yarn and longrope. The factors of longrope
// are tensors.
func (r *ggufReader) stretched(kind string, factor float64) {
	scaling := map[string]any{"rope_type": kind}
	put := func(to, from string) {
		if r.meta.Has(r.key(from)) {
			scaling[to] = decimal(r.optional(from))
		}
	}
	if factor != 0 {
		scaling["factor"] = decimal(factor)
	}
	put("original_max_position_embeddings", "rope.scaling.original_context_length")
	put("beta_fast", "rope.scaling.yarn_beta_fast")
	put("beta_slow", "rope.scaling.yarn_beta_slow")
	put("attention_factor", "rope.scaling.attn_factor")
	put("attention_factor", "rope.scaling.yarn_attn_factor")
	r.fields.m["rope_scaling"] = scaling
}

// wholeHeads checks that whole heads rotate: the converter permuted the rows of
// whole heads.
func (r *ggufReader) wholeHeads() {
	if p := r.fields.m["partial_rotary_factor"]; p != json.Number("1") {
		r.fields.fail("%s does not cover a whole head, as it has to in this architecture", r.key("rope.dimension_count"))
	}
}

func (r *ggufReader) parallelResidual() {
	key := r.key("use_parallel_residual")
	v, err := r.meta.Bool(key)
	r.note(err)
	r.set("use_parallel_residual", key, v)
}

func (r *ggufReader) key(name string) string { return r.arch + "." + name }

// set sets a field of config.json and the key that messages name.
func (r *ggufReader) set(field, key string, v any) {
	r.fields.m[field] = v
	if key != "" {
		r.fields.spelled[field] = key
	}
}

// note keeps the first error about a key that is present.
func (r *ggufReader) note(err error) {
	if err != nil && !errors.Is(err, gguf.ErrNoKey) && r.fields.err == nil {
		r.fields.err = err
	}
}

// whole copies an integer, or an array with one value for each layer if all are
// equal.
func (r *ggufReader) whole(field, name string) {
	key := r.key(name)
	r.fields.spelled[field] = key
	if !r.meta.Has(key) {
		return
	}
	all, err := r.meta.Ints(key)
	r.note(err)
	if len(all) == 0 {
		r.fields.fail("%s is an empty array", key)
		return
	}
	for _, n := range all {
		if n != all[0] && r.arch != "gemma4" { // which reads the values of each layer itself
			r.fields.fail("%s differs between layers (%d and %d), which is not supported", key, all[0], n)
			return
		}
	}
	r.fields.m[field] = wholeNumber(all[0])
}

// number copies a number.
func (r *ggufReader) number(field, name string) {
	key := r.key(name)
	r.fields.spelled[field] = key
	if x, err := r.meta.Float(key); err == nil {
		r.fields.m[field] = decimal(x)
	} else {
		r.note(err)
	}
}

// optional returns a number, 0 if absent.
func (r *ggufReader) optional(name string) float64 {
	all, err := r.meta.Floats(r.key(name))
	r.note(err)
	if len(all) == 0 {
		return 0
	}
	return float64(all[0])
}

// decimal returns a number as config.json represents it.
func decimal(x float64) json.Number { return json.Number(strconv.FormatFloat(x, 'g', -1, 64)) }
