# SPDX-License-Identifier: BSD-3-Clause
# triton-kernels.py FOLDER: makes the machine code of docs/evidence/triton.md, by Triton (PyPI, 3.9.0), which needs no
# GPU for that, and prints how each kernel is launched.
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
def softmax(out, x, rows, cols, B: tl.constexpr, S: tl.constexpr):
    i = tl.arange(0, B)
    m = i < cols
    for r in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=S):
        v = tl.load(x + r * cols + i, mask=m, other=-float('inf'))
        e = tl.exp(v - tl.max(v, axis=0))
        tl.store(out + r * cols + i, e / tl.sum(e, axis=0), mask=m)


@triton.jit
def layernorm(out, x, w, b, mean_out, rstd_out, cols, eps, B: tl.constexpr):
    r = tl.program_id(0)
    x += r * cols
    out += r * cols
    total = tl.zeros([B], dtype=tl.float32)
    for o in range(0, cols, B):
        i = o + tl.arange(0, B)
        total += tl.load(x + i, mask=i < cols, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / cols
    squares = tl.zeros([B], dtype=tl.float32)
    for o in range(0, cols, B):
        i = o + tl.arange(0, B)
        v = tl.load(x + i, mask=i < cols, other=0.0).to(tl.float32)
        v = tl.where(i < cols, v - mean, 0.0)
        squares += v * v
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / cols + eps)
    tl.store(mean_out + r, mean)
    tl.store(rstd_out + r, rstd)
    for o in range(0, cols, B):
        i = o + tl.arange(0, B)
        m = i < cols
        v = tl.load(x + i, mask=m, other=0.0).to(tl.float32)
        tl.store(out + i, (v - mean) * rstd * tl.load(w + i, mask=m) + tl.load(b + i, mask=m), mask=m)


@triton.jit
def product(a, b, c, M, N, K, sam, sb, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr,
            ALONG: tl.constexpr):  # B lies along the direction of the sum, as A does
    pid = tl.program_id(0)
    pms = tl.cdiv(M, BM)
    pns = tl.cdiv(N, BN)
    width = G * pns
    first = pid // width * G
    size = min(pms - first, G)
    pm = first + (pid % width) % size
    pn = (pid % width) // size
    rm = (pm * BM + tl.arange(0, BM)) % M
    rn = (pn * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * sam + rk[None, :]
    if ALONG:
        pb = b + rk[:, None] + rn[None, :] * sb
    else:
        pb = b + rk[:, None] * sb + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(pa, mask=rk[None, :] < K - k * BK, other=0.0)
        y = tl.load(pb, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK
        pb += BK if ALONG else BK * sb
    om = pm * BM + tl.arange(0, BM)
    on = pn * BN + tl.arange(0, BN)
    tl.store(c + scm * om[:, None] + on[None, :], acc.to(tl.float16), mask=(om[:, None] < M) & (on[None, :] < N))


def make(function, types, constants, architecture, name, warps, stages):
    names = function.arg_names
    source = ASTSource(
        fn=function,
        signature={**types, **dict.fromkeys(constants, "constexpr")},
        constexprs={(names.index(c),): value for c, value in constants.items()},
        attrs={(names.index(n),): [["tt.divisibility", 16]] for n in types if n not in ("eps", "rows")},
    )
    target = GPUTarget("cuda", architecture, 32)
    made = triton.compile(source, target=target, options={"num_warps": warps, "num_stages": stages})
    path = f"{sys.argv[1]}/{name}-{architecture}.cubin"
    with open(path, "wb") as file:
        file.write(made.asm["cubin"])
    print(path, "--block", 32 * warps, "--shared", made.metadata.shared)


single, half, byte = "*fp32", "*fp16", "*fp8e4nv"
make(add, {"x": single, "y": single, "z": single, "n": "i32"}, {"B": 1024}, 80, "add", 4, 3)
make(softmax, {"out": single, "x": single, "rows": "i32", "cols": "i32"}, {"B": 4096, "S": 4}, 80, "softmax", 8, 4)
layer = {**dict.fromkeys(("out", "x", "w", "b"), half), "mean_out": single, "rstd_out": single, "cols": "i32",
         "eps": "fp32"}
make(layernorm, layer, {"B": 4096}, 80, "layernorm", 16, 3)
sizes = dict.fromkeys(("M", "N", "K", "sam", "sb", "scm"), "i32")
for name, factor, architecture, m, n, k, warps, stages in (
    ("product", half, 80, 128, 256, 64, 8, 3), ("product", half, 80, 128, 128, 64, 4, 3),
    ("product", half, 80, 128, 256, 32, 8, 4), ("product", half, 80, 128, 128, 32, 4, 4),
    ("product", half, 80, 64, 256, 32, 4, 4), ("product", half, 80, 128, 64, 32, 4, 4),
    ("product", half, 90, 128, 256, 64, 8, 3), ("product", half, 90, 128, 256, 64, 8, 4),
    ("product8", byte, 90, 128, 256, 128, 8, 3), ("product8", byte, 90, 128, 256, 128, 8, 4),
    ("product8", byte, 90, 128, 128, 128, 4, 4),
):
    make(product, {"a": factor, "b": factor, "c": half, **sizes},
         {"BM": m, "BN": n, "BK": k, "G": 8, "ALONG": factor is byte}, architecture,
         f"{name}-{m}x{n}x{k}-{warps}-{stages}", warps, stages)
