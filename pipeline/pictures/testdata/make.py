#!/usr/bin/env python3
"""Make odd pictures, and beside each as NAME.rgb the 24 × 24 pixels that PIL makes of it by the steps of CLIP: turned as Exif says,
without alpha, with white for a colour that stands for nothing, scaled by BICUBIC until the shorter side has 24 pixels, the middle cut out.

    pip install pillow numpy
    python make.py
"""
import os, struct, zlib
import numpy as np
from PIL import Image, ImageOps

OUT, S = os.path.dirname(os.path.abspath(__file__)), 24
rng = np.random.default_rng(7)


def waves(h, w, colours=3):
    y, x = np.mgrid[0:h, 0:w]
    a = np.stack([128 + 100 * np.sin(x / (4 + 2 * k) + k) * np.cos(y / (9 - 2 * k)) for k in range(colours)], -1) + rng.normal(0, 6, (h, w, colours))
    return np.clip(a, 0, 255).astype(np.uint8)


def save(name, a, mode=None, **how):
    (a if isinstance(a, Image.Image) else Image.fromarray(a, mode=mode)).save(os.path.join(OUT, name), **how)


def wide_png(name, a, kind, key=b""):
    """A PNG of 16 bits a value, which PIL does not write; key is the chunk tRNS, if any."""
    raw = b"".join(b"\0" + (row.astype(np.uint16) * 257).astype(">u2").tobytes() for row in a)
    chunk = lambda tag, d: struct.pack(">I", len(d)) + tag + d + struct.pack(">I", zlib.crc32(tag + d))
    head = struct.pack(">IIBBBBB", a.shape[1], a.shape[0], 16, kind, 0, 0, 0)
    open(os.path.join(OUT, name), "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + (chunk(b"tRNS", key) if key else b"") + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


for name, size in {"same": (24, 24), "tall": (41, 29), "wide": (31, 60), "4000x30": (30, 4000), "7x300": (300, 7), "1x1": (1, 1), "3x5": (5, 3), "200x1": (1, 200)}.items():
    save(name + ".png", waves(*size) if name != "4000x30" else waves(30, 1)[:, [0] * 4000])
save("grey.png", waves(30, 40)[:, :, 0]); save("alpha.png", waves(30, 40, 4)); save("grey-alpha.png", waves(30, 40, 2), "LA")
palette = Image.fromarray(waves(30, 40)).quantize(40)
save("palette.png", palette); save("palette-transparent.png", palette, transparency=3); save("palette-2-bits.png", palette.quantize(4), bits=2)
save("1-bit.png", waves(30, 40)[:, :, 0] > 128)
save("grey-16-bits.png", waves(30, 40)[:, :, 0].astype(np.uint16) * 257); save("grey-16-bits-low.png", waves(30, 40)[:, :, 0].astype(np.uint16) * 2)
wide_png("16-bits.png", waves(30, 40), 2); wide_png("alpha-16-bits.png", waves(30, 40, 4), 6); wide_png("grey-alpha-16-bits.png", waves(30, 40, 2), 4)
for quality, chroma in ((95, 0), (90, 1), (85, 2), (50, 2)):
    save(f"chroma{chroma}-{quality}.jpg", waves(51, 67), quality=quality, subsampling=chroma)
save("progressive.jpg", waves(50, 50), progressive=True); save("grey.jpg", waves(30, 40)[:, :, 0]); save("cmyk.jpg", waves(30, 40, 4), "CMYK")
save("rgb.jpg", waves(30, 40), keep_rgb=True); save("1x1.jpg", waves(1, 1)); save("3x2.jpg", waves(2, 3))
for turn in range(2, 9):
    exif = Image.Exif(); exif[0x112] = turn
    save(f"turn{turn}.jpg", waves(30, 43), exif=exif)
    if turn in (3, 6, 8):
        save(f"turn{turn}.png", waves(30, 43), exif=exif)
# One colour of these stands for nothing. They come last, so that the pictures above stay as they are.
steps = waves(30, 40) // 90 * 90
save("key-grey.png", steps[:, :, 0], transparency=90); save("key.png", steps, transparency=(90, 0, 90)); save("key-1-bit.png", steps[:, :, 0] > 100, transparency=0)
save("key-palette.png", Image.fromarray(steps).quantize(8), transparency=2); save("key-palette-half.png", Image.fromarray(steps).quantize(8), transparency=b"\xff\x80\0")
wide_png("key-grey-16-bits.png", steps[:, :, 0], 0, struct.pack(">H", 90 * 257))
SQUARES = ("wide.png", "tall.png", "4000x30.png", "3x5.png", "1x1.png", "palette.png", "grey-alpha.png", "turn6.png")  # as SigLIP 2 wants them
for name in sorted(os.listdir(OUT)):
    if name.endswith((".png", ".jpg")):
        m = ImageOps.exif_transpose(Image.open(os.path.join(OUT, name))).convert("RGB")
        if m.info.get("transparency") is not None:  # as the library does after that
            m = Image.alpha_composite(Image.new("RGBA", m.size, "white"), m.convert("RGBA")).convert("RGB")
        if name in SQUARES:
            open(os.path.join(OUT, name + ".square"), "wb").write(m.resize((S, S), Image.BILINEAR).tobytes())
        w, h = m.size
        w, h = (int(S * w / h), S) if w > h else (S, int(S * h / w))
        m = m.resize((w, h), Image.BICUBIC)
        left, top = (w - S) // 2, (h - S) // 2
        open(os.path.join(OUT, name + ".rgb"), "wb").write(m.crop((left, top, left + S, top + S)).tobytes())
