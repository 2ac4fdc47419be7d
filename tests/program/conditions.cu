/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditional nodes of a graph: a loop that a kernel ends, one of two graphs, one of three, one
 * condition within another; and the other types that cudaGraphAddNode takes. Prints errors, and what
 * the graphs did in two launches. */
#include <cstdio>

__global__ void count_down(int *left, int *turns, cudaGraphConditionalHandle handle)
{
    ++*turns;
    cudaGraphSetConditional(handle, --*left > 0);
}

__global__ void choose(cudaGraphConditionalHandle handle, const int *value)
{
    cudaGraphSetConditional(handle, *value);
}

__global__ void add(int *to, int value)
{
    *to += value;
}

static int wrong;

static void check(cudaError_t error)
{
    if (error)
        printf("%s\n", cudaGetErrorName(error));
    wrong += error != cudaSuccess;
}

static cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNode_t needs, cudaGraphNodeParams *params)
{
    cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
    check(cudaGraphAddNode(&node, graph, needs ? &needs : NULL, NULL, needs ? 1 : 0, params));
#else
    check(cudaGraphAddNode(&node, graph, needs ? &needs : NULL, needs ? 1 : 0, params));
#endif
    return node;
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t needs, void *kernel, void **args)
{
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = kernel;
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = args;
    return add_node(graph, needs, &params);
}

static cudaGraphNode_t add_condition(cudaGraph_t graph, cudaGraphNode_t needs, cudaGraphConditionalHandle handle,
                                     cudaGraphConditionalNodeType type, int n, cudaGraph_t **bodies)
{
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = n;
    const cudaGraphNode_t node = add_node(graph, needs, &params);
    *bodies = params.conditional.phGraph_out;
    return node;
}

int main()
{
    int *v; /* what is left, turns, which one, and what each graph adds */
    cudaGraph_t graph, *bodies, *within;
    cudaGraphConditionalHandle loop, either, which;
    cudaStream_t stream;
    cudaGraphExec_t made;
    check(cudaMallocManaged(&v, 8 * sizeof *v));
    check(cudaStreamCreate(&stream));
    check(cudaGraphCreate(&graph, 0));
    check(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
    check(cudaGraphConditionalHandleCreate(&either, graph, 0, 0));
    check(cudaGraphConditionalHandleCreate(&which, graph, 0, 0));

    cudaGraphNodeParams set = {};
    set.type = cudaGraphNodeTypeMemset;
    set.memset.dst = v;
    set.memset.value = 3;
    set.memset.elementSize = 4;
    set.memset.width = set.memset.height = 1;
    const cudaGraphNode_t begun = add_node(graph, NULL, &set);

    /* a loop of three turns; in each, one of two graphs by the third word */
    cudaGraphNode_t last = add_condition(graph, begun, loop, cudaGraphCondTypeWhile, 1, &bodies);
    int *which_one = v + 2, *turns = v + 1, one = 1, ten = 10;
    void *chosen[] = {&either, &which_one};
    cudaGraphNode_t inner = add_kernel(bodies[0], NULL, (void *)choose, chosen);
    inner = add_condition(bodies[0], inner, either, cudaGraphCondTypeIf, 2, &within);
    int *to[4] = {v + 3, v + 4, v + 5, v + 6};
    for (int i = 0; i < 2; i++) {
        void *args[] = {&to[i], i ? &ten : &one};
        add_kernel(within[i], NULL, (void *)add, args);
    }
    check(cudaStreamBeginCaptureToGraph(stream, bodies[0], &inner, NULL, 1, cudaStreamCaptureModeRelaxed));
    count_down<<<1, 1, 0, stream>>>(v, turns, loop);
    check(cudaStreamEndCapture(stream, NULL));

    /* one of two graphs by a switch, or none */
    void *switched[] = {&which, &which_one};
    last = add_kernel(graph, last, (void *)choose, switched);
    last = add_condition(graph, last, which, cudaGraphCondTypeSwitch, 2, &bodies);
    for (int i = 0; i < 2; i++) {
        void *args[] = {&to[2 + i], i ? &ten : &one};
        add_kernel(bodies[i], NULL, (void *)add, args);
    }
    check(cudaGraphInstantiate(&made, graph, 0));
    for (int i = 0; i < 3; i++) {
        v[2] = i;
        check(cudaGraphLaunch(made, stream));
        check(cudaStreamSynchronize(stream));
    }
    cudaGraphNodeParams bad = {};
    bad.type = cudaGraphNodeTypeConditional;
    bad.conditional.type = cudaGraphCondTypeWhile;
    bad.conditional.size = 2;
    cudaGraphNode_t none;
#if CUDART_VERSION >= 13000
    const int refused = cudaGraphAddNode(&none, graph, NULL, NULL, 0, &bad);
#else
    const int refused = cudaGraphAddNode(&none, graph, NULL, 0, &bad);
#endif
    printf("%d errors, left %d, turns %d, if %d, else %d, first %d, second %d, refused %d\n", wrong, v[0], v[1], v[3],
           v[4], v[5], v[6], refused);
    return 0;
}
