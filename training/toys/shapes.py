"""A toy that reads pictures and texts: a CLIP that finds coloured shapes by words.

    pip install torch transformers safetensors tokenizers pillow
    python shapes.py ../../pipeline/testdata/toys/shapes

It knows five colours and four shapes: "a red circle" lies closer to a picture of one than to any other. Its only use is in tests. Trained
from random weights, seed 0. The folder also gets samples, pictures that it was not trained on.
"""
import os, random, sys
import torch
import transformers as T
from PIL import Image, ImageDraw
from common import save, steps, word_tokenizer

COLOURS = dict(red=(205, 40, 40), green=(40, 150, 60), blue=(45, 80, 200), yellow=(225, 195, 40), black=(25, 25, 25))
SHAPES = ["circle", "square", "triangle", "cross"]
SIDE, PATCH, LONGEST = 32, 8, 8
MEAN, STD = [0.5] * 3, [0.5] * 3


def draw(rng, colour, shape, side=SIDE):
    ground = tuple(rng.randint(200, 255) for _ in range(3))
    image = Image.new("RGB", (side, side), ground)
    r = rng.uniform(0.24, 0.4) * side
    x, y = rng.uniform(r + 1, side - r - 1), rng.uniform(r + 1, side - r - 1)
    fill = tuple(min(255, max(0, c + rng.randint(-18, 18))) for c in COLOURS[colour])
    pen = ImageDraw.Draw(image)
    if shape == "circle":
        pen.ellipse((x - r, y - r, x + r, y + r), fill=fill)
    elif shape == "square":
        pen.rectangle((x - r * 0.85, y - r * 0.85, x + r * 0.85, y + r * 0.85), fill=fill)
    elif shape == "triangle":
        pen.polygon([(x, y - r), (x - r, y + r * 0.8), (x + r, y + r * 0.8)], fill=fill)
    else:
        pen.rectangle((x - r, y - r / 3, x + r, y + r / 3), fill=fill)
        pen.rectangle((x - r / 3, y - r, x + r / 3, y + r), fill=fill)
    return image


def main(folder):
    torch.manual_seed(0)
    rng = random.Random(0)
    tokens = ["<pad>", "<unk>", "<start>", "<end>", "a", "picture", "photo", "this", "is", "of", "."] + list(COLOURS) + SHAPES
    number = {t: i for i, t in enumerate(tokens)}
    tower = dict(hidden_size=48, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, projection_dim=32)
    text = dict(tower, vocab_size=len(tokens), max_position_embeddings=16, pad_token_id=0, bos_token_id=2, eos_token_id=3)
    config = T.CLIPConfig(text_config=text, vision_config=dict(tower, image_size=SIDE, patch_size=PATCH), projection_dim=32)
    model = T.CLIPModel(config)
    ways = ["a {}", "a picture of a {}", "a photo of a {}", "this is a photo of a {} .", "{}"]
    every = [(c, s) for c in COLOURS for s in SHAPES]

    def pixels(image):
        x = torch.tensor(list(image.tobytes()), dtype=torch.float32).view(SIDE, SIDE, 3) / 255
        return ((x - 0.5) / 0.5).permute(2, 0, 1)

    def ids(words):
        row = [2] + [number[w] for w in words.split()] + [3]
        return row + [0] * (12 - len(row))

    def loss():
        texts = torch.tensor([ids(rng.choice(ways).format(c + " " + s)) for c, s in every])
        seen = torch.stack([pixels(draw(rng, c, s)) for c, s in every])
        return model(input_ids=texts, attention_mask=(texts != 0).long(), pixel_values=seen, return_loss=True).loss

    steps(model, loss, 900, 2e-3)
    model.eval()
    with torch.no_grad():
        texts = torch.tensor([ids("a %s %s" % e) for e in every])
        t = model.text_projection(model.text_model(input_ids=texts, attention_mask=(texts != 0).long()).pooler_output)
        seen = torch.stack([pixels(draw(rng, c, s)) for c, s in every for _ in range(10)])
        v = model.visual_projection(model.vision_model(pixel_values=seen).pooler_output)
        best = (torch.nn.functional.normalize(v, dim=-1) @ torch.nn.functional.normalize(t, dim=-1).T).argmax(1)
        print("right: %d of %d" % (sum(int(b) == i // 10 for i, b in enumerate(best)), len(best)))
    save(model, folder, word_tokenizer(tokens, "<unk>", begin="<start>", end="<end>", lower=True), dict(bos_token="<start>", eos_token="<end>", pad_token="<pad>", unk_token="<unk>", tokenizer_class="PreTrainedTokenizerFast", model_max_length=16),
         {"preprocessor_config.json": dict(image_processor_type="CLIPImageProcessor", do_resize=True, size={"shortest_edge": SIDE}, resample=3, do_center_crop=True, crop_size={"height": SIDE, "width": SIDE},
                                           do_rescale=True, rescale_factor=1 / 255, do_normalize=True, image_mean=MEAN, image_std=STD, do_convert_rgb=True)})
    os.makedirs(os.path.join(folder, "samples"), exist_ok=True)
    rng = random.Random(12)
    for c, s in every:
        draw(rng, c, s, 96).save(os.path.join(folder, "samples", "%s-%s.png" % (c, s)), optimize=True)


main(sys.argv[1])
