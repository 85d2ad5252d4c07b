"""Make what starter-rerank learns from: questions, each with 16 passages and their marks by teacher and BM25.

usage: lists.py CORPORA TEACHER STUDENT CRANFIELD_DIR OUT [QUERIES] [SEED]

CORPORA        folder of *.jsonl.zst, as in prepare.py
TEACHER        sentence-transformers folder of a BERT with mean pooling (needs a GPU)
STUDENT        folder of starter-embed: its tokenizer cuts questions and passages
CRANFIELD_DIR  evaluation set: passages that share eight words in a row with it are left out
OUT            receives lists.pt

A question is a heading, a title, a sentence of the passage (mostly taken out of it), some of its words, or a question that
people wrote. Its passages are the one that it came from, others that BM25 or the teacher find near it, and a few by chance.
"""
import json
import multiprocessing
import os
import random
import re
import sys

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bert
from evaluate import read_jsonl
from prepare import SENTENCE_END, Overlap, asked, blocks, clean, records, wikitext

WORDS, LEAST, LIST = 150, 25, 16
TERM = re.compile(r"[a-z0-9]+")
STOP = set("a an and are as at be by can do does for from has have how i if in into is it its may not of on or that the their there these they this to was we were what when where which who will with you your".split())
K1, B = 1.2, 0.75


def terms(text):
    """Lower-cased words without frequent ones and without a plural's s."""
    return [w[:-1] if len(w) > 3 and w[-1] == "s" and w[-2] != "s" else w for w in TERM.findall(text.lower()) if w not in STOP]


def documents(folder):
    """(source, title, [(heading, [sentence])]) of every text with paragraphs."""
    for name in sorted(os.listdir(folder)):
        source = name.removesuffix(".jsonl.zst")
        if source == name or source in ("clinc-intents", "chatterbot-en", "gsm8k-train"):
            continue
        for r in records(os.path.join(folder, name)):
            if source == "p3-permissive" or "text" not in r:
                continue
            title, sections = "", [("", [])]
            for heading, line in blocks(clean(wikitext(r["text"]) if source.startswith("wikitext") else r["text"])):
                if heading:
                    title = title or line
                    sections.append((line, []))
                else:
                    sections[-1][1].extend(s for s in SENTENCE_END.split(line) if len(s) > 3)
            yield source, title, sections


def written(folder):
    """(question, passage) that people wrote."""
    for r in records(os.path.join(folder, "p3-permissive.jsonl.zst")):
        if found := asked(r):
            yield found


def passages(sentences):
    """Runs of sentences of at most WORDS words."""
    out, held, size = [], [], 0
    for s in sentences:
        n = s.count(" ") + 1
        if held and size + n > WORDS:
            out.append(held)
            held, size = [], 0
        held.append(s)
        size += n
    if held and (size >= LEAST or not out):
        out.append(held)
    return [p for p in out if sum(s.count(" ") + 1 for s in p) >= LEAST]


