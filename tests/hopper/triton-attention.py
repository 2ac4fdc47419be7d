# SPDX-License-Identifier: BSD-3-Clause
# triton-attention.py: prints the PTX of an attention, forward, without a mask, by Triton (PyPI), which needs no GPU.
import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def attention(q, k, v, o, n, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    d = tl.arange(0, D)
    base = tl.program_id(1).to(tl.int64) * n * D
    x = tl.load(q + base + rows[:, None] * D + d[None, :])
    most = tl.full((M,), -float('inf'), tl.float32)
    total = tl.zeros((M,), tl.float32)
    sums = tl.zeros((M, D), tl.float32)
    for first in range(0, n, N):
        keys = first + tl.arange(0, N)
        p = tl.dot(x, tl.load(k + base + keys[None, :] * D + d[:, None])) * scale
        now = tl.maximum(most, tl.max(p, 1))
        less = tl.exp2(most - now)
        p = tl.exp2(p - now[:, None])
        total = total * less + tl.sum(p, 1)
        sums = tl.dot(p.to(tl.bfloat16), tl.load(v + base + keys[:, None] * D + d[None, :]), sums * less[:, None])
        most = now
    tl.store(o + base + rows[:, None] * D + d[None, :], (sums / total[:, None]).to(tl.bfloat16))


names = attention.arg_names
constants = {"M": 128, "N": 64, "D": 128}
types = {**dict.fromkeys(names[:4], "*bf16"), "n": "i32", "scale": "fp32", **dict.fromkeys(constants, "constexpr")}
source = ASTSource(fn=attention, signature=types, constexprs={(names.index(c),): v for c, v in constants.items()},
                   attrs={(i,): [["tt.divisibility", 16]] for i in range(5)})
ptx = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 8, "num_stages": 3}).asm["ptx"]
ptx = re.sub(r"(?ms)^\s*\.section.*?^\s*}\n", "", ptx)  # where a debugger finds the source
print(re.sub(r"(?m)^\s*(\.loc\s|\.file\s|//).*\n|[ \t]*//.*$", "", ptx), end="")
