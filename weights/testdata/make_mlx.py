#!/usr/bin/env python3
"""Write mlx.safetensors: matrices that MLX quantized, and the values that MLX reads in them.

    pip install "mlx[cpu]" numpy
    python make_mlx.py

NAME.values are in float32. Up to 5 bits they are computed from scales in float32, so that nothing is rounded on the
way; with 6 and 8 bits they are what mlx.core.dequantize returns in the type of the scales.
"""
import os
import mlx.core as mx
import numpy as np

mx.set_default_device(mx.cpu)
rng = np.random.default_rng(22)
out = {}
for bits in (2, 3, 4, 5, 6, 8):
    for group in (32, 64, 128):
        for kind, dtype in (("f16", mx.float16), ("bf16", mx.bfloat16), ("f32", mx.float32)):
            name = f"affine-{bits}-{group}-{kind}"
            q, s, b = mx.quantize(mx.array(rng.normal(size=(2, 128)).astype(np.float32)).astype(dtype), group_size=group, bits=bits)
            exact = (s, b) if bits > 5 else (s.astype(mx.float32), b.astype(mx.float32))
            out |= {name + ".weight": q, name + ".scales": s, name + ".biases": b,
                    name + ".values": mx.dequantize(q, *exact, group_size=group, bits=bits).astype(mx.float32)}
q, s = mx.quantize(mx.array(rng.normal(size=(3, 2, 96)).astype(np.float32)), mode="mxfp4", group_size=32, bits=4)
out |= {"mxfp4-4-32-experts.weight": q, "mxfp4-4-32-experts.scales": s,
        "mxfp4-4-32-experts.values": mx.dequantize(q, s, mode="mxfp4", group_size=32, bits=4).astype(mx.float32)}
mx.save_safetensors(os.path.join(os.path.dirname(os.path.abspath(__file__)), "mlx.safetensors"), out)