class Collection:
    """Passages, and the questions that were made of them."""

    def __init__(self, folder, held_out, rng):
        self.texts, self.section, self.questions = [], [], []        # questions: (text, passage, text of the passage or "")
        sections, seen = 0, set()
        for source, title, parts in documents(folder):
            first = True
            for heading, sentences in parts:
                sections += 1
                for i, run in enumerate(passages(sentences)):
                    text = " ".join(run)
                    if text in seen or text in held_out:
                        continue
                    seen.add(text)
                    at = self._add(text, sections)
                    self._ask(rng, at, run, title if first and title != heading else "", heading if i < 2 else "", title)
                    first = False
        made = len(self.questions)
        ids = {}
        for question, passage in written(folder):
            sections += 1
            passage = " ".join(passage.split(" ")[:WORDS])
            if passage not in ids:
                ids[passage] = self._add(passage, sections)
            if passage not in held_out:
                self.questions += [(question, ids[passage], "")] * 3
        print(f"{len(self.texts):,} passages, {made:,} questions made of them, {len(self.questions) - made:,} written", flush=True)

    def _add(self, text, section):
        self.texts.append(text)
        self.section.append(section)
        return len(self.texts) - 1

    def _ask(self, rng, at, run, title, heading, context):
        text = " ".join(run)
        if title and len(title.split()) > 1:
            self.questions.append((title, at, ""))
        if heading and len(heading.split()) > 1:
            with_context = context and context != heading and rng.random() < 0.4
            self.questions.append((f"{context} {heading}" if with_context else heading, at, ""))
        for i in range(len(run) - 1):
            if run[i].endswith("?") and 4 < len(run[i].split()) < 30:
                self.questions.append((run[i], at, " ".join(run[i + 1:])))
        if len(run) > 2 and rng.random() < 0.7:                       # a sentence of the passage
            i = rng.randrange(len(run))
            words = run[i].split()
            if 5 <= len(words) <= 40:
                if len(words) > 16 and rng.random() < 0.5:
                    start = rng.randrange(len(words) - 10)
                    words = words[start:start + rng.randint(6, 14)]
                rest = " ".join(run[:i] + run[i + 1:]) if rng.random() < 0.8 else ""
                self.questions.append((" ".join(words), at, rest))
        if rng.random() < 0.35:                                      # some of its words
            words = sorted(set(terms(text)), key=lambda w: rng.random() / len(w))[:rng.randint(2, 6)]
            if len(words) > 1:
                self.questions.append((" ".join(words), at, ""))


class BM25:
    """Scores of passages for questions, on a GPU."""

    def __init__(self, texts, device):
        with multiprocessing.get_context("fork").Pool() as pool:
            split = pool.map(terms, texts, 2000)
        self.number, rows, columns, values = {}, [], [], []
        average = sum(map(len, split)) / len(split)
        for row, words in enumerate(split):
            count = {}
            for w in words:
                n = self.number.setdefault(w, len(self.number))
                count[n] = count.get(n, 0) + 1
            norm = K1 * (1 - B + B * len(words) / average)
            for n, c in count.items():
                rows.append(row)
                columns.append(n)
                values.append(c * (K1 + 1) / (c + norm))
        columns = torch.tensor(columns)
        frequency = torch.bincount(columns, minlength=len(self.number)).double()
        self.idf = torch.log(1 + (len(texts) - frequency + 0.5) / (frequency + 0.5)).float().to(device)
        self.weight = self.idf.tolist()
        self.device = device
        self.matrix = torch.sparse_coo_tensor(torch.stack([torch.tensor(rows), columns]), torch.tensor(values), (len(texts), len(self.number))).coalesce().to(device).to_sparse_csr()

    def scores(self, questions):
        """[passages, questions]"""
        weights = torch.zeros(len(self.number), len(questions))
        for i, q in enumerate(questions):
            for w in set(terms(q)):
                if w in self.number:
                    weights[self.number[w], i] = 1
        return self.matrix @ (weights.to(self.device) * self.idf[:, None])


def choose(bm25, cosine, at, others):
    """[questions, LIST] passages: the own one, near ones by words and by meaning, farther ones, two by chance."""
    count, near = bm25.shape[1], 100
    by_words, by_meaning = bm25.T.topk(near).indices, cosine.T.topk(near).indices
    device = bm25.device

    def some(ranks, n, low, high):
        return ranks.gather(1, torch.randint(low, high, (count, n), device=device))

    picked = torch.cat([at[:, None], some(by_words, 3, 0, 12), some(by_words, 3, 8, near), some(by_meaning, 4, 0, 12), some(by_meaning, 3, 8, near),
                        torch.randint(0, others, (count, LIST - 14), device=device)], 1)
    return picked


