/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs of the driver's interface: made node by node, captured from two streams, changed, with a
 * graph inside and a function of the host. Each line of what it prints is one of these.
 */
#include "driver/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t n, CUstream stream);
CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream);
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream);
struct Pool;
CUresult cuDeviceGetDefaultMemPool(struct Pool **pool, CUdevice device);
CUresult cuMemPoolGetAttribute(struct Pool *pool, int attribute, void *value);
CUresult cuMemPoolSetAttribute(struct Pool *pool, int attribute, const void *value);
CUresult cuGraphCreate(CUgraph *graph, unsigned int flags);
CUresult cuGraphDestroy(CUgraph graph);
CUresult cuGraphAddKernelNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n,
                              const void *params);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec made, CUgraphNode node, const void *params);
CUresult cuGraphAddMemsetNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n,
                              const void *params, CUcontext context);
CUresult cuGraphAddHostNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n,
                            const void *params);
CUresult cuGraphAddChildGraphNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs,
                                  size_t n, CUgraph child);
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t n);
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n);
CUresult cuGraphAddEventWaitNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs,
                                 size_t n, CUevent event);
CUresult cuGraphNodeSetEnabled(CUgraphExec made, CUgraphNode node, unsigned int on);
CUresult cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph graph, unsigned long long flags);
CUresult cuGraphExecUpdate(CUgraphExec made, CUgraph graph, CUgraphNode *wrong, int *why);
CUresult cuGraphExecDestroy(CUgraphExec made);
CUresult cuGraphLaunch(CUgraphExec made, CUstream stream);
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph);

enum { N = 4096, BLOCK = 128 };

/* x[i] = x[i] * by + plus */
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry change(.param .u64 x, .param .u32 by, .param .u32 plus)\n{\n"
    ".reg .b32 %r<8>;\n.reg .b64 %d<4>;\n"
    "ld.param.u64 %d0, [x];\nld.param.u32 %r0, [by];\nld.param.u32 %r1, [plus];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r2, %r3, %r4;\nmul.wide.s32 %d1, %r5, 4;\nadd.s64 %d2, %d0, %d1;\n"
    "ld.global.u32 %r6, [%d2];\nmad.lo.u32 %r7, %r6, %r0, %r1;\nst.global.u32 [%d2], %r7;\n"
    "ret;\n}\n";

typedef struct {
    CUfunction function;
    unsigned int grid[3], block[3], shared;
    void **params, **extra;
} KernelParams;
typedef struct {
    CUdeviceptr to;
    size_t pitch;
    unsigned int value, size;
    size_t width, height;
} SetParams;
typedef struct {
    void (*function)(void *);
    void *data;
} HostParams;

static CUfunction function;
static CUdeviceptr x;
static unsigned int seen;

static void check(CUresult result, const char *what)
{
    if (result) {
        printf("%s: error %d\n", what, result);
        exit(1);
    }
}
#define CHECK(CALL) check(CALL, #CALL)

static void look(void *data)
{
    memcpy(&seen, data, sizeof seen);
}

/* What the last element is now. */
static unsigned int last(void)
{
    unsigned int value;
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH_v2(&value, x + (N - 1) * sizeof value, sizeof value));
    return value;
}

static CUgraphNode add_kernel(CUgraph graph, CUgraphNode after, unsigned int by, unsigned int plus)
{
    void *params[] = {&x, &by, &plus};
    const KernelParams kernel = {function, {N / BLOCK, 1, 1}, {BLOCK, 1, 1}, 0, params, NULL};
    CUgraphNode node;
    CHECK(cuGraphAddKernelNode(&node, graph, after ? &after : NULL, after ? 1 : 0, &kernel));
    return node;
}

static void launch(unsigned int by, unsigned int plus, CUstream stream)
{
    void *params[] = {&x, &by, &plus};
    CHECK(cuLaunchKernel(function, N / BLOCK, 1, 1, BLOCK, 1, 1, 0, stream, params, NULL));
}

/* 5, times 3 and 1 more, in the order that edges say, not that of making. */
static CUgraph make(unsigned int by)
{
    const SetParams five = {x, 0, 5, 4, N, 1};
    const HostParams host = {look, (void *)(size_t)x};
    CUgraphNode set, end;
    CUgraph graph;
    CHECK(cuGraphCreate(&graph, 0));
    CUgraphNode kernel = add_kernel(graph, NULL, by, 1);
    CHECK(cuGraphAddMemsetNode(&set, graph, NULL, 0, &five, NULL));
    CHECK(cuGraphAddDependencies(graph, &set, &kernel, 1));
    CHECK(cuGraphAddHostNode(&end, graph, &kernel, 1, &host));
    return graph;
}

