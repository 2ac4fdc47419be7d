// SPDX-License-Identifier: BSD-3-Clause
// Kernels whose launch may have other shapes for the same work, and some that look as if: a pair is one of them launched twice.

// A thread knows nothing but its number in the grid.
extern "C" __global__ void scale(float *x, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= factor;
}

extern "C" __global__ void iterate(float *x, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float y = x[i];
    #pragma unroll 1
    for (int k = 0; k < steps; k++)
        y = y * y - 0.5f;
    x[i] = y;
}

// In two dimensions: rows of the matrix are in x.
extern "C" __global__ void rows(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] += 2.0f * in[y * width + x];
}

// The same, with rows in y.
extern "C" __global__ void columns(float *out, const float *in, int width, int height)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] += 2.0f * in[y * width + x];
}

// However many threads there are, all is done.
extern "C" __global__ void stride(float *x, float factor, int n)
{
    #pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] *= factor;
}

// ... and how many there are shows.
extern "C" __global__ void sums(float *out, const float *in, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    #pragma unroll 1
    for (int i = first; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    out[first] = sum;
}

extern "C" __global__ void mirrored(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[gridDim.x * blockDim.x - 1 - i] *= 2.0f;
}

// No thread asks whether it has work.
extern "C" __global__ void unguarded(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f;
}

// Threads of a group meet, and share memory.
extern "C" __global__ void shared(float *x)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    x[i] = tile[255 - threadIdx.x];
}

extern "C" __global__ void first_only(float *x)
{
    if (threadIdx.x == 0)
        x[blockIdx.x] *= 2.0f;
}
