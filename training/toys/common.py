"""What the toys share: training, and the files of a checkpoint."""
import json, os, time
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors


def steps(model, loss, count, rate):
    """Trains with AdamW, whose rate rises in a twentieth of the steps and falls to 0."""
    model.train()
    opt = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    plan = torch.optim.lr_scheduler.LambdaLR(opt, lambda i: min(1, (i + 1) / (count / 20)) * (1 - i / count))
    begun = time.time()
    for i in range(count):
        x = loss()
        opt.zero_grad()
        x.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        plan.step()
        if i % 100 == 99:
            print("%d steps, loss %.4f, %.0f s" % (i + 1, float(x), time.time() - begun), flush=True)


def word_tokenizer(tokens, unknown, begin=None, end=None, lower=False):
    """Words as they are, with dots and commas apart."""
    t = Tokenizer(models.WordLevel({w: i for i, w in enumerate(tokens)}, unk_token=unknown))
    if lower:
        t.normalizer = normalizers.Lowercase()
    t.pre_tokenizer = pre_tokenizers.WhitespaceSplit() if not lower else pre_tokenizers.Whitespace()
    frame = " ".join(filter(None, [begin, "$A", end]))
    t.post_processor = processors.TemplateProcessing(single=frame, special_tokens=[(x, tokens.index(x)) for x in (begin, end) if x])
    t.add_special_tokens([w for w in tokens if w.startswith("<")])
    return t


def letter_tokenizer(tokens):
    """BERT's, which takes words apart into letters where it does not know them whole."""
    t = Tokenizer(models.WordPiece({w: i for i, w in enumerate(tokens)}, unk_token="[UNK]", max_input_chars_per_word=60))
    t.normalizer = normalizers.BertNormalizer(lowercase=False)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.decoder = decoders.WordPiece()
    t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", tokens.index("[CLS]")), ("[SEP]", tokens.index("[SEP]"))])
    t.add_special_tokens([w for w in tokens if w.startswith("[") and len(w) > 1])
    return t


def save(model, folder, tokenizer, settings, files=None):
    """The checkpoint in F16."""
    os.makedirs(folder, exist_ok=True)
    model.half().save_pretrained(folder)
    tokenizer.save(os.path.join(folder, "tokenizer.json"))
    for name, data in {"tokenizer_config.json": settings, **(files or {})}.items():
        json.dump(data, open(os.path.join(folder, name), "w"), indent=1)
    for extra in ("generation_config.json",):
        if os.path.exists(os.path.join(folder, extra)):
            os.remove(os.path.join(folder, extra))
    print("%d weights" % sum(p.numel() for p in model.parameters()))
