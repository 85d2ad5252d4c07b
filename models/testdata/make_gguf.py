#!/usr/bin/env python3
"""Make the tiny random GGUF files in gguf/ with llama.cpp's converter, and the reference library's answers beside them.

    pip install torch transformers
    python make_gguf.py LLAMA_CPP [NAME …]        # a checkout of llama.cpp; all of them, or only these

One file an architecture, with settings that the format can express (it knows no activation, and has fixed ideas of
some feed-forward widths and windows), and one for each way in which positions are stretched.
"""
import json, os, random, shutil, sys, tempfile
from pathlib import Path
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
sys.path[:0] = [sys.argv[1], os.path.join(sys.argv[1], "gguf-py")]
import gguf
import torch
import transformers as T
from conversion import get_model_class

HERE = os.path.dirname(os.path.abspath(__file__))
V, D, H, KV, N, P = 64, 32, 4, 2, 2, 64
ALL = dict(vocab_size=V, hidden_size=D, num_hidden_layers=N, num_attention_heads=H, max_position_embeddings=P, bos_token_id=1, eos_token_id=2, pad_token_id=0)
GQA = dict(ALL, num_key_value_heads=KV, intermediate_size=48)
WIDE = dict(GQA, head_dim=16)
FALCON = dict(vocab_size=V, hidden_size=D, num_hidden_layers=N, num_attention_heads=H, bos_token_id=1, eos_token_id=2)
GEMMA = dict(WIDE, sliding_window=6, query_pre_attn_scalar=16)


GEMMA4 = dict(GQA, head_dim=16, global_head_dim=32, sliding_window=6, final_logit_softcapping=4.0, num_hidden_layers=5,
              layer_types=["sliding_attention", "full_attention", "sliding_attention", "sliding_attention", "full_attention"],
              rope_parameters=dict(full_attention=dict(rope_type="proportional", rope_theta=1000.0, partial_rotary_factor=0.25), sliding_attention=dict(rope_type="default", rope_theta=100.0)))


def rope(kind, **kw):
    return dict(rope_type=kind, rope_theta=10000.0, **kw)


