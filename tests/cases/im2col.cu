// SPDX-License-Identifier: BSD-3-Clause
__global__ void im2col(const float *in, float *out, int h, int w, int c, int k) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int ow = w - k + 1, oh = h - k + 1;
    int total = c * k * k * oh * ow;
    if (idx >= total) return;
    int x = idx % ow, y = idx / ow % oh, kk = idx / (ow * oh);
    int kx = kk % k, ky = kk / k % k, ch = kk / (k * k);
    out[idx] = in[(ch * h + y + ky) * w + x + kx];
}
