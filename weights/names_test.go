package weights

import (
	"slices"
	"strings"
	"testing"

	"inglenook/weights/gguf/gguftest"
)

// TestGGUFNames checks the names of every architecture.
func TestGGUFNames(t *testing.T) {
	const llama = `token_embd.weight model.embed_tokens.weight
		output_norm.weight model.norm.weight
		output.weight lm_head.weight
		rope_freqs.weight rope_freqs.weight
		blk.11.attn_norm.weight model.layers.11.input_layernorm.weight
		blk.0.attn_q.weight model.layers.0.self_attn.q_proj.weight
		blk.0.attn_k.weight model.layers.0.self_attn.k_proj.weight
		blk.0.attn_v.weight model.layers.0.self_attn.v_proj.weight
		blk.0.attn_output.weight model.layers.0.self_attn.o_proj.weight
		blk.0.ffn_norm.weight model.layers.0.post_attention_layernorm.weight
		blk.0.ffn_gate.weight model.layers.0.mlp.gate_proj.weight
		blk.0.ffn_up.weight model.layers.0.mlp.up_proj.weight
		blk.0.ffn_down.weight model.layers.0.mlp.down_proj.weight `
	const gemma = `token_embd.weight model.embed_tokens.weight
		output_norm.weight model.norm.weight
		blk.0.attn_norm.weight model.layers.0.input_layernorm.weight
		blk.0.post_attention_norm.weight model.layers.0.post_attention_layernorm.weight
		blk.0.ffn_norm.weight model.layers.0.pre_feedforward_layernorm.weight
		blk.0.post_ffw_norm.weight model.layers.0.post_feedforward_layernorm.weight
		blk.0.attn_q.weight model.layers.0.self_attn.q_proj.weight
		blk.0.ffn_down.weight model.layers.0.mlp.down_proj.weight `
	const headNorms = `blk.3.attn_q_norm.weight model.layers.3.self_attn.q_norm.weight
		blk.3.attn_k_norm.weight model.layers.3.self_attn.k_norm.weight `
	for architecture, pairs := range map[string]string{
		"llama":   llama + "blk.0.attn_q.bias model.layers.0.self_attn.q_proj.bias",
		"smollm3": llama,
		"qwen2":   llama + "blk.0.attn_q.bias model.layers.0.self_attn.q_proj.bias blk.0.attn_v.bias model.layers.0.self_attn.v_proj.bias",
		"qwen3":   llama + headNorms,
		"gemma2":  gemma,
		"gemma3":  gemma + headNorms,
		"gemma4": gemma + headNorms + `per_layer_token_embd.weight model.embed_tokens_per_layer.weight
			per_layer_model_proj.weight model.per_layer_model_projection.weight
			per_layer_proj_norm.weight model.per_layer_projection_norm.weight
			blk.2.inp_gate.weight model.layers.2.per_layer_input_gate.weight
			blk.2.proj.weight model.layers.2.per_layer_projection.weight
			blk.2.post_norm.weight model.layers.2.post_per_layer_input_norm.weight
			blk.2.layer_output_scale.weight model.layers.2.layer_scalar.weight
			blk.0.ffn_gate_inp.scale model.layers.0.router.proj.scale
			blk.0.ffn_down_exps.scale model.layers.0.experts.down_proj.scale
			blk.0.post_ffw_norm_1.weight model.layers.0.post_feedforward_layernorm_1.weight`,
		"qwen35moe": `token_embd.weight model.embed_tokens.weight
			blk.0.ssm_a model.layers.0.linear_attn.A_log
			blk.0.ffn_gate_inp.weight model.layers.0.mlp.gate.weight
			blk.0.ffn_gate_inp_shexp.weight model.layers.0.mlp.shared_expert_gate.weight
			blk.0.ffn_down_shexp.weight model.layers.0.mlp.shared_expert.down_proj.weight`,
		"lfm2moe": `token_embd_norm.weight model.embedding_norm.weight
			blk.0.attn_norm.weight model.layers.0.operator_norm.weight
			blk.0.shortconv.in_proj.weight model.layers.0.conv.in_proj.weight
			blk.0.ffn_gate.weight model.layers.0.feed_forward.w1.weight
			blk.0.exp_probs_b.bias model.layers.0.feed_forward.expert_bias.bias`,
		"olmo2": `token_embd.weight model.embed_tokens.weight
			blk.1.attn_q_norm.weight model.layers.1.self_attn.q_norm.weight
			blk.1.post_attention_norm.weight model.layers.1.post_attention_layernorm.weight
			blk.1.post_ffw_norm.weight model.layers.1.post_feedforward_layernorm.weight`,
		"glm4": `blk.0.attn_q.bias model.layers.0.self_attn.q_proj.bias
			blk.0.post_attention_norm.weight model.layers.0.post_self_attn_layernorm.weight
			blk.0.ffn_norm.weight model.layers.0.post_attention_layernorm.weight
			blk.0.post_ffw_norm.weight model.layers.0.post_mlp_layernorm.weight
			blk.0.ffn_up.weight model.layers.0.mlp.gate_up_proj.weight`,
		"hunyuan-dense": `blk.0.attn_k_norm.weight model.layers.0.self_attn.key_layernorm.weight`,
		"stablelm": llama + `output_norm.bias model.norm.bias blk.0.attn_norm.bias model.layers.0.input_layernorm.bias
			blk.3.attn_q_norm.weight model.layers.3.self_attn.q_layernorm.weight`,
		"phi2": `token_embd.weight model.embed_tokens.weight
			output_norm.weight model.final_layernorm.weight output_norm.bias model.final_layernorm.bias
			output.weight lm_head.weight output.bias lm_head.bias
			blk.0.attn_norm.bias model.layers.0.input_layernorm.bias
			blk.0.attn_q.weight model.layers.0.self_attn.q_proj.weight
			blk.0.attn_k.bias model.layers.0.self_attn.k_proj.bias
			blk.0.attn_output.weight model.layers.0.self_attn.dense.weight
			blk.0.ffn_up.weight model.layers.0.mlp.fc1.weight
			blk.0.ffn_down.bias model.layers.0.mlp.fc2.bias`,
		"phi3": `token_embd.weight model.embed_tokens.weight
			blk.0.attn_qkv.weight model.layers.0.self_attn.qkv_proj.weight
			blk.0.ffn_up.weight model.layers.0.mlp.gate_up_proj.weight
			blk.0.ffn_norm.weight model.layers.0.post_attention_layernorm.weight
			rope_factors_long.weight rope_factors_long.weight`,
		"falcon": `token_embd.weight transformer.word_embeddings.weight
			output_norm.bias transformer.ln_f.bias
			output.weight lm_head.weight
			blk.0.attn_norm.weight transformer.h.0.input_layernorm.weight
			blk.1.attn_norm.weight transformer.h.1.ln_mlp.weight blk.1.attn_norm.bias transformer.h.1.ln_mlp.bias
			blk.1.attn_norm_2.weight transformer.h.1.ln_attn.weight blk.1.attn_norm_2.bias transformer.h.1.ln_attn.bias
			blk.0.attn_qkv.weight transformer.h.0.self_attention.query_key_value.weight
			blk.0.attn_output.weight transformer.h.0.self_attention.dense.weight
			blk.0.ffn_up.weight transformer.h.0.mlp.dense_h_to_4h.weight
			blk.0.ffn_down.weight transformer.h.0.mlp.dense_4h_to_h.weight`,
		"gptneox": `token_embd.weight gpt_neox.embed_in.weight
			output_norm.weight gpt_neox.final_layer_norm.weight
			output.weight embed_out.weight
			blk.0.attn_norm.bias gpt_neox.layers.0.input_layernorm.bias
			blk.0.attn_qkv.bias gpt_neox.layers.0.attention.query_key_value.bias
			blk.0.attn_output.weight gpt_neox.layers.0.attention.dense.weight
			blk.0.ffn_norm.weight gpt_neox.layers.0.post_attention_layernorm.weight
			blk.0.ffn_up.weight gpt_neox.layers.0.mlp.dense_h_to_4h.weight
			blk.0.ffn_down.weight gpt_neox.layers.0.mlp.dense_4h_to_h.weight`,
		"gpt2": `token_embd.weight transformer.wte.weight
			position_embd.weight transformer.wpe.weight
			output_norm.bias transformer.ln_f.bias
			output.weight lm_head.weight
			blk.0.attn_norm.weight transformer.h.0.ln_1.weight
			blk.0.attn_qkv.weight transformer.h.0.attn.c_attn.weight
			blk.0.attn_output.bias transformer.h.0.attn.c_proj.bias
			blk.0.ffn_norm.weight transformer.h.0.ln_2.weight
			blk.0.ffn_up.weight transformer.h.0.mlp.c_fc.weight
			blk.0.ffn_down.weight transformer.h.0.mlp.c_proj.weight`,
		"somethingelse": "token_embd.weight token_embd.weight blk.0.attn_q.weight blk.0.attn_q.weight",
	} {
		var tensors []gguftest.Tensor
		var want []string
		for name := range slices.Chunk(strings.Fields(pairs), 2) {
			tensors, want = append(tensors, floats(name[0], 4, 8)), append(want, name[1])
		}
		// A name that is in no table is kept.
		for _, name := range []string{"blk.0.no_such_part.weight", "blk.x.attn_norm.weight", "blk..attn_norm.weight", "blk.0", "extra", "a.b.c"} {
			tensors, want = append(tensors, floats(name, 4)), append(want, name)
		}
		slices.Sort(want)
		if got := openGGUFBytes(t, model(architecture, tensors...)).Names(); !slices.Equal(got, want) {
			t.Errorf("%s has %q instead of %q", architecture, got, want)
		}
	}
}
