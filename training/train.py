"""Distil the teacher into a small BERT that starts from random weights.

usage: train.py CORPUS_DIR TEACHER STS_DEV_TSV CRANFIELD_DIR DATA OUT [name=value ...]

CORPUS_DIR     folder with corpus.pt, made by pack.py
TEACHER        sentence-transformers folder of a BERT with mean pooling
STS_DEV_TSV, CRANFIELD_DIR   evaluation sets, only measured (see evaluate.py)
DATA           folder with the student's tokenizer.json
OUT            receives the checkpoint: model.safetensors (F32), config.json, tokenizer.json

name=value, with the default:
  width=256 layers=4 ff=1024 heads=8 positions=256    the student's shape
  steps=4000 texts=2560 lr=1e-3 warmup=500             steps, views a step, peak rate (cosine to 1%)
  sentence=1 kl=0.5 tau=0.05 words=1 middle=0.3        weights of the losses below, temperature of kl
  seed=0 measure=4                                     how many times to measure along the way

Losses
  sentence  1 - cosine between the student's vector and the teacher's, turned by PCA to the student's width
  kl        KL divergence between teacher's and student's similarities of each view to all others of the batch
  words     squared error of the last layer's vectors, averaged over each word's pieces, against the teacher's, turned alike
  middle    the same half way up, through a linear map that is thrown away afterwards (fades to 0)
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

import bert
import evaluate
from views import Views

DEVICE = "cuda"
OPTIONS = {
    "width": 256, "layers": 4, "ff": 1024, "heads": 8, "positions": 256, "steps": 4000, "texts": 2560, "lr": 1e-3,
    "warmup": 500, "sentence": 1.0, "kl": 0.5, "tau": 0.05, "words": 1.0, "middle": 0.3, "seed": 0, "measure": 4}
BETAS, WEIGHT_DECAY, CLIP, FLOOR = (0.9, 0.98), 0.01, 1.0, 0.01


def forward(model, pieces, longest, middle, dtype):
    """Piece vectors after `middle` layers and after all, computed in half precision."""
    with torch.autocast(DEVICE, dtype):
        return model(pieces.ids, pieces.positions, pieces.starts, longest, middle)


def by_word(x, pieces, words):
    """Piece vectors [pieces, d] -> their mean over each word [words, d]; zeros for words without pieces."""
    index = pieces.word
    total = torch.zeros(words + 1, x.shape[1], device=x.device).index_add(0, index, x.float())
    count = torch.zeros(words + 1, device=x.device).index_add(0, index, torch.ones_like(index, dtype=torch.float))
    return (total / count.clamp(min=1)[:, None])[:-1]


def by_text(x, pieces, texts):
    """Piece vectors [pieces, d] -> their sum over each text [texts, d]."""
    return torch.zeros(texts + 1, x.shape[1], device=x.device).index_add(0, pieces.text, x.float())[:-1]


def relative_error(x, y, mask):
    """Squared error as a share of y's squared length, over the masked rows."""
    m = mask[:, None]
    return ((x - y) ** 2 * m).sum() / ((y * y) * m).sum()


def losses(student, teacher, turn, lift, batch, tau):
    """The four losses as one tensor; student and teacher are (middle, last) piece vectors."""
    texts, words = len(batch.valid), len(batch.words)
    s = F.normalize(by_text(student[1], batch.student, texts), dim=-1)
    t = F.normalize(by_text(teacher[1], batch.teacher, texts) @ turn, dim=-1)
    valid = batch.valid.float()
    sentence = ((1 - (s * t).sum(1)) * valid).sum() / valid.sum()

    hidden = ~batch.valid[None] | torch.eye(texts, dtype=torch.bool, device=s.device)
    ls = F.log_softmax((s @ s.T / tau).masked_fill(hidden, -1e4), 1)
    lt = F.log_softmax((t @ t.T / tau).masked_fill(hidden, -1e4), 1)
    kl = ((lt.exp() * (lt - ls)).sum(1) * valid).sum() / valid.sum()

    middle_s, last_s = (by_word(x, batch.student, words) for x in student)
    middle_t, last_t = (by_word(x, batch.teacher, words) for x in (teacher[0], teacher[1] @ turn))
    last = relative_error(last_s, last_t, batch.words)
    middle = relative_error(lift(middle_s), middle_t, batch.words)
    return torch.stack([sentence, kl, last, middle])


