"""Sentences of the corpora, and for each the others that mean something similar, by starter-embed."""
import os
import random
import sys

import numpy as np
import torch
from tokenizers import Tokenizer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bert

NEAREST, LEAST, MARGIN = 6, 0.4, 0.1


class Related:
    """vectors [sentences, width] of unit length; nearest [sentences, NEAREST] numbers, and their cosines."""

    def __init__(self, embedder, runs, most=300_000, seed=0):
        unique = {s for run in runs for s in run if 25 < len(s) < 220}
        self.sentences = random.Random(seed).sample(sorted(unique), min(most, len(unique)))
        self.number = {s: i for i, s in enumerate(self.sentences)}
        vectors = embed(embedder, self.sentences)
        self.nearest, self.cosine = nearest(vectors)
        self.vectors = vectors.cpu().numpy()

    def like(self, rng, sentences):
        """(number of a sentence among `sentences`, another sentence that is clearly nearer to it than to the others), or None."""
        known = [(i, self.number[s]) for i, s in enumerate(sentences) if s in self.number]
        rng.shuffle(known)
        for i, n in known[:3]:
            k = rng.randrange(NEAREST)
            other, cosine = self.nearest[n, k], self.cosine[n, k]
            if not LEAST < cosine < 0.95 or self.sentences[other] in sentences:
                continue
            rest = [m for j, m in known if j != i]
            if rest and (self.vectors[rest].astype(np.float32) @ self.vectors[other].astype(np.float32)).max() > cosine - MARGIN:
                continue
            return i, self.sentences[other]
        return None


def embed(folder, texts):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.no_padding(), tokenizer.no_truncation()
    encode = bert.encoder(bert.load(folder).to(device).eval(), tokenizer, device, longest=160, batch=2048)
    return torch.cat([torch.from_numpy(encode(texts[i:i + 100_000])).half() for i in range(0, len(texts), 100_000)]).to(device)


def nearest(vectors):
    numbers, cosines = [], []
    for i in range(0, len(vectors), 4096):
        scores = vectors[i:i + 4096] @ vectors.T
        scores[torch.arange(len(scores)), torch.arange(i, i + len(scores))] = -1
        best = scores.topk(min(NEAREST, len(vectors) - 1))
        numbers.append(best.indices.int().cpu()), cosines.append(best.values.float().cpu())
    return torch.cat(numbers).numpy(), torch.cat(cosines).numpy()
