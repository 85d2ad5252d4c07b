#!/usr/bin/env python3
"""Make the tiny random classifiers classify-*/, with the tokenizer of rerank-bert and the answers of the reference library's pipeline.

    pip install torch transformers
    python make_classifiers.py
"""
import json, os, shutil
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
import transformers as T

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = dict(vocab_size=105, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, max_position_embeddings=64)
NAMES = {0: "calm", 1: "stormy", 2: "undecided"}
CASES = {
    "deberta": T.DebertaV2Config(**SIZES, relative_attention=True, position_biased_input=False, pos_att_type=["c2p", "p2c"], position_buckets=16, norm_rel_ebd="layer_norm", share_att_key=True,
                                 id2label=NAMES, label2id={v: k for k, v in NAMES.items()}),
    "several": T.BertConfig(**SIZES, id2label=NAMES, label2id={v: k for k, v in NAMES.items()}, problem_type="multi_label_classification"),
    "one": T.BertConfig(**SIZES, num_labels=1),
}
TEXTS = ["The fire burns in the hearth.", "snow falls outside", "tea", "Zebras and quartz?", "the cat sleeps on the warm stone and the dog " * 12]
for number, (name, config) in enumerate(CASES.items()):
    gen = torch.Generator().manual_seed(900 + number)
    model = T.AutoModelForSequenceClassification.from_config(config).eval()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=gen) * (1.3 / p.shape[-1] ** 0.5) if p.dim() > 1 else p + torch.randn(p.shape, generator=gen) * 0.2)
    folder = os.path.join(HERE, "classify-" + name)
    model.save_pretrained(folder)
    tokenizer = T.PreTrainedTokenizerFast(tokenizer_file=os.path.join(HERE, "rerank-bert", "tokenizer.json"), model_max_length=64, pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]", unk_token="[UNK]", mask_token="[MASK]")
    shutil.copy(os.path.join(HERE, "rerank-bert", "tokenizer.json"), folder)
    json.dump(dict(model_max_length=64, tokenizer_class="BertTokenizer"), open(os.path.join(folder, "tokenizer_config.json"), "w"))
    if hasattr(tokenizer, "model_input_names"):
        tokenizer.model_input_names = ["input_ids", "token_type_ids", "attention_mask"]
    pipe = T.pipeline("text-classification", model=model, tokenizer=tokenizer, device="cpu")
    answers = [pipe([t], top_k=None, truncation=True)[0] for t in TEXTS]
    json.dump(dict(texts=TEXTS, labels=answers), open(os.path.join(folder, "expected.json"), "w"))


def weigh(model, number):
    gen = torch.Generator().manual_seed(900 + number)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=gen) * (1.3 / p.shape[-1] ** 0.5) if p.dim() > 1 else p + torch.randn(p.shape, generator=gen) * 0.2)
    model.tie_weights()


def keep(name, model):
    folder = os.path.join(HERE, "classify-" + name)
    model.save_pretrained(folder)
    shutil.copy(os.path.join(HERE, "rerank-bert", "tokenizer.json"), folder)
    json.dump(dict(model_max_length=64, tokenizer_class="BertTokenizer", mask_token="[MASK]"), open(os.path.join(folder, "tokenizer_config.json"), "w"))
    return folder


# Entities, with the label of each word's first token.
tags = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
model = T.AutoModelForTokenClassification.from_config(T.BertConfig(**SIZES, id2label=dict(enumerate(tags)), label2id={v: k for k, v in enumerate(tags)})).eval()
weigh(model, 9)
folder = keep("entities", model)
pipe = T.pipeline("token-classification", model=model, tokenizer=tokenizer, device="cpu", aggregation_strategy="first")
with torch.no_grad():  # so that no label is the most probable everywhere
    model.classifier.bias -= 3 * model(**tokenizer(" ".join(TEXTS[:4]), return_tensors="pt")).logits[0].mean(0) - 2 * model.classifier.bias
    model.classifier.weight *= 3
model.save_pretrained(folder)
texts = TEXTS[:4] + ["Käthe und der Fuchs, die Krähe – und ein Bär.", "  the  cat\tsleeps on\na stone  ", "don't stop!", "snow " * 90]
answers = [[dict(e, score=float(e["score"])) for e in pipe(t)] for t in texts[:-1]]
json.dump(dict(texts=texts, entities=answers), open(os.path.join(folder, "expected.json"), "w"))

# Words for gaps.
model = T.AutoModelForMaskedLM.from_config(T.BertConfig(**SIZES)).eval()
weigh(model, 10)
folder = keep("words", model)
pipe = T.pipeline("fill-mask", model=model, tokenizer=tokenizer, device="cpu", top_k=5)
texts = ["The fire [MASK] in the hearth.", "[MASK]", "the [MASK] sleeps on the [MASK] stone"]
json.dump(dict(texts=texts, words=[(lambda a: a if isinstance(a[0], list) else [a])(pipe(t)) for t in texts]), open(os.path.join(folder, "expected.json"), "w"))
