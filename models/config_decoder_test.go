package models

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/models/nn"
)

// decoderConfigs are the config.json files of the language models under testdata, at
// least one for each family. The tests change them.
func decoderConfigs(t testing.TB) map[string]map[string]any {
	t.Helper()
	files, err := filepath.Glob("testdata/decoders/*/config.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no language models under testdata (%v)", err)
	}
	all := map[string]map[string]any{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(filepath.Dir(f))] = m
	}
	return all
}

func parseChanged(t testing.TB, base, change map[string]any) (Config, error) {
	t.Helper()
	m := maps.Clone(base)
	maps.Copy(m, change)
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return ParseConfig(data)
}

// ignored are keys that no family of decoders reads.
var ignored = []string{
	"dtype", "transformers_version", "initializer_range", "use_cache", "bos_token_id", "eos_token_id", "eod_token_id", "pretraining_tp", "attention_dropout", "resid_pdrop", "embd_pdrop",
	"attn_pdrop", "hidden_dropout", "classifier_dropout", "summary_type", "summary_use_proj", "summary_activation", "summary_proj_to_labels", "summary_first_dropout",
	"reorder_and_upcast_attn", "_sliding_window_pattern", "is_decoder", "pad_token_id", "model_type", "architectures", "original_max_position_embeddings", "max_window_layers",
	"router_aux_loss_coef", "output_router_logits",
}

