"""Measure an encoder: Spearman correlation on STS-B dev and nDCG@10 on Cranfield.

usage: evaluate.py MODEL_DIR STS_TSV CRANFIELD_DIR

MODEL_DIR      a sentence-transformers folder (run on the CPU in float32)
STS_TSV        header line, then genre, file, gold score, sentence 1, sentence 2 (tab separated)
CRANFIELD_DIR  corpus.jsonl (_id, title, text), queries.jsonl (_id, text), qrels.tsv (query, document, grade; header)

The functions take any encode(list of n texts) -> [n, d] unit vectors, so that training measures with the same code.
nDCG uses the grade itself as gain, cut at rank 10, averaged over all queries.
"""
import json
import math
import sys

import numpy as np


def ranks(values):
    """Average ranks, ties shared."""
    _, inverse, count = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return (last - (count - 1) / 2)[inverse]


def spearman(a, b):
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def sts(encode, path):
    """100 x Spearman between cosine and gold score."""
    with open(path, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f][1:]
    a, b = encode([r[3] for r in rows]), encode([r[4] for r in rows])
    return 100 * spearman((a * b).sum(1), [float(r[2]) for r in rows])


def read_jsonl(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def cranfield(encode, folder):
    """Mean nDCG@10 over the queries; a document is its title and its text, joined by a space."""
    docs, queries = read_jsonl(folder + "/corpus.jsonl"), read_jsonl(folder + "/queries.jsonl")
    grades = {}
    with open(folder + "/qrels.tsv", encoding="utf-8") as f:
        for line in list(f)[1:]:
            query, doc, grade = line.split("\t")
            grades.setdefault(query, {})[doc] = int(grade)
    ids = [d["_id"] for d in docs]
    scores = encode([q["text"] for q in queries]) @ encode([d["title"] + " " + d["text"] for d in docs]).T

    total = 0.0
    for query, row in zip(queries, scores):
        grade = grades.get(query["_id"], {})
        top = np.argsort(-row, kind="stable")[:10]
        dcg = sum(grade.get(ids[t], 0) / math.log2(i + 2) for i, t in enumerate(top))
        best = sum(g / math.log2(i + 2) for i, g in enumerate(sorted(grade.values(), reverse=True)[:10]))
        total += dcg / best if best else 0.0
    return total / len(queries)


def main():
    from sentence_transformers import SentenceTransformer
    model_dir, sts_tsv, cranfield_dir = sys.argv[1:4]
    model = SentenceTransformer(model_dir, device="cpu").float()

    def encode(texts):
        return model.encode(texts, batch_size=64, normalize_embeddings=True, convert_to_numpy=True)

    print(f"STS-B dev Spearman {sts(encode, sts_tsv):.2f}")
    print(f"Cranfield nDCG@10 {cranfield(encode, cranfield_dir):.4f}")


if __name__ == "__main__":
    main()
