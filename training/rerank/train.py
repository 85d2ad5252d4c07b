"""Train starter-rerank: a cross-encoder that starts from starter-embed and learns the order of lists.

usage: train.py LISTS STARTER CRANFIELD_DIR OUT [name=value ...]

LISTS          lists.pt of lists.py
STARTER        folder of starter-embed
CRANFIELD_DIR  evaluation set, only measured
OUT            receives model.safetensors (F16), config.json, tokenizer.json and tokenizer_config.json

name=value, with the default:
  seconds=240 questions=96 lr=4e-4 warmup=300     length of the run, lists a step, peak rate (cosine to 2 %)
  tau=0.12 label=0.3 meaning=0.5                  temperature of the teacher's marks, weight of "this is the one it came from",
                                                  share of the cosine beside BM25 in a mark
  seed=0 measure=4

The loss is the KL divergence of the model's order of each list to the marks' order, and the cross entropy of the own passage
among those that are of other sections.
"""
import json
import math
import os
import shutil
import sys
import time

import safetensors.torch
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bert
import hybrid

OPTIONS = {"seconds": 240.0, "questions": 96, "lr": 4e-4, "warmup": 300, "tau": 0.12, "label": 0.3, "meaning": 0.5, "seed": 0, "measure": 4}
LONGEST, QUESTION = 256, 64         # pieces of a pair, and of its question


class Reranker(nn.Module):
    """BertForSequenceClassification with one label: its names and its sums."""

    def __init__(self, encoder):
        super().__init__()
        d = encoder.config["hidden_size"]
        self.bert = encoder
        self.pooler = nn.Linear(d, d)
        self.classifier = nn.Linear(d, 1)
        for m in (self.pooler, self.classifier):
            nn.init.normal_(m.weight, std=bert.INITIAL_STD)
            nn.init.zeros_(m.bias)

    def forward(self, ids, positions, starts, types):
        """Marks [texts] of packed pairs."""
        _, x = self.bert(ids, positions, starts, LONGEST, types=types)
        return self.classifier(torch.tanh(self.pooler(x[starts[:-1].long()])))[:, 0].float()

    def weights(self):
        renamed = {"pooler": "bert.pooler.dense"}
        return {".".join([renamed.get(k.split(".")[0], k.split(".")[0]), *k.split(".")[1:]]): v.half().cpu().contiguous() for k, v in self.state_dict().items()}


class Pairs:
    """Packs questions and passages, cut into pieces, to [CLS] question [SEP] passage [SEP], on the GPU."""

    def __init__(self, cls, sep, device):
        self.cls, self.sep, self.device = cls, sep, device

    def pack(self, q, p):
        """q, p: (ids, begin [pairs], length [pairs]) -> ids, positions [tokens], starts [pairs + 1], types [tokens]"""
        qn = q[2].clamp(max=QUESTION)
        pn = torch.minimum(p[2], LONGEST - 3 - qn)
        length = qn + pn + 3
        starts = F.pad(length.cumsum(0), (1, 0))
        pair = torch.repeat_interleave(torch.arange(len(length), device=self.device), length)
        at = torch.arange(len(pair), device=self.device) - starts[pair]
        in_passage = at >= (qn + 2)[pair]
        from_q = q[0][(q[1][pair] + at - 1).clamp(0, len(q[0]) - 1)]
        from_p = p[0][(p[1][pair] + at - 2 - qn[pair]).clamp(0, len(p[0]) - 1)]
        ids = torch.where(in_passage, from_p, from_q).long()
        ids[at == 0] = self.cls
        ids[(at == (qn + 1)[pair]) | (at == (length - 1)[pair])] = self.sep
        return ids, at, starts.int(), in_passage.long()


