#!/usr/bin/env python3
"""Makes variants of the tiny checkpoints in variants/, each with some settings changed, and asks the reference
library for its answers.

    pip install torch transformers sentence-transformers tokenizers
    python variants.py

Every variant is one entry of variants/cases.json: the checkpoint that it changes, the values that it sets in which
files (null takes a key away), and the vectors or scores that come out. Variants that the reference refuses are not kept.
"""
import itertools, json, os, shutil, tempfile
import make
from sentence_transformers import CrossEncoder, SentenceTransformer, models as st
from transformers import RobertaForSequenceClassification, RobertaModel, RobertaConfig

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "variants")
TEXTS = ["The Fire burns in the HEARTH.", "tea", "\u0130stanbul \u1e9e \ufb01 \u03a3\u03c2", "Caf\u00e9 cafe\u0301 \u4e2d\u6587 a\u4e2db", "  two  [SEP] spaces [MASK] ", " ".join(["the cat sleeps on the warm stone and"] * 40)]
T, C, B, M, J = "tokenizer_config.json", "config.json", "sentence_bert_config.json", "modules.json", "tokenizer.json"


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
    for mode in ("cls", "max", "mean", "lasttoken", "mean_sqrt_len_tokens", "weightedmean"):
        yield dict(base="bert", name=f"pooling {mode}", set={"1_Pooling/config.json": {"pooling_mode": mode}})


def change(folder, changes):
    for name, values in changes.items():
        path = os.path.join(folder, name)
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


def bases():
    shutil.rmtree(HERE, ignore_errors=True)
    make.embedder(os.path.join(HERE, "bert"), 21, "mean")
    inner, outer = make.fresh(os.path.join(HERE, "inner.tmp")), make.fresh(os.path.join(HERE, "roberta"))
    make.randomize(RobertaModel(roberta(1)(make.roberta_tokens(inner))).eval(), 22).save_pretrained(inner)
    SentenceTransformer(modules=[st.Transformer(inner), st.Pooling(32, pooling_mode="mean")], device="cpu").save(outer, create_model_card=False)
    shutil.rmtree(inner)
    make.reranker(os.path.join(HERE, "rerank"), 23, RobertaForSequenceClassification, roberta(1), make.roberta_tokens, None)
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
            if case["base"] == "rerank":
                scores = CrossEncoder(folder, device="cpu").predict([("Who lit the lamp?", t) for t in TEXTS[:5]])
                case["scores"] = [round(float(x), 5) for x in scores]
            else:
                model = SentenceTransformer(folder, device="cpu")
                case["vectors"] = [[round(float(x), 5) for x in model.encode(t)] for t in TEXTS]
        except Exception as e:
            print("refused:", case["base"], case["name"], type(e).__name__, e)
            continue
    cases.append(case)
json.dump(dict(query="Who lit the lamp?", texts=TEXTS, cases=cases), open(os.path.join(HERE, "cases.json"), "w"), indent=0)
print(len(cases), "variants")