def main():
    corpora, teacher_dir, student_dir, cranfield_dir, out = sys.argv[1:6]
    most = int(sys.argv[6]) if len(sys.argv) > 6 else 400_000
    rng = random.Random(int(sys.argv[7]) if len(sys.argv) > 7 else 0)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    held_out = [r["text"] for name in ("corpus", "queries") for r in read_jsonl(f"{cranfield_dir}/{name}.jsonl")]
    collection = Collection(corpora, Overlap([t for t in held_out if t]), rng)
    rng.shuffle(collection.questions)
    questions = collection.questions[:most]
    wordings = [q for q, _, _ in questions]

    teacher = bert.load(teacher_dir).to(device).eval().requires_grad_(False)
    cutter = Tokenizer.from_file(teacher_dir + "/tokenizer.json")
    cutter.no_padding(), cutter.no_truncation()
    encode = bert.encoder(teacher, cutter, device, batch=1024 if device == "cuda" else 4)
    vectors = torch.from_numpy(encode(collection.texts)).to(device)
    # What a list sees of the own passage may lack the question's sentence: its vector is that of what is seen.
    seen = [i for i, (_, _, rest) in enumerate(questions) if rest]
    own_vectors = torch.from_numpy(encode([questions[i][2] for i in seen])).to(device)
    asked_vectors = torch.from_numpy(encode(wordings)).to(device)
    print("vectors", tuple(vectors.shape), flush=True)

    bm25 = BM25(collection.texts, device)
    own_row = torch.full((len(questions),), -1, dtype=torch.long)
    own_row[torch.tensor(seen)] = torch.arange(len(seen))
    section = torch.tensor(collection.section, device=device)
    at = torch.tensor([p for _, p, _ in questions], device=device)
    lists, cosines, words, allowed = [], [], [], []
    for k in range(0, len(questions), 512):
        some = slice(k, k + 512)
        marks = bm25.scores(wordings[some])
        cosine = vectors @ asked_vectors[some].T
        picked = choose(marks, cosine, at[some], len(collection.texts))
        c, w = cosine.T.gather(1, picked), marks.T.gather(1, picked)
        best_word, best_meaning = marks.max(0).values, cosine.max(0).values
        rows = own_row[some].to(device)
        has = rows >= 0
        c[has, 0] = (own_vectors[rows[has]] * asked_vectors[some][has]).sum(1)
        for i in has.nonzero()[:, 0].tolist():                        # few words: counted here
            q, _, rest = questions[k + i]
            w[i, 0] = own_bm25(bm25, q, rest)
        lists.append(picked.int().cpu())
        cosines.append(c.cpu())
        words.append((w / best_word[:, None].clamp(min=1e-6)).cpu())
        same = section[picked] == section[at[some]][:, None]
        same[:, 0] = False
        allowed.append(~same.cpu())
    student = Tokenizer.from_file(student_dir + "/tokenizer.json")
    student.no_padding(), student.no_truncation()
    torch.save({"list": torch.cat(lists), "cosine": torch.cat(cosines).half(), "words": torch.cat(words).half(), "allowed": torch.cat(allowed), "own": own_row,
                "passages": flat(student, collection.texts), "rests": flat(student, [questions[i][2] for i in seen]), "questions": flat(student, wordings)}, f"{out}/lists.pt")
    for i in range(6):
        print(json.dumps([wordings[i], collection.texts[questions[i][1]][:150], [round(x, 2) for x in cosines[0][i].tolist()], [round(x, 2) for x in words[0][i].tolist()]]))


def own_bm25(bm25, question, text):
    found, have = 0.0, terms(text)
    norm = K1 * (1 - B + B * len(have) / 75)
    for w in set(terms(question)):
        if (c := have.count(w)) and w in bm25.number:
            found += bm25.weight[bm25.number[w]] * c * (K1 + 1) / (c + norm)
    return found


def flat(tokenizer, texts):
    """All texts' pieces end to end, without special ones, and where each begins [texts + 1]."""
    ids, starts = [], [0]
    for i in range(0, len(texts), 20000):
        for e in tokenizer.encode_batch(texts[i:i + 20000], add_special_tokens=False):
            ids += e.ids[:256]
            starts.append(len(ids))
    return torch.tensor(ids, dtype=torch.int32), torch.tensor(starts)


if __name__ == "__main__":
    main()
