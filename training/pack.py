"""Cut texts.txt into words, and every word into the pieces of teacher and student.

usage: pack.py DATA TEACHER OUT

DATA     folder with texts.txt(.xz) and tokenizer.json, made by prepare.py
TEACHER  folder with the teacher's tokenizer.json
OUT      receives corpus.pt

Both tokenizers share the normaliser and the splitting into words, and cut each word on its own. A text is therefore
one list of word numbers, and any part or mixture of texts has its pieces in both vocabularies by look-up, on the GPU.
"""
import collections
import lzma
import multiprocessing
import os
import sys
import time

import numpy as np
import torch
from tokenizers import Tokenizer

EMPTY, CLS, SEP = 0, 1, 2       # word numbers with a meaning; EMPTY has no pieces
splitter = None


def start_worker(path):
    global splitter
    splitter = Tokenizer.from_file(path)


def split(lines):
    """Lists of words as the tokenizers see them before cutting into pieces."""
    normal, pre = splitter.normalizer, splitter.pre_tokenizer
    return [[w for w, _ in pre.pre_tokenize_str(normal.normalize_str(line))] for line in lines]


def pieces(words, tokenizer):
    """Piece ids of all words end to end, and where each word's begin [words + 1]."""
    specials = {CLS: "[CLS]", SEP: "[SEP]"}
    ids = [[tokenizer.token_to_id(specials[i])] if i in specials else [] for i in range(3)]
    for k in range(3, len(words), 50_000):
        ids += [e.ids for e in tokenizer.encode_batch(words[k:k + 50_000], add_special_tokens=False)]
    starts = np.concatenate([[0], np.cumsum([len(i) for i in ids])])
    return torch.tensor([p for i in ids for p in i], dtype=torch.int32), torch.from_numpy(starts)


def main():
    data, teacher, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    began = time.time()
    path = data + "/texts.txt"
    packed = os.path.exists(path + ".xz")
    with lzma.open(path + ".xz", "rt", encoding="utf-8") if packed else open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")[:-1]
    tokenizers = {"student": Tokenizer.from_file(data + "/tokenizer.json"),
                  "teacher": Tokenizer.from_file(teacher + "/tokenizer.json")}
    for t in tokenizers.values():
        t.no_padding(), t.no_truncation()

    sources, source_of, document_of, heading_of, texts = [], [], [], [], []
    document, heading = -1, -1
    for line in lines:
        if line.startswith("#\t"):
            document, heading = document + 1, -1
            if line[2:] not in sources:
                sources.append(line[2:])
            source = sources.index(line[2:])
            continue
        if line.startswith("= "):
            line, heading = line[2:], len(texts)
        texts.append(line)
        source_of.append(source), document_of.append(document), heading_of.append(heading)

    with multiprocessing.Pool(initializer=start_worker, initargs=(data + "/tokenizer.json",)) as pool:
        parts = pool.map(split, [texts[k:k + 5000] for k in range(0, len(texts), 5000)])
    split_texts = [s for part in parts for s in part]
    number = {w: i for i, w in enumerate(["", "[CLS]", "[SEP]"])}
    words = np.fromiter((number.setdefault(w, len(number)) for s in split_texts for w in s), dtype=np.int32)

    # The lexicon: whole words that the teacher knows, among them many that the texts never use.
    lexicon = [w for w in tokenizers["teacher"].get_vocab()
               if not w.startswith(("##", "[")) and (len(w) > 1 or not w.isascii())]
    lexicon = [number.setdefault(w, len(number)) for w in lexicon]

    corpus = {
        "words": torch.from_numpy(words),                                                           # [words] word numbers
        "starts": torch.tensor([0] + np.cumsum([len(s) for s in split_texts]).tolist()),            # [sentences + 1]
        "document": torch.tensor(document_of), "heading": torch.tensor(heading_of),                 # [sentences]
        "source": torch.tensor(source_of), "sources": sources, "lexicon": torch.tensor(lexicon)}
    for name, t in tokenizers.items():
        corpus[name] = pieces(list(number), t)
    torch.save(corpus, out + "/corpus.pt")

    count = collections.Counter(source_of)
    print({sources[i]: n for i, n in count.most_common()})
    for name, t in tokenizers.items():
        ids, starts = corpus[name]
        lengths = starts.diff()[corpus["words"].long()]
        unknown = (ids == t.token_to_id("[UNK]")).sum().item()
        print(f"{name}: {lengths.sum().item():,} pieces, {lengths.float().mean().item():.3f} a word, {unknown} words with [UNK]")
    print(f"{len(texts):,} sentences, {len(words):,} words, {len(number):,} distinct, lexicon {len(lexicon):,}, "
          f"{time.time() - began:.0f} s")


if __name__ == "__main__":
    main()
