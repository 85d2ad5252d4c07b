#!/usr/bin/env python3
"""rerank-peers.py DIR EMBEDDER [--rounds N] [--threads N]

Scores 18 passages of 128 tokens with a cross-encoder of the shape of MiniLM-L6, with our program and with what people use
instead: sentence-transformers (PyTorch), and ONNX Runtime with a fused graph, in F32 and in int8. Each runs in a process of its
own, all in rotation. The model is EMBEDDER (a Hugging Face folder of all-MiniLM-L6-v2) with a head of random weights, so the
scores mean nothing and have to agree. Needs pip install torch transformers sentence-transformers onnx onnxruntime, and our
program: go build -o DIR/peer ./scripts/peer
"""
import argparse, json, os, random, subprocess, sys, time

ap = argparse.ArgumentParser()
ap.add_argument("dir"); ap.add_argument("embedder"); ap.add_argument("--rounds", type=int, default=3)
ap.add_argument("--threads", type=int, default=2); ap.add_argument("--passages", type=int, default=18); ap.add_argument("--child", default="")
a = ap.parse_args()
at = lambda *name: os.path.join(a.dir, *name)
WORDS = ("the of and to in is was for that it with as on be at by this had not are but from or have an they which one you were all her she there "
         "would their we him been has when who will no more if out so up said what its about than into them can only other time new some").split()


def make():
    import onnx, torch
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers import optimizer
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
    torch.manual_seed(1)
    m = AutoModelForSequenceClassification.from_pretrained(a.embedder, num_labels=1, attn_implementation="eager").eval()
    m.classifier.weight.data.normal_(0, 0.3)
    m.save_pretrained(at("model"))
    tokens = AutoTokenizer.from_pretrained(a.embedder, model_max_length=512)
    tokens.save_pretrained(at("model"))
    r = random.Random(7)
    query = "who will be there when the time is up"  # a word is a token, and [CLS] and two [SEP] are three more
    passages = [" ".join(r.choice(WORDS) for _ in range(128 - 3 - len(query.split()))) for _ in range(a.passages)]
    assert all(len(tokens(query, p).input_ids) == 128 for p in passages)
    json.dump(dict(query=query, passages=passages), open(at("work.json"), "w"))
    x, axes = torch.ones(2, 16, dtype=torch.long), {0: "batch", 1: "seq"}
    names = ["input_ids", "attention_mask", "token_type_ids"]
    torch.onnx.export(m, (x, x, x * 0), at("exported.onnx"), input_names=names, output_names=["logits"],
                      dynamic_axes={**{n: axes for n in names}, "logits": {0: "batch"}}, opset_version=17, dynamo=False)
    fused = optimizer.optimize_model(at("exported.onnx"), model_type="bert", num_heads=12, hidden_size=384)
    print("fused:", {k: v for k, v in fused.get_fused_operator_statistics().items() if v})
    fused.save_model_to_file(at("fused.onnx"))
    quantize_dynamic(at("fused.onnx"), at("int8.onnx"), weight_type=QuantType.QInt8, per_channel=True, extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT})


def scorer(name):
    if name == "sentence-transformers":
        import torch
        torch.set_num_threads(a.threads)
        from sentence_transformers import CrossEncoder
        m = CrossEncoder(at("model"), device="cpu")
        return lambda q, p: m.predict([(q, x) for x in p], show_progress_bar=False)
    import numpy as np, onnxruntime as ort
    from tokenizers import Tokenizer
    o = ort.SessionOptions(); o.intra_op_num_threads = a.threads; o.inter_op_num_threads = 1
    s = ort.InferenceSession(at({"onnxruntime": "fused.onnx", "onnxruntime-int8": "int8.onnx"}[name]), o, providers=["CPUExecutionProvider"])
    tok = Tokenizer.from_file(at("model", "tokenizer.json")); tok.no_truncation(); tok.enable_padding()
    types = {i.name: np.int32 if "int32" in i.type else np.int64 for i in s.get_inputs()}

    def score(q, p):
        e = tok.encode_batch([(q, x) for x in p])
        all = {"input_ids": [x.ids for x in e], "attention_mask": [x.attention_mask for x in e], "token_type_ids": [x.type_ids for x in e]}
        z = s.run(None, {n: np.array(all[n], dtype=t) for n, t in types.items()})[0][:, 0]
        return 1 / (1 + np.exp(-z))
    return score


def child():
    w = json.load(open(at("work.json")))
    score, wall, cpu = scorer(a.child), [], []
    for i in range(18):
        t, c = time.perf_counter(), time.process_time()
        got = score(w["query"], w["passages"])
        if i >= 3:
            wall.append(1e3 * (time.perf_counter() - t)); cpu.append(1e3 * (time.process_time() - c))
    print(json.dumps(dict(peer=a.child, ms_p50=sorted(wall)[len(wall) // 2], ms_min=min(wall), cpu_ms=min(cpu), scores=[float(x) for x in got])))


def run():
    if not os.path.exists(at("int8.onnx")):
        make()
    env = dict(os.environ, HF_HUB_OFFLINE="1", OMP_NUM_THREADS=str(a.threads), MKL_NUM_THREADS=str(a.threads), GOMAXPROCS=str(a.threads))
    ours = [at("peer"), at("model"), at("work.json")]
    peers = {"ours, F32": ours + ["auto"], "ours, 8 bits": ours + ["q8_0"]}
    for name in ("sentence-transformers", "onnxruntime", "onnxruntime-int8"):
        peers[name] = [sys.executable, __file__, a.dir, a.embedder, "--threads", str(a.threads), "--child", name]
    results, scores = {}, {}
    for _ in range(a.rounds):
        for name, command in peers.items():
            q = subprocess.run(command, env=env, capture_output=True, text=True)
            lines = [l for l in q.stdout.splitlines() if l.startswith("{")]
            if not lines:
                raise SystemExit(f"{name} failed: {q.stderr[-600:]}")
            got = json.loads(lines[-1])
            results.setdefault(name, []).append(got); scores[name] = got["scores"]
    want = scores["sentence-transformers"]
    print(f"load {os.getloadavg()[0]:.1f}\n| engine | ms of each round (least) | CPU ms | scores apart |\n| --- | --- | --- | --- |")
    for name, rounds in results.items():
        apart = max(abs(x - y) for x, y in zip(scores[name], want))
        print(f"| {name} | {', '.join(format(r['ms_p50'], '.0f') for r in rounds)} ({min(r['ms_min'] for r in rounds):.0f}) | {min(r['cpu_ms'] for r in rounds):.0f} | {apart:.4f} |")


child() if a.child else run()
