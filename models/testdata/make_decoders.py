#!/usr/bin/env python3
"""Make the tiny random language models in decoders/, with the reference library's answers in expected.json.

    pip install torch transformers safetensors
    python make_decoders.py [NAME …]     # all of them, or only these

One checkpoint a family, and one for each setting that a family computes another way: every stretch of rotary
positions, windows, caps, biases, parts of a layer side by side or one after the other. Weights are random with
fixed seeds and rounded to float16; the answers are computed in float32 from the rounded weights, and nothing else is rounded.
"""
import json, os, random, sys
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
import transformers as T
from safetensors.torch import load_file, save_file

HERE = os.path.dirname(os.path.abspath(__file__))
V, D, H, KV, F, N, P = 64, 32, 4, 2, 48, 2, 64
ALL = dict(vocab_size=V, hidden_size=D, num_hidden_layers=N, num_attention_heads=H, intermediate_size=F, max_position_embeddings=P,
           bos_token_id=1, eos_token_id=2, pad_token_id=0)
GQA = dict(ALL, num_key_value_heads=KV)
WIDE = dict(GQA, head_dim=16)  # keys of 32 columns: one block of a q8_0 cache
FALCON = dict(vocab_size=V, hidden_size=D, num_hidden_layers=N, num_attention_heads=H, ffn_hidden_size=F, bos_token_id=1, eos_token_id=2)
GEMMA = dict(WIDE, sliding_window=6, query_pre_attn_scalar=12)


OSS = dict(WIDE, intermediate_size=32, max_position_embeddings=256, num_local_experts=4, num_experts_per_tok=2, sliding_window=6,
           rope_parameters=dict(rope_type="yarn", rope_theta=10000.0, factor=8.0, original_max_position_embeddings=32, beta_fast=32.0, beta_slow=1.0, truncate=False))
GEMMA4 = dict(GQA, head_dim=16, global_head_dim=32, sliding_window=6, final_logit_softcapping=4.0, num_hidden_layers=5,
              layer_types=["sliding_attention", "full_attention", "sliding_attention", "sliding_attention", "full_attention"],
              rope_parameters=dict(full_attention=dict(rope_type="proportional", rope_theta=1000.0, partial_rotary_factor=0.25), sliding_attention=dict(rope_type="default", rope_theta=100.0)))
GRANITE = dict(embedding_multiplier=12.0, logits_scaling=0.5, residual_multiplier=0.22, attention_multiplier=0.25)


def rope(kind, **kw):
    return dict(rope_type=kind, rope_theta=10000.0, **kw)


