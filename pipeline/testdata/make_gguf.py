#!/usr/bin/env python3
"""Make the GGUF files in gguf-*/ from the checkpoints beside them, with llama.cpp's converter.

    pip install torch transformers
    python make_gguf.py LLAMA_CPP        # a checkout of llama.cpp

The reranker's vocabulary gets a merge, which such files need, in place of a byte that texts do not have; the reference
library's scores with it lie beside the file.
"""
import json, os, shutil, sys, tempfile
from pathlib import Path
sys.path[:0] = [sys.argv[1], os.path.join(sys.argv[1], "gguf-py")]
import gguf
import torch
from conversion import ModelBase, get_model_class
from tokenizers import Tokenizer
from transformers import AutoModelForSequenceClassification

HERE = Path(__file__).parent


def with_merge(folder):
    file = folder / "tokenizer.json"
    t = json.loads(file.read_text())
    t["model"]["vocab"]["th"] = t["model"]["vocab"].pop("Ā")
    t["model"]["merges"] = ["t h"]
    file.write_text(json.dumps(t))


def scores(folder):
    tokens, model = Tokenizer.from_file(str(folder / "tokenizer.json")), AutoModelForSequenceClassification.from_pretrained(folder).eval()
    query, documents = "who lit the lamp?", ["The fire burns in the hearth.", "snow falls outside", "tea", "this and that, with thirty others!"]
    with torch.inference_mode():
        each = [model(input_ids=torch.tensor([tokens.encode(query, d).ids])).logits.sigmoid().item() for d in documents]
    return dict(query=query, documents=documents, scores=each)


for name, pre in {"cls": "default", "mean-normalize": "default", "rerank-roberta": "roberta-bpe"}.items():
    with tempfile.TemporaryDirectory() as temporary:
        folder, target = Path(temporary) / name, HERE / f"gguf-{name}"
        shutil.copytree(HERE / name, folder)
        target.mkdir(exist_ok=True)
        if name == "rerank-roberta":
            with_merge(folder)
            (target / "expected.json").write_text(json.dumps(scores(folder)))
        hparams = ModelBase.load_hparams(folder, False)
        cls = get_model_class(hparams["architectures"][0])
        cls.get_vocab_base_pre = lambda self, tokenizer: pre  # which knows published vocabularies alone
        with torch.inference_mode():
            cls(folder, gguf.LlamaFileType.ALL_F32, target / "model.gguf", hparams=hparams).write()