// TestDecoderConfigRefusals sets every key that a family reads to impossible values.
func TestDecoderConfigRefusals(t *testing.T) {
	bad := map[string][]any{
		"number": {-1, 1e300, "32", true, []int{32}, map[string]int{"a": 1}, json.Number("99999999999999999999999")},
		"flag":   {1, "yes", []bool{true}},
		"text":   {7, "mish", []string{"silu"}},
		"list":   {7, "x", []any{}, []any{"diagonal_attention"}, []any{3, 4, 5, 6}},
		"object": {7, "x", []any{1}},
	}
	for name, base := range decoderConfigs(t) {
		if _, err := parseChanged(t, base, nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		alibi, _ := base["alibi"].(bool)
		for key, value := range base {
			kind := "number"
			switch value.(type) {
			case bool:
				kind = "flag"
			case string:
				kind = "text"
			case []any:
				kind = "list"
			case map[string]any:
				kind = "object"
			case nil:
				continue
			}
			skip := slices.Contains(ignored, key) || alibi && key == "rope_parameters" ||
				key == "sliding_window" && base["use_sliding_window"] == false || // unused
				key == "no_rope_layer_interval" && base["no_rope_layers"] == nil ||
				key == "num_kv_heads" && base["new_decoder_architecture"] == false ||
				key == "sliding_window_pattern" && base["model_type"] == "exaone4" && base["layer_types"] != nil ||
				strings.HasPrefix(key, "mamba_") || key == "num_experts_per_tok" && base["num_local_experts"] == 0.0 || // of layers that the model does not have
				key == "multi_query" && base["new_decoder_architecture"] == true ||
				key == "num_ln_in_parallel_attn" && base["parallel_attn"] == false
			for _, v := range bad[kind] {
				if none, empty := v.([]any); empty && len(none) == 0 && key == "mlp_only_layers" {
					continue // every layer has experts
				}
				c, err := parseChanged(t, base, map[string]any{key: v})
				if err == nil {
					if !skip {
						t.Errorf("%s: %s = %v is accepted", name, key, v)
					}
					sense(t, c)
					continue
				}
				if s := err.Error(); !skip && !strings.Contains(s, key) || strings.Contains(s, "\n") || len(s) > 300 {
					t.Errorf("%s: %s = %v: the message is %q", name, key, v, s)
				}
			}
		}
	}
}

// TestRopeRefusals: each invalid scaling of positions is refused with its name.
func TestRopeRefusals(t *testing.T) {
	type rope = map[string]any
	longrope := func(change rope) rope {
		m := rope{"rope_type": "longrope", "rope_theta": 1e4, "short_factor": []float64{1, 1, 1}, "long_factor": []float64{2, 2, 2}, "partial_rotary_factor": 0.75}
		maps.Copy(m, change)
		return m
	}
	for _, c := range []struct {
		base string
		rope any
		say  string
	}{
		{"llama", rope{"rope_type": "spiral"}, `"spiral" is not supported`},
		{"llama", rope{"rope_type": 3}, "rope_type is 3"},
		{"llama", rope{"rope_theta": 0}, "rope_theta is 0"},
		{"llama", rope{"rope_theta": -5}, "rope_theta is -5"},
		{"llama", rope{"rope_theta": 1e30}, "rope_theta is 1e+30"},
		{"llama", rope{"rope_theta": "ten"}, "rope_theta"},
		{"llama", rope{"partial_rotary_factor": 0}, "0 of the 16 columns"},
		{"llama", rope{"partial_rotary_factor": 2}, "partial_rotary_factor is 2"},
		{"llama", rope{"partial_rotary_factor": -1}, "partial_rotary_factor is -1"},
		{"llama", rope{"type": "linear"}, "factor is missing"},
		{"llama", rope{"rope_type": "linear", "factor": 0}, "factor is 0"},
		{"llama", rope{"rope_type": "linear", "factor": -2}, "factor is -2"},
		{"llama", rope{"rope_type": "linear", "factor": 1e20}, "factor is 1e+20"},
		{"llama", rope{"rope_type": "linear", "factor": "2"}, "factor is \"2\""},
		{"llama", rope{"rope_type": "dynamic"}, "factor is missing"},
		{"llama", rope{"rope_type": "dynamic", "factor": 2, "partial_rotary_factor": 0.125}, "too few columns"},
		{"llama", rope{"rope_type": "llama3", "factor": 8}, "low_freq_factor is missing"},
		{"llama", rope{"rope_type": "llama3", "low_freq_factor": 1, "high_freq_factor": 4}, "factor is missing"},
		{"llama", rope{"rope_type": "llama3", "factor": 8, "low_freq_factor": 4, "high_freq_factor": 4}, "not above"},
		{"llama", rope{"rope_type": "llama3", "factor": 8, "low_freq_factor": 4, "high_freq_factor": 1}, "not above"},
		{"llama", rope{"rope_type": "llama3", "factor": 8, "low_freq_factor": -1, "high_freq_factor": 1}, "low_freq_factor is -1"},
		{"llama", rope{"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 0}, "original_max_position_embeddings is 0"},
		{"llama", rope{"rope_type": "yarn", "factor": 0}, "factor is 0"},
		{"llama", rope{"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": -3}, "original_max_position_embeddings is -3"},
		{"llama", rope{"rope_type": "yarn", "factor": 4, "beta_fast": -1}, "beta_fast is -1"},
		{"llama", rope{"rope_type": "yarn", "factor": 4, "beta_slow": "x"}, "beta_slow"},
		{"llama", rope{"rope_type": "yarn", "factor": 4, "attention_factor": 0}, "attention_factor is 0"},
		{"llama", rope{"rope_type": "yarn", "factor": 4, "truncate": "no"}, "truncate"},
		{"llama", rope{"rope_type": "yarn", "factor": 4, "rope_theta": 1}, "rope_theta is 1"},
		{"phi3", longrope(rope{"short_factor": nil}), "short_factor is missing"},
		{"phi3", longrope(rope{"long_factor": nil}), "long_factor is missing"},
		{"phi3", longrope(rope{"short_factor": []float64{1, 2}}), "not a list of 3 numbers"},
		{"phi3", longrope(rope{"long_factor": []float64{1, 0, 1}}), "long_factor holds 0"},
		{"phi3", longrope(rope{"long_factor": []any{1, "a", 1}}), "long_factor holds \"a\""},
		{"phi3", longrope(rope{"long_factor": 3}), "long_factor is 3"},
		{"phi3", longrope(rope{"attention_factor": -1}), "attention_factor is -1"},
		{"phi3", longrope(rope{"factor": "big"}), "factor is \"big\""},
		{"gemma3", rope{"full_attention": 3}, "full_attention is 3"},
		{"gemma3", rope{"sliding_attention": rope{"rope_theta": -1}}, "rope_theta is -1"},
		{"gemma3", rope{"full_attention": rope{"rope_type": "linear"}}, "factor is missing"},
	} {
		base := decoderConfigs(t)[c.base]
		for _, name := range []string{"rope_parameters", "rope_scaling"} {
			if c.base == "gemma3" && name == "rope_scaling" {
				continue // holds the parameters of one kind
			}
			_, err := parseChanged(t, base, map[string]any{"rope_parameters": nil, name: c.rope})
			if err == nil {
				t.Errorf("%s %v: accepted", c.base, c.rope)
				continue
			}
			if s := err.Error(); !strings.Contains(s, c.say) || strings.Contains(s, "\n") || len(s) > 300 {
				t.Errorf("%s %v: the message is %q, want it to hold %q", c.base, c.rope, s, c.say)
			}
		}
	}
}

// yarn changes the parameters of a model with yarn.
func yarn(change map[string]any) map[string]any {
	rope := map[string]any{"rope_type": "yarn", "rope_theta": 10000, "factor": 16, "original_max_position_embeddings": 8, "mscale": 1, "mscale_all_dim": 1}
	maps.Copy(rope, change)
	return map[string]any{"rope_parameters": rope}
}

// TestDecoderConfigCombinations: values that are valid alone but not together.
func TestDecoderConfigCombinations(t *testing.T) {
	type change = map[string]any
	for _, c := range []struct {
		base   string
		change change
		say    string
	}{
		{"llama", change{"num_key_value_heads": 3}, "4 attention heads do not divide into 3"},
		{"llama", change{"num_key_value_heads": 8}, "4 attention heads do not divide into 8"},
		{"llama", change{"head_dim": nil, "hidden_size": 30}, "30 hidden columns do not divide into 4"},
		{"llama", change{"head_dim": 65536, "num_attention_heads": 32}, "32 attention heads of 65536 columns"},
		{"llama", change{"head_dim": 1}, "1 of the 1 columns of a head cannot turn"},
		{"phi", change{"qk_layernorm": true}, "qk_layernorm"},
		{"stablelm", change{"qk_layernorm": true}, "qk_layernorm"},
		{"falcon-7b", change{"num_ln_in_parallel_attn": 2}, "num_ln_in_parallel_attn is 2"},
		{"falcon-40b", change{"parallel_attn": false}, "without parallel_attn"},
		{"falcon-40b", change{"num_kv_heads": 3}, "do not divide into 3"},
		{"falcon-rw", change{"num_attention_heads": 5}, "do not divide into 5"},
		{"gemma2", change{"query_pre_attn_scalar": 0}, "query_pre_attn_scalar is 0"},
		{"gemma2", change{"attn_logit_softcapping": -50}, "attn_logit_softcapping is -50"},
		{"gemma2", change{"final_logit_softcapping": 0}, "final_logit_softcapping is 0"},
		{"gemma2", change{"layer_types": []string{"full_attention"}}, "layer_types"},
		{"gemma2", change{"layer_types": []any{"full_attention", nil}}, "layer_types holds null"},
		{"gemma3", change{"use_bidirectional_attention": true}, "both directions"},
		{"gemma3", change{"layer_types": nil, "sliding_window_pattern": 0}, "sliding_window_pattern is 0"},
		{"gemma4", change{"enable_moe_block": true, "moe_intermediate_size": nil}, "moe_intermediate_size is missing"},
		{"gemma4-moe", change{"top_k_experts": 7}, "top_k_experts is 7, but there are only 6 experts"},
		{"gemma4-moe", change{"num_experts": 1 << 20}, "num_experts is 1048576"},
		{"qwen3_5-moe", change{"shared_expert_intermediate_size": nil}, "shared_expert_intermediate_size is missing"},
		{"qwen3_5-moe", change{"num_experts_per_tok": 0}, "num_experts_per_tok is 0"},
		{"lfm2", change{"conv_L_cache": 1}, "conv_L_cache is 1, but a convolution needs a row before"},
		{"lfm2", change{"conv_L_cache": 65}, "conv_L_cache is 65"},
		{"lfm2", change{"conv_bias": true}, "conv_bias is set"},
		{"lfm2", change{"layer_types": []string{"conv"}}, "not a list of 4 names"},
		{"lfm2", change{"layer_types": []any{"conv", "conv", "conv", nil}}, "layer_types holds null"},
		{"lfm2", change{"layer_types": nil, "full_attn_idxs": []int{4}}, "full_attn_idxs is 4"},
		{"lfm2", change{"intermediate_size": 1 << 20, "block_ffn_dim_multiplier": 1000}, "intermediate_size is 1048576"},
		{"lfm2", change{"intermediate_size": 1}, "intermediate_size is 1"},
		{"lfm2-moe", change{"num_dense_layers": 5}, "num_dense_layers is 5"},
		{"lfm2-moe", change{"routed_scaling_factor": 0}, "routed_scaling_factor is 0"},
		{"gemma4", change{"use_bidirectional_attention": "all"}, "both directions"},
		{"gemma4", change{"sliding_window": 0}, "sliding_window is 0"},
		{"gemma4", change{"per_layer_config": nil, "num_global_key_value_heads": 3}, "num_global_key_value_heads is 3"},
		{"gemma4", change{"per_layer_config": nil, "global_head_dim": 0}, "global_head_dim is 0"},
		{"gemma4", change{"per_layer_config": change{"4": change{"head_dim": 64}}}, "per_layer_config: layer 4 has 2 heads of 64 columns"},
		{"gemma4", change{"per_layer_config": change{"0": change{"num_key_value_heads": 4}}}, "per_layer_config: layer 0 has 4 heads"},
		{"gemma4", change{"per_layer_config": 3}, "per_layer_config is 3"},
		{"gemma4-sharing", change{"num_kv_shared_layers": 4}, "num_kv_shared_layers is 4, so layer 1 has no keys and values"},
		{"gemma4-sharing", change{"num_kv_shared_layers": 5}, "num_kv_shared_layers is 5, so layer 0 has no keys and values"},
		{"gemma4-sharing", change{"num_kv_shared_layers": 6}, "num_kv_shared_layers is 6"},
		{"gemma4-sharing", change{"num_kv_shared_layers": -1}, "num_kv_shared_layers is -1"},
		{"gemma4-sharing", change{"vocab_size_per_layer_input": 63}, "vocab_size_per_layer_input is 63, fewer than the 64"},
		{"gemma4-sharing", change{"hidden_size_per_layer_input": 65536, "num_hidden_layers": 17, "layer_types": nil, "per_layer_config": nil}, "hidden_size_per_layer_input is 65536"},
		{"gpt2", change{"add_cross_attention": true}, "add_cross_attention"},
		{"gpt2", change{"n_head": 3}, "32 hidden columns do not divide into 3"},
		{"smollm3", change{"no_rope_layers": []int{1}}, "not a list of 2 numbers"},
		{"smollm3", change{"no_rope_layers": nil, "no_rope_layer_interval": 0}, "no_rope_layer_interval is 0"},
		{"gpt-neox", change{"rope_parameters": nil, "rotary_pct": 3}, "rotary_pct is 3"},
		{"ministral3", yarn(change{"llama_4_scaling_beta": -1}), "llama_4_scaling_beta is -1"},
		{"ministral3", yarn(change{"llama_4_scaling_beta": "much"}), "llama_4_scaling_beta is \"much\""},
		{"ministral3", yarn(change{"llama_4_scaling_beta": 0.1, "factor": 1 << 20}), "original_max_position_embeddings is 8, which divides 8388608 positions into more steps than any model has"},
		{"ministral3", change{"num_attention_heads": 8192, "num_key_value_heads": 8192, "max_position_embeddings": 1024}, "original_max_position_embeddings is 8, which divides 1024 positions"},
		{"ministral3", change{"max_position_embeddings": 1 << 24}, "rope_parameters: original_max_position_embeddings is 8, which divides 16777216 positions"},
		{"granite", change{"attention_multiplier": 0}, "attention_multiplier is 0"},
		{"granite", change{"embedding_multiplier": -12}, "embedding_multiplier is -12"},
		{"granite", change{"residual_multiplier": "small"}, "residual_multiplier is \"small\""},
		{"granite", change{"logits_scaling": 0}, "logits_scaling is 0"},
		{"granite-hybrid", change{"num_local_experts": 8}, "num_local_experts is not 0"},
		{"granite-hybrid", change{"layer_types": []string{"attention", "mamba"}}, "layer_types has Mamba layers, which this version does not support yet"},
		{"granite-hybrid", change{"layer_types": nil}, "layer_types is missing"},
		{"granite-hybrid", change{"shared_intermediate_size": nil}, "shared_intermediate_size is missing"},
		{"granite-hybrid", change{"position_embedding_type": "alibi"}, "position_embedding_type is \"alibi\""},
		{"olmo3", change{"rope_parameters": change{"full_attention": 3}}, "full_attention is 3"},
		{"olmo3", change{"rope_parameters": change{"sliding_attention": change{"rope_theta": 0}}}, "rope_theta is 0"},
		{"olmo3", change{"layer_types": []string{"full_attention"}}, "not a list of 4 names"},
		{"olmo3", change{"sliding_window": -6}, "sliding_window is -6"},
		{"glm4", change{"rope_parameters": change{"partial_rotary_factor": 2}}, "partial_rotary_factor is 2"},
		{"glm4", change{"rope_parameters": change{"partial_rotary_factor": 0.01}}, "0 of the 16 columns of a head cannot turn"},
		{"ernie4_5", change{"head_dim": 7}, "7 of the 7 columns of a head cannot turn in pairs"},
		{"exaone4", change{"layer_types": nil, "sliding_window_pattern": 0}, "sliding_window_pattern is 0"},
		{"exaone4", change{"layer_types": nil, "sliding_window_pattern": "LLLG"}, "sliding_window_pattern is \"LLLG\", not a number"},
		{"hunyuan", change{"rope_parameters": change{"rope_type": "dynamic", "alpha": -1}}, "alpha is -1"},
		{"hunyuan", change{"rope_parameters": change{"rope_type": "dynamic", "alpha": 1e9}}, "alpha is 1e+09"},
		{"hunyuan", change{"head_dim": 2, "rope_parameters": change{"rope_type": "dynamic", "alpha": 50}}, "too few columns turn for the type dynamic"},
		{"cohere", change{"logit_scale": 0}, "logit_scale is 0"},
		{"cohere", change{"use_qk_norm": true}, "use_qk_norm is set"},
		{"cohere2", change{"logit_scale": "x"}, "logit_scale is \"x\""},
		{"cohere2", change{"layer_types": nil, "sliding_window_pattern": 0}, "sliding_window_pattern is 0"},
	} {
		_, err := parseChanged(t, decoderConfigs(t)[c.base], c.change)
		if err == nil {
			t.Errorf("%s %v: accepted", c.base, c.change)
			continue
		}
		if s := err.Error(); !strings.Contains(s, c.say) || strings.Contains(s, "\n") || len(s) > 300 {
			t.Errorf("%s %v: the message is %q, want it to hold %q", c.base, c.change, s, c.say)
		}
	}
}

// TestDecoderSpellings: the older spellings of a setting mean the same.
func TestDecoderSpellings(t *testing.T) {
	type change = map[string]any
	for _, c := range []struct {
		base   string
		change change
		check  func(Config) bool
	}{
		{"llama", change{"rope_parameters": nil, "rope_theta": 5e5}, func(c Config) bool { return c.Span[1].Rope.Theta == 5e5 && c.Span[1].Rope.Type == "default" }},
		{"llama", change{"rope_parameters": nil, "rope_scaling": change{"type": "linear", "factor": 4}}, func(c Config) bool { return c.Span[0].Rope.Type == "linear" && c.Span[0].Rope.Factor == 4 }},
		{"llama", change{"architectures": nil}, func(c Config) bool { return c.Architecture == "LlamaForCausalLM" && c.Causal }},
		{"llama", change{"num_key_value_heads": nil}, func(c Config) bool { return c.KVHeads == 4 }},
		{
			"llama",
			change{"rope_parameters": nil, "rope_scaling": change{"type": "yarn", "factor": 4, "original_max_position_embeddings": 64}},
			func(c Config) bool { return c.MaxTokens == 256 },
		},
		{"mistral", change{"sliding_window": nil}, func(c Config) bool { return c.Span[0].Window == 0 }},
		{"qwen2", change{"use_sliding_window": false}, func(c Config) bool { return c.Span[0].Window == 0 && c.Span[1].Window == 0 }},
		{"qwen2", change{"layer_types": nil}, func(c Config) bool { return c.Span[0].Window == 0 && c.Span[1].Window == 5 }},
		{"phi", change{"rope_parameters": nil, "partial_rotary_factor": 0.25}, func(c Config) bool { return c.Span[0].Rope.Dim == 2 }},
		{"phi3", change{"rope_parameters": nil, "partial_rotary_factor": nil}, func(c Config) bool { return c.Span[0].Rope.Dim == 8 && c.Span[0].Rope.Type == "default" }},
		{"gemma2", change{"attn_logit_softcapping": nil}, func(c Config) bool {
			return fmt.Sprintf("%+v", c.Design) == "{scoreCap:0 logitCap:4 headNorms:false attentionBias:false}"
		}},
		{
			"gemma3",
			change{"rope_parameters": nil, "layer_types": nil, "sliding_window_pattern": 2, "rope_theta": 7e5, "rope_local_base_freq": 70, "rope_scaling": change{"rope_type": "linear", "factor": 8}},
			func(c Config) bool {
				full, near := c.Span[1], c.Span[2]
				return full.Window == 0 && full.Rope.Theta == 7e5 && full.Rope.Factor == 8 && near.Window == 6 && near.Rope.Theta == 70 && near.Rope.Type == "default"
			},
		},
		{"falcon-7b", change{"num_attention_heads": nil, "n_head": 4, "num_hidden_layers": nil, "n_layer": 3}, func(c Config) bool { return c.Heads == 4 && c.Layers == 3 && c.KVHeads == 1 }},
		{"gpt-neox", change{"rope_parameters": nil, "rotary_pct": 0.5, "rotary_emb_base": 500}, func(c Config) bool { return c.Span[0].Rope.Dim == 4 && c.Span[0].Rope.Theta == 500 }},
		{"gemma4", change{"rope_parameters": nil}, func(c Config) bool {
			return c.Span[1].Rope.Turning == 4 && c.Span[1].Rope.Theta == 1e6 && c.Span[0].Rope.Theta == 1e4
		}},
		{"gemma4", change{"layer_types": nil, "per_layer_config": nil, "global_head_dim": 32}, func(c Config) bool { return c.Span[3].Window == 6 && c.Span[4].Window == 0 }},
		{"lfm2", change{"layer_types": nil, "full_attn_idxs": []int{1, 3}, "intermediate_size": nil, "block_ff_dim": 48, "tie_word_embeddings": nil, "tie_embedding": false}, func(c Config) bool {
			return strings.Contains(fmt.Sprintf("%+v", c.Design), "recurs:[true false true false]") && c.Intermediate == 32 && !c.Tied
		}},
		{"lfm2", change{"block_ffn_dim_multiplier": 1.3}, func(c Config) bool { return c.Intermediate == 48 }},
		{"lfm2", change{"block_auto_adjust_ff_dim": false}, func(c Config) bool { return c.Intermediate == 48 }},
		{"gpt2", change{"n_inner": nil}, func(c Config) bool { return c.Intermediate == 128 && c.Positions == 64 && c.Span[0].Rope == nil }},
		{"ministral3", change{"model_type": "mistral", "rope_parameters": nil}, func(c Config) bool {
			return c.Span[0].Rope.Type == "default" && fmt.Sprintf("%T", c.Design) == "decoders.llamaDesign"
		}},
		{"olmo2", change{"rope_parameters": nil}, func(c Config) bool { return c.Span[1].Rope.Theta == 1e4 && c.Span[1].Window == 0 }},
		{"olmo3", change{"rope_parameters": nil, "layer_types": nil, "sliding_window": nil}, func(c Config) bool { return c.Span[0].Window == 0 && c.Span[0].Rope.Theta == 5e5 }},
		{
			"olmo3",
			change{"rope_parameters": nil, "layer_types": nil, "rope_theta": 1e5, "rope_scaling": change{"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 16}},
			func(c Config) bool {
				near, far := c.Span[0], c.Span[3]
				return near.Window == 6 && near.Rope.Type == "default" && near.Rope.Theta == 1e5 && far.Window == 0 && far.Rope.Type == "yarn" && far.Rope.Theta == 1e5
			},
		},
		{"glm4", change{"rope_parameters": nil}, func(c Config) bool { return c.Span[0].Rope.Dim == 8 }},
		{"exaone4", change{"layer_types": nil, "sliding_window_pattern": 2}, func(c Config) bool {
			return c.Span[0].Window == 6 && c.Span[0].Rope != nil && c.Span[1].Window == 0 && c.Span[1].Rope == nil
		}},
		{"exaone4", change{"sliding_window": nil}, func(c Config) bool { return c.Span[0].Window == 0 && c.Span[3].Rope != nil }},
		{"hunyuan", change{"rope_parameters": nil, "rope_scaling": change{"type": "dynamic", "alpha": 1000, "factor": 1}}, func(c Config) bool {
			return c.Span[0].Rope.Type == "default" && c.Span[0].Rope.Theta > 2.6e7 && c.Span[0].Rope.Theta < 2.7e7
		}},
		{"cohere2", change{"layer_types": nil, "sliding_window_pattern": 4}, func(c Config) bool { return c.Span[2].Window == 6 && c.Span[3].Rope == nil }},
		{"granite-hybrid", change{"position_embedding_type": nil}, func(c Config) bool { return c.Span[0].Rope == nil && c.ScoreScale == 0.25 }},
		{"smollm3", change{"no_rope_layers": nil, "layer_types": nil}, func(c Config) bool {
			return c.Span[0].Rope != nil && c.Span[1].Rope == nil && c.Span[1].Window == 7
		}},
	} {
		got, err := parseChanged(t, decoderConfigs(t)[c.base], c.change)
		if err != nil {
			t.Errorf("%s %v: %v", c.base, c.change, err)
		} else if !c.check(got) {
			t.Errorf("%s %v: read as %+v", c.base, c.change, got)
		}
	}
}

// TestRopeShared: layers with equal positions share one pointer to them.
func TestRopeShared(t *testing.T) {
	for name, base := range decoderConfigs(t) {
		c, err := parseChanged(t, base, nil)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[*nn.Rope]bool{}
		for _, s := range c.Span {
			if s.Rope != nil {
				kinds[s.Rope] = true
			}
		}
		if want := map[string]int{"gpt2": 0, "falcon-rw": 0, "gemma3": 2, "gemma4": 2, "gemma4-sharing": 2, "gemma4-moe": 2, "olmo3": 2}; len(kinds) != 1 && len(kinds) != want[name] {
			t.Errorf("%s has %d kinds of positions", name, len(kinds))
		}
	}
}

// sense fails the test if a config is impossible.
func sense(t *testing.T, c Config) {
	t.Helper()
	if c.Hidden < 1 || c.Vocab < 1 && !c.PicturesOnly || c.Layers < 1 || c.Heads < 1 || c.MaxTokens < 1 || !(c.Epsilon > 0) {
		t.Fatalf("accepted sizes that cannot be: %+v", c)
	}
	if !c.Causal {
		if c.Hidden%c.Heads != 0 {
			t.Fatalf("accepted sizes that cannot be: %+v", c)
		}
		return
	}
	if c.KVHeads < 1 || c.Heads%c.KVHeads != 0 || c.HeadSize < 1 || c.Intermediate < 1 || len(c.Span) != c.Layers || !(c.ScoreScale > 0) {
		t.Fatalf("accepted sizes that cannot be: %+v", c)
	}
	for _, s := range c.Span {
		if s.Window < 0 {
			t.Fatalf("accepted a window of %d", s.Window)
		}
		if s.Rope == nil {
			continue
		}
		for _, tokens := range []int{1, 1 << 24} {
			size := c.HeadSize
			if s.Rope.Type == "proportional" {
				size = s.Rope.Dim // Gemma 4's heads are wider where they see everything
			}
			turn := s.Rope.Rotary(size, tokens)
			for _, x := range append(turn.Frequencies, turn.Magnitude) {
				if !(x >= 0 && x < 1e12) || 2*len(turn.Frequencies) > size {
					t.Fatalf("positions turn by %v: %+v", x, s.Rope)
				}
			}
		}
	}
}
