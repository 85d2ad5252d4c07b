#!/usr/bin/env python3
"""Make the tiny random language models in mlx/, quantized by MLX, with mlx-lm's answers in expected.json.

    pip install "mlx[cpu]" mlx-lm numpy
    python make_mlx.py

The answers are computed in float32 from the values that mlx.core.dequantize returns. Up to 5 bits it gets the scales in
float32, so that nothing is rounded on the way.
"""
import importlib, json, os
import mlx.core as mx
import mlx.utils
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
COMMON = dict(vocab_size=64, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=16, intermediate_size=128,
              max_position_embeddings=64, rms_norm_eps=1e-6, rope_theta=10000.0, hidden_act="silu", bos_token_id=1, eos_token_id=2, torch_dtype="bfloat16")
AFFINE = dict(group_size=64, bits=4)
SMALL = dict(group_size=32, bits=4)
ROUTER = dict(group_size=64, bits=8)
ROPE = dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5)
QWEN35 = COMMON | dict(num_hidden_layers=3, full_attention_interval=3, layer_types=["linear_attention"] * 2 + ["full_attention"], linear_conv_kernel_dim=4,
                       linear_key_head_dim=16, linear_num_key_heads=2, linear_num_value_heads=4, linear_value_head_dim=16, rope_parameters=ROPE)
GEMMA4 = dict(vocab_size=64, hidden_size=64, num_hidden_layers=5, num_attention_heads=4, num_key_value_heads=2, head_dim=16, global_head_dim=32,
              intermediate_size=64, max_position_embeddings=64, rms_norm_eps=1e-6, hidden_activation="gelu_pytorch_tanh", bos_token_id=1, eos_token_id=2,
              sliding_window=6, final_logit_softcapping=4.0, tie_word_embeddings=True, torch_dtype="bfloat16",
              layer_types=["sliding_attention", "full_attention", "sliding_attention", "sliding_attention", "full_attention"],
              rope_parameters=dict(full_attention=dict(rope_type="proportional", rope_theta=1000.0, partial_rotary_factor=0.25),
                                   sliding_attention=dict(rope_type="default", rope_theta=100.0)))


def wrapped(kind, inner, **outer):
    """The config of a model that reads pictures as well."""
    return dict(model_type=kind, text_config=inner, tie_word_embeddings=inner["tie_word_embeddings"], vocab_size=inner["vocab_size"]) | outer


def routers(name, layers):
    return {name % i: ROUTER for i in layers}


CASES = {
    # Groups of every size, and widths of 3 to 8 bits, in one model.
    "qwen3": ("Qwen3ForCausalLM", COMMON | dict(model_type="qwen3", tie_word_embeddings=True), AFFINE | {
        "model.embed_tokens": dict(group_size=32, bits=8),
        "model.layers.0.self_attn.q_proj": dict(group_size=32, bits=3),
        "model.layers.0.mlp.down_proj": dict(group_size=128, bits=5, mode="affine"),
        "model.layers.1.mlp.down_proj": dict(group_size=64, bits=6)}),
    "llama-mxfp4": ("LlamaForCausalLM", COMMON | dict(model_type="llama", tie_word_embeddings=False),
                    dict(group_size=32, bits=4, mode="mxfp4", lm_head=dict(group_size=64, bits=4))),
    # Families whose tensors MLX gives other names, shapes or numbers.
    "qwen3_moe": ("Qwen3MoeForCausalLM", COMMON | dict(
        model_type="qwen3_moe", tie_word_embeddings=False, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32, norm_topk_prob=True,
        decoder_sparse_step=1, mlp_only_layers=[1]), SMALL | routers("model.layers.%d.mlp.gate", [0])),
    "qwen3_5": ("Qwen3_5ForConditionalGeneration", wrapped("qwen3_5", QWEN35 | dict(model_type="qwen3_5_text", tie_word_embeddings=True)), AFFINE),
    "qwen3_5_moe": ("Qwen3_5MoeForConditionalGeneration", wrapped("qwen3_5_moe", QWEN35 | dict(
        model_type="qwen3_5_moe_text", tie_word_embeddings=False, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32,
        shared_expert_intermediate_size=64)), SMALL | routers("language_model.model.layers.%d.mlp.gate", range(3))
        | routers("language_model.model.layers.%d.mlp.shared_expert_gate", range(3))),
    # Not quantized: what tells that MLX stored it is the shape of its convolutions.
    "qwen3_5_moe-bf16": ("Qwen3_5MoeForConditionalGeneration", wrapped("qwen3_5_moe", QWEN35 | dict(
        model_type="qwen3_5_moe_text", tie_word_embeddings=False, num_experts=2, num_experts_per_tok=1, moe_intermediate_size=16, vocab_size=48,
        shared_expert_intermediate_size=16, intermediate_size=16)), {}),
    "gemma4": ("Gemma4ForConditionalGeneration", wrapped("gemma4", GEMMA4 | dict(
        model_type="gemma4_text", attention_k_eq_v=False, hidden_size_per_layer_input=32, vocab_size_per_layer_input=64, num_kv_shared_layers=2,
        use_double_wide_mlp=True, enable_moe_block=False)), SMALL),
    "gemma4-moe": ("Gemma4ForConditionalGeneration", wrapped("gemma4", GEMMA4 | dict(
        model_type="gemma4_text", attention_k_eq_v=True, num_global_key_value_heads=1, hidden_size_per_layer_input=0, vocab_size_per_layer_input=64,
        num_kv_shared_layers=0, use_double_wide_mlp=False, enable_moe_block=True, num_experts=4, top_k_experts=2, moe_intermediate_size=32)),
        SMALL | routers("language_model.model.layers.%d.router.proj", range(5))),
    "gpt_oss": ("GptOssForCausalLM", COMMON | dict(
        model_type="gpt_oss", tie_word_embeddings=False, num_local_experts=4, num_experts_per_tok=2, intermediate_size=32, sliding_window=6,
        layer_types=["sliding_attention", "full_attention"], rms_norm_eps=1e-5, attention_bias=True, swiglu_limit=7.0, max_position_embeddings=256,
        # MLX rounds the bounds of YaRN, as is usual. The published gpt-oss says not to, which MLX does not heed.
        rope_scaling=dict(rope_type="yarn", factor=8.0, beta_fast=32.0, beta_slow=1.0, original_max_position_embeddings=32)),
        dict(group_size=32, bits=4, mode="mxfp4") | {"model.embed_tokens": ROUTER, "lm_head": ROUTER}
        | {f"model.layers.{i}.{part}": ROUTER for i in range(2) for part in ["mlp.router"] + [f"self_attn.{x}_proj" for x in "qkvo"]}),
    "lfm2_moe": ("Lfm2MoeForCausalLM", dict(
        model_type="lfm2_moe", vocab_size=64, hidden_size=64, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2, intermediate_size=128,
        moe_intermediate_size=32, num_dense_layers=1, num_experts=4, num_experts_per_tok=2, norm_topk_prob=True, use_expert_bias=True, conv_L_cache=3,
        conv_bias=False, norm_eps=1e-5, max_position_embeddings=64, layer_types=["conv", "full_attention", "conv"], tie_word_embeddings=True,
        rope_theta=1e6, bos_token_id=1, eos_token_id=2, torch_dtype="bfloat16"), SMALL | routers("model.layers.%d.feed_forward.gate", [1, 2])),
}


