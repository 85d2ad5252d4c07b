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

DEBERTA = dict(BERT, relative_attention=True, position_biased_input=False, pos_att_type=["c2p", "p2c"])
DEBERTA3 = dict(DEBERTA, position_buckets=16, norm_rel_ebd="layer_norm", share_att_key=True)

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
    "nomic-bert": ("NomicBertModel", T.NomicBertConfig(**BERT), "hidden"),
    "gte": ("GteModel", T.GteConfig(**BERT, type_vocab_size=0), "hidden"),
    "gte-own-code": ("GteModel", T.GteConfig(**BERT), "hidden"),
    "gte-classifier": ("GteForSequenceClassification", T.GteConfig(**BERT, num_labels=3), "logits"),
    "electra": ("ElectraModel", T.ElectraConfig(**BERT, embedding_size=20), "hidden"),
    "electra-classifier": ("ElectraForSequenceClassification", T.ElectraConfig(**BERT, embedding_size=32, num_labels=2), "logits"),
    "albert": ("AlbertModel", T.AlbertConfig(**dict(BERT, num_hidden_layers=5), embedding_size=20, num_hidden_groups=2, inner_group_num=2), "pooled"),
    "albert-classifier": ("AlbertForSequenceClassification", T.AlbertConfig(**BERT, embedding_size=20, num_labels=3), "logits"),
    "deberta": ("DebertaModel", T.DebertaConfig(**DEBERTA), "hidden"),
    "deberta-far": ("DebertaForMaskedLM", T.DebertaConfig(**dict(DEBERTA, pos_att_type="c2p", type_vocab_size=2, position_biased_input=True), max_relative_positions=9), "hidden"),
    "deberta-v2": ("DebertaV2Model", T.DebertaV2Config(**dict(DEBERTA, pos_att_type=["p2c"]), max_relative_positions=12), "hidden"),
    "deberta-v2-apart": ("DebertaV2ForMaskedLM", T.DebertaV2Config(**dict(DEBERTA, type_vocab_size=2), position_buckets=8), "hidden"),
    "deberta-v3": ("DebertaV2Model", T.DebertaV2Config(**DEBERTA3), "hidden"),
    "deberta-v3-classifier": ("DebertaV2ForSequenceClassification", T.DebertaV2Config(**DEBERTA3, num_labels=3), "logits"),
    "bert-words": ("BertForMaskedLM", T.BertConfig(**BERT), "words"),
    "bert-words-apart": ("BertForMaskedLM", T.BertConfig(**BERT, hidden_act="relu", tie_word_embeddings=False), "words"),
    "roberta-words": ("XLMRobertaForMaskedLM", T.XLMRobertaConfig(**PADDED, hidden_act="relu"), "words"),
    "distilbert-words": ("DistilBertForMaskedLM", T.DistilBertConfig(**DISTIL), "words"),
    "mpnet-words": ("MPNetForMaskedLM", T.MPNetConfig(**BERT), "words"),
    "electra-words": ("ElectraForMaskedLM", T.ElectraConfig(**BERT, embedding_size=20), "words"),
    "albert-words": ("AlbertForMaskedLM", T.AlbertConfig(**BERT, embedding_size=20), "words"),
    "deberta-words": ("DebertaForMaskedLM", T.DebertaConfig(**DEBERTA), "words"),
    "deberta-v3-words": ("DebertaV2ForMaskedLM", T.DebertaV2Config(**DEBERTA3, legacy=False), "words"),
    "modernbert-words": ("ModernBertForMaskedLM", T.ModernBertConfig(**MODERN, classifier_activation="relu"), "words"),
    "eurobert-words": ("EuroBertForMaskedLM", T.EuroBertConfig(**BERT, **EURO), "words"),
    "nomic-words": ("NomicBertForMaskedLM", T.NomicBertConfig(**BERT), "words"),
    "gte-words": ("GteForMaskedLM", T.GteConfig(**BERT), "words"),
    **{name + "-marks": (cls + "ForTokenClassification", config, "marks") for name, cls, config in [
        ("bert", "Bert", T.BertConfig(**BERT, num_labels=5)), ("distilbert", "DistilBert", T.DistilBertConfig(**DISTIL, num_labels=3)), ("roberta", "Roberta", T.RobertaConfig(**PADDED, num_labels=4)),
        ("mpnet", "MPNet", T.MPNetConfig(**BERT, num_labels=3)), ("electra", "Electra", T.ElectraConfig(**BERT, embedding_size=20, num_labels=3)), ("albert", "Albert", T.AlbertConfig(**BERT, embedding_size=20, num_labels=3)),
        ("deberta", "Deberta", T.DebertaConfig(**DEBERTA, num_labels=3)), ("deberta-v3", "DebertaV2", T.DebertaV2Config(**DEBERTA3, num_labels=3)),
        ("modernbert", "ModernBert", T.ModernBertConfig(**MODERN, num_labels=3, norm_bias=True, classifier_bias=True, classifier_activation="silu")),
        ("eurobert", "EuroBert", T.EuroBertConfig(**BERT, num_labels=3, **EURO)), ("nomic", "NomicBert", T.NomicBertConfig(**BERT, num_labels=3)), ("gte", "Gte", T.GteConfig(**BERT, num_labels=3))]},
}


