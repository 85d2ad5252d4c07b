#!/usr/bin/env python3
"""Make siglip/ and siglip2/, tiny random models for pictures and texts with tokenizers of their own, and the answers of the reference library.

    pip install torch transformers sentencepiece protobuf tokenizers pillow
    python make_siglip.py

siglip/ has the SentencePiece model of the first version, which knows neither capitals nor punctuation; siglip2/ the kind of tokenizer that
Gemma has. answers.json has the vectors of texts and of pictures of ../pictures/testdata, and how probably each text belongs to each picture.
"""
import io, json, os, shutil
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import sentencepiece, torch
import transformers as T
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers.image_utils import load_image
from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST, SIDE = 16, 32
TEXTS = ["a photo of a cat", "A Photo of a CAT!", "the fire burns in the hearth", "Snow falls outside; tea is ready.", "", "  two   spaces  ", "Grüße aus dem Norden", "a very long text " * 9]
PICTURES = ["wide.png", "tall.png", "palette.png", "grey-alpha.png", "16-bits.png", "rgb.jpg", "turn6.jpg", "cmyk.jpg", "1x1.png", "4000x30.png"]
CORPUS = [t.lower() for t in TEXTS] + ("a photo of a dog\na picture of the red house\nthe cat sleeps on the warm stone and tea is ready\nwho lit the lamp\nabcdefghijklmnopqrstuvwxyz 0123456789\n" * 3).split("\n")


def first(folder):
    """SigLIP's: </s> behind each text, which also fills it up."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter([t for t in CORPUS if t]), model_writer=model, vocab_size=90, model_type="unigram", hard_vocab_limit=False, bos_id=-1, pad_id=0, eos_id=1, unk_id=2, minloglevel=2)
    open(folder + "/spiece.model", "wb").write(model.getvalue())
    t = T.SiglipTokenizer(folder + "/spiece.model", model_max_length=LONGEST)
    t.save_pretrained(folder)
    return t, len(t), 1


def second(folder):
    """SigLIP 2's: Gemma's, with <eos> behind each text."""
    t = Tokenizer(models.BPE(byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
    t.normalizer, t.pre_tokenizer = normalizers.Replace(" ", "▁"), pre_tokenizers.Split(" ", "merged_with_previous")
    t.train_from_iterator([x for x in CORPUS if x], trainers.BpeTrainer(vocab_size=420, special_tokens=["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"] + ["<0x%02X>" % b for b in range(256)], show_progress=False))
    t.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    t.post_processor = processors.TemplateProcessing(single="$A <eos>", special_tokens=[("<eos>", 1)])
    t.save(folder + "/tokenizer.json")
    json.dump(dict(tokenizer_class="GemmaTokenizer", pad_token="<pad>", eos_token="<eos>", bos_token="<bos>", unk_token="<unk>", model_max_length=LONGEST, padding_side="left"), open(folder + "/tokenizer_config.json", "w"))
    lower = Tokenizer.from_file(folder + "/tokenizer.json")
    lower.normalizer = normalizers.Sequence([normalizers.Lowercase(), lower.normalizer])
    return T.PreTrainedTokenizerFast(tokenizer_object=lower, pad_token="<pad>", eos_token="<eos>", model_max_length=LONGEST, padding_side="left"), t.get_vocab_size(), 0


for number, (name, tokens) in enumerate({"siglip": first, "siglip2": second}.items()):
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    tokenizer, vocab, pad = tokens(folder)
    sizes = dict(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4)
    config = T.SiglipConfig(text_config=dict(sizes, vocab_size=vocab, max_position_embeddings=LONGEST, pad_token_id=pad), vision_config=dict(sizes, image_size=SIDE, patch_size=8))
    model, gen = T.SiglipModel(config).eval(), torch.Generator().manual_seed(3000 + number)
    with torch.no_grad():
        for key, p in model.named_parameters():
            p.copy_(torch.randn(p.shape, generator=gen) * (1.4 / p.shape[-1] ** 0.5) if p.dim() > 1 else torch.randn(p.shape, generator=gen) * 0.2 + (1 if "norm" in key and "weight" in key else 0))
        model.logit_scale.fill_(2.3)
        model.logit_bias.fill_(-1.5)
    model.half().save_pretrained(folder)
    model = T.SiglipModel.from_pretrained(folder, dtype=torch.float32).eval()
    look = SiglipImageProcessorPil(size=dict(height=SIDE, width=SIDE))
    look.save_pretrained(folder)
    with torch.no_grad():
        ids = tokenizer(TEXTS, padding="max_length", max_length=LONGEST, truncation=True, return_tensors="pt")["input_ids"]
        pixels = look([load_image(os.path.join(HERE, "../pictures/testdata", p)) for p in PICTURES], return_tensors="pt")["pixel_values"]
        out = model(input_ids=ids, pixel_values=pixels)
    rows = lambda x: [[float("%.7g" % v) for v in row] for row in x.tolist()]
    json.dump(dict(transformers=T.__version__, texts=TEXTS, ids=ids.tolist(), pictures=PICTURES, text_vectors=rows(out.text_embeds), picture_vectors=rows(out.image_embeds), probabilities=rows(out.logits_per_image.sigmoid())), open(folder + "/answers.json", "w"))
    print(name, vocab, sorted(os.listdir(folder)))
