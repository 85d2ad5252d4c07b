"""Writes the small files of this folder with the reference library.

    python reference.py

They hold values that reference_test.go computes for itself. Needs safetensors
and torch; the files are committed, so that the test needs neither.
"""

import torch
from safetensors.torch import save_file


def values(*shape):
    """0, 1/4, 2/4, … less 1: exact in each type used here."""
    n = 1
    for side in shape:
        n *= side
    return (torch.arange(n, dtype=torch.float64) / 4 - 1).reshape(shape)


save_file(
    {
        "f32": values(3, 4).to(torch.float32),
        "f16": values(2, 5).to(torch.float16),
        "bf16": values(4, 2).to(torch.bfloat16),
        "f64": values(6),
        "scalar": values().to(torch.float32),
        "empty": torch.empty(0, 7),
        "cube": values(2, 2, 3).to(torch.float32),
        "i64": torch.arange(4).reshape(1, 4),
        "bool": torch.tensor([True, False]),
        "f8": values(8).to(torch.float8_e4m3fn),
    },
    "reference.safetensors",
    metadata={"format": "pt", "unicode": "é \U0001f600 \"quoted\""},
)
save_file({}, "reference-empty.safetensors")
