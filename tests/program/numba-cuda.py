# SPDX-License-Identifier: BSD-3-Clause
"""Two kernels that numba-cuda compiles when they are launched, a stream, events. It prints "ok timed"."""
import numpy as np
from numba import cuda, float32

@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]

@cuda.jit
def total(x, out):
    part = cuda.shared.array(128, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    part[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    step = 64
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        cuda.atomic.add(out, 0, part[0])

x, y = np.arange(1000, dtype=np.float32), np.ones(1000, dtype=np.float32)
stream = cuda.stream()
begin, end = cuda.event(), cuda.event()
begin.record(stream)
dx, dy = cuda.to_device(x, stream=stream), cuda.to_device(y, stream=stream)
saxpy[8, 128, stream](np.float32(2), dx, dy)
end.record(stream)
end.synchronize()
out = cuda.to_device(np.zeros(1, dtype=np.float32))
total[8, 128](dy, out)
right = (dy.copy_to_host() == 2 * x + 1).all() and out.copy_to_host()[0] == 1000000
print("ok" if right else "wrong", "timed" if 0 < begin.elapsed_time(end) < 1 else "no time")
