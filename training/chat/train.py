"""Train starter-chat: first on documents with some dialogues among them, then on dialogues alone.

usage: train.py DATA EMBEDDER OUT SECONDS_TEXT SECONDS_CHAT [from=CHECKPOINT] [lr=3e-3] [chat_lr=1e-3] [width=384] [layers=9] [meaning=0.5] [point=0.3] [seed=0] [keep=1]

DATA   text.txt, dialogues.jsonl (dialogues.py) and tokenizer.json (tokenizer.py)
EMBEDDER  folder of starter-embed
OUT    receives text-*.safetensors after the first stage (with keep=1) and model-*.safetensors at the end, in parts of at most 15 MB
from=  a folder with the parts of either stage; the first stage is then left out

A dialogue is <|user|>\\ntext<|end|>\\n<|assistant|>\\ntext<|end|>\\n; in the second stage only replies count for the loss. A long text of a
user stands twice (layout.py): the second time it is read with the question known, wherever that stands.
Two more losses are taken of the vectors two thirds up. Their maps are thrown away afterwards.
- At the end of each sentence of a user, the embedder's vector of that sentence (weight "meaning"): so the model learns which wordings mean
  the same, also from sentences that nobody replies to.
- Where a reply repeats a sentence of the user, which sentence it is, told before its first word (weight "point"). The first words of
  such a reply count FIRST times, because they decide it.
"""
import glob
import itertools
import json
import math
import multiprocessing
import os
import random
import re
import sys
import time

import numpy as np
import safetensors.torch
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import layout
import related

CONTEXT, HEAD, GROUPS, BATCH = 1024, 64, 1, 128      # GROUPS: query heads that share one key head


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
        """Scores [rows, tokens, vocabulary], and the vectors two thirds up [rows, tokens, d]."""
        x = between = self.model["embed_tokens"](ids)
        for i, block in enumerate(self.model["layers"]):
            x = block(x, (self.cos, self.sin))
            if i + 1 == 2 * len(self.model["layers"]) // 3:
                between = x
        return F.linear(self.model["norm"](x), self.model["embed_tokens"].weight), between


def encode_all(tokenizer, texts, end):
    """Texts as one row of ids, `end` after each."""
    out = []
    for i in range(0, len(texts), 5000):
        out += [np.asarray(e.ids + [end], np.uint16) for e in tokenizer.encode_batch(texts[i:i + 5000])]
    return np.concatenate(out)


ENDS = 160          # most places of a row that are compared with the embedder
POINTS = 48         # most replies of a row that repeat a sentence
FIRST, WORDS = 4, 4 # how often the first words of such a reply count, and how many they are
WHOLE = 200         # characters of a text that is told whole at its end
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def sentence_ends(text, encoding):
    """[(piece, sentence)]: where the sentences of a text end. The last is the text's end, past its pieces; there a short text is told whole."""
    sentences, at = [], 0
    for part in SENTENCE.split(text):
        begin = text.index(part, at)
        at = begin + len(part)
        if part.strip():
            sentences.append((at, part))
    piece = {end: i for i, (_, end) in enumerate(encoding.offsets)}
    before = [(piece[end], part) for end, part in sentences[:-1] if end in piece]
    return before + [(len(encoding.ids), sentences[-1][1] if len(text) > WHOLE and sentences else text)]


def encode_dialogues(tokenizer, lines):
    """[(ids, weights, sentences, repeats)]: sentences [(place of the end, text)] of users; repeats [(place before the reply, sentences so
    far, number of the sentence that the reply repeats)]."""
    special = {t: tokenizer.token_to_id(t) for t in ("<|user|>", "<|assistant|>", "<|system|>", "<|end|>", "<|endoftext|>")}
    newline = tokenizer.encode("\n").ids
    lines = [json.loads(line) for line in lines]
    encoded = iter(tokenizer.encode_batch([text for turns in lines for _, text in turns]))
    out = []
    for turns in lines:
        ids, weights, sentences, repeats = [special["<|endoftext|>"]], [0], [], []
        for role, text in turns:
            encoding = next(encoded)
            if layout.twice(role, text):
                first = [special["<|user|>"]] + newline + encoding.ids + [special["<|end|>"]] + newline
                ids += first
                weights += [0] * len(first)
            ids += [special[f"<|{role}|>"]] + newline
            own = [int(role == "assistant")] * (len(encoding.ids) + 1)
            if role == "user":
                sentences += [(len(ids) + at, part) for at, part in sentence_ends(text, encoding)]
            elif same := [i for i, (_, part) in enumerate(sentences) if part.endswith(text)]:
                repeats.append((len(ids) - 1, len(sentences), same[0]))
                own[:WORDS] = [FIRST] * min(WORDS, len(own))
            ids += encoding.ids + [special["<|end|>"]] + newline
            weights += [0] * (1 + len(newline)) + own + [0] * len(newline)
        out.append((ids, weights, sentences, repeats))
    return out


