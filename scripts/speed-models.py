#!/usr/bin/env python3
"""Write GGUF files of random weights in the shapes of published models, to measure speed with; the values do not matter.

    python speed-models.py LLAMA_CPP_SOURCES OUT [NAME …]

Names, shapes and metadata come from llama.cpp's converter, on a model with few words and few experts. The blocks are random bytes with scales that
keep activations finite. Layers of mixtures are cut, because a machine of 24 GB shall hold them.
"""
import json, os, sys, tempfile, warnings
from pathlib import Path
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
warnings.simplefilter("ignore")
sys.path[:0] = [sys.argv[1], os.path.join(sys.argv[1], "gguf-py")]
import gguf, numpy as np, torch
import transformers as T
from conversion import get_model_class
from transformers.initialization import no_init_weights

FEW, EXPERTS = 487, 8  # words and experts of the model that is converted


def layers(pattern, n):
    return (pattern * n)[:n]


def qwen35(hidden, n, inner, heads, kv, values, tied):
    return T.Qwen3_5TextConfig(vocab_size=FEW, hidden_size=hidden, num_hidden_layers=n, intermediate_size=inner, num_attention_heads=heads, num_key_value_heads=kv,
        head_dim=256, linear_num_key_heads=16, linear_num_value_heads=values, linear_key_head_dim=128, linear_value_head_dim=128, linear_conv_kernel_dim=4,
        tie_word_embeddings=tied, bos_token_id=1, eos_token_id=2, pad_token_id=0)


MODELS = {  # name: config, words, experts, type of most weights
    "qwen35-0.8b": (lambda: qwen35(1024, 24, 3584, 8, 2, 16, True), 248320, 0, "Q4_K"),
    "qwen35-4b": (lambda: qwen35(2560, 32, 9216, 16, 4, 32, True), 248320, 0, "Q4_K"),
    "gemma4-e2b": (lambda: T.Gemma4TextConfig(vocab_size=FEW, vocab_size_per_layer_input=FEW, hidden_size=1536, hidden_size_per_layer_input=256, intermediate_size=6144,
        num_hidden_layers=35, num_kv_shared_layers=20, use_double_wide_mlp=True, num_attention_heads=8, num_key_value_heads=1, head_dim=256, global_head_dim=512,
        sliding_window=512, final_logit_softcapping=30.0, layer_types=layers(["sliding_attention"] * 4 + ["full_attention"], 35), bos_token_id=1, eos_token_id=2, pad_token_id=0,
        rope_parameters=dict(full_attention=dict(rope_type="proportional", rope_theta=1e6, partial_rotary_factor=0.25), sliding_attention=dict(rope_type="default", rope_theta=1e4))), 262144, 0, "Q4_K"),
    "qwen3-30b-a3b-8": (lambda: T.Qwen3MoeConfig(vocab_size=FEW, hidden_size=2048, num_hidden_layers=8, num_attention_heads=32, num_key_value_heads=4, head_dim=128,
        intermediate_size=6144, moe_intermediate_size=768, num_experts=EXPERTS, num_experts_per_tok=8, norm_topk_prob=True, max_position_embeddings=40960, rope_theta=1e6, bos_token_id=1, eos_token_id=2), 151936, 128, "Q4_K"),
    "gpt-oss-20b-6": (lambda: T.GptOssConfig(vocab_size=FEW, hidden_size=2880, intermediate_size=2880, num_hidden_layers=6, num_local_experts=EXPERTS, num_experts_per_tok=4,
        num_attention_heads=64, num_key_value_heads=8, head_dim=64, sliding_window=128, bos_token_id=1, eos_token_id=2, pad_token_id=0), 201088, 32, "Q8_0"),
    "qwen35-0.8b-iq3": (lambda: qwen35(1024, 24, 3584, 8, 2, 16, True), 248320, 0, "IQ3_XXS"),
    "qwen35-0.8b-iq2": (lambda: qwen35(1024, 24, 3584, 8, 2, 16, True), 248320, 0, "IQ2_XS"),
    "lfm2-1.2b": (lambda: T.Lfm2Config(vocab_size=FEW, hidden_size=2048, num_hidden_layers=16, num_attention_heads=32, num_key_value_heads=8, intermediate_size=12288,
        block_auto_adjust_ff_dim=True, conv_L_cache=3, full_attn_idxs=[2, 5, 8, 10, 12, 14], tie_word_embeddings=True, bos_token_id=1, eos_token_id=2), 65536, 0, "Q4_K"),
}


def vocabulary(self):
    n = self.hparams["vocab_size"]
    self.gguf_writer.add_tokenizer_model("llama")
    self.gguf_writer.add_token_list([b"<unk>", b"<s>", b"</s>"] + [b"t%d" % i for i in range(3, n)])
    self.gguf_writer.add_token_scores([0.0] * n)
    self.gguf_writer.add_token_types([2, 3, 3] + [1] * (n - 3))


