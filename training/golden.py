"""Write the reference library's answers for the shipped model, for the embedding pipeline's parity test.

usage: golden.py MODEL_DIR OUT_JSON

MODEL_DIR  a sentence-transformers folder, e.g. assets/starter
OUT_JSON   e.g. pipeline/testdata/starter-golden.json: {"model", "library", "cases": [{"text", "ids", "embedding"}]}
           ids: token ids after truncation, with [CLS] and [SEP]; embedding: [hidden] unit vector, 7 digits

Run it again whenever the weights or the tokenizer change, and commit both together.
"""
import json
import sys

import sentence_transformers
from sentence_transformers import SentenceTransformer

TEXTS = [
    "Hello, world!",
    "The cat sits on the mat.",
    "A feline is resting on a rug.",
    "How do I undo the last commit?",
    "WHY IS THIS SENTENCE SHOUTING AT ME?",
    "cat",
    "a",
    "?",
    "",
    "   \t\n  ",
    "Crème brûlée, naïve façade, Ångström, jalapeño, Zürich",
    "Łódź, Đà Nẵng, İstanbul, ﬁnance, ①②③, ½ cup",
    "In 2024, 3.14159 x 10^6 people paid $1,299.99 (12.5% off) on 2024-02-29 at 18:45.",
    "func main() {\n\tfmt.Println(\"hello\", 0x1F, a[i]++)\n}",
    "https://example.com/a/b?q=1&lang=en#top and user.name+tag@example.org",
    "Привет, как дела? Сегодня хорошая погода.",
    "今日は天気がいいですね。 你好，世界！",
    "مرحبا بالعالم — שלום עולם — γειά σου Κόσμε",
    "Thumbs up 👍🏽, a rocket 🚀, a family 👨‍👩‍👧 and a flag 🇫🇷.",
    "zero\u200bwidth, soft\u00adhyphen, non\u00a0breaking space, \u201ccurly quotes\u201d \u2014 dash\u2026",
    "[CLS] typed by a person [SEP] and [MASK]",
    "Donaudampfschifffahrtsgesellschaftskapitaenspatentpruefungsordnungsbehoerdenvorstandsvorsitzender" * 2,
    "The planner gives every tensor a place in one arena, so that memory is known before anything runs. "
    "It walks the graph in order, frees what is read for the last time, and reuses the gap for what comes next.",
    " ".join(f"Sentence number {i} makes this text longer than the model can read at once." for i in range(1, 41)),
]


def main():
    model_dir, out = sys.argv[1:3]
    model = SentenceTransformer(model_dir, device="cpu").float()
    cases = []
    for text in TEXTS:
        ids = model.tokenizer(text, truncation=True, max_length=model.max_seq_length)["input_ids"]
        vector = model.encode([text], convert_to_numpy=True)[0]
        cases.append({"text": text, "ids": [int(i) for i in ids], "embedding": [round(float(v), 7) for v in vector]})
    with open(out, "w", encoding="utf-8") as f:
        head = {"model": "starter-embed", "library": "sentence-transformers " + sentence_transformers.__version__}
        f.write(json.dumps(head)[:-1] + ', "cases": [\n')
        f.write(",\n".join(json.dumps(case, ensure_ascii=False) for case in cases))
        f.write("\n]}\n")
    print(len(cases), "cases,", max(len(c["ids"]) for c in cases), "tokens at most")


if __name__ == "__main__":
    main()