class Lists:
    def __init__(self, path, pairs, device):
        data = torch.load(path)
        self.pairs, self.device = pairs, device
        self.count = len(data["list"])
        for name in ("list", "cosine", "words", "allowed", "own"):
            setattr(self, name, data[name].to(device))
        for name in ("passages", "rests", "questions"):
            setattr(self, name, tuple(t.to(device) for t in data[name]))
        # passages and rests end to end, so that one table serves both
        self.pieces = torch.cat([self.passages[0], self.rests[0]])
        self.begin = torch.cat([self.passages[1][:-1], len(self.passages[0]) + self.rests[1][:-1]])
        self.length = torch.cat([self.passages[1].diff(), self.rests[1].diff()])
        own = self.own + len(self.passages[1]) - 1
        self.list = self.list.long()
        self.list[:, 0] = torch.where(self.own >= 0, own, self.list[:, 0])

    def batch(self, which):
        """Packed pairs of the lists `which`, a list's pairs side by side."""
        size = self.list.shape[1]
        q = which.repeat_interleave(size)
        p = self.list[which].flatten()
        packed = self.pairs.pack((self.questions[0], self.questions[1][q], self.questions[1][q + 1] - self.questions[1][q]), (self.pieces, self.begin[p], self.length[p]))
        return packed, self.marks(which), self.allowed[which]

    def marks(self, which):
        return stretch(self.cosine[which].float()), stretch(self.words[which].float())


def stretch(x):
    low, high = x.amin(1, keepdim=True), x.amax(1, keepdim=True)
    return (x - low) / (high - low).clamp(min=1e-6)


def pieces(tokenizer, texts, device):
    encoded = [e.ids for e in tokenizer.encode_batch(texts, add_special_tokens=False)]
    length = torch.tensor([len(e) for e in encoded], device=device)
    return torch.tensor([i for e in encoded for i in e], device=device), F.pad(length.cumsum(0), (1, 0))[:-1], length


def scorer(model, pairs, tokenizer, device):
    """A score(question, n texts) -> list of n marks."""
    @torch.no_grad()
    def score(question, texts):
        ids, begin, length = pieces(tokenizer, [question], device)
        packed = pairs.pack((ids, begin.expand(len(texts)), length.expand(len(texts))), pieces(tokenizer, texts, device))
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            return model(*packed).tolist()
    return score


def save(model, starter, out):
    os.makedirs(out, exist_ok=True)
    safetensors.torch.save_file(model.weights(), f"{out}/model.safetensors", metadata={"format": "pt"})
    config = json.load(open(f"{starter}/config.json", encoding="utf-8"))
    config |= {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}}
    with open(f"{out}/config.json", "w", encoding="utf-8") as f:
        json.dump(config, f, indent=2)
        f.write("\n")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(f"{starter}/{name}", f"{out}/{name}")


def main():
    path, starter, cranfield_dir, out = sys.argv[1:5]
    o = dict(OPTIONS)
    for name, value in (a.split("=") for a in sys.argv[5:]):
        o[name] = type(o[name])(float(value))
    torch.manual_seed(o["seed"])
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = Tokenizer.from_file(f"{starter}/tokenizer.json")
    tokenizer.no_padding(), tokenizer.no_truncation()
    pairs = Pairs(tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]"), device)
    model = Reranker(bert.load(starter)).to(device)
    judge = hybrid.Cranfield(cranfield_dir, starter, device)
    score = scorer(model, pairs, tokenizer, device)
    lists = Lists(path, pairs, device)
    print(f"{o} {sum(p.numel() for p in model.parameters()):,} parameters, {lists.count:,} lists; before: {judge.measure(score)}", flush=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=o["lr"], betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    held, train = torch.arange(512, device=device), lists.count - 512

    def loss_of(which):
        packed, (cosine, words), allowed = lists.batch(which)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            marks = model(*packed).view(len(which), -1)
        target = F.softmax((o["meaning"] * cosine + (1 - o["meaning"]) * words) / o["tau"], 1)
        order = F.kl_div(F.log_softmax(marks, 1), target, reduction="batchmean")
        own = F.cross_entropy(marks.masked_fill(~allowed, -1e4), torch.zeros(len(which), dtype=torch.long, device=device))
        return torch.stack([order, own])

    start, step, told = time.time(), 0, 0.0
    while (gone := time.time() - start) < o["seconds"]:
        share = gone / o["seconds"]
        for group in optimizer.param_groups:
            group["lr"] = o["lr"] * min(1, (step + 1) / o["warmup"]) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * share)))
        each = loss_of(512 + torch.randint(0, train, (o["questions"],), device=device))
        loss = each[0] + o["label"] * each[1]
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 10 == 0:
            loss.item()
        if gone - told > o["seconds"] / o["measure"]:
            told = gone
            with torch.no_grad():
                print(f"{gone:.0f} s {step} steps, loss {[round(x, 4) for x in loss_of(held).tolist()]}, {judge.measure(score)}", flush=True)
    print(f"END {step} steps, {judge.measure(score)}", flush=True)
    save(model, starter, out)


if __name__ == "__main__":
    main()
