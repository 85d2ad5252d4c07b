#!/usr/bin/env python3
"""Makes tiny language models that rank, each with the scores of its authors' way to ask: the prompt is put together and
encoded as their code does, and the score is made of the logits at its last token.

    pip install torch transformers tokenizers
    python make_rankers.py

Weights are random (fixed seed); the vocabulary is the bytes and a few words. expected.json: {"query", "documents", "scores"}.
"""
import json, os, shutil
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
import transformers as T
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

HERE = os.path.dirname(os.path.abspath(__file__))
SPECIAL = ["<pad>", "<bos>", "<eos>", "<|im_start|>", "<|im_end|>"]
MERGES = [("y", "e"), ("ye", "s"), ("n", "o"), ("Y", "e"), ("Ye", "s"), ("?", "Ċ"), ("t", "h"), ("th", "e"), ("Ġ", "the")]
QUERY = "who lit the lamp?"
DOCUMENTS = ["The cat lit the lamp.", "snow falls outside", "naïve 日本 – no?", "tea " * 20]
INSTRUCT = "Given a web search query, retrieve relevant passages that answer the query"


def tokens(folder):
    words = SPECIAL + ["<think>", "</think>"] + sorted(pre_tokenizers.ByteLevel.alphabet()) + [a + b for a, b in MERGES]
    t = Tokenizer(models.BPE(vocab={w: i for i, w in enumerate(words)}, merges=MERGES))
    t.pre_tokenizer, t.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    t.add_special_tokens([AddedToken(s, special=True, normalized=False) for s in SPECIAL])
    t.add_tokens([AddedToken(s, special=False, normalized=False) for s in ("<think>", "</think>")])
    t.save(os.path.join(folder, "tokenizer.json"))
    json.dump(dict(tokenizer_class="PreTrainedTokenizerFast", pad_token="<pad>", bos_token="<bos>", eos_token="<eos>"), open(os.path.join(folder, "tokenizer_config.json"), "w"))
    return t


def qwen3(t, query, document):
    encode = lambda s: t.encode(s, add_special_tokens=False).ids
    return (encode('<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n')
            + encode(f"<Instruct>: {INSTRUCT}\n<Query>: {query}\n<Document>: {document}") + encode("<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"))


def mxbai(t, query, document):
    task = ("You are a search relevance expert who evaluates how well documents match search queries. For each query-document pair, carefully analyze the semantic relationship between them, "
            "then provide your binary relevance judgment (0 for not relevant, 1 for relevant).\nRelevance:")
    parts = ["<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\n", f"query: {query}", "\n", f"document: {document}", "\n", task,
             "<|im_end|>\n<|im_start|>assistant\n"]
    return [i for p in parts for i in t.encode(p, add_special_tokens=False).ids]


def bge(t, query, document):
    task = "Given a query A and a passage B, determine whether the passage contains an answer to the query by providing a prediction of either 'Yes' or 'No'."
    return [t.token_to_id("<bos>")] + [i for p in (f"A: {query}", "\n", f"B: {document}", "\n", task) for i in t.encode(p, add_special_tokens=False).ids]


TEMPLATE = "<|im_start|>system\n{{ (messages | selectattr('role', 'eq', 'query') | first).content }}<|im_end|>\n<|im_start|>user\n" \
           "{{ (messages | selectattr('role', 'eq', 'document') | first).content }}<|im_end|>\n{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"


def own(t, query, document):
    return t.encode(f"<|im_start|>system\n{query}<|im_end|>\n<|im_start|>user\n{document}<|im_end|>\n<|im_start|>assistant\n", add_special_tokens=False).ids


SIZES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=8, intermediate_size=48, max_position_embeddings=1024, tie_word_embeddings=True)


def ranker(name, seed, cls, config, prompt, yes, no, squash, files, stated):
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    t = tokens(folder)
    model = cls(config(vocab_size=t.get_vocab_size(), **SIZES)).eval()
    gen = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=gen) * (1.2 / p.shape[-1] ** 0.5) if p.dim() > 1 else p + torch.randn(p.shape, generator=gen) * 0.2)
    model.save_pretrained(folder)
    if os.path.exists(folder + "/generation_config.json"):
        os.remove(folder + "/generation_config.json")
    scores = []
    for d in DOCUMENTS:
        z = model(input_ids=torch.tensor([prompt(t, QUERY, d)])).logits[0, -1].double()
        x = z[t.token_to_id(yes)] - (z[t.token_to_id(no)] if no else 0)
        scores.append(float(torch.sigmoid(x) if squash else x))
    json.dump(dict(query=QUERY, documents=DOCUMENTS, scores=scores), open(folder + "/expected.json", "w"))
    if stated:
        files = dict(files, **{
            "modules.json": json.dumps([dict(idx=0, name="0", path="", type="sentence_transformers.base.modules.transformer.Transformer"),
                                        dict(idx=1, name="1", path="1_LogitScore", type="sentence_transformers.cross_encoder.modules.logit_score.LogitScore")]),
            "1_LogitScore/config.json": json.dumps(dict(true_token_id=t.token_to_id(yes), false_token_id=t.token_to_id(no) if no else None))})
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        open(os.path.join(folder, path), "w").write(text)


def classifier(name, of):
    """The ranker as a classifier with one output: the row of one word less that of the other."""
    from safetensors.torch import load_file, save_file
    folder, source = os.path.join(HERE, name), os.path.join(HERE, of)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for path in ("tokenizer.json", "tokenizer_config.json", "expected.json"):
        shutil.copy(os.path.join(source, path), folder)
    t, w = Tokenizer.from_file(folder + "/tokenizer.json"), load_file(source + "/model.safetensors")
    words = w["model.embed_tokens.weight"]
    w["score.weight"] = words[t.token_to_id("yes")][None] - words[t.token_to_id("no")][None]
    save_file(w, folder + "/model.safetensors", metadata={"format": "pt"})
    config = json.load(open(source + "/config.json"))
    json.dump(dict(config, architectures=["Qwen3ForSequenceClassification"], id2label={"0": "LABEL_0"}), open(folder + "/config.json", "w"), indent=1)


if __name__ == "__main__":
    ranker("rank-qwen3", 31, T.Qwen3ForCausalLM, T.Qwen3Config, qwen3, "yes", "no", True, {}, True)
    classifier("rank-classifier", "rank-qwen3")
    ranker("rank-qwen2", 32, T.Qwen2ForCausalLM, lambda head_dim, **c: T.Qwen2Config(**c), mxbai, "1", "0", False, {"README.md": "---\nlicense: apache-2.0\n---\n# mxbai-rerank-base-v2, but tiny\n"}, False)
    ranker("rank-gemma", 33, T.GemmaForCausalLM, T.GemmaConfig, bge, "Yes", None, False, {}, True)
    ranker("rank-template", 34, T.Qwen3ForCausalLM, T.Qwen3Config, own, "Yes", None, False, {"chat_template.jinja": TEMPLATE, "config_sentence_transformers.json": json.dumps(dict(activation_fn="torch.nn.modules.linear.Identity"))}, True)
