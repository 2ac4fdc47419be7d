# SPDX-License-Identifier: BSD-3-Clause
# The source of triton.ptx.
import triton
import triton.language as tl


@triton.jit
def scale(
    out,  # a comma, and "strings", in comments do not count
    x,
    factor,
    n,
    BLOCK: tl.constexpr,
):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) * factor, mask=inside)
