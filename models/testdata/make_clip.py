#!/usr/bin/env python3
"""Make the tiny random CLIP models in heads/clip, heads/clip-text and heads/clip-text-states, with the reference library's vectors of
texts in expected.json.

    pip install torch transformers safetensors
    python make_clip.py

heads/clip has both towers and the configs of old checkpoints, which name a wrong token as the end of texts. Weights are random with fixed
seeds and rounded to float16; the answers are computed in float32 from the rounded weights.
"""
import json, os, random
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
import transformers as T
from safetensors.torch import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
V, END = 64, 63
TEXT = dict(vocab_size=V, hidden_size=30, intermediate_size=52, num_hidden_layers=3, num_attention_heads=5, max_position_embeddings=40,
            bos_token_id=62, pad_token_id=1)
VISION = dict(hidden_size=24, intermediate_size=40, num_hidden_layers=1, num_attention_heads=4, image_size=16, patch_size=8)


def make(number, name, cls, config, spelled):
    gen, rng = torch.Generator().manual_seed(1000 + number), random.Random(1000 + number)
    model = cls(config)
    with torch.no_grad():
        for key, p in model.named_parameters():
            if p.dim() >= 2:
                p.copy_(torch.randn(p.shape, generator=gen) * (1.4 / p.shape[-1] ** 0.5 if "embedding" not in key else 0.7))
            else:
                p.copy_(torch.randn(p.shape, generator=gen) * 0.2 + (1 if "norm" in key and "weight" in key else 0))
    folder = os.path.join(HERE, "heads", name)
    os.makedirs(folder, exist_ok=True)
    model = model.half()
    model.save_pretrained(folder, safe_serialization=True)
    json.dump(dict(spelled, architectures=[cls.__name__]), open(os.path.join(folder, "config.json"), "w"), indent=1)
    for extra in ("generation_config.json",):
        if os.path.exists(os.path.join(folder, extra)):
            os.remove(os.path.join(folder, extra))
    model = cls.from_pretrained(folder, dtype=torch.float32).eval()
    tower = getattr(model, "text_model", model)
    cases = []
    with torch.no_grad():
        for n, after in ((1, 0), (5, 0), (24, 3), (38, 0)):  # some tokens follow the end of one text
            ids = [62] + [rng.randrange(3, 60) for _ in range(n - 1)] + [END] + [rng.randrange(3, 60) for _ in range(after)]
            tokens = torch.tensor([ids])
            hidden = tower(input_ids=tokens).last_hidden_state[0]
            if cls is T.CLIPModel:
                pooled = model.text_projection(tower(input_ids=tokens).pooler_output)
            elif cls is T.CLIPTextModelWithProjection:
                pooled = model(input_ids=tokens).text_embeds
            else:
                pooled = model(input_ids=tokens).pooler_output
            output, x = ("hidden", hidden) if n == 24 and number else ("pooled", pooled)
            cases.append(dict(ids=ids, output=output, shape=list(x.shape), data=[float("%.7g" % v) for v in x.flatten().tolist()]))
    if number:
        cases = [c for c in cases if c["output"] == "pooled"] + [c for c in cases if c["output"] == "hidden"]
    answers = dict(transformers=T.__version__, cases=cases)
    if cls is T.CLIPModel:
        with torch.no_grad():
            pixels = torch.randn((2, 3, 16, 16), generator=gen)
            seen = model.vision_model(pixel_values=pixels)
            numbers = lambda x: [float("%.7g" % v) for v in x.flatten().tolist()]
            answers["pictures"] = dict(pixels=numbers(pixels), hidden=numbers(seen.last_hidden_state), pooled=numbers(model.visual_projection(seen.pooler_output)))
    json.dump(answers, open(os.path.join(folder, "expected.json"), "w"))
    print(name, sum(p.numel() for p in model.parameters()))


old = dict(TEXT, eos_token_id=2, hidden_act="gelu", projection_dim=20)
make(0, "clip", T.CLIPModel, T.CLIPConfig(text_config=old, vision_config=VISION, projection_dim=20),
     dict(model_type="clip", projection_dim=20, logit_scale_init_value=2.6592, text_config=dict(old, model_type="clip_text_model", layer_norm_eps=1e-5),
          vision_config=dict(VISION, model_type="clip_vision_model")))
new = dict(TEXT, eos_token_id=END, hidden_act="quick_gelu", projection_dim=36, layer_norm_eps=1e-5)
make(1, "clip-text", T.CLIPTextModelWithProjection, T.CLIPTextConfig(**new), dict(new, model_type="clip_text_model"))
make(2, "clip-text-states", T.CLIPTextModel, T.CLIPTextConfig(**new), dict(new, model_type="clip_text_model"))
