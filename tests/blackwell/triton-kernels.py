# SPDX-License-Identifier: BSD-3-Clause
# triton-kernels.py FOLDER: makes the PTX of the kernels beside this script, by Triton (PyPI, 3.5.0), which needs no GPU
# for that. A script called triton.py would import itself in place of Triton.
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(x, y, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(z + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def softmax(out, x, cols, B: tl.constexpr):
    r = tl.program_id(0); i = tl.arange(0, B); m = i < cols
    v = tl.load(x + r * cols + i, mask=m, other=-float('inf'))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + r * cols + i, e / tl.sum(e, axis=0), mask=m)


@triton.jit
def layernorm(out, x, w, b, cols, eps, B: tl.constexpr):
    r = tl.program_id(0); i = tl.arange(0, B); m = i < cols
    v = tl.load(x + r * cols + i, mask=m, other=0.0)
    mean = tl.sum(v, axis=0) / cols
    d = tl.where(m, v - mean, 0.0)
    rs = 1 / tl.sqrt(tl.sum(d * d, axis=0) / cols + eps)
    tl.store(out + r * cols + i, d * rs * tl.load(w + i, mask=m) + tl.load(b + i, mask=m), mask=m)


@triton.jit
def product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0); pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM); rn = pn * BN + tl.arange(0, BN); rk = tl.arange(0, BK)
    pa = a + rm[:, None] * K + rk[None, :]
    pb = b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK; pb += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16))


@triton.jit
def attention(q, k, v, o, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM); rd = tl.arange(0, D)
    base = tl.program_id(1) * n * D
    x = tl.load(q + base + rm[:, None] * D + rd[None, :])
    m = tl.full((BM,), -float('inf'), tl.float32); l = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for s in range(0, n, BN):
        rn = s + tl.arange(0, BN)
        kk = tl.load(k + base + rn[None, :] * D + rd[:, None])
        p = tl.dot(x, kk) * scale
        mn = tl.maximum(m, tl.max(p, 1))
        al = tl.exp2(m - mn)
        p = tl.exp2(p - mn[:, None])
        l = l * al + tl.sum(p, 1)
        acc = acc * al[:, None]
        vv = tl.load(v + base + rn[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(tl.float16), vv, acc)
        m = mn
    tl.store(o + base + rm[:, None] * D + rd[None, :], (acc / l[:, None]).to(tl.float16))


def compile(function, signature, constants, architecture, name):
    places = {name: (function.arg_names.index(name),) for name in function.arg_names}
    source = ASTSource(
        fn=function,
        signature={**signature, **{name: "constexpr" for name in constants}},
        constexprs={places[name]: value for name, value in constants.items()},
        attrs={places[name]: [["tt.divisibility", 16]] for name in signature if name not in ("eps", "scale")},
    )
    made = triton.compile(source, target=GPUTarget("cuda", architecture, 32), options={"num_warps": 4, "num_stages": 3})
    with open(f"{sys.argv[1]}/triton-{name}-{architecture}.ptx", "w") as file:
        file.write(made.asm["ptx"])


for architecture in (100, 120):
    f, h = "*fp32", "*fp16"
    compile(add, {"x": f, "y": f, "z": f, "n": "i32"}, {"B": 1024}, architecture, "add")
    compile(softmax, {"out": f, "x": f, "cols": "i32"}, {"B": 1024}, architecture, "softmax")
    compile(layernorm, {"out": f, "x": f, "w": f, "b": f, "cols": "i32", "eps": "fp32"}, {"B": 1024}, architecture, "layernorm")
    for t in ("fp16", "fp8e4nv"):
        signature = {"a": "*" + t, "b": "*" + t, "c": h, "M": "i32", "N": "i32", "K": "i32"}
        compile(product, signature, {"BM": 128, "BN": 128, "BK": 64}, architecture, "product-" + t)
    signature = {"q": h, "k": h, "v": h, "o": h, "n": "i32", "scale": "fp32"}
    compile(attention, signature, {"BM": 128, "BN": 64, "D": 64}, architecture, "attention")