class Dialogues:
    """Dialogues in rows of CONTEXT+1 ids, each row filled with whole dialogues, how often an id counts, and where sentences of users end.

    texts  [sentences]
    ends, which  [rows, ENDS]: the place of a sentence's end in its row (-1: none), and its number in texts (-1: not told)
    points [rows, POINTS, 4]: for a reply that repeats a sentence, the place before its first word (-1: none), and among `ends` of its row
           the first of its dialogue, the one after the last, and the sentence
    """

    def __init__(self, tokenizer, path):
        lines = open(path, encoding="utf-8").read().rstrip("\n").split("\n")
        chunks = [(tokenizer, lines[i:i + 2000]) for i in range(0, len(lines), 2000)]
        fill, numbers = tokenizer.token_to_id("<|endoftext|>"), {}
        rows, row = [], ([], [], [], [])                      # a row: ids, weights, ends, points
        with multiprocessing.get_context("fork").Pool() as pool:
            for ids, weights, sentences, repeats in itertools.chain.from_iterable(pool.starmap(encode_dialogues, chunks)):
                if len(ids) > CONTEXT:
                    continue
                if len(row[0]) + len(ids) > CONTEXT + 1:
                    rows.append(row)
                    row = ([], [], [], [])
                start, before = len(row[0]), len(row[2])
                row[0].extend(ids)
                row[1].extend(weights)
                for i, (at, text) in enumerate(sentences):     # a few sentences of a passage, and every short text, have their vectors told
                    told = len(sentences) < 4 or (start + i) % 4 == 0
                    row[2].append((start + at, numbers.setdefault(text, len(numbers)) if told else -1))
                row[3].extend((start + at, before, before + last, before + target) for at, last, target in repeats)
        self.texts = list(numbers)
        self.ids = table([r[0] for r in rows], CONTEXT + 1, fill)
        self.counts = table([r[1] for r in rows], CONTEXT + 1, 0).to(torch.uint8)
        self.ends = table([[at for at, _ in r[2]] for r in rows], ENDS, -1)
        self.which = table([[number for _, number in r[2]] for r in rows], ENDS, -1)
        self.points = table([[n for p in r[3] if p[2] <= ENDS for n in p] for r in rows], 4 * POINTS, -1).view(-1, POINTS, 4)


def table(lists, width, fill):
    """Numbers as one table [lists, width]: cut, or filled up."""
    out = np.full((len(lists), width), fill, np.int32)
    for row, some in zip(out, lists):
        row[:min(width, len(some))] = some[:width]
    return torch.tensor(out)


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


def meaning_loss(own, wanted, tau=0.05, most=2048):
    """1 - cosine, and half the KL divergence of the similarities among the texts; own, wanted [texts, width]"""
    a, b = own[:most], wanted[:most]
    hidden = torch.eye(len(a), dtype=torch.bool, device=a.device)
    ours = F.log_softmax((a @ a.T / tau).masked_fill(hidden, -1e4), 1)
    theirs = F.log_softmax((b @ b.T / tau).masked_fill(hidden, -1e4), 1)
    return (1 - (own * wanted).sum(1)).mean() + 0.5 * (theirs.exp() * (theirs - ours)).sum(1).mean()


class Pointer(nn.Module):
    """Tells which sentence a reply repeats, by the vectors before the reply and at the sentences' ends."""

    def __init__(self, d, width=128):
        super().__init__()
        self.asks, self.answers = nn.Linear(d, width), nn.Linear(d, width)

    def forward(self, between, ends, points):
        """between [rows, tokens, d]; ends, points as in Dialogues. Returns the loss and the share that is right."""
        row, turn = (points[..., 0] >= 0).nonzero(as_tuple=True)
        place, first, last, target = points[row, turn].long().unbind(-1)
        at_ends = between.gather(1, ends.clamp(min=0).long()[..., None].expand(-1, -1, between.shape[-1]))
        scores = torch.einsum("pw,pew->pe", self.asks(between[row, place].float()), self.answers(at_ends.float())[row]) / 10
        number = torch.arange(ends.shape[1], device=ends.device)
        hidden = (number < first[:, None]) | (number >= last[:, None]) | (ends[row] < 0)
        scores = scores.masked_fill(hidden, -1e4)
        return F.cross_entropy(scores, target), (scores.argmax(1) == target).float().mean()