def numbers(rng, key, shape):
    """Values that let every part matter."""
    if key.endswith("A_log"):
        return rng.normal(size=shape) / 2 - 2
    if key.rsplit(".", 1)[-1] in ("bias", "dt_bias", "expert_bias", "sinks"):
        return rng.normal(size=shape) / 4
    if len(shape) == 1:
        return 1 + 0.1 * rng.normal(size=shape)
    return rng.normal(size=shape) / (4 if "embed" in key or "head" in key else 8)


mx.set_default_device(mx.cpu)
for seed, (name, (arch, config, quantization)) in enumerate(CASES.items()):
    rng = np.random.default_rng(100 + seed)
    module = importlib.import_module("mlx_lm.models." + config["model_type"])
    model = module.Model(module.ModelArgs.from_dict(json.loads(json.dumps(config))))
    packs = {path for path, part in model.named_modules() if quantization and hasattr(part, "to_quantized")}
    stored, exact = {}, {}
    for key, value in mlx.utils.tree_flatten(model.parameters()):
        w = mx.array(numbers(rng, key, value.shape).astype(np.float32)).astype(mx.bfloat16)
        base, _, last = key.rpartition(".")
        if last != "weight" or base not in packs:
            stored[key], exact[key] = w, w.astype(mx.float32)
            continue
        how = dict(mode="affine") | {k: v for k, v in quantization.get(base, quantization).items() if k in ("group_size", "bits", "mode")}
        q, *rest = mx.quantize(w, **how)
        stored |= {key: q} | dict(zip((base + ".scales", base + ".biases"), rest))
        given = [r.astype(mx.float32) for r in rest] if how["mode"] == "affine" and how["bits"] <= 5 else rest
        exact[key] = mx.dequantize(q, *given, **how).astype(mx.float32)
    model.load_weights(list(exact.items()))
    cases = []
    for n in (1, 5, 17):
        ids = rng.integers(3, 48, size=n).tolist()
        logits = np.array(model(mx.array([ids]))[0])
        cases.append(dict(ids=ids, output="logits", shape=list(logits.shape), data=[float(f"{x:.7g}") for x in logits.flatten()]))
    folder = os.path.join(HERE, "mlx", name)
    os.makedirs(folder, exist_ok=True)
    mx.save_safetensors(os.path.join(folder, "model.safetensors"), stored, metadata={"format": "mlx"})
    about = config | dict(architectures=[arch])
    if quantization:
        about |= dict(quantization=quantization, quantization_config=quantization)
    with open(os.path.join(folder, "config.json"), "w") as f:
        json.dump(about, f, indent=2, sort_keys=True)
        f.write("\n")
    with open(os.path.join(folder, "expected.json"), "w") as f:
        json.dump(dict(architecture=arch, cases=cases), f)
        f.write("\n")
