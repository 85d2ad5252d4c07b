#!/usr/bin/env python3
"""Make tasks/, a tiny jina-embeddings-v3 with small matrices for three tasks that differ, and the answers of the reference library.

    pip install torch transformers safetensors
    python make_tasks.py

The matrices are stored under the names of the published checkpoint. The answers are those of the library's own model after the matrices of
one task were added to its weights: the mean of the states of a text behind what texts for the task begin with, at length 1.
"""
import json, os, shutil, tempfile
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
import transformers as T
from safetensors.torch import load_file, save_file

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER, WORDS = os.path.join(HERE, "tasks"), os.path.join(HERE, "mean-normalize")
SIZES = dict(vocab_size=105, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=64, type_vocab_size=1, pad_token_id=0)
TASKS = {"retrieval.query": "query: ", "retrieval.passage": "the passage: ", "classification": "", "text-matching": ""}
RANK, ALPHA = 2, 1
TEXTS = ["The fire burns in the hearth.", "snow falls outside", "tea", "Zebras and quartz?", "A cat sleeps on the warm stone, and the fire burns in the hearth!"]

gen = torch.Generator().manual_seed(77)
model = T.JinaEmbeddingsV3Model(T.JinaEmbeddingsV3Config(**SIZES)).eval()
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.randn(p.shape, generator=gen) * (1.3 / p.shape[-1] ** 0.5) if p.dim() > 1 else p + torch.randn(p.shape, generator=gen) * 0.2)
shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER + "/1_Pooling")
model.save_pretrained(FOLDER)
library = json.load(open(FOLDER + "/config.json"))
saved = load_file(FOLDER + "/model.safetensors")
out, added = {}, {task: dict(saved) for task in TASKS}
for key, w in saved.items():
    if w.dim() < 2:
        out["roberta." + key] = w
        continue
    down, up = torch.randn(len(TASKS), RANK, w.shape[1], generator=gen) * 0.3, torch.randn(len(TASKS), w.shape[0], RANK, generator=gen) * 0.3
    stem, kind = ("roberta." + key).rsplit(".", 1)
    stem = "%s.parametrizations.%s" % (stem, kind)
    out[stem + ".original"] = w
    out[stem + ".0.lora_A"], out[stem + ".0.lora_B"] = (up, down) if "embeddings" in stem else (down, up)
    for i, task in enumerate(TASKS):
        added[task][key] = w + ALPHA / RANK * up[i] @ down[i]
save_file({k: v.contiguous() for k, v in out.items()}, FOLDER + "/model.safetensors", metadata={"format": "pt"})
json.dump(dict(architectures=["XLMRobertaModel"], model_type="xlm-roberta", auto_map={"AutoModel": "x--y.XLMRobertaLoRA"}, position_embedding_type="rotary", rotary_emb_base=20000.0,
               lora_adaptations=list(TASKS), lora_alpha=ALPHA, lora_rank=RANK, lora_dropout_p=0.0, task_instructions=TASKS, hidden_act="gelu", layer_norm_eps=model.config.layer_norm_eps, **SIZES),
          open(FOLDER + "/config.json", "w"), indent=1)
for name in ("tokenizer.json", "tokenizer_config.json"):
    shutil.copy(os.path.join(WORDS, name), FOLDER)
json.dump([dict(idx=i, name=str(i), path=path, type="sentence_transformers.models." + kind) for i, (path, kind) in enumerate([("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")])],
          open(FOLDER + "/modules.json", "w"), indent=1)
json.dump(dict(word_embedding_dimension=24, pooling_mode_mean_tokens=True), open(FOLDER + "/1_Pooling/config.json", "w"))
tokenizer = T.PreTrainedTokenizerFast(tokenizer_file=FOLDER + "/tokenizer.json")
answers = {}
for task, before in TASKS.items():
    with tempfile.TemporaryDirectory() as merged:
        json.dump(library, open(merged + "/config.json", "w"))
        save_file({k: v.contiguous() for k, v in added[task].items()}, merged + "/model.safetensors", metadata={"format": "pt"})
        model = T.JinaEmbeddingsV3Model.from_pretrained(merged).eval()
    answers[task] = []
    for text in TEXTS:
        with torch.no_grad():
            x = model(input_ids=torch.tensor([tokenizer(before + text)["input_ids"]])).last_hidden_state[0].mean(0)
        answers[task].append([float("%.7g" % y) for y in (x / x.norm()).tolist()])
json.dump(dict(texts=TEXTS, tasks=answers), open(FOLDER + "/answers.json", "w"))
