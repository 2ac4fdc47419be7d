// SPDX-License-Identifier: BSD-3-Clause
// Vectors of doubles are copied, scaled and added, an element a thread.
extern "C" __global__ void copied(const double *a, double *c)
{
    const unsigned long i = blockDim.x * (unsigned long)blockIdx.x + threadIdx.x;
    c[i] = a[i];
}

extern "C" __global__ void scaled(double *b, const double *c)
{
    const unsigned long i = blockDim.x * (unsigned long)blockIdx.x + threadIdx.x;
    b[i] = 0.4 * c[i];
}

extern "C" __global__ void added(const double *a, const double *b, double *c)
{
    const unsigned long i = blockDim.x * (unsigned long)blockIdx.x + threadIdx.x;
    c[i] = a[i] + b[i];
}

extern "C" __global__ void triad(double *a, const double *b, const double *c)
{
    const unsigned long i = blockDim.x * (unsigned long)blockIdx.x + threadIdx.x;
    a[i] = b[i] + 0.4 * c[i];
}
