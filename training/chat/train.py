"""Train starter-chat: first on documents with some dialogues among them, then on dialogues alone.

usage: train.py DATA OUT SECONDS_TEXT SECONDS_CHAT [from=CHECKPOINT] [lr=3e-3] [width=384] [layers=9] [seed=0] [keep=1]

DATA   text.txt, dialogues.jsonl (dialogues.py) and tokenizer.json (tokenizer.py)
OUT    receives text-*.safetensors after the first stage (with keep=1) and model-*.safetensors at the end, in parts of at most 15 MB
from=  a folder with the parts of either stage; the first stage is then left out

A dialogue is <|user|>\\ntext<|end|>\\n<|assistant|>\\ntext<|end|>\\n; in the second stage only replies count for the loss.
"""
import glob
import json
import math
import os
import random
import sys
import time

import numpy as np
import safetensors.torch
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import nn

CONTEXT, HEAD, GROUPS, BATCH = 1024, 64, 3, 128      # GROUPS: query heads that share one key head


class Block(nn.Module):
    def __init__(self, d, ff):
        super().__init__()
        linear = lambda i, o: nn.Linear(i, o, bias=False)
        self.self_attn = nn.ModuleDict({"q_proj": linear(d, d), "k_proj": linear(d, d // GROUPS), "v_proj": linear(d, d // GROUPS), "o_proj": linear(d, d)})
        self.mlp = nn.ModuleDict({"gate_proj": linear(d, ff), "up_proj": linear(d, ff), "down_proj": linear(ff, d)})
        self.input_layernorm, self.post_attention_layernorm = nn.RMSNorm(d, 1e-5), nn.RMSNorm(d, 1e-5)

    def forward(self, x, rotation):                   # x [rows, tokens, d]
        rows, tokens, d = x.shape
        attention, mlp, h = self.self_attn, self.mlp, self.input_layernorm(x)
        q, k, v = (attention[n](h).view(rows, tokens, -1, HEAD).transpose(1, 2) for n in ("q_proj", "k_proj", "v_proj"))
        o = F.scaled_dot_product_attention(rotate(q, rotation), rotate(k, rotation), v, is_causal=True, enable_gqa=True)
        x = x + attention["o_proj"](o.transpose(1, 2).reshape(rows, tokens, d))
        h = self.post_attention_layernorm(x)
        return x + mlp["down_proj"](F.silu(mlp["gate_proj"](h)) * mlp["up_proj"](h))


def rotate(x, rotation):
    """Rotary positions in the half-split form of Llama checkpoints."""
    cos, sin = (r[:x.shape[2]] for r in rotation)
    a, b = x.chunk(2, -1)
    return x * cos.to(x.dtype) + torch.cat([-b, a], -1) * sin.to(x.dtype)


class Llama(nn.Module):
    def __init__(self, vocab, d, layers):
        super().__init__()
        self.ff = round(8 * d / 3 / 64) * 64
        self.model = nn.ModuleDict({"embed_tokens": nn.Embedding(vocab, d), "layers": nn.ModuleList(Block(d, self.ff) for _ in range(layers)), "norm": nn.RMSNorm(d, 1e-5)})
        for name, p in self.named_parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02 / (math.sqrt(2 * layers) if "o_proj" in name or "down" in name else 1))
        angle = torch.arange(CONTEXT)[:, None] * 10000 ** (-torch.arange(0, HEAD, 2) / HEAD)
        self.register_buffer("cos", angle.cos().repeat(1, 2), persistent=False)
        self.register_buffer("sin", angle.sin().repeat(1, 2), persistent=False)

    def forward(self, ids):
        x = self.model["embed_tokens"](ids)
        for block in self.model["layers"]:
            x = block(x, (self.cos, self.sin))
        return F.linear(self.model["norm"](x), self.model["embed_tokens"].weight)


def encode_all(tokenizer, texts, end):
    """Texts as one row of ids, `end` after each."""
    out = []
    for i in range(0, len(texts), 5000):
        out += [np.asarray(e.ids + [end], np.uint16) for e in tokenizer.encode_batch(texts[i:i + 5000])]
    return np.concatenate(out)


class Dialogues:
    """Dialogues in rows of CONTEXT+1 ids, each row filled with whole dialogues, and which ids count."""

    def __init__(self, tokenizer, path, limit=0):
        special = {t: tokenizer.token_to_id(t) for t in ("<|user|>", "<|assistant|>", "<|system|>", "<|end|>", "<|endoftext|>")}
        newline = tokenizer.encode("\n").ids
        lines = open(path, encoding="utf-8").read().rstrip("\n").split("\n")
        lines = [json.loads(line) for line in (lines[:limit] if limit else lines)]
        texts = [text for turns in lines for _, text in turns]
        encoded = iter([e.ids for i in range(0, len(texts), 20000) for e in tokenizer.encode_batch(texts[i:i + 20000])])
        rows, counts, row, count = [], [], [], []
        for turns in lines:
            ids, counted = [special["<|endoftext|>"]], [0]
            for role, _ in turns:
                body = next(encoded)
                head = [special[f"<|{role}|>"]] + newline
                own = int(role == "assistant")
                ids += head + body + [special["<|end|>"]] + newline
                counted += [0] * len(head) + [own] * (len(body) + 1) + [0] * len(newline)
            if len(ids) > CONTEXT:
                continue
            if len(row) + len(ids) > CONTEXT + 1:
                fill = CONTEXT + 1 - len(row)
                rows.append(row + [special["<|endoftext|>"]] * fill)
                counts.append(count + [0] * fill)
                row, count = [], []
            row, count = row + ids, count + counted
        self.ids = torch.tensor(np.asarray(rows, np.int32))
        self.counts = torch.tensor(np.asarray(counts, np.uint8))


def save(model, out, name):
    weights = {k: v.half().cpu().contiguous() for k, v in model.state_dict().items()}
    parts, size = [{}], 0
    for key, value in weights.items():
        if size + value.numel() * 2 > 15_000_000:
            parts.append({})
            size = 0
        parts[-1][key] = value
        size += value.numel() * 2
    for i, part in enumerate(parts):
        safetensors.torch.save_file(part, f"{out}/{name}-{i}.safetensors", metadata={"format": "pt"})


def restore(model, folder, name):
    weights = {}
    for path in glob.glob(f"{folder}/{name}-*.safetensors"):
        weights.update(safetensors.torch.load_file(path))
    model.load_state_dict({k: v.float() for k, v in weights.items()})


class Trainer:
    def __init__(self, model, lr):
        self.model, self.forward = model, torch.compile(model)
        matrices = [p for p in model.parameters() if p.dim() == 2]
        others = [p for p in model.parameters() if p.dim() < 2]
        self.optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=lr, betas=(0.9, 0.95), fused=True)

    def loss(self, ids, counts=None, forward=None):
        with torch.autocast("cuda", torch.bfloat16):
            scores = (forward or self.forward)(ids[:, :-1])
            loss = F.cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
        if counts is None:
            return loss.mean()
        counts = counts[:, 1:].flatten().float()
        return (loss * counts).sum() / counts.sum().clamp(min=1)

    def stage(self, name, seconds, peak, draw, held):
        """Trains for so many seconds; draw(step) returns ids and what counts, held() a held-out loss."""
        start, step, told = time.time(), 0, 0.0
        while (gone := time.time() - start) < seconds:
            share = gone / seconds
            lr = peak * min(1, (step + 1) / 200) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * share)))
            for group in self.optimizer.param_groups:
                group["lr"] = lr
            loss = self.loss(*draw(share))
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            step += 1
            if step % 10 == 0:
                torch.cuda.synchronize()
            if gone - told > seconds / 6:
                told = gone
                print(f"{name} {step} steps {gone:.0f} s, {step * BATCH * CONTEXT / 1e6:.0f} M tokens, loss {loss.item():.3f}, held out {held():.3f}", flush=True)
        print(f"{name} END {step} steps, {step * BATCH * CONTEXT / 1e6:.0f} M tokens, held out {held():.3f}", flush=True)


