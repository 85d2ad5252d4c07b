"""Makes the fixtures in this folder, or more of them elsewhere: make.py [FOLDER [BLOCKS]].

What the block types mean is said here by the Python package gguf (pip install gguf==0.19.0):
TYPE.blocks are random blocks, TYPE.values what they decode to (float32); values.f32 are numbers
and TYPE.encoded what the types that gguf can write make of them.
"""
import pathlib
import sys

import gguf
import numpy as np

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
blocks = int(sys.argv[2]) if len(sys.argv) > 2 else 4
rng = np.random.default_rng(4)

# where the blocks of a type hold binary16 scales
scales = {
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108],
    "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0],
}


def fixture(name, offsets, rng):
    kind = gguf.GGMLQuantizationType[name]
    _, size = gguf.GGML_QUANT_SIZES[kind]
    data = rng.integers(0, 256, (blocks, size), dtype=np.uint8)
    for at in offsets:  # any bits that mean a number
        half = rng.integers(0, 1 << 16, blocks, dtype=np.uint16)
        half = np.where(half & 0x7C00 == 0x7C00, half & 0x83FF, half).astype(np.uint16)
        data[:, at:at + 2] = half.view(np.uint8).reshape(-1, 2)
    (folder / f"{name.lower()}.blocks").write_bytes(data.tobytes())
    (folder / f"{name.lower()}.values").write_bytes(gguf.quants.dequantize(data, kind).astype("<f4").tobytes())


for name, offsets in scales.items():
    fixture(name, offsets, rng)
fixture("MXFP4", [], np.random.default_rng(5))  # the scale is an exponent
for name in ["IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S"]:
    fixture(name, [0], np.random.default_rng(6))

values = rng.standard_normal((8 * blocks, 32)).astype(np.float32)
values *= np.exp(rng.uniform(-8, 8, (len(values), 1))).astype(np.float32)
values[0] = 0
values[1] = np.arange(32) - 16  # levels and halves between them
values[2] = (np.arange(32) - 15.5) * 127 / 15.5
values[3, :] = 0.25
(folder / "values.f32").write_bytes(values.astype("<f4").tobytes())
for name in ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "F16", "BF16"]:
    data = gguf.quants.quantize(values, gguf.GGMLQuantizationType[name])
    (folder / f"{name.lower()}.encoded").write_bytes(data.tobytes())
