#!/usr/bin/env python3
"""Make the tiny random checkpoints of families that the reference library lacks, or has without what their published files hold.

    pip install torch transformers safetensors gguf
    python make_plain.py [NAME …]        # all of them, or only these

bert-relative-key, bert-relative-key-query, roberta-relative-key, electra-relative-key: the library once had them (BertSelfAttention up to 4.5x);
nomic-moe (also as a GGUF file with the names that llama.cpp's converter gives): nomic-embed-text-v2-moe; jina-v3-tasks: jina-embeddings-v3 with
the small matrices of its tasks. Their answers are computed here in plain torch, from the published descriptions. jina-v3, deberta-v2-conv and
siglip (the half for texts) are the library's own.
"""
import json, os, random, sys
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
import torch.nn.functional as F
import transformers as T
from safetensors.torch import load_file, save_file

HERE = os.path.dirname(os.path.abspath(__file__))
D, H, INNER, V, P = 24, 4, 40, 90, 48
SIZE = D // H


class Weights:
    def __init__(self, seed):
        self.gen, self.all = torch.Generator().manual_seed(seed), {}

    def __call__(self, name, *shape, norm=False):
        w = torch.randn(*shape, generator=self.gen)
        self.all[name] = w * (1.3 / shape[-1] ** 0.5) if len(shape) > 1 else w * 0.2 + norm
        return self.all[name]

    def linear(self, name, out, into, bias=True):
        w, b = self(name + ".weight", out, into), self(name + ".bias", out) if bias else None
        return lambda x: F.linear(x, w, b)

    def norm(self, name, n=D, eps=1e-5):
        w, b = self(name + ".weight", n, norm=True), self(name + ".bias", n)
        return lambda x: F.layer_norm(x, (n,), w, b, eps)


def heads(x):
    return x.view(len(x), H, SIZE).transpose(0, 1)


def joined(x):
    return x.transpose(0, 1).reshape(x.shape[1], D)


def turned(x, base):
    """Rotary positions of x [heads, n, size]: column i turns with column i + size/2."""
    freq = 1 / base ** (torch.arange(0, SIZE, 2) / SIZE)
    angle = torch.arange(x.shape[1])[:, None] * freq
    cos, sin = angle.cos().repeat(1, 2), angle.sin().repeat(1, 2)
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


def save(name, config, weights, forward, lengths=(1, 3, 17, 40), output="hidden", seed=0):
    rng = random.Random(seed)
    folder = os.path.join(HERE, "heads", name)
    os.makedirs(folder, exist_ok=True)
    cases = []
    for n in lengths:
        ids = [rng.randrange(3, V) for _ in range(n)]
        with torch.no_grad():
            x = forward(ids)
        cases.append(dict(ids=ids, output=output, shape=list(x.shape), data=[float("%.7g" % y) for y in x.flatten().tolist()]))
    save_file({k: v.contiguous() for k, v in weights.items()}, os.path.join(folder, "model.safetensors"), metadata={"format": "pt"})
    json.dump(config, open(os.path.join(folder, "config.json"), "w"), indent=1, sort_keys=True)
    json.dump(dict(architecture=config["architectures"][0], cases=cases), open(os.path.join(folder, "expected.json"), "w"))
    print(name)
    return cases


