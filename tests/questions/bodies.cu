// SPDX-License-Identifier: BSD-3-Clause
// All pairs of bodies, a body a thread, whose partners come from memory or by tiles. As the asker's language has it,
// the square root is of doubles, and all else of singles.
enum { TILE = 256 };

static __device__ void pair(float x, float y, float z, float mass, float3 me, float3 *pull)
{
    const float dx = x - me.x, dy = y - me.y, dz = z - me.z;
    const float far = dx * dx + dy * dy + dz * dz;
    const float inverse = 1.0f / (float)sqrt((double)(far + 500.0f));
    const float s = mass * inverse * inverse * inverse;
    pull->x += s * dx;
    pull->y += s * dy;
    pull->z += s * dz;
}

static __device__ void step(const float *at, const float *speed, float *at_next, float *speed_next, int i, float3 pull)
{
    const float t = 0.005f;
    at_next[i] = at[i] + speed[i] * t + 0.5f * pull.x * t * t;
    at_next[i + 1] = at[i + 1] + speed[i + 1] * t + 0.5f * pull.y * t * t;
    at_next[i + 2] = at[i + 2] + speed[i + 2] * t + 0.5f * pull.z * t * t;
    at_next[i + 3] = at[i + 3];
    speed_next[i] = speed[i] + pull.x * t;
    speed_next[i + 1] = speed[i + 1] + pull.y * t;
    speed_next[i + 2] = speed[i + 2] + pull.z * t;
    speed_next[i + 3] = speed[i + 3];
}

extern "C" __global__ void plain(int n, const float *at, const float *speed, float *at_next, float *speed_next)
{
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const float3 me = make_float3(at[i], at[i + 1], at[i + 2]);
    float3 pull = make_float3(0, 0, 0);
    for (int j = 0; j < n; ++j)
        pair(at[4 * j], at[4 * j + 1], at[4 * j + 2], at[4 * j + 3], me, &pull);
    step(at, speed, at_next, speed_next, i, pull);
}

extern "C" __global__ void tiles(int n, const float *at, const float *speed, float *at_next, float *speed_next)
{
    __shared__ float tile[4 * TILE];
    const int t = threadIdx.x, i = 4 * (blockIdx.x * blockDim.x + t);
    const float3 me = make_float3(at[i], at[i + 1], at[i + 2]);
    float3 pull = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += TILE) {
        for (int k = 0; k < 4; ++k)
            tile[4 * t + k] = at[4 * (first + t) + k];
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            pair(tile[4 * j], tile[4 * j + 1], tile[4 * j + 2], tile[4 * j + 3], me, &pull);
        __syncthreads();
    }
    step(at, speed, at_next, speed_next, i, pull);
}
