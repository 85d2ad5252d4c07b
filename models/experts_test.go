package models_test

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/models"
	"inglenook/weights"
)

// changedConfig returns the config.json of a checkpoint with some keys changed.
func changedConfig(t *testing.T, dir string, change map[string]any) []byte {
	t.Helper()
	m := map[string]any{}
	readJSON(t, dir+"/config.json", &m)
	maps.Copy(m, change)
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Impossible experts are refused with the key's or the tensor's name.
func TestExpertRefusals(t *testing.T) {
	type change = map[string]any
	for _, c := range []struct {
		dir, say string
		change   change
	}{
		{"qwen3-moe", "num_experts_per_tok is 7, but there are only 6 experts", change{"num_experts_per_tok": 7}},
		{"qwen3-moe", "num_experts_per_tok is 0", change{"num_experts_per_tok": 0}},
		{"qwen3-moe", "num_experts is 1000000", change{"num_experts": 1000000}},
		{"qwen3-moe", "num_experts is -1", change{"num_experts": -1}},
		{"qwen3-moe", "moe_intermediate_size is 0", change{"moe_intermediate_size": 0}},
		{"qwen3-moe", "decoder_sparse_step is 0", change{"decoder_sparse_step": 0}},
		{"qwen3-moe", "mlp_only_layers is 3", change{"mlp_only_layers": []int{3}}},
		{"qwen3-moe", "mlp.experts.6.gate_proj.weight", change{"num_experts": 7}},
		{"qwen3-moe", "[20 32] instead of [24 32]", change{"moe_intermediate_size": 24}},
		{"gpt-oss", "num_experts_per_tok is 5, but there are only 4 experts", change{"num_experts_per_tok": 5}},
		{"gpt-oss", "swiglu_limit is 0", change{"swiglu_limit": 0}},
		{"gpt-oss", "sliding_window is 0", change{"sliding_window": 0}},
		{"gpt-oss", "experts.gate_up_proj is [4 32 64] instead of", change{"num_local_experts": 5}},
		{"gpt-oss-mxfp4", "experts.gate_up_proj_blocks is U8 [4 64 1 16] instead of [5 64 1 16] of bytes", change{"num_local_experts": 5}},
		{"gpt-oss-mxfp4", "experts.gate_up_proj", change{"quantization_config": nil}},
		{"lfm2-moe", "num_experts_per_tok is 7, but there are only 6 experts", change{"num_experts_per_tok": 7}},
		{"lfm2-moe", "feed_forward.expert_bias is [6] instead of [1 7]", change{"num_experts": 7}},
		{"qwen3_5-moe", "mlp.shared_expert.gate_proj.weight is [24 32] instead of [25 32]", change{"shared_expert_intermediate_size": 25}},
		{"qwen3_5-moe", "mlp.gate.weight is [6 32] instead of [5 32]", change{"num_experts": 5}},
		{"gemma4-moe", "top_k_experts is 7, but there are only 6 experts", change{"top_k_experts": 7}},
		{"gemma4-moe", "moe_intermediate_size is -1", change{"moe_intermediate_size": -1}},
		{"gemma4-moe", "router.per_expert_scale", change{"num_experts": 7}},
	} {
		dir := "testdata/decoders/" + c.dir
		parsed, err := models.ParseConfig(changedConfig(t, dir, c.change))
		if err == nil {
			var set *weights.Set
			if set, err = weights.Open(os.DirFS(dir), weights.Options{}); err != nil {
				t.Fatal(err)
			}
			_, err = models.LoadDecoder(parsed, set)
			set.Close()
		}
		switch {
		case err == nil:
			t.Errorf("%s with %v is accepted", c.dir, c.change)
		case !strings.Contains(err.Error(), c.say) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%s with %v: the message is %q, want it to hold %q", c.dir, c.change, err, c.say)
		}
	}
}

// A file that ends within the experts is refused.
func TestTruncatedExperts(t *testing.T) {
	for _, file := range []string{"decoders/gpt-oss-mxfp4/model.safetensors", "gguf/qwen3moe/model.gguf"} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		name := file[strings.LastIndex(file, "/")+1:]
		for _, n := range []int{len(data) / 2, len(data) - 1} {
			if set, err := weights.Open(fstest.MapFS{name: {Data: data[:n]}}, weights.Options{}); err == nil {
				t.Errorf("%s: %d of %d bytes are accepted", file, n, len(data))
				set.Close()
			}
		}
	}
}
