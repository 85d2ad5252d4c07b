#!/usr/bin/env python3
"""Make the tiny random models of pictures in pictures/, with the reference library's states and vectors in expected.json.

    pip install torch transformers safetensors
    python make_pictures.py
"""
import json, os
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
import transformers as T

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = dict(hidden_size=24, intermediate_size=40, num_hidden_layers=2, num_attention_heads=4, image_size=20, patch_size=8)
TEXT = dict(vocab_size=50, hidden_size=24, intermediate_size=40, num_hidden_layers=1, num_attention_heads=4, max_position_embeddings=8)
CASES = {
    "clip-vision": (T.CLIPVisionModelWithProjection, T.CLIPVisionConfig(**SIZES, projection_dim=20)),
    "clip-vision-states": (T.CLIPVisionModel, T.CLIPVisionConfig(**SIZES, hidden_act="gelu")),
    "siglip": (T.SiglipModel, T.SiglipConfig(text_config=TEXT, vision_config=SIZES)),
    "siglip-vision": (T.SiglipVisionModel, T.SiglipVisionConfig(**SIZES)),
}

for number, (name, (cls, config)) in enumerate(CASES.items()):
    gen = torch.Generator().manual_seed(2000 + number)
    model = cls(config).eval()
    with torch.no_grad():
        for key, p in model.named_parameters():
            p.copy_(torch.randn(p.shape, generator=gen) * (1.4 / p.shape[-1] ** 0.5) if p.dim() > 1 else torch.randn(p.shape, generator=gen) * 0.2 + (1 if "norm" in key and "weight" in key else 0))
        folder = os.path.join(HERE, "pictures", name)
        model = model.half()
        model.save_pretrained(folder)
        model = cls.from_pretrained(folder, dtype=torch.float32).eval()
        pixels = torch.randn((2, 3, 20, 20), generator=gen)
        seen = getattr(model, "vision_model", model)(pixel_values=pixels) if cls is T.SiglipModel else model(pixel_values=pixels)
        pooled = seen.image_embeds if hasattr(seen, "image_embeds") else seen.pooler_output
    numbers = lambda x: [float("%.7g" % v) for v in x.flatten().tolist()]
    json.dump(dict(transformers=T.__version__, width=pooled.shape[1], pixels=numbers(pixels), hidden=numbers(seen.last_hidden_state), pooled=numbers(pooled)), open(os.path.join(folder, "expected.json"), "w"))
    print(name, list(model.state_dict())[:3])
