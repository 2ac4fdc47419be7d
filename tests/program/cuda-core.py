# SPDX-License-Identifier: BSD-3-Clause
"""A template that cuda.core compiles and launches. It prints "ok"."""
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

N = 1000
SOURCE = """
template <typename T> __global__ void saxpy(T a, const T *x, const T *y, T *out, size_t n)
{
    for (size_t i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = a * x[i] + y[i];
}
"""

device = Device()
device.set_current()
stream = device.create_stream()
options = ProgramOptions(std="c++17", arch="sm_" + "".join(str(part) for part in device.compute_capability))
code = Program(SOURCE, code_type="c++", options=options).compile("cubin", name_expressions=("saxpy<float>",))
kernel = code.get_kernel("saxpy<float>")
host, result = np.arange(N, dtype=np.float32), np.zeros(N, dtype=np.float32)
x, y, out = (device.allocate(host.nbytes, stream=stream) for _ in range(3))
for buffer in (x, y):
    driver.cuMemcpyHtoD(int(buffer.handle), host.ctypes.data, host.nbytes)
launch(stream, LaunchConfig(grid=8, block=128), kernel, np.float32(2), x.handle, y.handle, out.handle, np.uint64(N))
stream.sync()
driver.cuMemcpyDtoH(result.ctypes.data, int(out.handle), result.nbytes)
print("ok" if (result == 3 * host).all() else "wrong")
