# SPDX-License-Identifier: BSD-3-Clause
"""A program of cuda.bindings: NVRTC makes machine code, which the driver's interface launches. It prints "ok"."""
import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc

N = 1000
SOURCE = b"""
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""


def must(answer):
    """What a call returns behind its status, which must be 0."""
    assert int(answer[0]) == 0, answer[0]
    return answer[1] if len(answer) == 2 else answer[1:]


def compile_for(device):
    named = driver.CUdevice_attribute
    major = must(driver.cuDeviceGetAttribute(named.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device))
    minor = must(driver.cuDeviceGetAttribute(named.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device))
    program = must(nvrtc.nvrtcCreateProgram(SOURCE, b"saxpy.cu", 0, [], []))
    must(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=sm_%d%d" % (major, minor)]))
    cubin = b" " * must(nvrtc.nvrtcGetCUBINSize(program))
    must(nvrtc.nvrtcGetCUBIN(program, cubin))
    return cubin


must(driver.cuInit(0))
device = must(driver.cuDeviceGet(0))
must(driver.cuCtxSetCurrent(must(driver.cuDevicePrimaryCtxRetain(device))))
module = must(driver.cuModuleLoadData(compile_for(device)))
kernel = must(driver.cuModuleGetFunction(module, b"saxpy"))
x, y, out = np.arange(N, dtype=np.float32), np.ones(N, dtype=np.float32), np.zeros(N, dtype=np.float32)
dx, dy = must(driver.cuMemAlloc(x.nbytes)), must(driver.cuMemAlloc(y.nbytes))
must(driver.cuMemcpyHtoD(dx, x.ctypes.data, x.nbytes))
must(driver.cuMemcpyHtoD(dy, y.ctypes.data, y.nbytes))
arguments = ((N, 2.0, dx, dy), (ctypes.c_int, ctypes.c_float, None, None))
must(driver.cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, 0, arguments, 0))
must(driver.cuCtxSynchronize())
must(driver.cuMemcpyDtoH(out.ctypes.data, dy, out.nbytes))
print("ok" if (out == 2 * x + 1).all() else "wrong")
