# SPDX-License-Identifier: BSD-3-Clause
"""A kernel of Triton through its own launcher, on memory of the driver's interface. It prints "ok"."""
import ctypes

import numpy as np
import triton
import triton.language as tl

N = 1000
libcuda = ctypes.CDLL("libcuda.so.1")


class Buffer:
    """What Triton's launcher asks of a tensor."""

    def __init__(self, host):
        self.host, self.dtype, self.at = host, "float32", ctypes.c_uint64()
        self.bytes, self.begin = ctypes.c_size_t(host.nbytes), ctypes.c_void_p(host.ctypes.data)
        assert libcuda.cuMemAlloc_v2(ctypes.byref(self.at), self.bytes) == 0
        assert libcuda.cuMemcpyHtoD_v2(self.at, self.begin, self.bytes) == 0

    def data_ptr(self):
        return self.at.value

    def back(self):
        assert libcuda.cuMemcpyDtoH_v2(self.begin, self.at, self.bytes) == 0
        return self.host


@triton.jit
def saxpy(x, y, n, a, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(y + at, a * tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


context = ctypes.c_void_p()
assert libcuda.cuInit(0) == 0
assert libcuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert libcuda.cuCtxSetCurrent(context) == 0
x, y = np.arange(N, dtype=np.float32), np.ones(N, dtype=np.float32)
dx, dy = Buffer(x), Buffer(y)
saxpy[(triton.cdiv(N, 256),)](dx, dy, N, 2.0, BLOCK=256)
print("ok" if (dy.back() == 2 * x + 1).all() else "wrong")
