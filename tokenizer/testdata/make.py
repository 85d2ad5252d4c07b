"""Makes the fixtures of this folder: six small tokenizers, each with the
reference library's answers on many texts.

    pip install tokenizers==0.23.3
    python make.py

The vocabularies are trained on the sentences below, which are ours.
Offsets are turned from characters, which Python counts, into bytes.
"""

import json
import os

import tokenizers
from tokenizers import (
    AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers,
)

CORPUS = """
The kettle sings before the water boils, and the cat leaves the chair by the fire.
A lamp was left on the desk; nobody knew who had written the last page of the letter.
Two boats crossed the grey lake at dawn, one with a red sail and one with none.
She counted 12, 345 and 6789 pebbles, then lost count and began again at 1.
"Where is the key?" asked the gardener. "Under the third flowerpot," said the child.
Rain drums on the tin roof; the radio's voice fades, returns, and fades once more.
It's the baker's oven that warms the whole street, isn't it? We'll see, they've said.
Café, naïve, résumé, Straße, Żółw, smörgåsbord and façade keep their accents here.
Дом стоит у реки, и лодка ждёт у берега. Кто живёт в этом доме?
今日は雨が降っています。山の上に小さな家があります。
猫坐在窗边看着外面的雨。河边有一只船。
Le train part à huit heures; le quai est vide, sauf un chien qui attend.
The price is $4.50 (or 3.99 €), 20% less than in May; e-mail: desk@inglenook.example.
for i in range(10): print(i * 2)  # a comment
   indented lines   have   many   spaces
\ttabs and\nnew lines appear in text as well
The quick clerk mixed five boxes of jam with the vague zebra quiz.
reading writing walking singing reader writer walker singer unread rewrite
😀 a smile, 🚀 a rocket, and 👩‍👩‍👧 a family.
""".strip("\n").split("\n") * 4

TEXTS = [
    "", " ", "   ", "\n", "\t\n ", "a", " a", "a ", "The kettle sings.", " The kettle sings. ",
    "the kettle  sings", "THE KETTLE SINGS", "unreadable rewriters", "It's, isn't, we'll, they've",
    "12345 6789", "3.99 € or $4.50", "Café naïve résumé", "Cafe\u0301 nai\u0308ve", "Straße ŻÓŁW İstanbul ﬁ",
    "Дом у реки", "今日は雨", "猫坐在窗边 and the cat", "lake猫lake", "한국어 문장", "ไทย", "العربية", "हिन्दी",
    "😀🚀", "👩‍👩‍👧 family", "e\u0301\u0301\u0301", "\u0301start", "a\u00a0b\u2003c\u3000d\u200be",
    "\x00", "a\x00b", "kettle\x00 sings", "\x00\x00\x00", "the \x00 lake", "bell\x07 and \x1b[0m",
    "\ufffd", "a\ufffdb", "\ufeffthe lake", "line\r\nline\rline\n\nline", "\u2028\u2029\u0085",
    "for i in range(10): print(i)", "desk@inglenook.example", "...!!!???", "-- — – -", "''\"\"``",
    "q" * 99, "q" * 100, "q" * 101, "q" * 300, "the " * 40, "?" * 50, "\U0001f9d9\U00010348\U000e0041",
    "[CLS]", "[SEP] [MASK] [UNK] [PAD]", "<s>", "</s>", "a</s>b", "<pad> <unk> <mask>", "x<mask>y", "  <mask>  ",
    "▁", "a▁b", "▁the", "##ing", "Ġthe", "<0x41>", "[cls]", "\u0130\u0131", "ǅ ß ẞ", "½ ² ™",
    "\udbff\udfff".encode("utf-16", "surrogatepass").decode("utf-16"), "\ufdd0", "\ufdd1\ufdd2", "\uffff",
    "The price is 20% less (or more) than in May; see #1 & #2.", "   indented   lines",
]
BROKEN = [  # not UTF-8; Python's errors="replace" is the expected reading
    b"\xff", b"a\xffb", b"\xc3", b"\xc3(", b"caf\xc3", b"\xe2\x82", b"\xe2\x82 lake", b"\xf0\x9f\x98", b"\xf0\x9f\x98the",
    b"\xed\xa0\x80", b"\xed\xb0\x80 lake", b"\xc0\x80", b"\xf8\x88\x80\x80\x80", b"\x80\x80\x80", b"the \xe4\xbb lake \xbf.",
    b"\xf4\x90\x80\x80", b"\xef\xbf", b"\x00\xff\x00", b"ok\xf0\x9fok\xf0ok",
]
PAIRS = [
    ("The kettle sings.", "The water boils."), ("", "lake"), ("lake", ""), ("", ""), (" ", " "),
    ("where is the key", "Under the third flowerpot, said the child. " * 5),
    ("Rain drums on the tin roof. " * 6, "rain"), ("Дом у реки", "今日は雨"), ("a\x00b", "caf\u00e9"),
    ("It's the oven", "isn't it?"), ("  spaces  ", "  around  "), ("one two three four five six", "seven eight nine ten eleven"),
    ("</s> [SEP]", "<s> [CLS]"), ("😀", "🚀 🚀"),
]
LIMITS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 33]


