#!/usr/bin/env python3
"""Makes variants of the tiny checkpoints in variants/, each with some settings changed, and asks the reference
library for its answers.

    pip install torch transformers sentence-transformers tokenizers
    python variants.py

Every variant is one entry of variants/cases.json: the checkpoint that it changes, the values that it sets in which
files (null takes a key away, or a file), and the vectors or scores that come out. Variants that the reference refuses are not kept.
"""
import itertools, json, os, shutil, tempfile
import make
from sentence_transformers import CrossEncoder, SentenceTransformer, models as st
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import (BertConfig, BertForSequenceClassification, BertTokenizerFast, RobertaConfig, RobertaForSequenceClassification,
                          RobertaModel, RobertaTokenizerFast, XLMRobertaConfig, XLMRobertaForSequenceClassification, XLMRobertaTokenizerFast)

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "variants")
TEXTS = ["The Fire burns in the HEARTH.", "tea", "\u0130stanbul \u1e9e \ufb01 \u03a3\u03c2", "Caf\u00e9 cafe\u0301 \u4e2d\u6587 a\u4e2db", "  two  [SEP] spaces [MASK] ", " ".join(["the cat sleeps on the warm stone and"] * 40)]
QUERY, DOCUMENTS = "Who lit the lamp?", TEXTS[:5] + ["", "the lamp, who lit it?"]
T, C, B, M, J, S = "tokenizer_config.json", "config.json", "sentence_bert_config.json", "modules.json", "tokenizer.json", "config_sentence_transformers.json"


def variants():
    for cls in ("BertTokenizer", "BertTokenizerFast", None, "PreTrainedTokenizerFast"):
        for key in ("do_lower_case", "strip_accents", "tokenize_chinese_chars"):
            for value in (None, True, False):
                yield dict(base="bert", name=f"{cls}, {key} {value}", set={T: {"tokenizer_class": cls, key: value}})
        yield dict(base="bert", name=f"{cls}, tokenizer.json keeps capitals", set={T: {"tokenizer_class": cls}, J: {"normalizer/lowercase": False}})
        yield dict(base="bert", name=f"{cls}, tokenizer.json keeps capitals, lower case stated", set={T: {"tokenizer_class": cls, "do_lower_case": True}, J: {"normalizer/lowercase": False}})
        yield dict(base="bert", name=f"{cls}, tokenizer.json strips no accents", set={T: {"tokenizer_class": cls}, J: {"normalizer/strip_accents": False}})
    for cls in ("RobertaTokenizer", "RobertaTokenizerFast", "GPT2Tokenizer", None, "PreTrainedTokenizerFast"):
        for base in ("roberta", "rerank"):
            for value in (None, True, False):
                yield dict(base=base, name=f"{cls}, add_prefix_space {value}", set={T: {"tokenizer_class": cls, "add_prefix_space": value}})
            yield dict(base=base, name=f"{cls}, tokenizer.json adds a space", set={T: {"tokenizer_class": cls}, J: {"pre_tokenizer/add_prefix_space": True}})
    for base in ("bert", "roberta"):
        yield dict(base=base, name="do_lower_case of the transformer module", set={B: {"do_lower_case": True}})
        yield dict(base=base, name="do_lower_case of the transformer module, capitals kept", set={B: {"do_lower_case": True}, T: {"tokenizer_class": "BertTokenizer" if base == "bert" else None, "do_lower_case": False}})
    block = {"direction": "Right", "max_length": 10, "strategy": "LongestFirst", "stride": 0}
    for length, stated, side in itertools.product((None, 20, 10**30), (None, 12, 40), ("right", "left")):
        yield dict(base="bert", name=f"truncation block 10, model_max_length {length}, max_seq_length {stated}, {side}",
                   set={J: {"truncation": dict(block, direction=side.capitalize())}, T: {"model_max_length": length, "truncation_side": side}, B: {"max_seq_length": stated}})
    yield dict(base="bert", name="truncation block 10, side only there", set={J: {"truncation": dict(block, direction="Left")}, T: {"model_max_length": 20}})
    yield from activations()
    for mode in ("cls", "max", "mean", "lasttoken", "mean_sqrt_len_tokens", "weightedmean"):
        yield dict(base="bert", name=f"pooling {mode}", set={"1_Pooling/config.json": {"pooling_mode": mode}})


