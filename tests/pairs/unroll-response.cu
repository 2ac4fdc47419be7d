// SPDX-License-Identifier: BSD-3-Clause
/* How strongly each of many filters responds to a signal: a filter a thread, its eight weights in registers; the signal is
 * the group's. Each step adds to the sum of the one before. */
#define LENGTH 2048

extern "C" __global__ void response(const float *__restrict__ weight, const float4 *__restrict__ signal, float *out, int filters)
{
    __shared__ float4 part[LENGTH / 4];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float w[8], sum = 0;
    for (int k = 0; k < 8; k++)
        w[k] = weight[k * filters + i];
    for (int k = threadIdx.x; k < LENGTH / 4; k += blockDim.x)
        part[k] = signal[k];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < LENGTH / 4; k += 2) {
        const float4 a = part[k], b = part[k + 1];
        sum += w[0] * a.x;
        sum += w[1] * a.y;
        sum += w[2] * a.z;
        sum += w[3] * a.w;
        sum += w[4] * b.x;
        sum += w[5] * b.y;
        sum += w[6] * b.z;
        sum += w[7] * b.w;
    }
    out[i] = sum;
}
