#!/usr/bin/env python3
"""Make deberta-v2.model, a small SentencePiece model of DeBERTa's kind, and deberta-v2.json, texts with SentencePiece's ids.

    pip install sentencepiece
    python make_deberta.py       # trained on the documents of this repository
"""
import glob, io, json, os, random
import sentencepiece as sp

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
lines = [l.strip()[:400] for f in sorted(glob.glob(os.path.join(ROOT, "docs", "*.md"))) + [os.path.join(ROOT, "ARCHITECTURE.md")] for l in open(f, encoding="utf-8") if l.strip()]
out = io.BytesIO()
sp.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=out, vocab_size=600, model_type="unigram", pad_id=0, bos_id=1, eos_id=2, unk_id=3,
                              pad_piece="[PAD]", bos_piece="[CLS]", eos_piece="[SEP]", unk_piece="[UNK]", character_coverage=0.999, normalization_rule_name="identity")
open(os.path.join(HERE, "deberta-v2.model"), "wb").write(out.getvalue())
p = sp.SentencePieceProcessor(model_proto=out.getvalue())
rng = random.Random(5)
texts = ["", " ", "a", "  two  spaces ", "naïve ﬁne ① Ａ", "東京 is 大きい", "e\u0301 joined", "😀 smile", "don't; won't!"]
texts += [l[a:a + rng.randrange(3, 60)] for l in rng.sample(lines, 60) for a in [rng.randrange(max(1, len(l) - 10))]]
rows = [[t, [1] + p.encode(t) + [2]] for t in texts]
json.dump(rows, open(os.path.join(HERE, "deberta-v2.json"), "w"), indent=None, separators=(",", ":"))
