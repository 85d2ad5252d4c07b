"""Write a checkpoint of starter-chat as one GGUF file with 8-bit weights (Q8_0), the form in which it is shipped.

usage: export.py CHECKPOINT TOKENIZER OUT.gguf

CHECKPOINT  folder with model-*.safetensors of train.py
TOKENIZER   tokenizer.json of tokenizer.py

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Names and the order of rows in the query and key
matrices are those of the llama architecture there (pairs of a rotation side by side).
"""
import glob
import json
import os
import struct
import sys

import numpy as np
from safetensors import safe_open

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import layout

HEAD, CONTEXT = 64, 1024
ALIGNMENT = 32
NAMES = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
         "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}
F32, Q8_0 = 0, 8
U32, FLOAT, BOOL, STRING, ARRAY, I32 = 4, 6, 7, 8, 9, 5


def read(folder):
    weights = {}
    for path in sorted(glob.glob(f"{folder}/model-*.safetensors")):
        with safe_open(path, "np") as f:
            weights.update({k: f.get_tensor(k).astype(np.float32) for k in f.keys()})
    return weights


def gguf_name(name):
    if name == "model.embed_tokens.weight":
        return "token_embd.weight"
    if name == "model.norm.weight":
        return "output_norm.weight"
    _, _, layer, rest = name.split(".", 3)
    return f"blk.{layer}.{NAMES[rest.removesuffix('.weight')]}.weight"


def in_pairs(w):
    """Rows of each head from half-split rotation to pairs side by side."""
    heads = w.shape[0] // HEAD
    return w.reshape(heads, 2, HEAD // 2, w.shape[1]).swapaxes(1, 2).reshape(w.shape)


def q8_0(w):
    """Blocks of 32 weights: an F16 scale and 32 signed bytes."""
    blocks = w.reshape(-1, 32)
    scale = np.abs(blocks).max(1) / 127
    inverse = np.divide(1, scale, out=np.zeros_like(scale), where=scale > 0)
    out = np.empty((len(blocks), 34), np.uint8)
    out[:, :2] = scale.astype(np.float16).view(np.uint8).reshape(-1, 2)
    out[:, 2:] = np.rint(blocks * inverse[:, None]).astype(np.int8).view(np.uint8)
    return out.tobytes()


def text(s):
    data = s.encode("utf-8")
    return struct.pack("<Q", len(data)) + data


def value(kind, v):
    if kind == STRING:
        return text(v)
    return struct.pack({U32: "<I", FLOAT: "<f", BOOL: "<?", I32: "<i"}[kind], v)


def entry(key, kind, v, of=None):
    if kind == ARRAY:
        return text(key) + struct.pack("<IIQ", ARRAY, of, len(v)) + b"".join(value(of, x) for x in v)
    return text(key) + struct.pack("<I", kind) + value(kind, v)


def main():
    checkpoint, tokenizer_path, out = sys.argv[1:4]
    weights, tokenizer = read(checkpoint), json.load(open(tokenizer_path, encoding="utf-8"))
    pieces = sorted(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].get)
    special = {t["content"]: t["id"] for t in tokenizer["added_tokens"]}
    merges = [m if isinstance(m, str) else " ".join(m) for m in tokenizer["model"]["merges"]]
    vocabulary, width = weights["model.embed_tokens.weight"].shape
    layers = 1 + max(int(k.split(".")[2]) for k in weights if k.startswith("model.layers."))
    assert vocabulary == len(pieces)

    entries = [
        entry("general.architecture", STRING, "llama"), entry("general.name", STRING, "starter-chat"), entry("general.license", STRING, "apache-2.0"),
        entry("general.file_type", U32, 7), entry("general.quantization_version", U32, 2),
        entry("general.sampling.temp", FLOAT, 0.0),                       # the likeliest token each time
        entry("llama.context_length", U32, CONTEXT), entry("llama.embedding_length", U32, width), entry("llama.block_count", U32, layers),
        entry("llama.feed_forward_length", U32, len(weights["model.layers.0.mlp.gate_proj.weight"])), entry("llama.vocab_size", U32, vocabulary),
        entry("llama.attention.head_count", U32, width // HEAD), entry("llama.attention.head_count_kv", U32, len(weights["model.layers.0.self_attn.k_proj.weight"]) // HEAD),
        entry("llama.attention.layer_norm_rms_epsilon", FLOAT, 1e-5), entry("llama.rope.dimension_count", U32, HEAD), entry("llama.rope.freq_base", FLOAT, 10000.0),
        entry("tokenizer.ggml.model", STRING, "gpt2"), entry("tokenizer.ggml.pre", STRING, "gpt-2"),
        entry("tokenizer.ggml.tokens", ARRAY, pieces, STRING), entry("tokenizer.ggml.token_type", ARRAY, [3 if p in special else 1 for p in pieces], I32),
        entry("tokenizer.ggml.merges", ARRAY, merges, STRING),
        entry("tokenizer.ggml.bos_token_id", U32, special["<|endoftext|>"]), entry("tokenizer.ggml.eos_token_id", U32, special["<|end|>"]),
        entry("tokenizer.ggml.add_bos_token", BOOL, False), entry("tokenizer.chat_template", STRING, layout.TEMPLATE),
    ]
    infos, data = [], bytearray()
    for name in sorted(weights):
        w = weights[name]
        if name.endswith(("q_proj.weight", "k_proj.weight")):
            w = in_pairs(w)
        kind, stored = (Q8_0, q8_0(w)) if w.ndim == 2 else (F32, w.tobytes())
        infos.append(text(gguf_name(name)) + struct.pack("<I", w.ndim) + struct.pack(f"<{w.ndim}Q", *reversed(w.shape)) + struct.pack("<IQ", kind, len(data)))
        data += stored + bytes(-len(stored) % ALIGNMENT)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(entries)) + b"".join(entries) + b"".join(infos)
    with open(out, "wb") as f:
        f.write(head + bytes(-len(head) % ALIGNMENT) + data)
    print(f"{sum(w.size for w in weights.values()):,} parameters, {len(head) + len(data):,} bytes")


if __name__ == "__main__":
    main()