static void by_hand(CUstream stream)
{
    unsigned int by = 7, plus = 2;
    void *params[] = {&x, &by, &plus};
    const KernelParams other = {function, {N / BLOCK, 1, 1}, {BLOCK, 1, 1}, 0, params, NULL};
    CUgraphNode nodes[4], wrong, inside;
    CUgraphExec made;
    size_t n = 4;
    int why;
    CUgraph graph = make(3), second = make(4), outer;
    CHECK(cuGraphInstantiateWithFlags(&made, graph, 0));
    CHECK(cuGraphLaunch(made, stream));
    printf("made %u, seen %u\n", last(), seen);
    CHECK(cuGraphGetNodes(graph, nodes, &n));
    CHECK(cuGraphExecKernelNodeSetParams(made, nodes[0], &other));
    CHECK(cuGraphLaunch(made, stream));
    printf("changed %u of %zu nodes\n", last(), n);
    CHECK(cuGraphExecUpdate(made, second, &wrong, &why));
    CHECK(cuGraphLaunch(made, stream));
    printf("updated %u\n", last());
    CHECK(cuGraphExecDestroy(made));
    CHECK(cuGraphCreate(&outer, 0));
    printf("updated as another %d\n", cuGraphExecUpdate(outer, second, &wrong, &why));
    CHECK(cuGraphAddChildGraphNode(&inside, outer, NULL, 0, graph));
    add_kernel(outer, inside, 2, 0);
    CHECK(cuGraphInstantiateWithFlags(&made, outer, 0));
    CHECK(cuGraphDestroy(graph));
    CHECK(cuGraphLaunch(made, stream));
    printf("inside %u\n", last());
    CHECK(cuGraphExecDestroy(made));
    CHECK(cuGraphDestroy(outer));
    CHECK(cuGraphDestroy(second));
}

static void captured(CUstream stream)
{
    CUstream other;
    CUevent fork, join, from, to;
    CUgraph graph;
    CUgraphExec made;
    CUdeviceptr more;
    float one, twice;
    CHECK(cuStreamCreateWithPriority(&other, 1, 0));
    CHECK(cuEventCreate(&fork, 0));
    CHECK(cuEventCreate(&join, 0));
    CHECK(cuEventCreate(&from, 0));
    CHECK(cuEventCreate(&to, 0));
    CHECK(cuStreamBeginCapture_v2(stream, 0));
    CHECK(cuMemsetD32Async(x, 10, N, stream));
    CHECK(cuEventRecord(fork, stream));
    CHECK(cuStreamWaitEvent(other, fork, 0));
    launch(3, 0, other);
    CHECK(cuEventRecord(join, other));
    CHECK(cuMemAllocAsync(&more, 64, stream));
    CHECK(cuMemFreeAsync(more, stream));
    printf("unjoined %d\n", cuStreamEndCapture(stream, &graph));

    CHECK(cuStreamBeginCapture_v2(stream, 0));
    launch(1, 1, stream);
    CHECK(cuEventRecord(fork, stream));
    CHECK(cuStreamWaitEvent(other, fork, 0));
    launch(1, 1, other);
    launch(1, 1, stream);
    CHECK(cuEventRecord(join, other));
    printf("wrong stream %d\n", cuStreamEndCapture(other, &graph));
    CHECK(cuStreamWaitEvent(stream, join, 0));
    CHECK(cuStreamEndCapture(stream, &graph));
    const unsigned int before = last();
    CHECK(cuGraphInstantiateWithFlags(&made, graph, 0));
    CHECK(cuEventRecord(from, stream));
    launch(1, 0, stream);
    CHECK(cuEventRecord(to, stream));
    CHECK(cuEventElapsedTime(&one, from, to));
    CHECK(cuEventRecord(from, stream));
    CHECK(cuGraphLaunch(made, stream));
    CHECK(cuEventRecord(to, stream));
    CHECK(cuEventElapsedTime(&twice, from, to));
    printf("captured: nothing was done before, then %u\n", last() - before);
    printf("two of three kernels overlap: %.2f\n", (double)(twice / one));
    printf("legacy %d\n", cuStreamBeginCapture_v2(NULL, 0));
    CHECK(cuGraphExecDestroy(made));
    CHECK(cuGraphDestroy(graph));
    const CUevent events[] = {fork, join, from, to};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        CHECK(cuEventDestroy_v2(events[i]));
}

