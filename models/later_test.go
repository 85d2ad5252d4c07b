package models_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/models"
)

// TestLater: what a model has that is not supported yet is named, from config.json and from
// the head of a GGUF file.
func TestLater(t *testing.T) {
	for architecture, part := range map[string]string{
		"NemotronHForCausalLM": "Mamba layers", "FalconH1ForCausalLM": "Mamba layers", "Mamba2ForCausalLM": "Mamba layers", "BambaForCausalLM": "Mamba layers",
		"DeepseekV3ForCausalLM": "multi-head latent attention (MLA)", "Glm4MoeLiteForCausalLM": "multi-head latent attention (MLA)",
		"nemotron_h_moe": "Mamba layers", "falcon-h1": "Mamba layers", "granitehybrid": "Mamba layers", "deepseek2": "multi-head latent attention (MLA)", "rwkv7": "RWKV layers",
	} {
		_, err := models.ParseConfig([]byte(fmt.Sprintf(`{"architectures":[%q]}`, architecture)))
		if err == nil || !strings.Contains(err.Error(), architecture) || !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "not support") {
			t.Errorf("%s: %v", architecture, err)
		}
		s := smallGGUF()
		s.rename(architecture)
		if _, err := openGGUF(t, fstest.MapFS{"model.gguf": {Data: s.file()}}); err == nil || !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "not support") {
			t.Errorf("%s as a GGUF file: %v", architecture, err)
		}
	}
	_, err := models.ParseConfig([]byte(`{"architectures":["GraniteMoeHybridForCausalLM"],"vocab_size":9,"hidden_size":8,"num_hidden_layers":2,"num_attention_heads":2,"intermediate_size":8,
		"shared_intermediate_size":8,"num_local_experts":0,"layer_types":["mamba","attention"]}`))
	if err == nil || !strings.Contains(err.Error(), "Mamba layers") {
		t.Errorf("Granite: %v", err)
	}
}
