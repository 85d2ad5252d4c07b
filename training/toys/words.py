"""A toy that turns a text into another one: a T5 that copies words and sorts them.

    pip install torch transformers safetensors tokenizers
    python words.py ../../pipeline/testdata/toys/words

It knows 26 words and two tasks: "copy: pear fig apple" gives the words again, and "sort: pear fig apple" gives them in the order of the
alphabet. Its only use is in tests: it shows that a text-to-text model says what it was trained to say. Trained from random weights, seed 0.
"""
import random, sys
import torch
import transformers as T
from common import save, steps, word_tokenizer

WORDS = "apple bread cloud door egg fig grape house ice jam kite lemon moon nut olive pear queen rain salt tea umbrella violin water xylophone yarn zebra".split()
TASKS = ["copy:", "sort:"]
MOST = 6


def example(rng):
    words = rng.sample(WORDS, rng.randint(1, MOST))
    task = rng.choice(TASKS)
    return task, words, sorted(words) if task == "sort:" else words


def main(folder):
    torch.manual_seed(0)
    rng = random.Random(0)
    tokens = ["<pad>", "</s>", "<unk>"] + TASKS + WORDS
    number = {t: i for i, t in enumerate(tokens)}
    config = T.T5Config(vocab_size=len(tokens), d_model=48, d_kv=12, d_ff=96, num_layers=2, num_decoder_layers=2, num_heads=4, dropout_rate=0.0, feed_forward_proj="gated-gelu",
                        relative_attention_num_buckets=16, relative_attention_max_distance=16, pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, tie_word_embeddings=False)
    model = T.T5ForConditionalGeneration(config)

    def batch(n):
        rows = [example(rng) for _ in range(n)]
        asked = [[number[t] for t in [task] + words] + [1] for task, words, _ in rows]
        answers = [[number[t] for t in words] + [1] for _, _, words in rows]
        ids, labels = torch.zeros(n, MOST + 2, dtype=torch.long), torch.full((n, MOST + 1), -100)
        for i, (a, b) in enumerate(zip(asked, answers)):
            ids[i, :len(a)], labels[i, :len(b)] = torch.tensor(a), torch.tensor(b)
        return dict(input_ids=ids, attention_mask=(ids != 0).long(), labels=labels)

    steps(model, lambda: model(**batch(96)).loss, 1400, 4e-3)
    model.eval()
    right = 0
    for _ in range(200):
        task, words, want = example(rng)
        ids = torch.tensor([[number[t] for t in [task] + words] + [1]])
        got = model.generate(ids, max_new_tokens=MOST + 2, do_sample=False)[0].tolist()[1:]
        right += [tokens[t] for t in got if t > 2] == want
    print("right: %d of 200" % right)
    save(model, folder, word_tokenizer(tokens, "<unk>", end="</s>"), dict(pad_token="<pad>", eos_token="</s>", unk_token="<unk>", tokenizer_class="PreTrainedTokenizerFast", model_max_length=64))


main(sys.argv[1])
