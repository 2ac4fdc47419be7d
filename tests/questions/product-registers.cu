// SPDX-License-Identifier: BSD-3-Clause
// A product of square matrices: a group makes 64 x 64 elements from tiles 16 deep in shared memory, a thread 4 x 4.
enum { DEEP = 16, EACH = 4, SIDE = 16, TILE = SIDE * EACH };

extern "C" __global__ void product(const float *a, const float *b, float *c, int n)
{
    __shared__ float of_a[TILE * DEEP], of_b[DEEP * TILE];
    const int thread = threadIdx.y * SIDE + threadIdx.x, row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    float sum[EACH * EACH], left[EACH], right[EACH];
    for (int i = 0; i < EACH * EACH; ++i)
        sum[i] = 0;
    for (int first = 0; first < n; first += DEEP) {
        for (int part = 0; part < TILE * DEEP / (SIDE * SIDE); ++part) {
            const int i = thread + part * SIDE * SIDE;
            of_a[i] = a[(row + i / DEEP) * n + first + i % DEEP];
        }
        for (int part = 0; part < DEEP * TILE / (SIDE * SIDE); ++part) {
            const int i = thread + part * SIDE * SIDE;
            of_b[i] = b[(first + i / TILE) * n + column + i % TILE];
        }
        __syncthreads();
        for (int k = 0; k < DEEP; ++k) {
            for (int i = 0; i < EACH; ++i)
                left[i] = of_a[(threadIdx.y * EACH + i) * DEEP + k];
            for (int j = 0; j < EACH; ++j)
                right[j] = of_b[k * TILE + threadIdx.x * EACH + j];
            for (int i = 0; i < EACH; ++i)
                for (int j = 0; j < EACH; ++j)
                    sum[i * EACH + j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; ++i)
        for (int j = 0; j < EACH; ++j)
            c[(row + threadIdx.y * EACH + i) * n + column + threadIdx.x * EACH + j] = sum[i * EACH + j];
}
