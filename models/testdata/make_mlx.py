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
CASES = {
    # Groups of every size, and widths of 3 to 8 bits, in one model.
    "qwen3": ("Qwen3ForCausalLM", COMMON | dict(tie_word_embeddings=True), AFFINE | {
        "model.embed_tokens": dict(group_size=32, bits=8),
        "model.layers.0.self_attn.q_proj": dict(group_size=32, bits=3),
        "model.layers.0.mlp.down_proj": dict(group_size=128, bits=5, mode="affine"),
        "model.layers.1.mlp.down_proj": dict(group_size=64, bits=6)}),
    "llama-mxfp4": ("LlamaForCausalLM", COMMON | dict(tie_word_embeddings=False), dict(group_size=32, bits=4, mode="mxfp4", lm_head=dict(group_size=64, bits=4))),
}

mx.set_default_device(mx.cpu)
for seed, (name, (arch, config, quantization)) in enumerate(CASES.items()):
    rng = np.random.default_rng(100 + seed)
    kind = name.split("-")[0]
    module = importlib.import_module("mlx_lm.models." + kind)
    model = module.Model(module.ModelArgs.from_dict(config | dict(model_type=kind)))
    stored, exact = {}, {}
    for key, value in mlx.utils.tree_flatten(model.parameters()):
        wide = 1 + 0.1 * rng.normal(size=value.shape) if value.ndim == 1 else rng.normal(size=value.shape) / 4
        w = mx.array(wide.astype(np.float32)).astype(mx.bfloat16)
        if w.ndim == 1:
            stored[key], exact[key] = w, w.astype(mx.float32)
            continue
        base = key.removesuffix(".weight")
        how = dict(mode="affine") | {k: v for k, v in quantization.get(base, quantization).items() if k in ("group_size", "bits", "mode")}
        q, *rest = mx.quantize(w, **how)
        stored |= {key: q} | dict(zip((base + ".scales", base + ".biases"), rest))
        given = [r.astype(mx.float32) for r in rest] if how["mode"] == "affine" and how["bits"] <= 5 else rest
        exact[key] = mx.dequantize(q, *given, **how).astype(mx.float32)
    model.load_weights(list(exact.items()))
    cases = []
    for n in (1, 5, 17):
        ids = rng.integers(3, 64, size=n).tolist()
        logits = np.array(model(mx.array([ids]))[0])
        cases.append(dict(ids=ids, output="logits", shape=list(logits.shape), data=[float(f"{x:.7g}") for x in logits.flatten()]))
    folder = os.path.join(HERE, "mlx", name)
    os.makedirs(folder, exist_ok=True)
    mx.save_safetensors(os.path.join(folder, "model.safetensors"), stored, metadata={"format": "mlx"})
    about = config | dict(architectures=[arch], model_type=kind, quantization=quantization, quantization_config=quantization)
    with open(os.path.join(folder, "config.json"), "w") as f:
        json.dump(about, f, indent=2, sort_keys=True)
        f.write("\n")
    with open(os.path.join(folder, "expected.json"), "w") as f:
        json.dump(dict(architecture=arch, cases=cases), f)
        f.write("\n")
