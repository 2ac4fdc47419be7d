// What tests/gate.t compares; tests/gate/compile.sh makes the cubins.
extern "C" __global__ void sums(float *out, const float *in, int n)
{
    float s[24];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 24; k++)
        s[k] = in[i * 24 + k];
    float t = 0;
#pragma unroll
    for (int k = 0; k < 24; k++)
        t += s[k] * s[(n + k) % 24];
    out[i] = t;
}

extern "C" __global__ void __launch_bounds__(256) tile(float *out, const float *in)
{
    __shared__ float part[16384 - 4096];
    part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = part[255 - threadIdx.x];
}

template <typename T, int N> __global__ void scale(T *x)
{
    x[threadIdx.x] *= N;
}

template __global__ void scale<float, 3>(float *);
extern "C" __global__ void fresh(float *x) { x[0] = 1; }
