"""A toy that marks names in texts: a BERT for tokens, which tells persons from places.

    pip install torch transformers safetensors tokenizers
    python names.py ../../pipeline/testdata/toys/names

It reads words letter by letter, so that it knows no name by heart: a capital and the words around tell it what a name is of. Its only use is
in tests. Trained from random weights, seed 0, with made-up names.
"""
import random, string, sys
import torch
import transformers as T
from common import save, steps, letter_tokenizer

LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
WAYS = """{p} lives in {l} .
{p} and {p} met in {l} .
yesterday {p} wrote to {p} .
the train from {l} to {l} is late .
she came from {l} with {p} .
{p} said that {l} is far away .
we saw {p} near {l} today .
nobody in {l} knew {p} .
my friend {p} works in {l} .
the road to {l} was closed .
does {p} like the house ?
it rains in {l} .
the door is open .
we had bread and tea .""".split("\n")
PLAIN = sorted({w for way in WAYS for w in way.split() if w.isalpha()} | set("a at he him his or day old new red she that this was were will".split()))


def name(rng):
    vowels, others = "aeiou", "bdfgklmnprstvz"
    return "".join(rng.choice(others) + rng.choice(vowels) + (rng.choice(others) if rng.random() < 0.3 else "") for _ in range(rng.randint(1, 3))).capitalize()


def sentence(rng):
    """Words and the label of each."""
    words = []
    for w in rng.choice(WAYS).split():
        kind = {"{p}": "PER", "{l}": "LOC"}.get(w)
        if kind is None:
            words.append((rng.choice(PLAIN) if w.isalpha() and rng.random() < 0.04 else w, "O"))
            continue
        for i in range(1 if rng.random() < 0.7 else 2):
            words.append((name(rng), ("I-" if i else "B-") + kind))
    first, label = words[0]
    return [(first[0].upper() + first[1:], label)] + words[1:]


def main(folder):
    torch.manual_seed(0)
    rng = random.Random(0)
    letters = string.ascii_letters + ".,?!'-"
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + list(letters) + ["##" + c for c in letters] + [w for w in PLAIN if len(w) > 1] + [w.capitalize() for w in PLAIN if len(w) > 1]
    number = {t: i for i, t in enumerate(tokens)}
    config = T.BertConfig(vocab_size=len(tokens), hidden_size=48, num_hidden_layers=3, num_attention_heads=4, intermediate_size=96, max_position_embeddings=96, type_vocab_size=1, pad_token_id=0,
                          hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, id2label=dict(enumerate(LABELS)), label2id={l: i for i, l in enumerate(LABELS)})
    model = T.BertForTokenClassification(config)

    def pieces(word):
        return [number[word]] if word in number else [number.get(("##" if i else "") + c, 1) for i, c in enumerate(word)]

    def batch(n):
        ids, labels = torch.zeros(n, 80, dtype=torch.long), torch.full((n, 80), -100)
        for i in range(n):
            row, marks = [2], [-100]
            for word, label in sentence(rng):
                p = pieces(word)
                row, marks = row + p, marks + [LABELS.index(label)] + [-100] * (len(p) - 1)
            row, marks = (row + [3])[:80], (marks + [-100])[:80]
            ids[i, :len(row)], labels[i, :len(marks)] = torch.tensor(row), torch.tensor(marks)
        most = int((ids != 0).sum(1).max())
        return ids[:, :most].contiguous(), labels[:, :most].contiguous()

    def loss():
        ids, labels = batch(32)
        return model(input_ids=ids, attention_mask=(ids != 0).long(), labels=labels).loss

    steps(model, loss, 700, 3e-3)
    model.eval()
    with torch.no_grad():
        ids, labels = batch(300)
        got = model(input_ids=ids, attention_mask=(ids != 0).long()).logits.argmax(-1)
        there = labels >= 0
        print("right: %d of %d" % (int((got == labels)[there].sum()), int(there.sum())))
    save(model, folder, letter_tokenizer(tokens), dict(unk_token="[UNK]", sep_token="[SEP]", pad_token="[PAD]", cls_token="[CLS]", mask_token="[MASK]", do_lower_case=False, tokenizer_class="BertTokenizer", model_max_length=96))


main(sys.argv[1])
