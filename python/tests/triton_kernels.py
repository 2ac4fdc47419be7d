# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that the tests of Triton ask about. Triton reads their source, so they stand in a file."""

import triton
import triton.language as tl

from pipesim.triton import model


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + tl.program_id(0), tl.sum(tl.load(x + tl.program_id(0) * n + at, mask=at < n, other=0.0), axis=0))


@triton.jit
def product(a, b, c, K, stride, SIZE: tl.constexpr):
    rows, columns, inner = tl.program_id(0) * SIZE + tl.arange(0, SIZE), tl.arange(0, SIZE), tl.arange(0, 32)
    sum = tl.zeros((SIZE, SIZE), dtype=tl.float32)
    for k in range(0, K, 32):
        left = tl.load(a + rows[:, None] * stride + k + inner[None, :])
        sum = tl.dot(left, tl.load(b + (k + inner[:, None]) * stride + columns[None, :]), sum)
    tl.store(c + rows[:, None] * stride + columns[None, :], sum.to(tl.float16))


@triton.jit
def doubled(source, out, SIZE: tl.constexpr):
    row, column = tl.program_id(0) * SIZE, tl.program_id(1) * SIZE
    out.store([row, column], source.load([row, column]) * 2)


@triton.jit
def wrong(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) + missing)  # noqa: F821


def _configurations():
    return [triton.Config({"BLOCK": block}, num_warps=warps) for block in (32, 1024) for warps in (1, 4)]


def _asked(kernel, top_k):
    predicted = model("a100")
    tuner = triton.autotune(_configurations(), key=["n"], prune_configs_by={"perf_model": predicted, "top_k": top_k})
    return tuner(kernel), predicted


tuned, predicted = _asked(add, 1)
tuned_of_two, _ = _asked(add, 2)
by_rule = triton.heuristics({"BLOCK": lambda args: 256 if args["n"] > 100 else 32})(add)


def _boxes(nargs):
    for name in ("source", "out"):
        nargs[name].block_shape = [nargs["SIZE"], nargs["SIZE"]]


predicted_of_doubled = model("h100")
tuned_doubled = triton.autotune([triton.Config({"SIZE": size}, pre_hook=_boxes) for size in (16, 32)], key=[],
                                prune_configs_by={"perf_model": predicted_of_doubled, "top_k": 1})(doubled)
