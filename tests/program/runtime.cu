/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of the runtime's interface; "ok" is its last line. */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(CALL)                                                                                \
    do {                                                                                           \
        const cudaError_t error = (CALL);                                                          \
        if (error) {                                                                               \
            printf("%s: %s\n", #CALL, cudaGetErrorString(error));                                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct Pair {
    double a[3];
    int b;
};

__constant__ int weights[4] = {1, 2, 3, 4};
__device__ int counter;
__device__ int bits = -1;
__managed__ int shared_value = 5;

template <typename T> __global__ void sums(const T *in, T *out, int n)
{
    extern __shared__ unsigned char raw[];
    T *part = reinterpret_cast<T *>(raw);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] * weights[i % 4] : 0;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

__global__ void take(Pair pair, double *out)
{
    out[threadIdx.x] = pair.a[threadIdx.x % 3] * pair.b;
    atomicAdd(&counter, 1);
    atomicAnd(&bits, 2 * threadIdx.x + 7);
    if (threadIdx.x == 0)
        shared_value += 1;
}

static int sum_test(void)
{
    enum { N = 1000, GROUPS = 4, THREADS = 256 };
    int *in, *out, host[N], got[GROUPS], want[GROUPS] = {0}, twice[4] = {2, 4, 6, 8};
    for (int i = 0; i < N; i++) {
        host[i] = i;
        want[i / THREADS] += i * twice[i % 4];
    }
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&in, sizeof host));
    CHECK(cudaMallocManaged(&out, sizeof got));
    CHECK(cudaMemcpyToSymbol(weights, twice, sizeof twice));
    CHECK(cudaMemcpyAsync(in, host, sizeof host, cudaMemcpyHostToDevice, stream));
    sums<int><<<GROUPS, THREADS, THREADS * sizeof(int), stream>>>(in, out, N);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < GROUPS; i++)
        if (out[i] != want[i])
            return printf("sum %d is %d, not %d\n", i, out[i], want[i]);
    return 0;
}

static int take_test(void)
{
    Pair pair = {{0.5, 1.5, 2.5}, 4};
    double *out, got[32];
    int threads = 0, common = 0;
    CHECK(cudaHostAlloc(&out, sizeof got, cudaHostAllocMapped));
    void *args[] = {&pair, &out};
    CHECK(cudaLaunchKernel((const void *)take, dim3(1), dim3(32), args, 0, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(&threads, counter, sizeof threads));
    CHECK(cudaMemcpyFromSymbol(&common, bits, sizeof common));
    for (int i = 0; i < 32; i++)
        if (out[i] != pair.a[i % 3] * 4)
            return printf("out %d is %g\n", i, out[i]);
    if (threads != 32 || shared_value != 6 || common != 1)
        return printf("%d threads, %d, bits %x\n", threads, shared_value, common);
    return 0;
}

/* Memory of a stream that is captured is the graph's, which finds it at each launch. */
static int graph_test(void)
{
    int *own, got = 0;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t made;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&own, sizeof got, stream));
    CHECK(cudaMemsetAsync(own, 1, sizeof got, stream));
    CHECK(cudaMemcpyAsync(&got, own, sizeof got, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(own, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&made, graph, 0));
    for (int i = 0; i < 2; i++) {
        got = 0;
        CHECK(cudaGraphLaunch(made, stream));
        CHECK(cudaStreamSynchronize(stream));
        if (got != 0x01010101)
            return printf("launch %d copied %d\n", i, got);
    }
    return 0;
}

/* What a kernel's node was made with can be asked for. */
static int node_test(void)
{
    Pair pair = {{0.5, 1.5, 2.5}, 4};
    double *out = NULL;
    void *args[] = {&pair, &out};
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaKernelNodeParams read, with = {};
    with.func = (void *)take;
    with.gridDim = dim3(2, 3, 4);
    with.blockDim = dim3(8, 2, 1);
    with.sharedMemBytes = 64;
    with.kernelParams = args;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddKernelNode(&node, graph, NULL, 0, &with));
    CHECK(cudaGraphKernelNodeGetParams(node, &read));
    const dim3 grid = read.gridDim, block = read.blockDim;
    if (read.func != (void *)take || grid.x != 2 || grid.y != 3 || grid.z != 4 || block.x != 8 ||
        block.y != 2 || block.z != 1 || read.sharedMemBytes != 64)
        return printf("a node of %ux%ux%u groups of %ux%ux%u threads\n", grid.x, grid.y, grid.z,
                      block.x, block.y, block.z);
    return cudaGraphDestroy(graph);
}

int main()
{
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    int groups = 0, size = 0, least = 0;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    if (properties.multiProcessorCount != 108 || properties.major != 8 || properties.warpSize != 32)
        return printf("%s: %d units, %d.%d\n", properties.name, properties.multiProcessorCount,
                      properties.major, properties.minor);
    CHECK(cudaFuncGetAttributes(&attributes, take));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&groups, take, 32, 0));
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &size, take, 0, 0));
    if (attributes.numRegs < 8 || groups != 32 || size != 1024)
        return printf("%d registers, %d groups, %d threads\n", attributes.numRegs, groups, size);
    if (sum_test() || take_test() || graph_test() || node_test())
        return 1;
    sums<float><<<1, 2048>>>(NULL, NULL, 0);
    if (cudaGetLastError() != cudaErrorInvalidConfiguration || cudaGetLastError() != cudaSuccess)
        return printf("a group of 2048 threads is no error, or stays one\n");
    printf("ok\n");
    return 0;
}
