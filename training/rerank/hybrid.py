"""Cranfield as the search asks it: the 50 best passages by meaning and by words, then a reranker.

Fusion as in search.Defaults (documents/search): each list's scores stretched to 0..1 and added, the question's vector moved by
0.3 of the mean of the two best passages'. BM25 here has no Porter stemmer, so figures differ a little from make quality.
"""
import math
import os
import sys

import numpy as np
from tokenizers import Tokenizer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bert
from evaluate import read_jsonl
from lists import BM25

DEEP, TOP = 100, 50


def stretch(x):
    return (x - x.min()) / max(x.max() - x.min(), 1e-9)


class Cranfield:
    def __init__(self, folder, starter, device):
        docs, self.questions = read_jsonl(folder + "/corpus.jsonl"), read_jsonl(folder + "/queries.jsonl")
        self.texts = [d["title"] + " " + d["text"] for d in docs]
        self.ids = [d["_id"] for d in docs]
        self.grades = {}
        with open(folder + "/qrels.tsv", encoding="utf-8") as f:
            for line in list(f)[1:]:
                question, doc, grade = line.split("\t")
                self.grades.setdefault(question, {})[doc] = int(grade)
        model = bert.load(starter).to(device).eval()
        tokenizer = Tokenizer.from_file(f"{starter}/tokenizer.json")
        tokenizer.no_padding(), tokenizer.no_truncation()
        encode = bert.encoder(model, tokenizer, device, batch=512 if device == "cuda" else 4)
        vectors, asked = encode(self.texts), encode([q["text"] for q in self.questions])
        words = BM25(self.texts, device).scores([q["text"] for q in self.questions]).T.cpu().numpy()
        self.first = []                                    # [(passages, marks)] of each question, best first
        for vector, word in zip(asked, words):
            for _ in range(2):
                cosine = vectors @ vector
                meaning, by_word = np.argsort(-cosine)[:DEEP], np.argsort(-word)[:DEEP]
                mark = dict.fromkeys({*meaning.tolist(), *by_word.tolist()}, 0.0)
                for found, marks in ((meaning, cosine), (by_word, word)):
                    for i, s in zip(found.tolist(), stretch(marks[found])):
                        mark[i] += s / 2
                order = sorted(mark, key=mark.get, reverse=True)[:TOP]
                moved = vector + 0.3 * vectors[order[:2]].mean(0)
                vector = moved / np.linalg.norm(moved)
            self.first.append((order, np.array([mark[i] for i in order])))

    def ndcg(self, rankings):
        total = 0.0
        for question, order in zip(self.questions, rankings):
            grade = self.grades.get(question["_id"], {})
            gained = sum(grade.get(self.ids[t], 0) / math.log2(i + 2) for i, t in enumerate(order[:10]))
            best = sum(g / math.log2(i + 2) for i, g in enumerate(sorted(grade.values(), reverse=True)[:10]))
            total += gained / best if best else 0.0
        return total / len(self.questions)

    def measure(self, score):
        marks = [np.array(score(q["text"], [self.texts[i] for i in order])) for q, (order, _) in zip(self.questions, self.first)]
        out = [f"hybrid {self.ndcg([order for order, _ in self.first]):.4f}"]
        for share in (1.0, 0.7, 0.5, 0.3):
            ranked = []
            for (order, before), mark in zip(self.first, marks):
                both = share * stretch(mark) + (1 - share) * stretch(before)
                ranked.append([order[i] for i in np.argsort(-both, kind="stable")])
            out.append(f"reranked {share} {self.ndcg(ranked):.4f}")
        return ", ".join(out)