def relative(name, cls, prefix, kind, width=D, pad=None, seed=0):
    """BERT whose attention compares words with vectors of their distance, in place of positions."""
    w = Weights(700 + seed)
    words, types = w(prefix + "embeddings.word_embeddings.weight", V, width), w(prefix + "embeddings.token_type_embeddings.weight", 2, width)
    first, layers = w.norm(prefix + "embeddings.LayerNorm", width), []
    project = w.linear(prefix + "embeddings_project", D, width) if width != D else lambda x: x
    for i in range(2):
        at = prefix + "encoder.layer.%d." % i
        layers.append((w.linear(at + "attention.self.query", D, D), w.linear(at + "attention.self.key", D, D), w.linear(at + "attention.self.value", D, D),
                       w(at + "attention.self.distance_embedding.weight", 2 * P - 1, SIZE), w.linear(at + "attention.output.dense", D, D), w.norm(at + "attention.output.LayerNorm"),
                       w.linear(at + "intermediate.dense", INNER, D), w.linear(at + "output.dense", D, INNER), w.norm(at + "output.LayerNorm")))

    def forward(ids):
        x = project(first(words[ids] + types[0]))
        far = torch.arange(len(ids))[:, None] - torch.arange(len(ids)) + P - 1
        for query, key, value, table, out, norm1, up, down, norm2 in layers:
            q, k, v, e = heads(query(x)), heads(key(x)), heads(value(x)), table[far]
            scores = q @ k.transpose(1, 2) + torch.einsum("hld,lrd->hlr", q, e)
            if kind == "relative_key_query":
                scores = scores + torch.einsum("hrd,lrd->hlr", k, e)
            x = norm1(x + out(joined((scores / SIZE ** 0.5).softmax(-1) @ v)))
            x = norm2(x + down(F.gelu(up(x))))
        return x

    config = dict(architectures=[cls + "Model"], model_type=cls.lower(), position_embedding_type=kind, vocab_size=V, hidden_size=D, num_hidden_layers=2, num_attention_heads=H,
                  intermediate_size=INNER, max_position_embeddings=P, type_vocab_size=2, layer_norm_eps=1e-5, hidden_act="gelu")
    if width != D:
        config["embedding_size"] = width
    if pad is not None:
        config["pad_token_id"] = pad
    save(name, config, w.all, forward, seed=seed)


