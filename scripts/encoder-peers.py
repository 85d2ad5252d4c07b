#!/usr/bin/env python3
"""encoder-peers.py DIR [--models a,b] [--peers a,b] [--rounds N] [--runs N] [--threads N]

How fast models that are no chat models are, here and in what people use instead: PyTorch with transformers, and ONNX Runtime.
Models of the shapes of deberta-v3-base, flan-t5-base, clip-vit-base-patch32, ModernBERT-base, jina-embeddings-v2-base, bert-base,
bert-large and all-MiniLM-L6 with random weights are made in DIR and exported. Each engine runs in a process of its own, in rotation, on token ids and pixels, so that
tokenizers and decoders of pictures do not count, and all texts of a batch are as long as each other, so that none is padded. What
comes out has to agree. "ours@avx2" is ours with an instruction set by name, "-8" behind a peer means weights in 8 bits.

transformers has no class for JinaBERT: the peer is plain PyTorch, from the published description, with PyTorch's own attention. T5 is
exported as people do, one graph that reads and one that writes a token; the second is written here, over the same weights.
Needs pip install torch transformers onnx onnxruntime safetensors, and our program: go build -o DIR/peer ./scripts/peer
"""
import argparse, gc, json, os, random, resource, subprocess, sys, time
os.environ.update(TRANSFORMERS_VERBOSITY="error", HF_HUB_OFFLINE="1")

ap = argparse.ArgumentParser()
ap.add_argument("dir"); ap.add_argument("--models", default=""); ap.add_argument("--peers", default="ours,pytorch,onnx,ours-8,onnx-8")
ap.add_argument("--rounds", type=int, default=3); ap.add_argument("--runs", type=int, default=3); ap.add_argument("--threads", type=int, default=2)
ap.add_argument("--profile", action="store_true"); ap.add_argument("--child", default="")
a = ap.parse_args()
ANSWER, SIDE = 64, 224  # tokens that T5 writes, pixels of a picture's side
BATCHES = {  # name: texts and tokens of each
    "deberta-v3-base": [(8, 128), (2, 512)], "flan-t5-base": [(1, 128)], "clip-texts": [(32, 16)], "clip-pictures": [(16, 0)],
    "bert-base": [(1, 32), (4, 32), (16, 32), (64, 32), (256, 32)], "bert-large": [(1, 32), (4, 32), (16, 32), (64, 32)],
    "minilm": [(1, 16), (64, 32), (32, 128)],
    "modernbert-base": [(2, 512)], "modernbert-base-long": [(1, 4096)], "jina-v2-base": [(2, 512)], "jina-v2-base-long": [(1, 4096)],
}
FOLDERS = {"clip-texts": "clip", "clip-pictures": "clip"}
kind = lambda work: work.removesuffix("-long")  # the model that does a work
at = lambda work, *name: os.path.join(a.dir, FOLDERS.get(work, kind(work)), *name)
graph = lambda model, part, bits: at(model, f"{model}-{part}{bits}.onnx")


def build(model):
    """A model of a real shape with random weights."""
    import torch, transformers as T
    torch.manual_seed(1)
    if model == "jina-v2-base":
        return spread(jina())
    if model == "flan-t5-base":
        return T.T5ForConditionalGeneration(T.T5Config(vocab_size=32128, d_model=768, d_kv=64, d_ff=2048, num_layers=12, num_heads=12, feed_forward_proj="gated-gelu",
            tie_word_embeddings=False, decoder_start_token_id=0)).eval()
    if model.startswith("clip"):
        return spread(T.CLIPModel(T.CLIPConfig()))
    if model == "bert-base":
        return spread(T.BertModel(T.BertConfig()))
    if model == "bert-large":
        return spread(T.BertModel(T.BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)))
    if model == "minilm":
        return spread(T.BertModel(T.BertConfig(vocab_size=30522, hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)))
    if model == "modernbert-base":
        return spread(T.ModernBertModel(T.ModernBertConfig()))
    return spread(T.DebertaV2Model(T.DebertaV2Config(vocab_size=128100, hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, relative_attention=True, pos_att_type=["p2c", "c2p"], position_biased_input=False, type_vocab_size=0,
        position_buckets=256, norm_rel_ebd="layer_norm", share_att_key=True)))


