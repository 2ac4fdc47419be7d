// SPDX-License-Identifier: BSD-3-Clause
// A dot product of doubles: a grid that strides over the vectors, whose groups make trees in shared memory.
#if defined(__HIP__) && !defined(__HIPCC__)
#define __shared__ __attribute__((shared))
#endif
extern "C" __global__ void dot(const double *a, const double *b, double *sums, unsigned long n)
{
    __shared__ double part[1024];
    const unsigned long t = threadIdx.x;
    unsigned long i = blockDim.x * (unsigned long)blockIdx.x + t;
    part[t] = 0;
    for (; i < n; i += (unsigned long)blockDim.x * gridDim.x)
        part[t] += a[i] * b[i];
    for (unsigned long step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (t < step)
            part[t] += part[t + step];
    }
    if (t == 0)
        sums[blockIdx.x] = part[t];
}