def nomic(seed=20):
    """nomic-embed-text-v2-moe: every second layer has experts, which have no gate, and one bias for their sum."""
    w, experts, base = Weights(700 + seed), 5, 10000.0
    words, types, first, layers = w("embeddings.word_embeddings.weight", V, D), w("embeddings.token_type_embeddings.weight", 1, D), w.norm("emb_ln"), []

    def mixture(at):
        router, w1, w2, bias = w.linear(at + "router.layer", experts, D, False), w(at + "experts.mlp.w1", experts * INNER, D), w(at + "experts.mlp.w2", experts * INNER, D), w(at + "experts.bias", D)
        up, down = w1.view(experts, INNER, D), w2.view(experts, INNER, D)

        def forward(x):
            share, chosen = router(x).softmax(-1).topk(2, -1)
            rows = [sum(p * (F.gelu(up[e] @ row) @ down[e]) for p, e in zip(ps, es)) for row, ps, es in zip(x, share, chosen)]
            return torch.stack(rows) + bias
        return forward

    def plain(at):
        up, down = w.linear(at + "fc1", INNER, D), w.linear(at + "fc2", D, INNER)
        return lambda x: down(F.gelu(up(x)))

    for i in range(4):
        at = "encoder.layers.%d." % i
        layers.append((w.linear(at + "attn.Wqkv", 3 * D, D), w.linear(at + "attn.out_proj", D, D), w.norm(at + "norm1"), (mixture if i % 2 else plain)(at + "mlp."), w.norm(at + "norm2")))

    def forward(ids):
        x = first(words[ids] + types[0])
        for qkv, out, norm1, mlp, norm2 in layers:
            q, k, v = (heads(part) for part in qkv(x).chunk(3, -1))
            scores = turned(q, base) @ turned(k, base).transpose(1, 2) / SIZE ** 0.5
            x = norm1(x + out(joined(scores.softmax(-1) @ v)))
            x = norm2(x + mlp(x))
        return x

    config = dict(architectures=["NomicBertModel"], model_type="nomic_bert", activation_function="gelu", causal=False, expert_choice_router=False, layer_norm_epsilon=1e-5, max_trained_positions=64,
                  mlp_fc1_bias=True, mlp_fc2_bias=True, moe_every_n_layers=2, moe_impl="megablocks", moe_normalize_expert_weights=False, moe_top_k=2, n_embd=D, n_head=H, n_inner=INNER, n_layer=4,
                  n_positions=64, num_experts=experts, num_shared_experts=0, pad_token_id=1, parallel_block=False, prenorm=False, qkv_proj_bias=True, rotary_emb_base=base, rotary_emb_fraction=1.0,
                  rotary_emb_interleaved=False, rotary_emb_scale_base=None, rotary_scaling_factor=None, type_vocab_size=1, use_rms_norm=False, vocab_size=V, auto_map={"AutoModel": "modeling.NomicBertModel"})
    save("nomic-moe", config, w.all, forward, seed=seed)

    import gguf
    for i in (1, 3):
        w.all["encoder.layers.%d.mlp.experts.bias" % i].zero_()  # the converter leaves it out
    folder = os.path.join(HERE, "gguf-encoders", "nomic-bert-moe")
    os.makedirs(folder, exist_ok=True)
    out = gguf.GGUFWriter(os.path.join(folder, "model.gguf"), "nomic-bert-moe")
    out.add_block_count(4); out.add_context_length(64); out.add_embedding_length(D); out.add_feed_forward_length(INNER); out.add_head_count(H); out.add_layer_norm_eps(1e-5)
    out.add_causal_attention(False); out.add_pooling_type(gguf.PoolingType.MEAN); out.add_rope_freq_base(base); out.add_moe_every_n_layers(2); out.add_expert_count(experts); out.add_expert_used_count(2)
    out.add_vocab_size(V); out.add_token_type_count(1)
    names = {"attn.Wqkv": "attn_qkv", "attn.out_proj": "attn_output", "norm1": "attn_output_norm", "norm2": "layer_output_norm", "mlp.fc1": "ffn_up", "mlp.fc2": "ffn_down", "mlp.router.layer": "ffn_gate_inp"}
    for key, x in w.all.items():
        if key.endswith("experts.bias"):
            continue
        if key.startswith("encoder.layers."):
            layer, rest = key.split(".", 3)[2:]
            if rest.startswith("mlp.experts.mlp."):
                x = x.view(experts, INNER, D)
                name = "ffn_up_exps.weight" if rest.endswith("w1") else "ffn_down_exps.weight"
                x = x if rest.endswith("w1") else x.transpose(1, 2)
            else:
                part, kind = rest.rsplit(".", 1)
                name = names[part] + "." + kind
            name = "blk.%s.%s" % (layer, name)
        else:
            name = {"embeddings.word_embeddings.weight": "token_embd.weight", "embeddings.token_type_embeddings.weight": "token_types.weight", "emb_ln.weight": "token_embd_norm.weight", "emb_ln.bias": "token_embd_norm.bias"}[key]
        out.add_tensor(name, x.contiguous().numpy())
    out.write_header_to_file(); out.write_kv_data_to_file(); out.write_tensors_to_file(); out.close()
    rng, cases = random.Random(5), []
    for n in (1, 3, 17):
        ids = [rng.randrange(3, V) for _ in range(n)]
        x = forward(ids)
        cases.append(dict(ids=ids, output="hidden", shape=list(x.shape), data=[float("%.7g" % y) for y in x.flatten().tolist()]))
    json.dump(dict(architecture="NomicBertModel", cases=cases), open(os.path.join(folder, "expected.json"), "w"))


def library(name, model, seed, output="hidden", lengths=(1, 3, 17), change=None, run=None):
    """A model of the library with random weights."""
    gen = torch.Generator().manual_seed(700 + seed)
    model = model.eval()
    with torch.no_grad():
        for key, p in model.named_parameters():
            p.copy_(torch.randn(p.shape, generator=gen) * (1.3 / p.shape[-1] ** 0.5) if p.dim() > 1 else p + torch.randn(p.shape, generator=gen) * 0.2)
    folder = os.path.join(HERE, "heads", name)
    model.save_pretrained(folder)
    for extra in ("generation_config.json",):
        if os.path.exists(os.path.join(folder, extra)):
            os.remove(os.path.join(folder, extra))
    config, tensors = json.load(open(os.path.join(folder, "config.json"))), load_file(os.path.join(folder, "model.safetensors"))
    config, tensors = (change or (lambda c, t: (c, t)))(config, tensors)
    def forward(ids):
        x = torch.tensor([ids])
        return run(model, x) if run else model(input_ids=x, attention_mask=torch.ones_like(x)).last_hidden_state[0]
    return save(name, config, tensors, forward, lengths, output, seed)