def spread(model):
    """Weights with which no layer is lost in the sum."""
    import torch
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() > 1:
                p.normal_(0, 1 if "embed" in name else p[0].numel() ** -0.5)
    return model.eval()


def jina():
    """JinaBERT with jina-embeddings-v2-base's sizes and names."""
    import torch
    from torch import nn
    F, D, H, INNER = nn.functional, 768, 12, 3072
    parts = lambda **m: nn.ModuleDict(m)

    class Jina(nn.Module):
        def __init__(self):
            super().__init__()
            self.embeddings = parts(word_embeddings=nn.Embedding(30528, D), token_type_embeddings=nn.Embedding(2, D), LayerNorm=nn.LayerNorm(D, 1e-12))
            layer = lambda: parts(
                attention=nn.ModuleDict({"self": parts(query=nn.Linear(D, D), key=nn.Linear(D, D), value=nn.Linear(D, D)), "output": parts(dense=nn.Linear(D, D), LayerNorm=nn.LayerNorm(D, 1e-12))}),
                mlp=parts(gated_layers=nn.Linear(D, 2 * INNER, bias=False), wo=nn.Linear(INNER, D), layernorm=nn.LayerNorm(D, 1e-12)))
            self.encoder = parts(layer=nn.ModuleList(layer() for _ in range(12)))
            self.register_buffer("slopes", torch.tensor([2.0 ** -i for i in range(1, 9)] + [2.0 ** -(i + 0.5) for i in range(4)]), persistent=False)

        def forward(self, ids):
            e, b, n = self.embeddings, ids.shape[0], ids.shape[1]
            x = e["LayerNorm"](e["word_embeddings"](ids) + e["token_type_embeddings"].weight[0])
            places = torch.arange(n)
            fades = (-self.slopes[:, None, None] * (places[:, None] - places).abs())[None]
            heads = lambda y: y.view(b, n, H, D // H).transpose(1, 2)
            for l in self.encoder["layer"]:
                s, o, m = l["attention"]["self"], l["attention"]["output"], l["mlp"]
                h = F.scaled_dot_product_attention(heads(s["query"](x)), heads(s["key"](x)), heads(s["value"](x)), fades)
                x = o["LayerNorm"](x + o["dense"](h.transpose(1, 2).reshape(b, n, D)))
                gate, up = m["gated_layers"](x).chunk(2, -1)
                x = m["layernorm"](x + m["wo"](F.gelu(gate) * up))
            return x
    return Jina()


JINA = dict(architectures=["JinaBertModel"], model_type="bert", position_embedding_type="alibi", feed_forward_type="geglu", hidden_act="gelu", layer_norm_eps=1e-12, vocab_size=30528,
            hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, max_position_embeddings=8192, type_vocab_size=2, auto_map=dict(AutoModel="modeling.JinaBertModel"))


def load(model):
    import torch, transformers as T
    if model == "jina-v2-base":
        from safetensors.torch import load_file
        m = jina()
        m.load_state_dict(load_file(at(model, "model.safetensors")))
        return m.eval()
    if model == "flan-t5-base":
        return T.T5ForConditionalGeneration.from_pretrained(at(model)).eval()
    return T.AutoModel.from_pretrained(at(model), dtype=torch.float32).eval()


def reading(model, m):
    """The part of a model that reads a batch, as a module."""
    import torch

    class Reading(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.m = m

        def forward(self, x):
            if model == "jina-v2-base":
                return self.m(x)
            if model == "clip-texts":
                return self.m.text_projection(self.m.text_model(input_ids=x).pooler_output)
            if model == "clip-pictures":
                return self.m.visual_projection(self.m.vision_model(pixel_values=x).pooler_output)
            return self.m(input_ids=x).last_hidden_state
    return Reading().eval()


def writing(m):
    """What T5 does before the first token, and for a token: modules over its weights, with keys and values as inputs and outputs."""
    import torch
    blocks, heads, size, decoder = m.decoder.block, m.config.num_heads, m.config.d_kv, m.decoder
    split = lambda x: x.view(x.shape[0], -1, heads, size).transpose(1, 2)
    whole = lambda x: x.transpose(1, 2).reshape(x.shape[0], -1, heads * size)
    bias = blocks[0].layer[0].SelfAttention

    class Before(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.m = m

        def forward(self, ids):
            x = self.m.encoder(input_ids=ids).last_hidden_state
            cross = [b.layer[1].EncDecAttention for b in self.m.decoder.block]
            return tuple(split(part(x)) for c in cross for part in (c.k, c.v))

    class Token(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.m = m

        def forward(self, ids, *cached):
            past, source, grown = cached[:2 * len(blocks)], cached[2 * len(blocks):], []
            x = decoder.embed_tokens(ids)
            back = torch.arange(past[0].shape[2], -1, -1)
            places = bias._relative_position_bucket(-back, bidirectional=False, num_buckets=bias.relative_attention_num_buckets, max_distance=bias.relative_attention_max_distance)
            by_distance = bias.relative_attention_bias(places).transpose(0, 1)[None, :, None]
            for i, b in enumerate(blocks):
                s, c, f = b.layer[0], b.layer[1], b.layer[2]
                h = s.layer_norm(x)
                k = torch.cat([past[2 * i], split(s.SelfAttention.k(h))], 2)
                v = torch.cat([past[2 * i + 1], split(s.SelfAttention.v(h))], 2)
                grown += [k, v]
                weights = (split(s.SelfAttention.q(h)) @ k.transpose(2, 3) + by_distance).softmax(-1)
                x = x + s.SelfAttention.o(whole(weights @ v))
                q = split(c.EncDecAttention.q(c.layer_norm(x)))
                weights = (q @ source[2 * i].transpose(2, 3)).softmax(-1)
                x = f(x + c.EncDecAttention.o(whole(weights @ source[2 * i + 1])))
            x = decoder.final_layer_norm(x)
            return (m.lm_head(x), *grown)
    return Before().eval(), Token().eval()


def export(model, m):
    import onnx, torch
    from onnxruntime.quantization import QuantType, quantize_dynamic

    def save(module, inputs, names, outputs, axes, part):
        torch.onnx.export(module, inputs, graph(model, part, ""), input_names=names, output_names=outputs, dynamic_axes=axes, opset_version=18, dynamo=False)
        quantize_dynamic(graph(model, part, ""), graph(model, part, "-8"), weight_type=QuantType.QInt8, per_channel=True, extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT})

    ids = torch.ones(2, 70 if model == "clip-texts" else 200, dtype=torch.long)  # more than ModernBERT's window, or its graph would have none
    if model == "flan-t5-base":
        before, token = writing(m)
        cross = [f"cross{i}" for i in range(24)]
        past, grown = [f"past{i}" for i in range(24)], [f"grown{i}" for i in range(24)]
        save(before, (ids,), ["ids"], cross, {"ids": {0: "texts", 1: "tokens"}, **{n: {0: "texts", 2: "tokens"} for n in cross}}, "before")
        kept = tuple(torch.zeros(2, 12, 5, 64) for _ in past) + tuple(torch.zeros(2, 12, ids.shape[1], 64) for _ in cross)
        save(token, (ids[:, :1], *kept), ["ids"] + past + cross, ["logits"] + grown,
             {"ids": {0: "texts"}, **{n: {0: "texts", 2: "written"} for n in past + grown}, **{n: {0: "texts", 2: "tokens"} for n in cross}}, "token")
        return
    x = torch.zeros(2, 3, SIDE, SIDE) if model == "clip-pictures" else ids
    save(reading(model, m), (x,), ["x"], ["y"], {"x": {0: "texts"} if x.dim() == 4 else {0: "texts", 1: "tokens"}, "y": {0: "texts"} if model.startswith("clip") else {0: "texts", 1: "tokens"}}, "reads")


def make(name):
    """The checkpoint, the exported graphs and the work, unless they are there."""
    import numpy as np
    work, model = at(name, name + ".json"), kind(name)
    if os.path.exists(work):
        return
    os.makedirs(at(model), exist_ok=True)
    if not os.path.exists(at(model, "config.json")):
        m = build(model)
        if model == "jina-v2-base":
            from safetensors.torch import save_file
            save_file(m.state_dict(), at(model, "model.safetensors"), metadata={"format": "pt"})
            json.dump(JINA, open(at(model, "config.json"), "w"))
        else:
            m.save_pretrained(at(model))
        del m
    if not os.path.exists(graph(model, "before" if model == "flan-t5-base" else "reads", "-8")):
        export(model, load(model))
        gc.collect()
    r, w = random.Random(7), dict(runs=a.runs)
    if model == "clip-pictures":
        n = BATCHES[model][0][0]
        np.random.default_rng(7).standard_normal((n, 3, SIDE, SIDE), dtype=np.float32).tofile(at(model, "pixels"))
        w.update(pixels=at(model, "pixels"), pictures=n)
    else:
        last = [49407] if model == "clip-texts" else []  # the token that ends a text
        w.update(ids=[[[r.randrange(1000, 30000) for _ in range(length - len(last))] + last for _ in range(n)] for n, length in BATCHES[name]])
    if model == "flan-t5-base":
        w["answer"] = ANSWER
    json.dump(w, open(work, "w"))


def session(path):
    import onnxruntime as ort
    o = ort.SessionOptions()
    o.intra_op_num_threads, o.inter_op_num_threads = a.threads, 1
    return ort.InferenceSession(path, o, providers=["CPUExecutionProvider"])


def engine(peer, model):
    """A function from a batch to states, vectors or, for T5, tokens."""
    import numpy as np
    if peer == "pytorch":
        import torch
        torch.set_num_threads(a.threads)
        m = load(model)
        if model == "flan-t5-base":
            m.generation_config.eos_token_id = None
            return lambda x: m.generate(input_ids=torch.from_numpy(x), max_new_tokens=ANSWER, do_sample=False)[:, 1:].numpy()
        reads = reading(model, m)
        return lambda x: reads(torch.from_numpy(x)).numpy()
    bits = "-8" if peer.endswith("-8") else ""
    if model != "flan-t5-base":
        s = session(graph(model, "reads", bits))
        return lambda x: s.run(None, {"x": x})[0]
    before, token = session(graph(model, "before", bits)), session(graph(model, "token", bits))

    def answer(x):
        cross = dict(zip((f"cross{i}" for i in range(24)), before.run(None, {"ids": x})))
        past = [np.zeros((len(x), 12, 0, 64), np.float32)] * 24
        written = [np.zeros((len(x), 1), np.int64)]
        for _ in range(ANSWER):
            logits, *past = token.run(None, {"ids": written[-1], **cross, **{f"past{i}": p for i, p in enumerate(past)}})
            written.append(logits[:, -1:].argmax(-1))
        return np.concatenate(written[1:], 1)
    return answer


def child(peer, model):
    import contextlib, numpy as np
    w = json.load(open(at(model, model + ".json")))
    start = time.perf_counter()
    run = engine(peer, kind(model))
    out = dict(peer=peer, load_s=time.perf_counter() - start, wall=[], cpu=[], means=[], answers=[])
    batches = [np.fromfile(w["pixels"], np.float32).reshape(-1, 3, SIDE, SIDE)] if "pixels" in w else [np.array(b, np.int64) for b in w["ids"]]
    guard = contextlib.nullcontext()
    if peer == "pytorch":
        import torch
        guard = torch.inference_mode()
    with guard:
        for x in batches:
            wall, cpu = [], []
            for i in range(-1, a.runs):
                t, c = time.perf_counter(), time.process_time()
                got = run(x)
                if i >= 0:
                    wall.append(time.perf_counter() - t); cpu.append(time.process_time() - c)
            out["wall"].append(wall); out["cpu"].append(cpu)
            if "answer" in w:
                out["answers"].append(got[-1].tolist())
            else:
                out["means"].append(got[-1].reshape(-1, got.shape[-1]).mean(0).tolist())
    out["peak_rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(out))


def agreement(got, want, i):
    """How alike the results for a batch are: a cosine, or the tokens before the first that differs."""
    if want["answers"] if "answers" in want else False:
        x, y = got["answers"][i], want["answers"][i]
        return f"{next((n for n, (p, q) in enumerate(zip(x, y)) if p != q), len(y))} of {len(y)} tokens"
    x, y = got["means"][i], want["means"][i]
    dot = lambda p, q: sum(s * t for s, t in zip(p, q))
    return f"{dot(x, y) / (dot(x, x) * dot(y, y)) ** 0.5:.6f}"


def run():
    models, peers = a.models.split(",") if a.models else list(BATCHES), a.peers.split(",")
    for model in models:
        subprocess.run([sys.executable, __file__, a.dir, "--models", model, "--runs", str(a.runs), "--child", "make"], check=True)
    env = dict(os.environ, OMP_NUM_THREADS=str(a.threads), MKL_NUM_THREADS=str(a.threads), GOMAXPROCS=str(a.threads))
    results = {}
    for _ in range(a.rounds):
        for model in models:
            work = json.load(open(at(model, model + ".json")))
            work.update(runs=a.runs, profile=a.profile)
            json.dump(work, open(at(model, model + ".json"), "w"))
            for peer in peers:
                command = [sys.executable, __file__, a.dir, "--models", model, "--runs", str(a.runs), "--threads", str(a.threads), "--child", peer]
                if peer.startswith("ours"):
                    command = [os.path.join(a.dir, "peer"), at(model), at(model, model + ".json"), "q8_0" if peer.endswith("-8") else "auto", *peer.removesuffix("-8").split("@")[1:]]
                q = subprocess.run(command, env=env, capture_output=True, text=True)
                lines = [l for l in q.stdout.splitlines() if l.startswith("{")]
                if not lines:
                    raise SystemExit(f"{model}, {peer} failed: {q.stderr[-900:]}")
                got = json.loads(lines[-1])
                results.setdefault((model, peer), []).append(got)
                print(model, peer, [[round(1e3 * s) for s in w] for w in got["wall"]], "load %.1f" % os.getloadavg()[0], file=sys.stderr, flush=True)
                if a.profile and peer.startswith("ours"):
                    print(q.stderr, file=sys.stderr)
    middle = lambda v: sorted(v)[len(v) // 2]
    print("| model, work | engine | median s (least) | CPU s | a second | peak MB | agrees |\n| --- | --- | --- | --- | --- | --- | --- |")
    for model in models:
        for i, (n, length) in enumerate(BATCHES[model]):
            for peer in peers:
                rounds = results[model, peer]
                wall, cpu = [s for r in rounds for s in r["wall"][i]], [s for r in rounds for s in r["cpu"][i]]
                wanted = results.get((model, "pytorch"), results[model, peers[0]])[0]
                print(f"| {model}, {n} of {length or str(SIDE) + ' pixels'} | {peer} | {middle(wall):.4f} ({min(wall):.4f}) | {min(cpu):.2f} | {n / middle(wall):.2f} "
                      f"| {max(r['peak_rss_mb'] for r in rounds)} | {agreement(rounds[0], wanted, i)} |")


if a.child == "make":
    make(a.models)
elif a.child:
    child(a.child, a.models)
else:
    run()
