/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accelerations of n bodies by gravity, all pairs, softened. Bodies are (x, y, z, mass); the group
 * holds as many of them in shared memory as it has threads.
 */
extern "C" __global__ void nbody(int n, float softening, const float4 *bodies,
                                 float4 *accelerations)
{
    extern __shared__ float4 tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = i < n ? bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float ax = 0.0f, ay = 0.0f, az = 0.0f;

    for (int start = 0; start < n; start += blockDim.x) {
        const int count = min((int)blockDim.x, n - start);
        if (threadIdx.x < count)
            tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < count; j++) {
            const float4 other = tile[j];
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            const float pull = other.w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    if (i < n)
        accelerations[i] = make_float4(ax, ay, az, 0.0f);
}
