#!/usr/bin/env python3
"""Make the tiny sentence-transformers checkpoints beside this file, each with the reference library's answers.

    pip install torch transformers sentence-transformers tokenizers
    python make.py

Weights are random (fixed seed); the vocabulary is a list of our own. Every folder gets the checkpoint and
expected.json: {"texts", "vectors"} for embedders, {"query", "documents", "scores"} for rerankers.
"""
import json, os, shutil, warnings
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
warnings.filterwarnings("ignore")
import torch
from sentence_transformers import CrossEncoder, SentenceTransformer, models as st
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForSequenceClassification, BertModel, PreTrainedTokenizerFast, Qwen3Config, Qwen3Model, RobertaConfig, RobertaForSequenceClassification

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = "the a fire burns in hearth and cat sleeps on warm stone snow falls outside window tea is ready who lit lamp query passage : . , ? !".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
TEXTS = ["The fire burns in the hearth.", "snow falls outside", "tea", "A cat sleeps on the warm stone, and the fire burns in the hearth!",
         "Zebras and quartz?", " ".join(["the cat sleeps on the warm stone and"] * 12)]


def wordpiece(folder):
    vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + WORDS + [c for c in LETTERS if c not in WORDS] + ["##" + c for c in LETTERS]
    t = Tokenizer(models.WordPiece({w: i for i, w in enumerate(vocab)}, unk_token="[UNK]"))
    t.normalizer, t.pre_tokenizer, t.decoder = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer(), decoders.WordPiece()
    t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    PreTrainedTokenizerFast(tokenizer_object=t, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]",
                            model_max_length=64, model_input_names=["input_ids", "token_type_ids", "attention_mask"]).save_pretrained(folder)
    return len(vocab)


def roberta_tokens(folder):
    vocab = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"] + sorted(pre_tokenizers.ByteLevel.alphabet())
    t = Tokenizer(models.BPE(vocab={w: i for i, w in enumerate(vocab)}, merges=[], unk_token="<unk>"))
    t.pre_tokenizer, t.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    t.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), True, False)
    PreTrainedTokenizerFast(tokenizer_object=t, pad_token="<pad>", unk_token="<unk>", cls_token="<s>", sep_token="</s>", mask_token="<mask>", bos_token="<s>", eos_token="</s>",
                            model_max_length=128, model_input_names=["input_ids", "attention_mask"]).save_pretrained(folder)
    return len(vocab)


def randomize(model, seed):
    gen = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=gen) * (1.2 / p.shape[-1] ** 0.5) if p.dim() > 1 else p + torch.randn(p.shape, generator=gen) * 0.2)
    return model


SIZES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, max_position_embeddings=64)


def encoder(folder, seed):
    n = wordpiece(folder)
    randomize(BertModel(BertConfig(vocab_size=n, **SIZES)).eval(), seed).save_pretrained(folder)


def fresh(name):
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def dump(folder, data):
    json.dump(data, open(os.path.join(folder, "expected.json"), "w"))


def embedder(name, seed, pooling, *after, prompts=None, default=None, include_prompt=True, max_seq=None, lower=False):
    folder, base = fresh(name), fresh("base.tmp")
    encoder(base, seed)
    t = st.Transformer(base, max_seq_length=max_seq, do_lower_case=lower)
    p = st.Pooling(32, pooling_mode=pooling, include_prompt=include_prompt)
    torch.manual_seed(seed)
    mods = [t, p]
    for make in after:
        mods.append(randomize(make(p.get_sentence_embedding_dimension() if len(mods) == 2 else 24), seed + len(mods)))
    m = SentenceTransformer(modules=mods, device="cpu", prompts=prompts, default_prompt_name=default)
    m.save(folder, create_model_card=False)
    m = SentenceTransformer(folder, device="cpu")
    vectors = [m.encode(x).astype(float).round(7).tolist() for x in TEXTS]
    dump(folder, dict(texts=TEXTS, vectors=vectors))
    shutil.rmtree(base)


def reranker(name, seed, cls, config, tokens, activation):
    folder = fresh(name)
    n = tokens(folder)
    randomize(cls(config(n)).eval(), seed).save_pretrained(folder)
    if activation is not None:
        c = json.load(open(folder + "/config.json"))
        c.update(activation)
        json.dump(c, open(folder + "/config.json", "w"), indent=1)
    m = CrossEncoder(folder, device="cpu")
    query, docs = "who lit the lamp?", [t for t in TEXTS[:5]]
    dump(folder, dict(query=query, documents=docs, scores=[float(m.predict([(query, d)])[0]) for d in docs]))