def wordpiece():
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    t.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=600, special_tokens=special, show_progress=False))
    t.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    t.decoder = decoders.WordPiece(prefix="##")
    return t


def bert_cased():
    """BertProcessing, cased, accents kept, and the file truncates and pads."""
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    t.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=600, special_tokens=special, show_progress=False))
    t.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    t.decoder = decoders.WordPiece(prefix="##")
    return t


def mpnet():
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["<s>", "<pad>", "</s>", "[UNK]", AddedToken("<mask>", lstrip=True, special=True, normalized=False)]
    t.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=600, special_tokens=special, show_progress=False))
    t.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    t.decoder = decoders.WordPiece(prefix="##")
    return t


def roberta(prefix_space):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    special = ["<s>", "<pad>", "</s>", "<unk>", AddedToken("<mask>", lstrip=True, special=True, normalized=False)]
    t.train_from_iterator(CORPUS, trainers.BpeTrainer(
        vocab_size=700, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    t.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=prefix_space)
    t.decoder = decoders.ByteLevel()
    return t


def xlm_roberta():
    t = Tokenizer(models.Unigram())
    t.normalizer = normalizers.NFKC()
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    t.train_from_iterator(CORPUS, trainers.UnigramTrainer(
        vocab_size=600, special_tokens=special, unk_token="<unk>", show_progress=False))
    t.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True, normalized=False)])
    t.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    t.decoder = decoders.Metaspace()
    return t


def byte_ranges(text, offsets):
    at = [0]
    for c in text:
        at.append(at[-1] + len(c.encode()))
    return [[at[a], at[b]] for a, b in offsets]


def answer(e, a, b=None):
    sequences = [-1 if s is None else s for s in e.sequence_ids]
    offsets = [o for o in e.offsets]
    text = {0: a, 1: b, -1: ""}
    spans = [byte_ranges(text[s], [o])[0] if s >= 0 else [0, 0] for s, o in zip(sequences, offsets)]
    return {"ids": e.ids, "types": e.type_ids, "special": e.special_tokens_mask, "sequence": sequences, "offsets": spans}


def fixture(name, t, keep_in_file=None):
    singles, pairs, limits = [], [], []
    for raw in [s.encode() for s in TEXTS] + BROKEN:
        text = raw.decode("utf-8", errors="replace")
        t.encode_special_tokens = False
        entry = {"raw": raw.hex(), **answer(t.encode(text), text)}
        entry["plain"] = t.encode(text, add_special_tokens=False).ids
        entry["decoded"] = t.decode(entry["ids"], skip_special_tokens=False)
        entry["decoded_skip"] = t.decode(entry["ids"], skip_special_tokens=True)
        t.encode_special_tokens = True
        entry["as_text"] = t.encode(text, add_special_tokens=False).ids
        t.encode_special_tokens = False
        if len(text.encode()) != len(raw):
            del entry["offsets"]  # these are of the repaired text
        singles.append(entry)
    for a, b in PAIRS:
        plain = t.encode(a, b, add_special_tokens=False)
        pairs.append({"a": a, "b": b, **answer(t.encode(a, b), a, b), "plain": plain.ids, "plain_types": plain.type_ids})
    for n in LIMITS:
        for side in "right", "left":
            for a, b in PAIRS + [(p[1], None) for p in PAIRS]:
                if n <= t.num_special_tokens_to_add(b is not None):
                    continue
                t.enable_truncation(n, direction=side)
                e = t.encode(a, b)
                limits.append({"max": n, "left": side == "left", "a": a, "b": b, "ids": e.ids, "types": e.type_ids})
    t.no_truncation()
    if keep_in_file:
        keep_in_file(t)
    data = {"made_with": "tokenizers " + tokenizers.__version__, "tokenizer": json.loads(t.to_str()),
            "singles": singles, "pairs": pairs, "limits": limits}
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(data, f, ensure_ascii=True, separators=(",", ":"))
        f.write("\n")


def truncate_and_pad(t):
    t.enable_truncation(16)
    t.enable_padding(pad_to_multiple_of=8)


fixture("wordpiece", wordpiece())
fixture("bert-cased", bert_cased(), truncate_and_pad)
fixture("mpnet", mpnet())
fixture("roberta", roberta(False))
fixture("roberta-prefix", roberta(True))
fixture("xlm-roberta", xlm_roberta())
