"""Write a trained checkpoint as a sentence-transformers folder, the form in which the model is shipped.

usage: export.py CHECKPOINT OUT

CHECKPOINT  folder with config.json, tokenizer.json and the weights (*.safetensors, Hugging Face BertModel names)
OUT         folder that receives model.safetensors (F16, one file), config.json, tokenizer.json,
            tokenizer_config.json, modules.json, sentence_bert_config.json, 1_Pooling and 2_Normalize

README.md in OUT (the model card) is written by hand and left alone.
"""
import glob
import json
import os
import shutil
import sys

import safetensors.torch

# What BertModel needs to know. Training notes that a checkpoint's config may carry are left out.
CONFIG_KEYS = [
    "architectures", "model_type", "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads",
    "intermediate_size", "hidden_act", "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "pad_token_id",
]
MODULES = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]


def write_json(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        json.dump(value, f, indent=2)
        f.write("\n")


def main():
    checkpoint, out = sys.argv[1:3]
    config = json.load(open(os.path.join(checkpoint, "config.json"), encoding="utf-8"))
    length = config["max_position_embeddings"]

    weights = {}
    for part in sorted(glob.glob(os.path.join(checkpoint, "*.safetensors"))):
        weights.update(safetensors.torch.load_file(part))
    os.makedirs(out, exist_ok=True)
    safetensors.torch.save_file(
        {name: w.half().contiguous() for name, w in weights.items()},
        os.path.join(out, "model.safetensors"), metadata={"format": "pt"})

    shutil.copyfile(os.path.join(checkpoint, "tokenizer.json"), os.path.join(out, "tokenizer.json"))
    write_json(f"{out}/config.json", {k: config[k] for k in CONFIG_KEYS} | {"torch_dtype": "float16"})
    write_json(f"{out}/tokenizer_config.json", {
        "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": length,
        "pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"})
    write_json(f"{out}/modules.json", [
        {"idx": i, "name": str(i), "path": path, "type": "sentence_transformers.models." + kind}
        for i, (path, kind) in enumerate(MODULES)])
    write_json(f"{out}/sentence_bert_config.json", {"max_seq_length": length, "do_lower_case": False})
    write_json(f"{out}/1_Pooling/config.json", {
        "word_embedding_dimension": config["hidden_size"], "pooling_mode_cls_token": False,
        "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False, "pooling_mode_mean_sqrt_len_tokens": False})
    # Normalize has no settings, but a folder must hold something to be kept by git and by go:embed.
    write_json(f"{out}/2_Normalize/config.json", {})

    size = sum(os.path.getsize(os.path.join(d, f)) for d, _, files in os.walk(out) for f in files)
    print(f"{sum(w.numel() for w in weights.values()):,} parameters, {size:,} bytes in {out}")


if __name__ == "__main__":
    main()