def main():
    data, out, text_seconds, chat_seconds = sys.argv[1:5]
    options = {"lr": "3e-3", "width": "384", "layers": "9", "seed": "0", "from": "", "keep": ""} | dict(a.split("=", 1) for a in sys.argv[5:])
    torch.manual_seed(int(options["seed"]))
    random.seed(int(options["seed"]))
    os.makedirs(out, exist_ok=True)
    device = "cuda"
    tokenizer = Tokenizer.from_file(f"{data}/tokenizer.json")
    model = Llama(tokenizer.get_vocab_size(), int(options["width"]), int(options["layers"])).to(device)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters", flush=True)
    dialogues = Dialogues(tokenizer, f"{data}/dialogues.jsonl")
    ids, counts = dialogues.ids.to(device).long(), dialogues.counts.to(device)
    held = slice(0, 64)
    train_ids, train_counts = ids[64:], counts[64:]
    print(len(ids), "rows of dialogues,", int(counts.sum()), "counted tokens", flush=True)
    trainer = Trainer(model, float(options["lr"]))

    @torch.no_grad()
    def held_loss():
        return trainer.loss(ids[held], counts[held], model).item()

    def dialogue_rows(n):
        pick = torch.randint(0, len(train_ids), (n,), device=device)
        return train_ids[pick], train_counts[pick]

    if options["from"]:
        restore(model, options["from"], "text" if glob.glob(f"{options['from']}/text-*") else "model")
    else:
        documents = open(f"{data}/text.txt", encoding="utf-8").read().split("\n<|doc|>\n")
        stream = torch.from_numpy(encode_all(tokenizer, documents, tokenizer.token_to_id("<|endoftext|>")).astype(np.int32)).to(device)
        print(len(stream), "tokens of text", flush=True)
        offsets = torch.arange(CONTEXT + 1, device=device)

        def mixed(share):
            own = int(BATCH * (0.1 + 0.25 * share))           # dialogues become more as the stage goes on
            at = torch.randint(0, len(stream) - CONTEXT - 1, (BATCH - own, 1), device=device)
            rows, counted = dialogue_rows(own)
            text = stream[at + offsets].long()
            return torch.cat([text, rows]), torch.cat([torch.ones_like(text, dtype=torch.uint8), counted])

        trainer.stage("text", float(text_seconds), float(options["lr"]), mixed, held_loss)
        if options["keep"]:
            save(model, out, "text")
    trainer.stage("chat", float(chat_seconds), float(options["lr"]) / 3, lambda _: dialogue_rows(BATCH), held_loss)
    save(model, out, "model")


if __name__ == "__main__":
    main()