def tasks(config, tensors):
    """The names of jina-embeddings-v3, and small matrices that are taken off the large ones again: with those of the task they are the library's."""
    gen, names, rank, alpha = torch.Generator().manual_seed(3), ["retrieval.query", "retrieval.passage", "separation", "classification", "text-matching"], 2, 1
    config = dict(architectures=["XLMRobertaModel"], model_type="xlm-roberta", auto_map={"AutoModel": "x--y.XLMRobertaLoRA"}, position_embedding_type="rotary", rotary_emb_base=20000.0, lora_adaptations=names,
                  lora_alpha=alpha, lora_rank=rank, lora_dropout_p=0.0, task_instructions={n: "" for n in names}, **{k: config[k] for k in (
                      "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act", "pad_token_id")})
    out = {}
    for key, w in tensors.items():
        key = "roberta." + key
        if w.dim() < 2:
            out[key] = w
            continue
        stem, kind = key.rsplit(".", 1)
        stem = "%s.parametrizations.%s" % (stem, kind)
        down, up = torch.randn(5, rank, w.shape[1], generator=gen), torch.randn(5, w.shape[0], rank, generator=gen)
        out[stem + ".original"] = w - alpha / rank * up[4] @ down[4]
        out[stem + ".0.lora_A"], out[stem + ".0.lora_B"] = (up, down) if "embeddings" in stem else (down, up)
    return config, out


SIGLIP = dict(vocab_size=V, hidden_size=D, intermediate_size=INNER, num_hidden_layers=2, num_attention_heads=H, max_position_embeddings=24)
CONV = dict(vocab_size=V, hidden_size=D, intermediate_size=INNER, num_attention_heads=H, max_position_embeddings=P, relative_attention=True, position_biased_input=False, pos_att_type=["c2p", "p2c"],
            position_buckets=16, norm_rel_ebd="layer_norm", share_att_key=True, type_vocab_size=0, conv_kernel_size=3)
JINA = dict(vocab_size=V, hidden_size=D, intermediate_size=INNER, num_hidden_layers=2, num_attention_heads=H, max_position_embeddings=P, type_vocab_size=1, pad_token_id=1)
MAKE = {
    "bert-relative-key": lambda n: relative(n, "Bert", "", "relative_key", seed=1),
    "bert-relative-key-query": lambda n: relative(n, "Bert", "bert.", "relative_key_query", seed=2),
    "roberta-relative-key": lambda n: relative(n, "Roberta", "", "relative_key", pad=1, seed=3),
    "electra-relative-key": lambda n: relative(n, "Electra", "", "relative_key_query", width=16, seed=4),
    "nomic-moe": lambda n: nomic(),
    "deberta-v2-conv": lambda n: library(n, T.DebertaV2Model(T.DebertaV2Config(**CONV, num_hidden_layers=3)), 30),
    "deberta-v2-conv-wide": lambda n: library(n, T.DebertaV2ForMaskedLM(T.DebertaV2Config(**dict(CONV, conv_kernel_size=5), conv_act="gelu", num_hidden_layers=1)), 31, run=lambda m, x: m.deberta(input_ids=x, attention_mask=torch.ones_like(x)).last_hidden_state[0]),
    "jina-v3": lambda n: library(n, T.JinaEmbeddingsV3Model(T.JinaEmbeddingsV3Config(**JINA)), 32),
    "jina-v3-tasks": lambda n: library(n, T.JinaEmbeddingsV3Model(T.JinaEmbeddingsV3Config(**JINA)), 33, change=tasks),
    "siglip": lambda n: library(n, T.SiglipModel(T.SiglipConfig(text_config=SIGLIP, vision_config=dict(SIGLIP, image_size=20, patch_size=8))), 34, "pooled", (1, 3, 24), run=lambda m, x: m.text_model(input_ids=x).pooler_output),
    "siglip-text": lambda n: library(n, T.SiglipTextModel(T.SiglipTextConfig(**SIGLIP, hidden_act="gelu", layer_norm_eps=1e-5, projection_size=30)), 35, "pooled", (1, 24), run=lambda m, x: m(input_ids=x).pooler_output),
}
for name, make in MAKE.items():
    if not sys.argv[1:] or name in sys.argv[1:]:
        make(name)
