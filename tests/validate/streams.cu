// SPDX-License-Identifier: BSD-3-Clause
// Kernels that stream through memory, an element per thread, for tests/validate/streams.pl and
// tests/copy.t. streams.ptx beside it is what nvcc makes of it:
//
//     nvcc -ptx -arch=compute_75 streams.cu -o streams.ptx

// As many threads as elements and some more, and a flag that is never set but has to be asked twice, as in the
// benchmark whose figures streams.pl is given: there it keeps the compiler from dropping the local memory that
// limits occupancy.
#define STREAM(name, before, behind, statement)                                                                        \
    extern "C" __global__ void name(double *a, const double *__restrict__ b, const double *__restrict__ c,             \
                                    const double *__restrict__ d, size_t n, bool never)                                \
    {                                                                                                                  \
        extern __shared__ double spare[];                                                                              \
        const int i = threadIdx.x + blockIdx.x * blockDim.x;                                                           \
        if (i >= n - behind || i < before)                                                                             \
            return;                                                                                                    \
        if (never)                                                                                                     \
            spare[threadIdx.x] = b[threadIdx.x];                                                                       \
        statement;                                                                                                     \
        if (never)                                                                                                     \
            a[i] = spare[i];                                                                                           \
    }

STREAM(init, 0, 0, a[i] = 0.5)
STREAM(read, 0, 0, const double x = b[i]; if (x == 7.0) a[i] = x)
STREAM(scale, 0, 0, a[i] = 3.0 * b[i])
STREAM(triad, 0, 0, a[i] = b[i] + c[i] * d[i])
STREAM(stencil3, 1, 1, a[i] = 0.3 * b[i - 1] + b[i] + 0.6 * b[i + 1])
STREAM(stencil5, 2, 2, a[i] = 0.1 * b[i - 2] + 0.2 * b[i - 1] + b[i] + 0.3 * b[i + 1] + 0.4 * b[i + 2])

// Kernels of as many threads as before, whose data are so few that L2 holds them: elements are used again and again.
#define HELD(name, statement)                                                                                          \
    extern "C" __global__ void name(double *a, const double *__restrict__ b, const double *__restrict__ c,             \
                                    const double *__restrict__ d, size_t n, bool never)                                \
    {                                                                                                                  \
        extern __shared__ double spare[];                                                                              \
        const int i = (threadIdx.x + blockIdx.x * blockDim.x) % 155000;                                                \
        if (i >= n)                                                                                                    \
            return;                                                                                                    \
        if (never)                                                                                                     \
            spare[threadIdx.x] = b[threadIdx.x];                                                                       \
        statement;                                                                                                     \
        if (never)                                                                                                     \
            a[i] = spare[i];                                                                                           \
    }

HELD(held_init, a[i] = 0.5)
HELD(held_read, const double x = b[i]; if (x == 7.0) a[i] = x)
HELD(held_scale, a[i] = 3.0 * b[i])
HELD(held_triad, a[i] = b[i] + c[i] * d[i])

// A copy with so many bytes per thread.
#define COPY(name, type)                                                                                               \
    extern "C" __global__ void name(type *__restrict__ to, const type *__restrict__ from)                              \
    {                                                                                                                  \
        const int i = threadIdx.x + blockIdx.x * blockDim.x;                                                           \
        to[i] = from[i];                                                                                               \
    }

COPY(copy1, char)
COPY(copy2, short)
COPY(copy4, float)
COPY(copy8, double)
COPY(copy16, float4)
