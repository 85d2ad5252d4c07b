#!/usr/bin/env python3
"""Make the tiny random text-to-text models in text-to-text/ and the half of one in heads/t5-encoder, with the reference library's
answers in expected.json: logits for what is written so far, and what it writes greedily.

    pip install torch transformers safetensors
    python make_text_to_text.py

Sizes are odd on purpose: heads that do not make up the hidden columns, more layers that read than write, few buckets of distances,
so that all of them are used. Weights are random with fixed seeds and rounded to float16; the answers are computed in float32 from
the rounded weights. Configs are spelled as in the published files of each family.
"""
import json, os, random
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
import transformers as T
from safetensors.torch import load_file, save_file

HERE = os.path.dirname(os.path.abspath(__file__))
V, D = 64, 32
SIZES = dict(vocab_size=V, d_model=D, d_kv=6, d_ff=40, num_heads=5, relative_attention_num_buckets=12, relative_attention_max_distance=20)
CASES = {
    "t5": (T.T5Config(**SIZES, num_layers=3, num_decoder_layers=2, feed_forward_proj="relu"), False),
    "flan-t5": (T.T5Config(**SIZES, num_layers=2, feed_forward_proj="gated-gelu", tie_word_embeddings=False), True),
    "mt5": (T.MT5Config(**SIZES, num_layers=2, feed_forward_proj="gated-gelu"), True),
}


def weights(model, gen, deviation=0.8):
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() < 2:
                p.copy_(1 + torch.randn(p.shape, generator=gen) * 0.2)
            elif "relative_attention_bias" in name:
                p.copy_(torch.randn(p.shape, generator=gen))
            else:
                p.copy_(torch.randn(p.shape, generator=gen) * (deviation / p.shape[-1] ** 0.5 if "shared" not in name else 0.7))
    return {name: p.half() for name, p in model.state_dict().items() if "embed_tokens" not in name and name != "lm_head.weight"}


def save(folder, config, tensors):
    os.makedirs(folder, exist_ok=True)
    save_file({name: p.contiguous() for name, p in tensors.items()}, os.path.join(folder, "model.safetensors"), metadata={"format": "pt"})
    json.dump(config, open(os.path.join(folder, "config.json"), "w"), indent=1)


def numbers(x):
    return dict(shape=list(x.shape), data=[float("%.7g" % v) for v in x.flatten().tolist()])


def text_to_text(number, name, config, head):
    gen, rng = torch.Generator().manual_seed(900 + number), random.Random(900 + number)
    cls = T.MT5ForConditionalGeneration if name == "mt5" else T.T5ForConditionalGeneration
    tensors = weights(cls(config), gen, 0.8 if head else 1.8)  # a tied head repeats a word that the layers hardly change
    if head:
        tensors["lm_head.weight"] = (torch.randn(V, D, generator=gen) * 0.4).half()
    spelled = dict(SIZES, architectures=[cls.__name__], model_type=config.model_type, num_layers=config.num_layers, num_decoder_layers=config.num_decoder_layers,
                   feed_forward_proj=config.feed_forward_proj, layer_norm_epsilon=1e-6, pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, is_encoder_decoder=True)
    if head:
        spelled["tie_word_embeddings"] = False
    else:
        spelled["n_positions"] = 48
    folder = os.path.join(HERE, "text-to-text", name)
    save(folder, spelled, tensors)
    model = cls.from_pretrained(folder, dtype=torch.float32).eval()
    assert bool(head) != torch.equal(model.lm_head.weight, model.shared.weight), name
    cases = []
    with torch.no_grad():
        for n, m in ((1, 1), (7, 5), (33, 26)):
            ids, written = [rng.randrange(3, V) for _ in range(n)], [0] + [rng.randrange(3, V) for _ in range(m - 1)]
            out = model(input_ids=torch.tensor([ids]), decoder_input_ids=torch.tensor([written])).logits[0]
            greedy = model.generate(torch.tensor([ids]), max_new_tokens=24, do_sample=False)[0].tolist()[1:]
            cases.append(dict(ids=ids, decoder_ids=written, output="logits", greedy=greedy, **numbers(out)))
    json.dump(dict(transformers=T.__version__, cases=cases), open(os.path.join(folder, "expected.json"), "w"))
    print(name, [c["greedy"] for c in cases])


def encoder(number):
    gen, rng = torch.Generator().manual_seed(900 + number), random.Random(900 + number)
    config = T.T5Config(**SIZES, num_layers=2, feed_forward_proj="gated-gelu")
    spelled = dict(SIZES, architectures=["T5EncoderModel"], model_type="t5", num_layers=2, num_decoder_layers=2, feed_forward_proj="gated-gelu", n_positions=96)
    folder = os.path.join(HERE, "heads", "t5-encoder")
    save(folder, spelled, weights(T.T5EncoderModel(config), gen))
    model = T.T5EncoderModel.from_pretrained(folder, dtype=torch.float32).eval()
    cases = []
    with torch.no_grad():
        for n in (1, 6, 40):
            ids = [rng.randrange(3, V) for _ in range(n)]
            cases.append(dict(ids=ids, output="hidden", **numbers(model(input_ids=torch.tensor([ids])).last_hidden_state[0])))
    json.dump(dict(transformers=T.__version__, cases=cases), open(os.path.join(folder, "expected.json"), "w"))


for number, (name, (config, head)) in enumerate(CASES.items()):
    text_to_text(number, name, config, head)
encoder(len(CASES))