def activations():
    """Cross-encoders of three kinds of pairs, with one label and with three, as each version of the library states the activation."""
    new = lambda name: {"sentence_transformers": name and {"activation_fn": name, "version": "4.1.0"}}
    old = lambda name: {"sbert_ce_default_activation_function": name}
    identity, sigmoid, tanh = "torch.nn.modules.linear.Identity", "torch.nn.modules.activation.Sigmoid", "torch.nn.modules.activation.Tanh"
    for kind in ("bert", "roberta", "xlmr"):
        for labels in (1, 3):
            base = f"rerank-{kind}-{labels}"
            yield dict(base=base, name="no activation", set={C: {**new(None), **old(None)}, S: None, M: None})
            for name in (identity, sigmoid, tanh):
                short = name[name.rindex(".") + 1:]
                yield dict(base=base, name=f"{short} in the new spelling", set={C: {**new(name), **old(None)}, S: None, M: None})
                yield dict(base=base, name=f"{short} in the old spelling", set={C: {**new(None), **old(name)}, S: None, M: None})
                yield dict(base=base, name=f"{short} in the library's own file", set={C: {**new(None), **old(None)}, S: {"activation_fn": name}})
            yield dict(base=base, name="both spellings", set={C: {**new(identity), **old(sigmoid)}, S: None, M: None})
            yield dict(base=base, name="all three places", set={C: {**new(identity), **old(sigmoid)}, S: {"activation_fn": tanh}})
    for kind, vocabulary in (("bert", "vocab.txt"), ("roberta", "vocab.json")):
        yield dict(base=f"rerank-{kind}-1", name=f"{vocabulary} alone", set={J: None})


def change(folder, changes):
    for name, values in changes.items():
        path = os.path.join(folder, name)
        if values is None:
            if os.path.exists(path):
                os.remove(path)
            continue
        data = json.load(open(path))
        for key, value in values.items():
            at = data
            *way, last = key.split("/")
            for k in way:
                at = at[k]
            if value is None:
                at.pop(last, None)
            else:
                at[last] = value
        json.dump(data, open(path, "w"))


def roberta(labels):
    sizes = dict(make.SIZES, max_position_embeddings=130)
    return lambda n: RobertaConfig(vocab_size=n, num_labels=labels, pad_token_id=1, type_vocab_size=1, **sizes)


def xlmr_tokens(folder):
    """XLM-RoBERTa's kind of tokenizer: pieces that begin with a bar instead of a space, <s> A </s></s> B </s>."""
    words = sorted(set(w for text in TEXTS for w in text.split()))
    pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    pieces += [("\u2581" + w, -5.0 - len(w) / 10) for w in words] + [("\u2581", -6.0)] + [(c, -8.0) for c in make.LETTERS + "?.,"]
    pieces += [("<mask>", 0.0)]
    t = Tokenizer(models.Unigram(pieces, unk_id=3))
    t.normalizer, t.pre_tokenizer, t.decoder = normalizers.NFKC(), pre_tokenizers.Metaspace(), decoders.Metaspace()
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    XLMRobertaTokenizerFast(tokenizer_object=t, model_max_length=128).save_pretrained(folder)
    return len(pieces)


def bert_tokens(folder):
    make.wordpiece(folder)
    vocab = json.load(open(os.path.join(folder, "tokenizer.json")))["model"]["vocab"]
    path = os.path.join(folder, "vocab.txt")
    open(path, "w").write("\n".join(sorted(vocab, key=vocab.get)))
    BertTokenizerFast(path, model_max_length=64).save_pretrained(folder)
    return len(vocab)