@torch.no_grad()
def teacher_vectors(teacher, views, longest):
    """The teacher's unit vectors of all sentences [sentences, d], in half precision."""
    step, capacity = 2048, 98304
    out = []
    for k in range(0, len(views), step):
        which = torch.arange(k, min(k + step, len(views)), device=DEVICE)
        batch = views.sentences(which, capacity)
        _, x = forward(teacher, batch.teacher, longest, 0, torch.float16)
        out.append(F.normalize(by_text(x, batch.teacher, len(which)), dim=-1).half())
    return torch.cat(out)


def principal_directions(vectors, width):
    """[d, width]: the turn that keeps most of the inner products."""
    x = vectors[torch.randperm(len(vectors), device=DEVICE)[:400_000]].float()
    return torch.linalg.eigh(x.T @ x)[1][:, -width:]


def similar_order(vectors, clusters=4096, rounds=8):
    """A permutation [sentences] that puts sentences of one k-means cluster side by side."""
    sample = vectors[torch.randperm(len(vectors), device=DEVICE)[:300_000]]
    centre = sample[:clusters].clone()

    def nearest(x):
        return torch.cat([(part @ centre.T).argmax(1) for part in x.split(1 << 16)])

    for _ in range(rounds):
        total = torch.zeros(clusters, vectors.shape[1], device=DEVICE).index_add(0, nearest(sample), sample.float())
        centre = F.normalize(total, dim=-1).half()
    shuffled = torch.randperm(len(vectors), device=DEVICE)
    return shuffled[torch.argsort(nearest(vectors)[shuffled], stable=True)]


def similar_words(teacher, views, k=8):
    """[distinct words, k]: words that the teacher's input vectors put near each word.

    A word of several pieces gets any words.
    """
    ids, starts = views.vocabularies[1]
    single = views.counts[1] == 1
    lexicon = views.lexicon[single[views.lexicon]]
    table = lexicon[torch.randint(0, len(lexicon), (len(single), k), device=DEVICE)]
    vectors = F.normalize(teacher.embeddings["word_embeddings"].weight.detach(), dim=-1)
    known = vectors[ids[starts[lexicon]].long()]
    which = single.nonzero()[:, 0]
    for part in which.split(8192):
        near = (vectors[ids[starts[part]].long()] @ known.T).topk(k + 1).indices[:, 1:]
        table[part] = lexicon[near]
    return table


def capacity_for(views, texts):
    """Pieces to set aside so that nearly all of `texts` views fit."""
    longest = 0
    for _ in range(8):
        batch = views.sample(texts, texts * 80)
        longest = max(longest, int(batch.student.starts[texts]), int(batch.teacher.starts[texts]))
    return math.ceil(longest * 1.02 / 1024) * 1024


def save(model, tokenizer_path, out):
    os.makedirs(out, exist_ok=True)
    weights = {k: v.detach().float().cpu().contiguous() for k, v in model.state_dict().items()}
    safetensors.torch.save_file(weights, out + "/model.safetensors.part", metadata={"format": "pt"})
    os.replace(out + "/model.safetensors.part", out + "/model.safetensors")
    with open(out + "/config.json", "w", encoding="utf-8") as f:
        json.dump(model.config, f)
    shutil.copyfile(tokenizer_path, out + "/tokenizer.json")


