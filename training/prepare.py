"""Turn the corpora into one text file of sentences in document order, and train the student's tokenizer on it.

usage: prepare.py CORPORA STS_DEV_TSV CRANFIELD_DIR WORD_LIST VOCAB OUT

CORPORA        folder of *.jsonl.zst (fields: text, or turns, or prompt/instruction + completion) and stsb-train.tsv
STS_DEV_TSV    evaluation set: its sentences, and texts sharing eight words in a row with it, are left out
CRANFIELD_DIR  evaluation set, likewise
WORD_LIST      one word a line, most frequent first (the teacher's vocab.txt): keeps everyday words whole
VOCAB          number of word pieces
OUT            receives texts.txt and tokenizer.json

texts.txt: a line "#<tab>SOURCE" starts a document, "= TITLE" is a heading, every other line is one sentence.
Sentences are unique over the whole file.
"""
import collections
import io
import json
import os
import random
import re
import subprocess
import sys

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

FENCE = re.compile(r"```.*?```|~~~.*?~~~|<!--.*?-->", re.S)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|!?\[([^\]]*)\]\[[^\]]*\]")
ROLE = re.compile(r":[a-z:]+:`([^`<]*)(?:<[^>]*>)?`|``([^`]*)``|`([^`<]*)(?:<[^>]*>)?`_*")
TAG = re.compile(r"</?[A-Za-z][^>]*>|\{\{[<%].*?[>%]\}\}|^:::.*$|^\s*\.\. .*$", re.M)
UNDERLINED = re.compile(r"^(\S.{2,100})\n[=\-~^]{3,}\s*$", re.M)
BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.|#+|\|)\s)")
MARKER = re.compile(r"^\s*(?:[-*+>|]|\d+\.|#+)\s*")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(]?[A-Z0-9])")
SPACE = re.compile(r"\s+")
WORD = re.compile(r"\w+")
SHARED_WORDS = 8        # as many words in a row in common with an evaluation set exclude a text

# Characters that always get a piece of their own, whatever the corpora hold. Accents are stripped before (NFD).
ALPHABET = (
    [chr(c) for c in range(0x21, 0x7F) if not chr(c).isupper()]
    + list("¡¢£¤¥§©«®¯°±²³´µ¶·¹º»¼½¾¿×÷æðøþßđłœıŋəɛɪʃʒˈː")
    + list("αβγδεζηθικλμνξοπρσςτυφχψω")
    + [chr(c) for c in range(0x430, 0x450)] + list("ђјљњћџєѕґ")
    + [chr(c) for c in range(0x5D0, 0x5EB)]
    + [chr(c) for c in range(0x621, 0x64B) if c != 0x640 and not 0x63B <= c <= 0x63F] + list("پچژکگی")
    + list("कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािी")
    + [chr(c) for c in range(0xE01, 0xE2F)]
    + list("ぁあいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもゃやゅゆょよらりるれろわをんっ")
    + list("ァアィイゥウェエォオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモャヤュユョヨラリルレロワヲンッー")
    + [chr(c) for c in range(0x1100, 0x1113)] + [chr(c) for c in range(0x1161, 0x1176)]
    + [chr(c) for c in range(0x11A8, 0x11C3)]
    + list("的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小"
           "日本月水火木金土天今明气東京語行見食新高前年電車店何私彼女男子好世界文字民主社会")
    + list("‐‑‒–—―‘’‚“”„†‡•…‰′″‹›⁄€₹₽™←↑→↓↔⇒⇔∀∂∃∅∈∏∑−∓√∞∧∨∩∪∫≈≠≡≤≥⊂⊆⊕⌘─│└├█■□▪▶●★☆☺♀♂♥♪✅✓✔✗✨❌❤、。「」『』《》・！（），：；？")
    + list("😀😂😊😍😎😢😭🙏👍👎👏🎉🔥💡🚀⚠✈☀☕🐛🔗🌍💻📦📝"))


def records(path):
    with subprocess.Popen(["zstd", "-dc", path], stdout=subprocess.PIPE) as p:
        for line in io.TextIOWrapper(p.stdout, encoding="utf-8", errors="replace"):
            yield json.loads(line)


def clean(text):
    """Markdown or reStructuredText to prose; headings become lines that begin with '#'."""
    text = FENCE.sub("\n\n", text)
    text = UNDERLINED.sub(r"\n# \1\n", text)
    text = LINK.sub(lambda m: m.group(1) or m.group(2) or "", text)
    text = ROLE.sub(lambda m: m.group(1) or m.group(2) or m.group(3) or "", text)
    text = TAG.sub(" ", text)
    return text.replace("**", "").replace("{{", "").replace("}}", "")


def asked(record):
    """(question, passage) of a record of p3-permissive that asks about a passage; None of others."""
    template, prompt, found = str(record.get("template")), record["prompt"], None
    if template.startswith("adversarial_qa") and template.endswith("answer_the_following_q"):
        found = re.search(r'"(.+)",?\s*\n\s*\n?answer the following question.*?Question: (.+)', prompt, re.S)
    elif template.startswith("adversarial_qa") and template.endswith("question_context_answer"):
        found = re.search(r'Question: "(.+?)"\s*\n\s*\nContext: "(.+)"\s*\n\s*\nAnswer:', prompt, re.S)
        found = found and (None, found[2], found[1])
    elif template.startswith("duorc") and template.endswith("movie_director"):
        found = re.search(r"(?:plot of the movie[^\n:]*[:,]?\s*)?(.+)\nMy question: (.+)", prompt, re.S)
    if not found:
        return None
    passage, question = (SPACE.sub(" ", x).strip() for x in (found[1], found[2]))
    return question, passage


