// SPDX-License-Identifier: BSD-3-Clause
// c = a * b, with each row of a divided by its largest element; groups load tiles of both once for the product.

extern "C" __global__ void scaled_product(const float *a, const float *b, float *c, int size)
{
    __shared__ float tile_a[16][16], tile_b[16][16];
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    float most = 0, sum = 0;
    for (int k = threadIdx.x; k < size; k += 16)
        most = fmaxf(most, a[row * size + k]);
    for (int first = 0; first < size; first += 16) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * size + first + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * size + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    c[row * size + column] = sum / most;
}
