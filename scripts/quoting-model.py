#!/usr/bin/env python3
"""quoting-model.py FROM.gguf OUT.gguf PROMPT.txt [--words 500] [--edits 0.08]: a model that rewrites a text, and the text.

To measure what guesses gain where an answer quotes, with arithmetic as in any model of FROM's shape (Q8_0, its own head, a vocabulary of
SentencePiece). Layers add next to nothing, and the head gives each word another word as its successor, in one circle of words. PROMPT is such
a walk of --words words, of which a share --edits is replaced, so that an answer that goes the same walk differs from the text there; its last
word leads to the first one. `inglenook chat --model OUT.gguf --raw --temperature 0 --prompt "$(cat PROMPT.txt)" --max-tokens N --draft WAY --json`
Needs pip install gguf numpy.
"""
import argparse, random, re, shutil
import gguf, numpy as np

ap = argparse.ArgumentParser()
ap.add_argument("source"); ap.add_argument("out"); ap.add_argument("prompt")
ap.add_argument("--words", type=int, default=500); ap.add_argument("--edits", type=float, default=0.08)
a = ap.parse_args()
shutil.copyfile(a.source, a.out)
model = gguf.GGUFReader(a.out, "r+")
tensors = {t.name: t for t in model.tensors}
tokens = model.get_field("tokenizer.ggml.tokens")
pieces = [bytes(tokens.parts[i]).decode("utf-8", "replace") for i in tokens.data]
whole = [i for i, p in enumerate(pieces) if re.fullmatch("▁[a-z]{4,}", p)]  # words that are one token
r = random.Random(1)
r.shuffle(whole)
walk, others = whole[:len(whole) // 2], whole[len(whole) // 2:]

embedding, head = tensors["token_embd.weight"].data, tensors["output.weight"].data  # [tokens, bytes of blocks of 34]
assert tensors["output.weight"].tensor_type.name == "Q8_0" and embedding.shape == head.shape
g = np.random.default_rng(1)
blocks = embedding.reshape(len(pieces), -1, 34)
blocks[:, :, 2:] = g.integers(-60, 61, blocks[:, :, 2:].shape, np.int8).view(np.uint8)
blocks[:, :, :2] = np.full(1, 0.0006, np.float16).view(np.uint8)
head[:] = 0  # tokens that are no words of the walk are never written
for word, after in zip(walk, walk[1:] + walk[:1]):
    head[after] = embedding[word]
for name, t in tensors.items():
    if name.endswith(("attn_output.weight", "ffn_down.weight")):
        t.data.reshape(len(t.data), -1, 34)[:, :, :2] = np.full(1, 1e-6, np.float16).view(np.uint8)
    if name.endswith("norm.weight"):
        t.data[:] = 1
text = [others[r.randrange(len(others))] if 0 < i < a.words - 1 and r.random() < a.edits else w for i, w in enumerate(walk[:a.words])]
open(a.prompt, "w").write(" ".join(pieces[i][1:] for i in text + walk[-1:]))
