#!/usr/bin/env python3
"""Make the tiny random checkpoints beside this file, with the reference library's answers in expected.json.

    pip install torch transformers
    python make.py [NAME …]        # all of them, or only these

Covers what real checkpoints do with names: heads of each family, weights under the family's prefix
(masked-LM checkpoints), and LayerNorm's old gamma/beta. The folders f16, f32, odd and bf16-sharded hold
plain checkpoints of every family in other types and sizes, in the same form.
"""
import json, os, random, sys
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
import transformers as T
from safetensors.torch import load_file, save_file

HERE = os.path.dirname(os.path.abspath(__file__))
BERT = dict(vocab_size=120, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=56, max_position_embeddings=64)
DISTIL = dict(vocab_size=120, dim=32, n_layers=2, n_heads=4, hidden_dim=56, max_position_embeddings=64)
EURO = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2, mask_token_id=4)
MODERN = dict(BERT, num_hidden_layers=4, local_attention=8, pad_token_id=0, bos_token_id=1, eos_token_id=2, cls_token_id=1, sep_token_id=2)
PADDED = dict(BERT, pad_token_id=1, type_vocab_size=1)

CASES = {
    "distilbert-classifier": ("DistilBertForSequenceClassification", T.DistilBertConfig(**DISTIL, num_labels=3), "logits"),
    "mpnet-classifier": ("MPNetForSequenceClassification", T.MPNetConfig(**BERT, num_labels=1), "logits"),
    "roberta-classifier": ("RobertaForSequenceClassification", T.RobertaConfig(**PADDED, num_labels=5), "logits"),
    "camembert": ("CamembertModel", T.CamembertConfig(**PADDED, hidden_act="gelu_new"), "pooled"),
    "bert-masked-lm": ("BertForMaskedLM", T.BertConfig(**BERT, hidden_act="relu"), "hidden"),
    "roberta-masked-lm": ("RobertaForMaskedLM", T.RobertaConfig(**PADDED), "hidden"),
    "distilbert-masked-lm": ("DistilBertForMaskedLM", T.DistilBertConfig(**DISTIL), "hidden"),
    "mpnet-masked-lm": ("MPNetForMaskedLM", T.MPNetConfig(**BERT), "hidden"),
    "bert-old-names": ("BertModel", T.BertConfig(**BERT), "hidden"),
    "embedding-gemma": ("Gemma3TextModel", T.Gemma3TextConfig(**dict(BERT, num_hidden_layers=3), num_key_value_heads=2, head_dim=6, query_pre_attn_scalar=6, sliding_window=8, layer_types=["sliding_attention", "full_attention", "sliding_attention"],
                        use_bidirectional_attention=True), "hidden"),
    "eurobert": ("EuroBertModel", T.EuroBertConfig(**BERT, num_key_value_heads=2, **EURO), "hidden"),
    "eurobert-masked-lm": ("EuroBertForMaskedLM", T.EuroBertConfig(**BERT, **EURO), "hidden"),
    "eurobert-classifier": ("EuroBertForSequenceClassification", T.EuroBertConfig(**BERT, num_key_value_heads=1, num_labels=2, classifier_pooling="late", **EURO), "logits"),
    "eurobert-classifier-mean": ("EuroBertForSequenceClassification", T.EuroBertConfig(**BERT, num_labels=1, classifier_pooling="mean", **EURO), "logits"),
    "eurobert-classifier-bos": ("EuroBertForSequenceClassification", T.EuroBertConfig(**BERT, num_labels=1, classifier_pooling="bos", **EURO), "logits"),
    "modernbert": ("ModernBertModel", T.ModernBertConfig(**MODERN), "hidden"),
    "modernbert-masked-lm": ("ModernBertForMaskedLM", T.ModernBertConfig(**MODERN), "hidden"),
    "modernbert-classifier": ("ModernBertForSequenceClassification", T.ModernBertConfig(**MODERN, num_labels=3, attention_bias=True, mlp_bias=True, norm_bias=True, classifier_bias=True), "logits"),
    "modernbert-classifier-mean": ("ModernBertForSequenceClassification", T.ModernBertConfig(**MODERN, num_labels=1, classifier_pooling="mean", classifier_activation="relu"), "logits"),
}

for number, (name, (cls, config, kind)) in enumerate(CASES.items()):
    if sys.argv[1:] and name not in sys.argv[1:]:
        continue
    gen, rng = torch.Generator().manual_seed(100 + number), random.Random(100 + number)
    config._attn_implementation = "eager"
    model = getattr(T, cls)(config).eval()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=gen) * (1.3 / p.shape[-1] ** 0.5) if p.dim() > 1 else p + torch.randn(p.shape, generator=gen) * 0.2)
    model.tie_weights()
    folder = os.path.join(HERE, "heads", name)
    model.save_pretrained(folder)
    if os.path.exists(folder + '/generation_config.json'):
        os.remove(folder + '/generation_config.json')
    cases = []
    for n in (1, 3, 17):
        ids = [rng.randrange(3, 120) for _ in range(n)]
        x = torch.tensor([ids])
        with torch.no_grad():
            body = model if kind != "hidden" or cls.endswith("Model") else model.base_model
            res = body(input_ids=x, attention_mask=torch.ones_like(x))
        out = {"hidden": lambda: res.last_hidden_state[0], "logits": lambda: res.logits, "pooled": lambda: res.pooler_output}[kind]()
        cases.append(dict(ids=ids, output=kind, shape=list(out.shape), data=[float("%.7g" % v) for v in out.flatten().tolist()]))
    json.dump(dict(architecture=cls, cases=cases), open(os.path.join(folder, "expected.json"), "w"))
    if name == "bert-old-names":
        f = os.path.join(folder, "model.safetensors")
        save_file({k.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): v for k, v in load_file(f).items()}, f)