def roberta_tokens(folder):
    n = make.roberta_tokens(folder)
    json.dump(json.load(open(os.path.join(folder, "tokenizer.json")))["model"]["vocab"], open(os.path.join(folder, "vocab.json"), "w"))
    open(os.path.join(folder, "merges.txt"), "w").write("#version: 0.2\n")
    RobertaTokenizerFast(os.path.join(folder, "vocab.json"), os.path.join(folder, "merges.txt"), model_max_length=128).save_pretrained(folder)
    return n


def cross_encoder(name, seed, tokens, model, config, labels, **sizes):
    """A cross-encoder in a folder as the reference library saves it."""
    bare = make.fresh(os.path.join(HERE, "bare.tmp"))
    small = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=24, num_labels=labels, **sizes)
    c = config(vocab_size=tokens(bare), **small)
    if labels == 3:
        c.id2label = {0: "contradiction", 1: "entailment", 2: "neutral"}
        c.label2id = {v: k for k, v in c.id2label.items()}
    make.randomize(model(c).eval(), seed).save_pretrained(bare)
    CrossEncoder(bare, device="cpu").save_pretrained(make.fresh(os.path.join(HERE, name)), create_model_card=False)
    for vocabulary in ("vocab.txt", "vocab.json", "merges.txt"):
        if os.path.exists(os.path.join(bare, vocabulary)):
            shutil.copy(os.path.join(bare, vocabulary), os.path.join(HERE, name))
    shutil.rmtree(bare)


def scores(folder):
    """CrossEncoder's scores; of several labels, those of the one that says that a text follows from the question."""
    model = CrossEncoder(folder, device="cpu")
    several = model.num_labels > 1
    plain = type(model.activation_fn).__name__ == "Identity"
    out = model.predict([(QUERY, t) for t in DOCUMENTS], apply_softmax=several and plain)
    return [round(float(x[1] if several else x), 5) for x in out]


def bases():
    shutil.rmtree(HERE, ignore_errors=True)
    make.embedder(os.path.join(HERE, "bert"), 21, "mean")
    inner, outer = make.fresh(os.path.join(HERE, "inner.tmp")), make.fresh(os.path.join(HERE, "roberta"))
    make.randomize(RobertaModel(roberta(1)(make.roberta_tokens(inner))).eval(), 22).save_pretrained(inner)
    SentenceTransformer(modules=[st.Transformer(inner), st.Pooling(32, pooling_mode="mean")], device="cpu").save(outer, create_model_card=False)
    shutil.rmtree(inner)
    make.reranker(os.path.join(HERE, "rerank"), 23, RobertaForSequenceClassification, roberta(1), make.roberta_tokens, None)
    for labels in (1, 3):
        cross_encoder(f"rerank-bert-{labels}", 30 + labels, bert_tokens, BertForSequenceClassification, BertConfig, labels, max_position_embeddings=64)
        cross_encoder(f"rerank-roberta-{labels}", 40 + labels, roberta_tokens, RobertaForSequenceClassification, RobertaConfig, labels,
                      max_position_embeddings=130, pad_token_id=1, type_vocab_size=1)
        cross_encoder(f"rerank-xlmr-{labels}", 50 + labels, xlmr_tokens, XLMRobertaForSequenceClassification, XLMRobertaConfig, labels,
                      max_position_embeddings=130, pad_token_id=1, type_vocab_size=1)
    for name in ("bert", "rerank"):
        os.remove(os.path.join(HERE, name, "expected.json"))


bases()
cases = []
for case in variants():
    with tempfile.TemporaryDirectory() as tmp:
        folder = os.path.join(tmp, "model")
        shutil.copytree(os.path.join(HERE, case["base"]), folder)
        change(folder, case["set"])
        try:
            if case["base"].startswith("rerank"):
                case["scores"] = scores(folder)
            else:
                model = SentenceTransformer(folder, device="cpu")
                case["vectors"] = [[round(float(x), 5) for x in model.encode(t)] for t in TEXTS]
        except Exception as e:
            print("refused:", case["base"], case["name"], type(e).__name__, e)
            continue
    cases.append(case)
json.dump(dict(query=QUERY, texts=TEXTS, documents=DOCUMENTS, cases=cases), open(os.path.join(HERE, "cases.json"), "w"), indent=0)
print(len(cases), "variants")
