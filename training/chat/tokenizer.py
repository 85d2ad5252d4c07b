"""Train the tokenizer of starter-chat: byte-level BPE.

usage: tokenizer.py DATA PIECES     reads DATA/text.txt and DATA/dialogues.jsonl, writes DATA/tokenizer.json
"""
import json
import random
import sys

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

SPECIAL = ["<|endoftext|>", "<|user|>", "<|assistant|>", "<|system|>", "<|end|>"]
SAMPLE = 25_000_000                      # characters of text; more gives the same pieces


def main():
    data, pieces = sys.argv[1], int(sys.argv[2])
    random.seed(0)
    documents = open(f"{data}/text.txt", encoding="utf-8").read().split("\n<|doc|>\n")
    random.shuffle(documents)
    texts, size = [], 0
    for d in documents:
        texts.append(d)
        if (size := size + len(d)) > SAMPLE:
            break
    texts += [text for line in open(f"{data}/dialogues.jsonl", encoding="utf-8") for _, text in json.loads(line)]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)      # splits as GPT-2, which GGUF has a name for
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=pieces, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.save(f"{data}/tokenizer.json")
    print(tokenizer.get_vocab_size(), "pieces")


if __name__ == "__main__":
    main()
