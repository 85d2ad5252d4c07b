"""Ask a checkpoint the held-out prompts and judge its replies.

usage: evaluate.py TOKENIZER CHECKPOINT [PROMPTS] [width=384] [layers=9]

A line of PROMPTS (heldout.tsv) is a kind, what the reply must match, and the prompt; MODEL stands for a reply that declines.
A reply that does not end by itself within 160 tokens, or repeats ten words, is wrong whatever it says.
"""
import collections
import os
import re
import sys

import torch
from tokenizers import Tokenizer

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import layout
from train import Llama, restore

DECLINES = re.compile(r"starter model|too small|too hard|beyond me", re.I)


@torch.no_grad()
def reply(model, tokenizer, prompt, longest=160):
    end, ids = tokenizer.token_to_id("<|end|>"), tokenizer.encode(layout.prompt(prompt)).ids
    start = len(ids)
    for _ in range(longest):
        with torch.autocast("cuda", torch.bfloat16, enabled=next(model.parameters()).is_cuda):
            following = model(torch.tensor([ids], device=next(model.parameters()).device))[0][0, -1].argmax().item()
        if following == end:
            return tokenizer.decode(ids[start:]), True
        ids.append(following)
    return tokenizer.decode(ids[start:]), False


def loops(text, run=10):
    words = text.split()
    seen = [tuple(words[i:i + run]) for i in range(len(words) - run + 1)]
    return len(seen) != len(set(seen))


def right(wanted, text, ended):
    if not ended or loops(text) or not text.strip():
        return False
    if wanted == "MODEL":
        return bool(DECLINES.search(text))
    return bool(re.search(wanted, text, re.S)) and not DECLINES.search(text.replace("starter model that", ""))


def main():
    options = {"width": "384", "layers": "9"} | dict(a.split("=", 1) for a in sys.argv[3:] if "=" in a)
    paths = [a for a in sys.argv[3:] if "=" not in a]
    prompts = paths[0] if paths else os.path.join(os.path.dirname(os.path.abspath(__file__)), "heldout.tsv")
    tokenizer = Tokenizer.from_file(sys.argv[1])
    model = Llama(tokenizer.get_vocab_size(), int(options["width"]), int(options["layers"]))
    restore(model, sys.argv[2], "model")
    model = model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
    total, good = collections.Counter(), collections.Counter()
    for line in open(prompts, encoding="utf-8"):
        kind, wanted, prompt = line.rstrip("\n").split("\t")
        text, ended = reply(model, tokenizer, prompt.replace("\\n", "\n"))
        ok = right(wanted, text, ended)
        total[kind] += 1
        good[kind] += ok
        print(f"{'  ' if ok else '✗ '}{kind} | {prompt} | {text}{'' if ended else ' …'}", flush=True)
    print({k: f"{good[k]} of {total[k]}" for k in total})


if __name__ == "__main__":
    main()
