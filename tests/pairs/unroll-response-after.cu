// SPDX-License-Identifier: BSD-3-Clause
/* How strongly each of many filters responds to a signal: a filter a thread, its eight weights in registers; the signal is
 * the group's. Two steps at once, each with a sum of its own. */
#define LENGTH 2048

extern "C" __global__ void response(const float *__restrict__ weight, const float4 *__restrict__ signal, float *out, int filters)
{
    __shared__ float4 part[LENGTH / 4];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float w[8], sum = 0, other = 0;
    for (int k = 0; k < 8; k++)
        w[k] = weight[k * filters + i];
    for (int k = threadIdx.x; k < LENGTH / 4; k += blockDim.x)
        part[k] = signal[k];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < LENGTH / 4; k += 4) {
        const float4 a = part[k], b = part[k + 1], c = part[k + 2], d = part[k + 3];
        sum += w[0] * a.x;
        other += w[0] * c.x;
        sum += w[1] * a.y;
        other += w[1] * c.y;
        sum += w[2] * a.z;
        other += w[2] * c.z;
        sum += w[3] * a.w;
        other += w[3] * c.w;
        sum += w[4] * b.x;
        other += w[4] * d.x;
        sum += w[5] * b.y;
        other += w[5] * d.y;
        sum += w[6] * b.z;
        other += w[6] * d.z;
        sum += w[7] * b.w;
        other += w[7] * d.w;
    }
    out[i] = sum + other;
}
