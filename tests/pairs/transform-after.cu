// SPDX-License-Identifier: BSD-3-Clause
// Turns points of four coordinates by a matrix, a thread for each point, which it loads and stores as one.

__device__ static float times(const float *row, float4 point)
{
    return row[0] * point.x + row[1] * point.y + row[2] * point.z + row[3] * point.w;
}

extern "C" __global__ void transform(const float *matrix, const float4 *in, float4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 point = in[i];
    out[i] = make_float4(times(matrix, point), times(matrix + 4, point), times(matrix + 8, point), times(matrix + 12, point));
}
