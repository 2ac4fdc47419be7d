// SPDX-License-Identifier: BSD-3-Clause
// A star of radius 4 over a volume of 256 x 256 x 64: a thread goes along z; x and y from memory, or by tiles.
enum { R = 4, X = 256, Y = 256, Z = 64, TX = 32, TY = 8, SX = TX + 2 * R, SY = TY + 2 * R };

extern "C" __global__ void plain(const float *in, float *out, const float *weight)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < R || x >= X - R || y < R || y >= Y - R)
        return;
    for (int z = R; z < Z - R; ++z) {
        const int at = (z * Y + y) * X + x;
        float sum = weight[0] * in[at];
        for (int r = 1; r <= R; ++r) {
            const float w = weight[r];
            sum += w * (in[at + r] + in[at - r]);
            sum += w * (in[at + r * X] + in[at - r * X]);
            sum += w * (in[at + r * X * Y] + in[at - r * X * Y]);
        }
        out[at] = sum;
    }
}

extern "C" __global__ void tiles(const float *in, float *out, const float *weight)
{
    __shared__ float tile[SX * SY];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
    const bool inside = x >= R && x < X - R && y >= R && y < Y - R;
    for (int z = R; z < Z - R; ++z) {
        const int slice = z * Y * X;
        tile[(ty + R) * SX + tx + R] = in[slice + y * X + x];
        if (tx < R) {
            if (x - R >= 0)
                tile[(ty + R) * SX + tx] = in[slice + y * X + x - R];
            if (x + TX < X)
                tile[(ty + R) * SX + tx + R + TX] = in[slice + y * X + x + TX];
        }
        if (ty < R) {
            if (y - R >= 0)
                tile[ty * SX + tx + R] = in[slice + (y - R) * X + x];
            if (y + TY < Y)
                tile[(ty + R + TY) * SX + tx + R] = in[slice + (y + TY) * X + x];
        }
        __syncthreads();
        if (inside) {
            const int at = slice + y * X + x, here = (ty + R) * SX + tx + R;
            float sum = weight[0] * tile[here];
            for (int r = 1; r <= R; ++r) {
                const float w = weight[r];
                sum += w * (tile[here + r] + tile[here - r]);
                sum += w * (tile[here + r * SX] + tile[here - r * SX]);
                sum += w * (in[at + r * X * Y] + in[at - r * X * Y]);
            }
            out[at] = sum;
        }
        __syncthreads();
    }
}