def wikitext(text):
    for token, char in ((" @-@ ", "-"), (" @,@ ", ","), (" @.@ ", ".")):
        text = text.replace(token, char)
    return re.sub(r"^ = +(.*?) =+ $", r"\n# \1\n", text, flags=re.M).replace(" \n", "\n\n")


def blocks(text):
    """(is heading, one line) for every paragraph or list item."""
    for block in BLOCK.split(text):
        line = SPACE.sub(" ", MARKER.sub("", block)).strip(" |`=~-")
        if line:
            yield block.lstrip().startswith("#") and len(line) < 120, line


def usable(s):
    if not 8 <= len(s) <= 600 or "<unk>" in s:
        return False
    letters = sum(c.isalpha() or c == " " for c in s)
    return letters / len(s) > 0.7 and len(s.split()) >= 2


class Overlap:
    """Tells texts that repeat an evaluation set."""

    def __init__(self, texts):
        self.whole, self.runs = set(), set()
        for t in texts:
            words = WORD.findall(t.lower())
            self.whole.add(" ".join(words))
            self.runs.update(tuple(words[i:i + SHARED_WORDS]) for i in range(len(words) - SHARED_WORDS + 1))

    def __contains__(self, text):
        words = WORD.findall(text.lower())
        return " ".join(words) in self.whole or any(
            tuple(words[i:i + SHARED_WORDS]) in self.runs for i in range(len(words) - SHARED_WORDS + 1))


class Texts:
    def __init__(self, path, held_out):
        self.file, self.held_out = open(path, "w", encoding="utf-8"), held_out
        self.seen, self.count, self.left_out = set(), collections.Counter(), 0
        self.lines = []

    def document(self, source):
        self.source = source
        self.file.write("#\t" + source + "\n")

    def add(self, s, heading=False):
        s = SPACE.sub(" ", s).strip()
        key = s.lower()
        if not usable(s) or key in self.seen:
            return
        self.seen.add(key)
        if s in self.held_out:
            self.left_out += 1
            return
        self.file.write(("= " if heading else "") + s.lstrip("#= ") + "\n")
        self.lines.append(s)
        self.count[self.source] += 1

    def prose(self, text):
        for heading, line in blocks(text):
            for s in [line] if heading or len(line) <= 30 else SENTENCE_END.split(line):
                self.add(s, heading)


def read_corpora(folder, texts):
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".jsonl.zst"):
            continue
        source = name.removesuffix(".jsonl.zst")
        single = None
        for r in records(os.path.join(folder, name)):
            if "intent" in r:                       # one-line requests: a document for each intent
                if r["intent"] != single:
                    single = r["intent"]
                    texts.document(source)
                texts.add(r["text"])
                continue
            texts.document(source)
            if "turns" in r:
                for turn in r["turns"]:
                    texts.prose(turn if isinstance(turn, str) else turn["text"])
            elif "completion" in r:
                texts.prose(r.get("prompt") or r["instruction"] + "\n" + r.get("input", ""))
                texts.prose(r["completion"])
            else:
                texts.prose(clean(wikitext(r["text"]) if source.startswith("wikitext") else r["text"]))
    texts.document("stsb-train")
    with open(os.path.join(folder, "stsb-train.tsv"), encoding="utf-8") as f:
        for line in list(f)[1:]:
            for s in line.rstrip("\n").split("\t")[3:5]:
                texts.add(s)


def train_tokenizer(lines, word_list, vocab):
    words = [(i, w) for i, w in enumerate(word_list) if w.isascii() and w.isalpha() and len(w) > 2]

    def corpus():
        for i in range(0, min(len(lines), 600_000), 1000):
            yield lines[i:i + 1000]
        for rank, w in words:
            yield [" ".join([w] * (2 + 1_500_000 // (rank + 5000)))]
        for c in ALPHABET:                          # also as a word's second letter, for the ## pieces
            yield [" ".join([c + c] * 50)]

    tk = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tk.normalizer = normalizers.BertNormalizer(lowercase=True)
    tk.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tk.decoder = decoders.WordPiece()
    tk.train_from_iterator(corpus(), trainers.WordPieceTrainer(
        vocab_size=vocab, min_frequency=2, initial_alphabet=ALPHABET, limit_alphabet=len(set(ALPHABET)),
        special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False))
    tk.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(t, tk.token_to_id(t)) for t in ("[CLS]", "[SEP]")])
    return tk


def main():
    corpora, sts_dev, cranfield, word_list, vocab, out = sys.argv[1:7]
    held_out = []
    with open(sts_dev, encoding="utf-8") as f:
        for line in list(f)[1:]:
            held_out += line.rstrip("\n").split("\t")[3:5]
    for name in ("corpus.jsonl", "queries.jsonl"):
        with open(os.path.join(cranfield, name), encoding="utf-8") as f:
            for r in map(json.loads, f):
                held_out += [r["text"], r.get("title", "")]

    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, "texts.txt")
    if not os.path.exists(path):
        texts = Texts(path, Overlap([t for t in held_out if t]))
        read_corpora(corpora, texts)
        texts.file.close()
        print(json.dumps(texts.count), sum(texts.count.values()), "sentences,",
              texts.left_out, "left out as too near an evaluation set")

    with open(path, encoding="utf-8") as f:
        lines = [line.rstrip("\n").removeprefix("= ") for line in f if not line.startswith("#\t")]
    random.Random(1).shuffle(lines)
    with open(word_list, encoding="utf-8") as f:
        tk = train_tokenizer(lines, [w.strip() for w in f], int(vocab))
    tk.save(os.path.join(out, "tokenizer.json"))
    print("vocabulary", tk.get_vocab_size())


if __name__ == "__main__":
    main()