def blocks(kind, count, rng):
    """count random blocks of a type, as bytes, with a deviation of about 0.02."""
    size = gguf.GGML_QUANT_SIZES[kind][1]
    b = rng.integers(0, 256, (count, size), dtype=np.uint8)
    half = lambda v: np.frombuffer(np.float16(v).tobytes(), np.uint8)
    Q = gguf.GGMLQuantizationType
    if kind in (Q.Q4_K, Q.Q5_K):
        b[:, 0:2], b[:, 2:4] = half(1.2e-4), half(9e-4)
    elif kind == Q.Q6_K:
        b[:, 208:210] = half(1.4e-5)
    elif kind == Q.Q8_0:
        b[:, 0:2] = half(2.7e-4)
    elif kind in (Q.IQ3_XXS, Q.IQ3_S):
        b[:, 0:2] = half(1.6e-4)
    elif kind in (Q.IQ2_XXS, Q.IQ2_XS, Q.IQ2_S):
        b[:, 0:2] = half(5e-4)
    elif kind == Q.MXFP4:
        b[:, 0] = 120
    return b


def write(name, to):
    make, words, experts, main = MODELS[name]
    config = make()
    Q = gguf.GGMLQuantizationType
    rng = np.random.default_rng(7)
    with tempfile.TemporaryDirectory(dir=to) as folder:
        torch.set_default_dtype(torch.bfloat16)
        with no_init_weights():
            model = T.AutoModelForCausalLM.from_config(config)
        model.save_pretrained(folder)
        cls = get_model_class(type(model).__name__)
        cls.set_vocab, cls.no_mtp = vocabulary, True
        json.dump(dict(model=dict(vocab={str(i): i for i in range(FEW)}), added_tokens=[]), open(folder + "/tokenizer.json", "w"))
        small = folder + "/small.gguf"
        del model
        cls(Path(folder), gguf.LlamaFileType.MOSTLY_BF16, Path(small)).write()
        r = gguf.GGUFReader(small)
        out = gguf.GGUFWriter(os.path.join(to, name + ".gguf"), r.fields["general.architecture"].contents())
        for key, f in r.fields.items():
            if key.startswith("GGUF.") or key == "general.architecture":
                continue
            v = f.contents()
            kind = f.types[0]
            if key.startswith("tokenizer.ggml.") and kind == gguf.GGUFValueType.ARRAY and len(v) == FEW:
                if key.endswith(".tokens"):
                    v = ["<unk>", "<s>", "</s>"] + ["t%d" % i for i in range(3, words)]
                else:
                    v = list(v) + [v[-1]] * (words - FEW)
            if key.endswith(".expert_count"):
                v = experts
            if key.endswith(".vocab_size"):
                v = words
            sub = f.types[1] if kind == gguf.GGUFValueType.ARRAY else None
            out.add_key_value(key, v, kind, sub)
        pools = {}
        todo = []
        for t in r.tensors:
            shape = [int(d) for d in t.shape]  # innermost first
            shape = [words if d == FEW and i > 0 else d for i, d in enumerate(shape)]
            if experts and ("exps" in t.name or "ffn_gate_inp" in t.name):
                shape[-1] = experts
            inner, total = shape[0], int(np.prod(shape))
            kind = Q.F32
            if len(shape) > 1 and not any(s in t.name for s in ("ffn_gate_inp", "conv1d", "shortconv.conv", "exps.bias", "norm")) and inner % 32 == 0 and inner > 64:
                layer = int(t.name.split(".")[1]) if t.name.startswith("blk.") else -1
                kind = getattr(Q, main)
                if main[0] != "Q" and t.name.startswith(("token_embd", "output")):
                    kind = Q.Q5_K  # as llama.cpp does it
                if main == "Q4_K" and (t.name.startswith(("token_embd", "output", "per_layer_token")) or ("ffn_down" in t.name or "attn_v" in t.name) and layer % 2 == 0):
                    kind = Q.Q6_K
                if main == "Q8_0" and "exps" in t.name:
                    kind = Q.MXFP4
                if gguf.GGML_QUANT_SIZES[kind][0] == 256 and inner % 256:
                    kind = Q.Q8_0
            per, size = gguf.GGML_QUANT_SIZES[kind]
            raw = None
            if kind == Q.F32:
                raw = rng.standard_normal(total, dtype=np.float32) * 0.02
                if "norm" in t.name or "rope_freqs" in t.name or t.name.endswith("ssm_a") or "scale" in t.name:
                    raw = np.ones(total, np.float32) * (-0.05 if t.name.endswith("ssm_a") else 1)
            np_shape = list(reversed(shape))
            byte_shape = np_shape if kind == Q.F32 else np_shape[:-1] + [np_shape[-1] // per * size]
            out.add_tensor_info(t.name, byte_shape, np.dtype(np.float32 if kind == Q.F32 else np.uint8), total // per * size, raw_dtype=kind)
            todo.append((t.name, kind, total // per, raw))
        out.write_header_to_file()
        out.write_kv_data_to_file()
        out.write_ti_data_to_file()
        f = out.fout[0]
        for _, kind, count, raw in todo:
            out.write_padding(f, f.tell())
            if raw is not None:
                f.write(raw.tobytes())
            else:
                if kind not in pools:
                    pools[kind] = blocks(kind, 100003, rng)
                pool = pools[kind].tobytes()
                size = gguf.GGML_QUANT_SIZES[kind][1]
                left = count * size
                while left > 0:
                    f.write(pool[:left])
                    left -= len(pool)
        out.write_padding(f, f.tell())
        out.close()
        print(name, {k.name: sum(1 for x in todo if x[1] == k) for k in {x[1] for x in todo}}, flush=True)


for name in sys.argv[3:] or MODELS:
    write(name, sys.argv[2])