def main():
    corpus_dir, teacher_dir, sts_tsv, cranfield_dir, data, out = sys.argv[1:7]
    o = dict(OPTIONS)
    for name, value in (a.split("=") for a in sys.argv[7:]):
        o[name] = type(o[name])(float(value))
    torch.manual_seed(o["seed"])
    torch.backends.cuda.matmul.allow_tf32 = True
    began = time.time()

    def say(*what):
        print(f"{time.time() - began:6.0f} s", *what, flush=True)

    def measure(model, tokenizer):
        encode = bert.encoder(model, tokenizer, DEVICE)
        return f"STS-B {evaluate.sts(encode, sts_tsv):.2f} Cranfield {evaluate.cranfield(encode, cranfield_dir):.4f}"

    tokenizer_path = data + "/tokenizer.json"
    tokenizers = [Tokenizer.from_file(p) for p in (tokenizer_path, teacher_dir + "/tokenizer.json")]
    for t in tokenizers:
        t.no_padding(), t.no_truncation()
    teacher = bert.load(teacher_dir).to(DEVICE).eval().requires_grad_(False)
    say("teacher", measure(teacher, tokenizers[1]))

    # Set-up that depends on the teacher and the texts alone is kept for the next run.
    views = Views(torch.load(corpus_dir + "/corpus.pt"), DEVICE)
    cache = corpus_dir + "/teacher.pt"
    if not os.path.exists(cache):
        vectors = teacher_vectors(teacher, views, views.longest[1])
        order, turn = similar_order(vectors), principal_directions(vectors, o["width"])
        torch.save((order, turn, similar_words(teacher, views)), cache)
        del vectors
    order, turn, synonyms = torch.load(cache, map_location=DEVICE)
    views.like(order)
    views.synonyms(synonyms)
    capacity = capacity_for(views, o["texts"])

    student = bert.Bert(tokenizers[0].get_vocab_size(), o["width"], o["layers"], o["heads"], o["ff"], o["positions"])
    student = student.to(DEVICE)
    # A normalised vector starts with length sqrt(width); the turned targets are about a third of that.
    nn.init.constant_(student.encoder["layer"][-1].output["LayerNorm"].weight, 0.35)
    lift = nn.Linear(o["width"], turn.shape[0]).to(DEVICE)
    all_of, inner = (sum(p.numel() for p in m.parameters()) for m in (student, student.encoder))
    say(o, f"{all_of:,} parameters, {inner:,} in the layers, {capacity} pieces a step")
    parameters = [*student.parameters(), *lift.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=o["lr"], betas=BETAS, weight_decay=WEIGHT_DECAY, fused=True)
    run_student, run_teacher, run_losses = torch.compile(student), torch.compile(teacher), torch.compile(losses)
    middle_student, middle_teacher = o["layers"] // 2, teacher.config["num_hidden_layers"] // 2

    smooth = torch.zeros(4, device=DEVICE)
    start = time.time()
    for step in range(o["steps"]):
        f = step / o["steps"]
        fade = 0.5 * (1 + math.cos(math.pi * f))
        for group in optimizer.param_groups:
            group["lr"] = o["lr"] * min(1, (step + 1) / o["warmup"]) * (FLOOR + (1 - FLOOR) * fade)
        with torch.no_grad():
            batch = views.sample(o["texts"], capacity)
            target = [x.float() for x in forward(run_teacher, batch.teacher, views.longest[1], middle_teacher, torch.float16)]
        output = forward(run_student, batch.student, views.longest[0], middle_student, torch.bfloat16)
        each = run_losses(output, target, turn, lift, batch, o["tau"])
        loss = each @ torch.tensor([o["sentence"], o["kl"], o["words"], o["middle"] * fade], device=DEVICE)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, CLIP)
        optimizer.step()
        smooth = torch.lerp(smooth, each.detach(), 0.01 if step > 100 else 0.5)
        if step in (20, 200) or (step + 1) % (o["steps"] // o["measure"]) == 0:
            parts = " ".join(f"{n} {x:.4f}" for n, x in zip(("sentence", "kl", "words", "middle"), smooth.tolist()))
            rate = (step + 1) / (time.time() - start)
            share = batch.valid.float().mean()
            say(f"step {step + 1} {rate:.1f}/s valid {share:.3f} {parts}", measure(student, tokenizers[0]))
            save(student, tokenizer_path, out)
    say(f"done, {time.time() - start:.0f} s of training, {torch.cuda.max_memory_allocated() / 1e9:.0f} GB of GPU memory")


if __name__ == "__main__":
    main()