class Trainer:
    def __init__(self, model, lr, vectors, meaning, point):
        self.model, self.forward, self.vectors = model, torch.compile(model), vectors
        d = model.model["norm"].weight.shape[0]
        self.lift, self.meaning = nn.Linear(d, vectors.shape[1]).cuda(), meaning
        self.pointer, self.point, self.pointed = Pointer(d).cuda(), point, 0.0
        matrices = [p for p in model.parameters() if p.dim() == 2]
        others = [p for p in model.parameters() if p.dim() < 2]
        self.optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": others + [*self.lift.parameters(), *self.pointer.parameters()], "weight_decay": 0.0}], lr=lr, betas=(0.9, 0.95), fused=True)

    def loss(self, ids, counts, ends=None, told=None, points=None, forward=None):
        """ends, told [rows, ENDS], points [rows, POINTS, 4]: of the last rows only, those with dialogues; told is which vector, or -1."""
        with torch.autocast("cuda", torch.bfloat16):
            scores, between = (forward or self.forward)(ids[:, :-1])
            loss = F.cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
        counts = counts[:, 1:].flatten().float()
        loss = (loss * counts).sum() / counts.sum().clamp(min=1)
        if ends is None:
            return loss
        row, turn = (told >= 0).nonzero(as_tuple=True)
        between = between[-len(ends):]
        own = between[row, ends[row, turn].long()].float()
        pointed, self.pointed = self.pointer(between, ends, points)
        return loss + self.meaning * meaning_loss(F.normalize(self.lift(own), dim=-1), self.vectors[told[row, turn].long()].float()) + self.point * pointed

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
                print(f"{name} {step} steps {gone:.0f} s, {step * BATCH * CONTEXT / 1e6:.0f} M tokens, loss {loss.item():.3f}, held out {held():.3f}, sentence {float(self.pointed):.3f}", flush=True)
        print(f"{name} END {step} steps, {step * BATCH * CONTEXT / 1e6:.0f} M tokens, held out {held():.3f}", flush=True)


def main():
    data, embedder, out, text_seconds, chat_seconds = sys.argv[1:6]
    options = {"lr": "3e-3", "width": "384", "layers": "9", "seed": "0", "from": "", "keep": "", "chat_lr": "1e-3", "meaning": "0.5", "point": "0.3"} | dict(a.split("=", 1) for a in sys.argv[6:])
    torch.manual_seed(int(options["seed"]))
    random.seed(int(options["seed"]))
    os.makedirs(out, exist_ok=True)
    device = "cuda"
    tokenizer = Tokenizer.from_file(f"{data}/tokenizer.json")
    dialogues = Dialogues(tokenizer, f"{data}/dialogues.jsonl")
    model = Llama(tokenizer.get_vocab_size(), int(options["width"]), int(options["layers"])).to(device)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters", flush=True)
    ids, counts = dialogues.ids.to(device).long(), dialogues.counts.to(device)
    held = slice(0, 64)
    print(len(ids), "rows of dialogues,", int(counts.sum()), "counted tokens", flush=True)
    vectors = related.embed(embedder, dialogues.texts)
    print(tuple(vectors.shape), "vectors", flush=True)
    ends, which, points = dialogues.ends.to(device), dialogues.which.to(device), dialogues.points.to(device)
    print(int((points[..., 0] >= 0).sum()), "replies that repeat a sentence", flush=True)
    trainer = Trainer(model, float(options["lr"]), vectors, float(options["meaning"]), float(options["point"]))

    @torch.no_grad()
    def held_loss():
        return trainer.loss(ids[held], counts[held], forward=model).item()

    def dialogue_rows(n):
        pick = torch.randint(64, len(ids), (n,), device=device)
        return ids[pick], counts[pick], ends[pick], which[pick], points[pick]

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
            rows, counted, *meant = dialogue_rows(own)
            text = stream[at + offsets].long()
            return torch.cat([text, rows]), torch.cat([torch.ones_like(text, dtype=torch.uint8), counted]), *meant

        trainer.stage("text", float(text_seconds), float(options["lr"]), mixed, held_loss)
        if options["keep"]:
            save(model, out, "text")
    trainer.stage("chat", float(chat_seconds), float(options["chat_lr"]), lambda _: dialogue_rows(BATCH), held_loss)
    save(model, out, "model")


if __name__ == "__main__":
    main()
