#!/usr/bin/env python3
"""Measures PyTorch with transformers on an NVIDIA card, for docs/BENCHMARKS.md:

    python3 scripts/cuda-peers.py

Random weights in the shapes of BenchmarkStep of cudabackend, F16: a token after 128 others
(eager, and with a static cache, compiled with reduce-overhead), and a prompt of 512. And
in the shape of BenchmarkTexts, F16 and F32: 256 texts of 128 tokens, and one.
"""
import statistics
import time

import torch
from transformers import BertConfig, BertModel, LlamaConfig, LlamaForCausalLM, StaticCache

SHAPES = {
    "1.1B": dict(num_hidden_layers=22, hidden_size=2048, num_attention_heads=32, num_key_value_heads=4, intermediate_size=5632),
    "7B": dict(num_hidden_layers=32, hidden_size=4096, num_attention_heads=32, num_key_value_heads=8, intermediate_size=14336),
}


def timed(run, rounds):
    """Returns the median seconds of a call, the work on the card included."""
    for _ in range(3):
        run()
    all = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        run()
        torch.cuda.synchronize()
        all.append(time.perf_counter() - begin)
    return statistics.median(all)


@torch.inference_mode()
def texts():
    """Measures an encoder in the shape of all-MiniLM-L6-v2, to normalized vectors on the host."""
    config = BertConfig(num_hidden_layers=6, hidden_size=384, num_attention_heads=12, intermediate_size=1536)
    for dtype in torch.float16, torch.float32:
        with torch.device("cuda"):
            model = BertModel(config).eval().to(dtype)
        for n in 256, 1:
            ids = torch.randint(0, 30000, (n, 128), device="cuda")
            mask = torch.ones_like(ids)
            vectors = lambda: torch.nn.functional.normalize(model(ids, attention_mask=mask).last_hidden_state.float().mean(1)).cpu()
            print("texts", dtype, n, "at once: %.0f texts/s" % (n / timed(vectors, 20)), flush=True)


@torch.inference_mode()
def main():
    print("torch", torch.__version__, torch.cuda.get_device_name())
    texts()
    for name, shape in SHAPES.items():
        config = LlamaConfig(vocab_size=32000, max_position_embeddings=2048, **shape)
        with torch.device("cuda"):
            torch.set_default_dtype(torch.float16)
            model = LlamaForCausalLM(config).eval()
        prompt = torch.randint(0, 32000, (1, 512), device="cuda")
        print(name, "prompt of 512: %.0f tokens/s" % (512 / timed(lambda: model(prompt, use_cache=True, logits_to_keep=1), 10)))

        cache = StaticCache(config=config, max_cache_len=1024)
        model(prompt[:, :128], past_key_values=cache, use_cache=True, cache_position=torch.arange(128, device="cuda"))
        one, at = prompt[:, :1], torch.tensor([128], device="cuda")

        def token(m):
            logits = m(one, past_key_values=cache, use_cache=True, cache_position=at, position_ids=at[None]).logits
            return logits[0, -1].float().argmax().item()

        print(name, "a token, eager: %.1f tokens/s" % (1 / timed(lambda: token(model), 20)))
        compiled = torch.compile(model, mode="reduce-overhead", fullgraph=False)
        try:
            print(name, "a token, compiled: %.1f tokens/s" % (1 / timed(lambda: token(compiled), 40)), flush=True)
        except Exception as e:  # a version that cannot compile this
            print(name, "compiled:", type(e).__name__, str(e)[:200], flush=True)
        del model, compiled, cache
        torch.cuda.empty_cache()


main()