CASES = {
    "llama": T.LlamaConfig(**WIDE, attention_bias=True),
    "llama-linear": T.LlamaConfig(**GQA, rope_parameters=rope("linear", factor=2.5)),
    "llama-llama3": T.LlamaConfig(**GQA, tie_word_embeddings=True,
                                  rope_parameters=rope("llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32)),
    "qwen2-yarn": T.Qwen2Config(**dict(GQA, max_position_embeddings=256), tie_word_embeddings=True, rope_parameters=rope("yarn", factor=4.0, original_max_position_embeddings=64)),
    "qwen3": T.Qwen3Config(**WIDE),
    "smollm3": T.SmolLM3Config(**dict(GQA, num_hidden_layers=5)),
    "phi2": T.PhiConfig(**ALL, intermediate_size=4 * D, partial_rotary_factor=0.5),
    "phi3": T.Phi3Config(**GQA, original_max_position_embeddings=16, sliding_window=9, partial_rotary_factor=0.75,
                         rope_parameters=rope("longrope", partial_rotary_factor=0.75, short_factor=[1.0, 1.1, 1.2], long_factor=[1.5, 2.5, 4.0])),
    "stablelm": T.StableLmConfig(**GQA, partial_rotary_factor=0.25, use_qkv_bias=True),
    "stablelm-parallel": T.StableLmConfig(**GQA, partial_rotary_factor=0.5, use_parallel_residual=True),
    "falcon-7b": T.FalconConfig(**FALCON, multi_query=True, parallel_attn=True),
    "falcon-40b": T.FalconConfig(**FALCON, num_kv_heads=KV, new_decoder_architecture=True),
    "gemma2": T.Gemma2Config(**GEMMA, attn_logit_softcapping=3.0, final_logit_softcapping=4.0),
    "gemma3": T.Gemma3TextConfig(**dict(GEMMA, num_hidden_layers=7),
                                 rope_parameters=dict(full_attention=rope("linear", factor=8.0), sliding_attention=dict(rope_type="default", rope_theta=10000.0))),
    "gpt2": T.GPT2Config(vocab_size=V, n_embd=D, n_layer=N, n_head=H, n_positions=P),
    "gptneox": T.GPTNeoXConfig(**ALL, intermediate_size=48, rotary_pct=0.25),
    "qwen3moe": T.Qwen3MoeConfig(**WIDE, moe_intermediate_size=20, num_experts=6, num_experts_per_tok=3, norm_topk_prob=True),
    "gpt-oss": T.GptOssConfig(**dict(WIDE, intermediate_size=32, max_position_embeddings=256), num_local_experts=4, num_experts_per_tok=2, sliding_window=6,
                              rope_parameters=rope("yarn", factor=8.0, original_max_position_embeddings=32, beta_fast=32.0, beta_slow=1.0, truncate=False)),
    "gemma4": T.Gemma4TextConfig(**GEMMA4, attention_k_eq_v=True, num_global_key_value_heads=1, hidden_size_per_layer_input=0),
    "gemma4-sharing": T.Gemma4TextConfig(**GEMMA4, num_kv_shared_layers=2, use_double_wide_mlp=True, hidden_size_per_layer_input=8, vocab_size_per_layer_input=V),
    "qwen35": T.Qwen3_5TextConfig(**dict(WIDE, num_hidden_layers=4), tie_word_embeddings=True, linear_conv_kernel_dim=4, linear_key_head_dim=8, linear_value_head_dim=8,
                                  linear_num_key_heads=2, linear_num_value_heads=4, rope_parameters=rope("default", partial_rotary_factor=0.5, mrope_interleaved=True, mrope_section=[2, 1, 1])),
    "lfm2": T.Lfm2Config(**dict(GQA, num_hidden_layers=4), conv_L_cache=3, block_multiple_of=16, norm_eps=1e-5, layer_types=["conv", "full_attention", "conv", "full_attention"]),
    "lfm2moe": T.Lfm2MoeConfig(**dict(GQA, num_hidden_layers=4), conv_L_cache=3, moe_intermediate_size=20, num_dense_layers=1, num_experts=6, num_experts_per_tok=3, routed_scaling_factor=1.0,
                                layer_types=["conv", "full_attention", "conv", "full_attention"]),
    "qwen35moe": T.Qwen3_5MoeTextConfig(**{k: v for k, v in WIDE.items() if k not in ("num_hidden_layers", "intermediate_size")}, num_hidden_layers=3, full_attention_interval=2, linear_conv_kernel_dim=4, linear_key_head_dim=8, linear_value_head_dim=8,
                                 linear_num_key_heads=2, linear_num_value_heads=4, moe_intermediate_size=20, shared_expert_intermediate_size=24, num_experts=6, num_experts_per_tok=3,
                                 rope_parameters=rope("default", partial_rotary_factor=0.5, mrope_interleaved=True, mrope_section=[2, 1, 1])),
    "gemma4-moe": T.Gemma4TextConfig(**GEMMA4, attention_k_eq_v=True, num_global_key_value_heads=1, hidden_size_per_layer_input=0, enable_moe_block=True, num_experts=6, top_k_experts=5, moe_intermediate_size=20),
    "mistral3": T.Ministral3Config(**dict(WIDE, max_position_embeddings=128), rope_parameters=rope("yarn", factor=16.0, original_max_position_embeddings=8, beta_fast=32.0, beta_slow=1.0,
                                   mscale=1.0, mscale_all_dim=1.0, llama_4_scaling_beta=0.1)),
    "granite": T.GraniteConfig(**GQA, embedding_multiplier=12.0, logits_scaling=0.5, residual_multiplier=0.22, attention_multiplier=0.25),
    "olmo2": T.Olmo2Config(**WIDE),
    "olmo3": T.Olmo3Config(**dict(GQA, num_hidden_layers=4, max_position_embeddings=128), sliding_window=6, rope_parameters=dict(sliding_attention=rope("default"),
                           full_attention=rope("yarn", factor=8.0, original_max_position_embeddings=16, attention_factor=1.2, beta_fast=32.0, beta_slow=1.0))),
    "glm4": T.Glm4Config(**WIDE, attention_bias=True, rope_parameters=rope("default", partial_rotary_factor=0.5)),
    "ernie4_5": T.Ernie4_5Config(**WIDE),
    "exaone4": T.Exaone4Config(**dict(GQA, num_hidden_layers=4), head_dim=8, sliding_window=6, layer_types=["sliding_attention"] * 3 + ["full_attention"],
                               rope_parameters=rope("llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32)),
    "hunyuan-dense": T.HunYuanDenseV1Config(**dict(WIDE, max_position_embeddings=32768), rope_parameters=rope("dynamic", alpha=1000.0, factor=1.0, beta_fast=32, beta_slow=1, mscale=1.0, mscale_all_dim=0.0)),
    "command-r": T.CohereConfig(**GQA, logit_scale=0.5, tie_word_embeddings=True),
    "cohere2": T.Cohere2Config(**dict(GQA, num_hidden_layers=4), sliding_window=6, logit_scale=0.25, tie_word_embeddings=True),
}


# Encoders, which answer with hidden states or, with a head, with logits. The last entry is what a checkpoint's own config.json says and the library's does not.
BERT = dict(vocab_size=V, hidden_size=D, num_hidden_layers=N, num_attention_heads=H, intermediate_size=56, max_position_embeddings=P)
PADDED = dict(BERT, pad_token_id=1, type_vocab_size=1)
MODERN = dict(BERT, num_hidden_layers=4, local_attention=8, pad_token_id=0, bos_token_id=1, eos_token_id=2, cls_token_id=1, sep_token_id=2)
NOMIC = dict(n_embd=D, n_layer=N, n_head=H, n_inner=56, n_positions=8192, activation_function="swiglu", causal=False, qkv_proj_bias=False, mlp_fc1_bias=False, mlp_fc2_bias=False, prenorm=False,
             rotary_emb_fraction=1.0, rotary_emb_interleaved=False, rotary_emb_scale_base=None, rotary_emb_base=1000, type_vocab_size=2, vocab_size=V, layer_norm_epsilon=1e-12)
ENCODERS = {
    "bert": (T.BertModel, T.BertConfig(**BERT), None),
    "distilbert-classifier": (T.DistilBertForSequenceClassification, T.DistilBertConfig(vocab_size=V, dim=D, n_layers=N, n_heads=H, hidden_dim=56, max_position_embeddings=P, num_labels=3), None),
    "xlm-roberta": (T.XLMRobertaModel, T.XLMRobertaConfig(**PADDED), None),
    "roberta-classifier": (T.RobertaForSequenceClassification, T.RobertaConfig(**PADDED, num_labels=1), None),
    "nomic-bert": (T.NomicBertModel, T.NomicBertConfig(**BERT), NOMIC),
    "modern-bert": (T.ModernBertModel, T.ModernBertConfig(**MODERN, hidden_activation="silu"), None),
    "modern-bert-classifier": (T.ModernBertForSequenceClassification, T.ModernBertConfig(**MODERN, num_labels=2, id2label={0: "no", 1: "yes"}), None),
    "modern-bert-classifier-mean": (T.ModernBertForSequenceClassification, T.ModernBertConfig(**MODERN, num_labels=1, classifier_pooling="mean"), None),
}


def vocabulary(self):
    n = self.hparams["vocab_size"]
    self.gguf_writer.add_tokenizer_model("llama")
    self.gguf_writer.add_token_list([b"<unk>", b"<s>", b"</s>"] + [b"t%d" % i for i in range(3, n)])
    self.gguf_writer.add_token_scores([0.0] * n)
    self.gguf_writer.add_token_types([2, 3, 3] + [1] * (n - 3))


def types_of(self):
    vocabulary(self)
    self.gguf_writer.add_token_type_count(self.hparams.get("type_vocab_size", 1))


def convert_encoder(model, config, own, target):
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        cls = get_model_class(type(model).__name__)
        cls.set_vocab = vocabulary if config.model_type == "modernbert" else types_of
        json.dump(dict(model=dict(type="WordPiece", vocab={str(i): i for i in range(V)}), added_tokens=[]), open(folder + "/tokenizer.json", "w"))
        with torch.inference_mode():
            hparams = dict(config.to_dict(), **(own or {}), architectures=[type(model).__name__])
            if own:  # their code's names of the weights
                hparams.pop("max_position_embeddings")
            m = cls(Path(folder), gguf.LlamaFileType.MOSTLY_F16, Path(target), hparams=hparams)
            m.write()


def convert(model, config, target):
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)  # in float32: the sums that the converter makes of norms would be rounded to float16
        cls = get_model_class(type(model).__name__)
        getattr(cls, "Ministral3Model", cls).set_vocab = vocabulary  # Mistral3's class asks one of its parts
        json.dump(dict(model=dict(vocab={str(i): i for i in range(V)}), added_tokens=[]), open(folder + "/tokenizer.json", "w"))
        with torch.inference_mode():
            cls.no_mtp = True  # the library knows no layers that draft tokens
            m = cls(Path(folder), gguf.LlamaFileType.MOSTLY_F16, Path(target))
            if "rope_parameters" in m.hparams:
                m.hparams.setdefault("rotary_pct", m.rope_parameters.get("partial_rotary_factor", 1.0))
            if "linear_attention" in m.hparams.get("layer_types", ()):
                m.hparams["full_attention_interval"] = m.hparams["layer_types"].index("full_attention") + 1
            if "n_positions" in m.hparams:
                m.hparams.setdefault("n_ctx", m.hparams["n_positions"])
            if m.hparams.get("multi_query") and not m.hparams.get("new_decoder_architecture"):
                m.hparams["num_kv_heads"] = 1  # the real checkpoints say nothing, which means this
            m.write()


for number, (name, config) in enumerate(CASES.items()):
    if sys.argv[2:] and name not in sys.argv[2:]:
        continue
    gen, rng = torch.Generator().manual_seed(300 + number), random.Random(300 + number)
    config._attn_implementation = "eager"
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
    model.tie_weights()
    cases = []
    for n in (2, 25):
        ids = [rng.randrange(3, V) for _ in range(n)]
        with torch.no_grad():
            out = model(input_ids=torch.tensor([ids])).logits[0]
        cases.append(dict(ids=ids, output="logits", shape=list(out.shape), data=[float("%.7g" % v) for v in out.flatten().tolist()]))
    folder = os.path.join(HERE, "gguf", name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    json.dump(dict(architecture=type(model).__name__, cases=cases), open(os.path.join(folder, "expected.json"), "w"))
    convert(model, config, os.path.join(folder, "model.gguf"))

for number, (name, (kind, config, own)) in enumerate(ENCODERS.items()):
    if sys.argv[2:] and name not in sys.argv[2:]:
        continue
    gen, rng = torch.Generator().manual_seed(700 + number), random.Random(700 + number)
    config._attn_implementation = "eager"
    model = kind(config).eval()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_((torch.randn(p.shape, generator=gen) * (1.3 / p.shape[-1] ** 0.5) if p.dim() > 1 else p + torch.randn(p.shape, generator=gen) * 0.2).half())
    cases = []
    for n in (1, 25):
        ids = [rng.randrange(3, V) for _ in range(n)]
        with torch.no_grad():
            out = model(input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, n, dtype=torch.long))
        logits = hasattr(out, "logits")
        out = out.logits if logits else out.last_hidden_state[0]
        cases.append(dict(ids=ids, output="logits" if logits else "hidden", shape=list(out.shape), data=[float("%.7g" % v) for v in out.flatten().tolist()]))
    folder = os.path.join(HERE, "gguf-encoders", name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    json.dump(dict(architecture=type(model).__name__, cases=cases), open(os.path.join(folder, "expected.json"), "w"))
    convert_encoder(model, config, own, os.path.join(folder, "model.gguf"))
