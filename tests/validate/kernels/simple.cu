// SPDX-License-Identifier: BSD-3-Clause
// Kernels of the plainest kind, as a set of measured times has them (../sets.pm): elements are floats but where they are
// counted.

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void saxpy(const float *a, const float *b, float *c, float alpha, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = alpha * a[i] + b[i];
}

extern "C" __global__ void vector_add_divergent(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = a[i] + b[i];
  if (threadIdx.x % 2 == 0) {
#pragma unroll 16
    for (int t = 0; t < 128; t++) sum += t * 0.0001f;
  }
  c[i] = sum;
}

extern "C" __global__ void strided_copy_8(const float *a, float *c, int n) {
  int i = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) c[i] = a[i];
}

extern "C" __global__ void random_access(const float *a, const int *index, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[index[i]];
}

extern "C" __global__ void naive_transpose(const float *a, float *b, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) b[x * rows + y] = a[y * cols + x];
}

extern "C" __global__ void shared_transpose(const float *a, float *b, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = a[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < cols) b[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int n) {
  __shared__ float s[32][32], t[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    s[threadIdx.y][threadIdx.x] = y < n && k + threadIdx.x < n ? a[y * n + k + threadIdx.x] : 0;
    t[threadIdx.y][threadIdx.x] = x < n && k + threadIdx.y < n ? b[(k + threadIdx.y) * n + x] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; i++) sum += s[threadIdx.y][i] * t[i][threadIdx.x];
    __syncthreads();
  }
  if (x < n && y < n) c[y * n + x] = sum;
}

template <int SIDE>
__device__ void convolve(const float *image, const float *filter, float *out, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows) return;
  float sum = 0;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      int row = y + i - SIDE / 2, col = x + j - SIDE / 2;
      if (row >= 0 && row < rows && col >= 0 && col < cols) sum += image[row * cols + col] * filter[i * SIDE + j];
    }
  out[y * cols + x] = sum;
}

extern "C" __global__ void conv2d_3x3(const float *image, const float *filter, float *out, int rows, int cols) {
  convolve<3>(image, filter, out, rows, cols);
}

extern "C" __global__ void conv2d_7x7(const float *image, const float *filter, float *out, int rows, int cols) {
  convolve<7>(image, filter, out, rows, cols);
}

__device__ void add_up(float *s, float mine, float *out) {
  s[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduce_sum(const float *a, float *out, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * 512 + threadIdx.x;
  add_up(s, (i < n ? a[i] : 0) + (i + 256 < n ? a[i + 256] : 0), out);
}

extern "C" __global__ void dot_product(const float *a, const float *b, float *out, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * 512 + threadIdx.x;
  add_up(s, (i < n ? a[i] * b[i] : 0) + (i + 256 < n ? a[i + 256] * b[i + 256] : 0), out);
}

extern "C" __global__ void histogram(const unsigned *values, unsigned *bins, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&s[values[i] & 255], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

extern "C" __global__ void atomic_hotspot(int *counter, int iterations) {
  for (int i = 0; i < iterations; i++) atomicAdd(counter, 1);
}