/* A graph waits for another stream's event, then one of its two kernels is executed: the other one
 * is switched off. */
static void waiting(CUstream stream)
{
    CUstream other;
    CUevent from, to, done;
    CUgraph graph;
    CUgraphExec made;
    CUgraphNode wait;
    float one, both;
    CHECK(cuStreamCreateWithPriority(&other, 1, 0));
    CHECK(cuEventCreate(&from, 0));
    CHECK(cuEventCreate(&to, 0));
    CHECK(cuEventCreate(&done, 0));
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(cuGraphAddEventWaitNode(&wait, graph, NULL, 0, done));
    const CUgraphNode kept = add_kernel(graph, wait, 1, 1), off = add_kernel(graph, kept, 1, 10);
    CHECK(cuGraphInstantiateWithFlags(&made, graph, 0));
    CHECK(cuGraphNodeSetEnabled(made, off, 0));
    const unsigned int before = last();
    CHECK(cuEventRecord(from, stream));
    CHECK(cuStreamWaitEvent(other, from, 0));
    launch(1, 0, other);
    CHECK(cuEventRecord(done, other));
    CHECK(cuGraphLaunch(made, stream));
    CHECK(cuEventRecord(to, stream));
    CHECK(cuEventElapsedTime(&one, from, done));
    CHECK(cuEventElapsedTime(&both, from, to));
    printf("waited for one, then %u more: %.2f\n", last() - before, (double)(both / one));
    CHECK(cuGraphExecDestroy(made));
    CHECK(cuGraphDestroy(graph));
    const CUevent events[] = {from, to, done};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        CHECK(cuEventDestroy_v2(events[i]));
}

/* The most that was used at once, and from now on; that alone can be set, by 0. */
static void marks(void)
{
    enum { RESERVED_HIGH = 6, USED, USED_HIGH };
    struct Pool *pool;
    CUdeviceptr large;
    unsigned long long now, high, then, other, zero = 0;
    CHECK(cuDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cuMemPoolGetAttribute(pool, USED, &now));
    CHECK(cuMemAlloc_v2(&large, 1 << 20));
    CHECK(cuMemFree_v2(large));
    CHECK(cuMemPoolGetAttribute(pool, USED_HIGH, &high));
    CHECK(cuMemPoolSetAttribute(pool, USED_HIGH, &zero));
    CHECK(cuMemPoolGetAttribute(pool, USED_HIGH, &then));
    CHECK(cuMemPoolGetAttribute(pool, RESERVED_HIGH, &other));
    printf("high mark %llu, then %llu and %llu", high - now, then - now, other - now);
    printf(", set %d %d\n", cuMemPoolSetAttribute(pool, USED, &zero),
           cuMemPoolSetAttribute(pool, USED_HIGH, &high));
}

/* Memory that a graph allocates and the program frees: each launch finds it at the same place. */
static void memory(CUstream stream)
{
    CUdeviceptr own;
    CUgraph graph;
    CUgraphExec made;
    unsigned int value;
    CHECK(cuStreamBeginCapture_v2(stream, 0));
    CHECK(cuMemAllocAsync(&own, 64, stream));
    CHECK(cuMemsetD32Async(own, 77, 16, stream));
    CHECK(cuStreamEndCapture(stream, &graph));
    CHECK(cuGraphInstantiateWithFlags(&made, graph, 0));
    CHECK(cuGraphDestroy(graph));
    printf("freed before %d\n", cuMemFree_v2(own));
    for (int i = 0; i < 2; i++) {
        CHECK(cuGraphLaunch(made, stream));
        CHECK(cuMemcpyDtoH_v2(&value, own, sizeof value));
        CHECK(cuMemFreeAsync(own, stream));
    }
    CHECK(cuGraphLaunch(made, stream));
    CHECK(cuGraphExecDestroy(made));
    CHECK(cuMemFree_v2(own));
    printf("memory of a graph %u, freed again %d\n", value, cuMemFree_v2(own));
}

int main(void)
{
    CUcontext context;
    CUmodule module;
    CUstream stream;
    CHECK(cuInit(0));
    CHECK(cuCtxCreate_v2(&context, 0, 0));
    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&function, module, "change"));
    CHECK(cuMemAlloc_v2(&x, N * sizeof(int)));
    CHECK(cuStreamCreateWithPriority(&stream, 1, 0));
    by_hand(stream);
    captured(stream);
    waiting(stream);
    memory(stream);
    marks();
    return 0;
}