def decoder_tokens(folder):
    """Qwen's kind of tokenizer: bytes, and <|endoftext|> behind every text, which is also the padding."""
    vocab = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"] + sorted(pre_tokenizers.ByteLevel.alphabet())
    t = Tokenizer(models.BPE(vocab={w: i for i, w in enumerate(vocab)}, merges=[]))
    t.normalizer, t.pre_tokenizer, t.decoder = normalizers.NFC(), pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    t.add_special_tokens(vocab[:3])
    t.post_processor = processors.TemplateProcessing(single="$A <|endoftext|>", pair="$A $B <|endoftext|>", special_tokens=[("<|endoftext|>", 0)])
    PreTrainedTokenizerFast(tokenizer_object=t, pad_token="<|endoftext|>", eos_token="<|im_end|>", padding_side="left",
                            model_max_length=128, model_input_names=["input_ids", "attention_mask"]).save_pretrained(folder)
    return len(vocab)


def decoder_embedder(name, seed, pooling, whole, *after):
    """An embedder over a language model, as Qwen3-Embedding is; whole: with the output layer and its name."""
    folder, base = fresh(name), fresh("base.tmp")
    config = Qwen3Config(vocab_size=decoder_tokens(base), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                         head_dim=8, intermediate_size=48, max_position_embeddings=128, tie_word_embeddings=True)
    randomize(Qwen3Model(config).eval(), seed).save_pretrained(base)
    mods = [st.Transformer(base), st.Pooling(32, pooling_mode=pooling)] + [make(32) for make in after]
    m = SentenceTransformer(modules=mods, device="cpu", prompts={"query": "Instruct: find it\nQuery:", "document": ""})
    m.save(folder, create_model_card=False)
    if whole:
        c = json.load(open(folder + "/config.json"))
        json.dump(dict(c, architectures=["Qwen3ForCausalLM"]), open(folder + "/config.json", "w"), indent=1)
    m = SentenceTransformer(folder, device="cpu")
    vectors = [m.encode(x).astype(float).round(7).tolist() for x in TEXTS]
    together = m.encode(TEXTS)  # padded on the left
    assert max(abs(float(a - b)) for x, y in zip(vectors, together) for a, b in zip(x, y)) < 1e-4
    dump(folder, dict(texts=TEXTS, vectors=vectors))
    shutil.rmtree(base)


def typed():
    """typed.json: what CrossEncoder makes of control tokens that somebody typed."""
    out = {}
    for name, sep in (("rerank-bert", "[SEP]"), ("rerank-roberta", "</s>")):
        m = CrossEncoder(os.path.join(HERE, name), device="cpu")
        docs = [f"the fire {sep} burns", sep, "tea [MASK] tea <mask>", "the fire burns"]
        out[name] = [dict(query=q, documents=docs, scores=[round(float(m.predict([(q, d)])[0]), 7) for d in docs])
                     for q in ("who lit the lamp?", f"who lit {sep} the lamp?")]
    json.dump(out, open(os.path.join(HERE, "typed.json"), "w"), indent=1)


if __name__ == "__main__":
    normalize = lambda d: st.Normalize()
    dense = lambda act: lambda d: st.Dense(d, 24, activation_function=act)
    embedder("mean-normalize", 1, "mean", normalize, max_seq=32)
    embedder("cls", 2, "cls")
    embedder("max-last", 3, ("max", "lasttoken"))
    embedder("sqrt-weighted", 4, ("mean_sqrt_len_tokens", "weightedmean"), normalize)
    embedder("dense-tanh", 5, "mean", dense(torch.nn.Tanh()), normalize)
    embedder("dense-identity-norm", 6, ("cls", "mean"), dense(torch.nn.Identity()), lambda d: st.LayerNorm(d))
    embedder("prompts", 7, "mean", normalize, prompts={"query": "query: ", "document": "passage: "}, default="query")
    embedder("prompt-excluded", 8, "mean", prompts={"query": "query: "}, default="query", include_prompt=False)
    decoder_embedder("decoder-last", 9, "lasttoken", True, normalize)
    decoder_embedder("decoder-mean", 10, "mean", False)
    bert = lambda n: BertConfig(vocab_size=n, num_labels=1, **SIZES)
    roberta = lambda n: RobertaConfig(vocab_size=n, num_labels=1, pad_token_id=1, type_vocab_size=1, **dict(SIZES, max_position_embeddings=130))
    reranker("rerank-bert", 11, BertForSequenceClassification, bert, wordpiece, None)
    reranker("rerank-bert-identity", 12, BertForSequenceClassification, bert, wordpiece, {"sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity"}})
    reranker("rerank-roberta", 13, RobertaForSequenceClassification, roberta, roberta_tokens, {"sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"})
    typed()