def own_code(model, folder):
    """GTE as its own code has it: the family is called new, and rope_scaling is ntk, which that code turns into these frequencies."""
    size, theta, factor = model.config.hidden_size // model.config.num_attention_heads, 200.0, 4.0
    model.rotary_emb.inv_freq.copy_(1 / (theta * factor) ** (torch.arange(0, size, 2) / size) / factor ** (2 / size))
    f = os.path.join(folder, "config.json")
    c = json.load(open(f))
    c.pop("rope_parameters")
    c.update(architectures=["NewModel"], model_type="new", pack_qkv=True, position_embedding_type="rope", layer_norm_type="layer_norm", rope_theta=theta, rope_scaling=dict(type="ntk", factor=factor),
             logn_attention_scale=False, auto_map=dict(AutoModel="modeling.NewModel"))
    json.dump(c, open(f, "w"), indent=2, sort_keys=True)
    f = os.path.join(folder, "model.safetensors")
    save_file({"new." + k: v for k, v in load_file(f).items()}, f)


def jina(folder, number):
    """JinaBERT, which the library lacks, in plain torch from the published description: its vectors and two layers of six heads."""
    gen, rng = torch.Generator().manual_seed(100 + number), random.Random(100 + number)
    d, h, f, F = 24, 6, 40, torch.nn.functional
    w = {}
    def linear(name, rows, cols, bias=True):
        w[name + ".weight"] = torch.randn(rows, cols, generator=gen) * 1.3 / cols ** 0.5
        if bias:
            w[name + ".bias"] = torch.randn(rows, generator=gen) * 0.2
    def norm(name):
        w[name + ".weight"], w[name + ".bias"] = 1 + torch.randn(d, generator=gen) * 0.2, torch.randn(d, generator=gen) * 0.2
    linear("embeddings.word_embeddings", 120, d, False); linear("embeddings.token_type_embeddings", 2, d, False); norm("embeddings.LayerNorm")
    layers = ["encoder.layer.%d." % i for i in range(2)]
    for p in layers:
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            linear(p + "attention." + part, d, d)
        norm(p + "attention.output.LayerNorm"); linear(p + "mlp.gated_layers", 2 * f, d, False); linear(p + "mlp.wo", d, f); norm(p + "mlp.layernorm")
    slopes = torch.tensor([2.0 ** -(2 * i) for i in range(1, 5)] + [2.0 ** -1, 2.0 ** -3])
    apply = lambda x, p: F.linear(x, w[p + ".weight"], w.get(p + ".bias"))
    normed = lambda x, p: F.layer_norm(x, (d,), w[p + ".weight"], w[p + ".bias"], 1e-12)
    cases = []
    for n in (1, 3, 17, 60):
        ids = [rng.randrange(3, 120) for _ in range(n)]
        x = normed(w["embeddings.word_embeddings.weight"][ids] + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        at = torch.arange(n)
        for p in layers:
            q, k, v = (apply(x, p + "attention.self." + s).view(n, h, d // h).transpose(0, 1) for s in ("query", "key", "value"))
            scores = q @ k.transpose(1, 2) / (d // h) ** 0.5 - slopes[:, None, None] * (at[:, None] - at).abs()
            x = normed(x + apply((scores.softmax(-1) @ v).transpose(0, 1).reshape(n, d), p + "attention.output.dense"), p + "attention.output.LayerNorm")
            gate, up = apply(x, p + "mlp.gated_layers").chunk(2, -1)
            x = normed(x + apply(F.gelu(gate) * up, p + "mlp.wo"), p + "mlp.layernorm")
        cases.append(dict(ids=ids, output="hidden", shape=list(x.shape), data=[float("%.7g" % y) for y in x.flatten().tolist()]))
    os.makedirs(folder, exist_ok=True)
    save_file(w, os.path.join(folder, "model.safetensors"), metadata={"format": "pt"})
    json.dump(dict(architecture="JinaBertForMaskedLM", cases=cases), open(os.path.join(folder, "expected.json"), "w"))
    json.dump(dict(architectures=["JinaBertForMaskedLM"], model_type="bert", position_embedding_type="alibi", feed_forward_type="geglu", hidden_act="gelu", layer_norm_eps=1e-12, vocab_size=120, hidden_size=d,
                   num_hidden_layers=2, num_attention_heads=h, intermediate_size=f, max_position_embeddings=64, type_vocab_size=2, auto_map=dict(AutoModel="modeling.JinaBertModel")),
              open(os.path.join(folder, "config.json"), "w"), indent=2, sort_keys=True)


if not sys.argv[1:] or "jina" in sys.argv[1:]:
    jina(os.path.join(HERE, "heads", "jina"), len(CASES))

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
    if name == "gte-own-code":
        own_code(model, folder)
    cases = []
    for n in (1, 3, 17):
        ids = [rng.randrange(3, 120) for _ in range(n)]
        x = torch.tensor([ids])
        with torch.no_grad():
            body = model if kind != "hidden" or cls.endswith("Model") else model.base_model
            res = body(input_ids=x, attention_mask=torch.ones_like(x))
        out = {"hidden": lambda: res.last_hidden_state[0], "logits": lambda: res.logits, "words": lambda: res.logits[0], "marks": lambda: res.logits[0], "pooled": lambda: res.pooler_output}[kind]()
        cases.append(dict(ids=ids, output=kind, shape=list(out.shape), data=[float("%.7g" % v) for v in out.flatten().tolist()]))
    json.dump(dict(architecture=cls, cases=cases), open(os.path.join(folder, "expected.json"), "w"))
    if name == "bert-old-names":
        f = os.path.join(folder, "model.safetensors")
        save_file({k.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): v for k, v in load_file(f).items()}, f)