CASES = {
    "llama": T.LlamaConfig(**WIDE, attention_bias=True, mlp_bias=True, tie_word_embeddings=True),
    "llama-linear": T.LlamaConfig(**GQA, rope_parameters=rope("linear", factor=2.5)),
    "llama-dynamic": T.LlamaConfig(**dict(GQA, max_position_embeddings=16), rope_parameters=rope("dynamic", factor=4.0)),
    "llama-llama3": T.LlamaConfig(**WIDE, rope_parameters=rope("llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32)),
    "llama-yarn": T.LlamaConfig(**dict(WIDE, max_position_embeddings=256), rope_parameters=rope("yarn", factor=4.0, original_max_position_embeddings=64)),
    "mistral": T.MistralConfig(**WIDE, sliding_window=6),
    "qwen2": T.Qwen2Config(**GQA, use_sliding_window=True, sliding_window=5, max_window_layers=1),
    "qwen3": T.Qwen3Config(**WIDE, tie_word_embeddings=True),
    "phi": T.PhiConfig(**ALL, partial_rotary_factor=0.5),
    "phi3": T.Phi3Config(**dict(GQA, max_position_embeddings=64), original_max_position_embeddings=16, sliding_window=9, partial_rotary_factor=0.75,
                         rope_parameters=rope("longrope", partial_rotary_factor=0.75, short_factor=[1.0, 1.1, 1.2], long_factor=[1.5, 2.5, 4.0])),
    "stablelm": T.StableLmConfig(**GQA, partial_rotary_factor=0.25, use_qkv_bias=True),
    "stablelm-parallel": T.StableLmConfig(**GQA, partial_rotary_factor=0.5, use_parallel_residual=True),
    "falcon-7b": T.FalconConfig(**FALCON, multi_query=True, parallel_attn=True),
    "falcon-40b": T.FalconConfig(**FALCON, num_kv_heads=KV, new_decoder_architecture=True),
    "falcon-11b": T.FalconConfig(**FALCON, num_kv_heads=KV, new_decoder_architecture=True, num_ln_in_parallel_attn=1),
    "falcon-rw": T.FalconConfig(**dict(FALCON, num_attention_heads=4), multi_query=False, parallel_attn=False, bias=True, alibi=True),
    "gemma2": T.Gemma2Config(**GEMMA, attn_logit_softcapping=3.0, final_logit_softcapping=4.0),
    "gemma3": T.Gemma3TextConfig(**dict(GEMMA, num_hidden_layers=3), layer_types=["sliding_attention", "full_attention", "sliding_attention"],
                                 rope_parameters=dict(full_attention=rope("linear", factor=8.0), sliding_attention=dict(rope_type="default", rope_theta=100.0))),
    "gpt2": T.GPT2Config(vocab_size=V, n_embd=D, n_layer=N, n_head=H, n_positions=P, n_inner=F, scale_attn_by_inverse_layer_idx=True),
    "gpt-neox": T.GPTNeoXConfig(**ALL, rotary_pct=0.25),
    "gpt-neox-sequential": T.GPTNeoXConfig(**ALL, rotary_pct=0.5, use_parallel_residual=False, hidden_act="gelu_fast"),
    "smollm3": T.SmolLM3Config(**GQA, no_rope_layer_interval=2, use_sliding_window=True, sliding_window=7),
    "gemma": T.GemmaConfig(**WIDE, hidden_act="gelu"),
    "qwen3-moe": T.Qwen3MoeConfig(**dict(WIDE, num_hidden_layers=3), moe_intermediate_size=20, num_experts=6, num_experts_per_tok=3, norm_topk_prob=True, mlp_only_layers=[1]),
    "gpt-oss": T.GptOssConfig(**OSS),
    "gpt-oss-mxfp4": T.GptOssConfig(**OSS),
    "gemma4": T.Gemma4TextConfig(**GEMMA4, attention_k_eq_v=True, num_global_key_value_heads=1, hidden_size_per_layer_input=0),
    "gemma4-sharing": T.Gemma4TextConfig(**GEMMA4, num_kv_shared_layers=2, use_double_wide_mlp=True, hidden_size_per_layer_input=8, vocab_size_per_layer_input=V),
    "qwen3_5": T.Qwen3_5TextConfig(**dict(WIDE, num_hidden_layers=4), tie_word_embeddings=True, linear_conv_kernel_dim=4, linear_key_head_dim=16, linear_value_head_dim=16,
                                   linear_num_key_heads=2, linear_num_value_heads=4, rope_parameters=rope("default", partial_rotary_factor=0.5, mrope_interleaved=True, mrope_section=[2, 1, 1])),
    "lfm2": T.Lfm2Config(**dict(GQA, num_hidden_layers=4), conv_L_cache=3, block_multiple_of=16, norm_eps=1e-5, layer_types=["conv", "full_attention", "conv", "full_attention"]),
    "lfm2-moe": T.Lfm2MoeConfig(**dict(GQA, num_hidden_layers=4), conv_L_cache=3, moe_intermediate_size=20, num_dense_layers=1, num_experts=6, num_experts_per_tok=3, routed_scaling_factor=1.5,
                                layer_types=["conv", "full_attention", "conv", "full_attention"]),
    "qwen3_5-moe": T.Qwen3_5MoeTextConfig(**{k: v for k, v in WIDE.items() if k not in ("num_hidden_layers", "intermediate_size")}, num_hidden_layers=3, layer_types=["linear_attention", "full_attention", "linear_attention"], linear_conv_kernel_dim=4, linear_key_head_dim=16, linear_value_head_dim=16,
                                 linear_num_key_heads=2, linear_num_value_heads=4, moe_intermediate_size=20, shared_expert_intermediate_size=24, num_experts=6, num_experts_per_tok=3,
                                 rope_parameters=rope("default", partial_rotary_factor=0.5, mrope_interleaved=True, mrope_section=[2, 1, 1])),
    "gemma4-moe": T.Gemma4TextConfig(**GEMMA4, attention_k_eq_v=True, num_global_key_value_heads=1, hidden_size_per_layer_input=0, enable_moe_block=True, num_experts=6, top_k_experts=5, moe_intermediate_size=20),
    "ministral3": T.Ministral3Config(**dict(WIDE, max_position_embeddings=128), rope_parameters=rope("yarn", factor=16.0, original_max_position_embeddings=8, beta_fast=32.0, beta_slow=1.0,
                                     mscale=1.0, mscale_all_dim=1.0, llama_4_scaling_beta=0.1)),
    "granite": T.GraniteConfig(**GQA, attention_bias=True, mlp_bias=True, **GRANITE),
    "granite-hybrid": T.GraniteMoeHybridConfig(**GQA, **GRANITE, shared_intermediate_size=40, num_local_experts=0, num_experts_per_tok=0, position_embedding_type="rope", layer_types=["full_attention"] * N,
                                               mamba_n_heads=2, tie_word_embeddings=True),
    "olmo2": T.Olmo2Config(**GQA),
    "olmo3": T.Olmo3Config(**dict(WIDE, num_hidden_layers=4, max_position_embeddings=128), sliding_window=6, attention_bias=True, rope_parameters=dict(sliding_attention=rope("default"),
                           full_attention=rope("yarn", factor=8.0, original_max_position_embeddings=16, attention_factor=1.2, beta_fast=32.0, beta_slow=1.0))),
    "glm4": T.Glm4Config(**WIDE, attention_bias=True, rope_parameters=rope("default", partial_rotary_factor=0.5)),
    "ernie4_5": T.Ernie4_5Config(**WIDE, use_bias=True),
    "exaone4": T.Exaone4Config(**dict(GQA, num_hidden_layers=4), sliding_window=6, layer_types=["sliding_attention"] * 3 + ["full_attention"],
                               rope_parameters=rope("llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32)),
    "exaone4-small": T.Exaone4Config(**GQA, sliding_window=None, tie_word_embeddings=True, layer_types=["full_attention"] * N),
    "hunyuan": T.HunYuanDenseV1Config(**WIDE, attention_bias=True, rope_parameters=rope("dynamic", alpha=50.0, factor=1.0)),
    "cohere": T.CohereConfig(**GQA, logit_scale=0.5, attention_bias=True),
    "cohere2": T.Cohere2Config(**dict(GQA, num_hidden_layers=4), sliding_window=6, logit_scale=0.25, attention_bias=True),
    "phi4": T.Phi3Config(**GQA, original_max_position_embeddings=P, sliding_window=None, rope_parameters=rope("default")),
}

HALVES = torch.tensor([0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12]) / 2


def packed(experts, gen):
    """Fills experts with random blocks of MXFP4 and returns these, as published files store them."""
    tensors = {}
    for name in ("gate_up_proj", "down_proj"):  # [experts, in, out]
        p = getattr(experts, name)
        shape = (p.shape[0], p.shape[2], p.shape[1] // 32)
        blocks = torch.randint(0, 256, (*shape, 16), generator=gen, dtype=torch.uint8)
        scales = torch.randint(121, 124, shape, generator=gen, dtype=torch.uint8)
        levels = torch.stack([blocks & 15, blocks >> 4], -1).flatten(-2)
        values = HALVES[levels.int()] * torch.exp2(scales.float() - 127)[..., None]
        p.copy_(values.flatten(-2).transpose(1, 2))
        tensors[name + "_blocks"], tensors[name + "_scales"] = blocks, scales
    return tensors


def store_packed(folder, layers):
    """Replaces the experts of a saved model."""
    tensors = load_file(folder + "/model.safetensors")
    for i, layer in enumerate(layers):
        for name, t in layer.items():
            tensors.pop(f"model.layers.{i}.mlp.experts.{name.rsplit('_', 1)[0]}", None)
            tensors[f"model.layers.{i}.mlp.experts.{name}"] = t
    save_file(tensors, folder + "/model.safetensors", metadata=dict(format="pt"))
    c = json.load(open(folder + "/config.json"))
    c["quantization_config"] = dict(quant_method="mxfp4")
    json.dump(c, open(folder + "/config.json", "w"), indent=2, sort_keys=True)


for number, (name, config) in enumerate(CASES.items()):
    if sys.argv[1:] and name not in sys.argv[1:]:
        continue
    gen, rng = torch.Generator().manual_seed(200 + number), random.Random(200 + number)
    config._attn_implementation = "sdpa" if name == "falcon-rw" else "eager"  # eager adds Falcon's ALiBi twice; sdpa and the paper once
    model = T.AutoModelForCausalLM.from_config(config).eval()
    with torch.no_grad():
        for p in model.parameters():
            if p.dim() > 1:
                p.copy_(torch.randn(p.shape, generator=gen) * (1.3 / p.shape[-1] ** 0.5))
            else:
                p.copy_(p + torch.randn(p.shape, generator=gen) * 0.2)
            p.copy_(p.half())
        if name.startswith("gemma4"):  # which does not scale its scores
            for kind, p in [*model.named_parameters(), *model.named_buffers()]:
                if kind.endswith(("q_norm.weight", "layer_scalar")):
                    p.mul_(0.125 if "norm" in kind else 0.75)
                if kind.endswith("router.proj.weight"):  # which reads small numbers
                    p.mul_(8)
        for kind, p in model.named_buffers():
            if kind.endswith("expert_bias"):
                p.copy_((torch.randn(p.shape, generator=gen) * 0.3).half())
    if name == "granite-hybrid":
        del config.time_step_limit  # the library writes its infinity in a way of its own
    layers = []
    if name.endswith("mxfp4"):
        with torch.no_grad():
            layers = [packed(l.mlp.experts, gen) for l in model.model.layers]
    model.tie_weights()
    cases = []
    for n in (1, 3, 25):
        ids = [rng.randrange(3, V) for _ in range(n)]
        with torch.no_grad():
            out = model(input_ids=torch.tensor([ids])).logits[0]
        cases.append(dict(ids=ids, output="logits", shape=list(out.shape), data=[float("%.7g" % v) for v in out.flatten().tolist()]))
    folder = os.path.join(HERE, "decoders", name)
    model.half().save_pretrained(folder)
    if layers:
        store_packed(folder, layers)
    if os.path.exists(folder + "/generation_config.json"):
        os.remove(folder + "/generation_config.json")
    json.dump(dict(architecture=config.architectures[0], cases=cases), open(os.path.join(folder, "expected.json"), "w"))
