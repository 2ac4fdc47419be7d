// SPDX-License-Identifier: BSD-3-Clause
// Local response normalisation across five channels of n, c, d, h, w. As in what was asked, places leave out d, so the
// planes of all d are one. A thread has 16 elements that lie side by side, so lanes are 64 bytes apart.
extern "C" __global__ void forward(const float *__restrict__ in, float *__restrict__ out, long long n, long long c,
                                   long long d, long long h, long long w, long long image, long long size,
                                   float alpha, float k)
{
    const long long mine = (blockIdx.x * 32 + threadIdx.x / 32 * 32 + (long long)(threadIdx.x % 32)) * 16;
    for (long long i = mine; i < mine + 16; ++i) {
        const long long in_n = i / (c * d * h * w) % n, in_c = i / (d * h * w) % c, in_h = i / w % h, in_w = i % w;
        const long long half = (size - 1) / 2;
        const long long first = in_c - half > 0 ? in_c - half : 0, end = in_c + half + 1 < c ? in_c + half + 1 : c;
        float sum = 0;
        for (long long at = first; at < end; ++at) {
            const float x = in[in_n * image + at * h * w + in_h * w + in_w];
            sum += x * x;
        }
        sum = k + alpha * sum / size;
        const long long here = in_n * image + in_c * h * w + in_h * w + in_w;
        out[here] = in[here] * sqrtf(1.0f / (sqrtf(sum) * sum));
    }
}
