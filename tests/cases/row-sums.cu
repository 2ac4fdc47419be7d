// SPDX-License-Identifier: BSD-3-Clause
__global__ void k(const float *a, float *b, int rows, int cols) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; if (i < rows) { for (int j = 0; j < cols; j++) s += a[i * cols + j]; b[i] = s; } }
