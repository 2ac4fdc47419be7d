/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program for recordings on a device (tests/device-recording.t): recorded CODE [WHAT]. It
 * launches kernels in all forms, with memory of all kinds. WHAT: `dies` after its first launches,
 * `other` grids if it runs for the third time (a file of that name counts), `large` has much
 * memory.
 */
#include "driver/cuda.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *pointer, size_t *bytes, CUmodule module,
                              const char *name);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);
CUresult cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph graph, unsigned long long flags);
CUresult cuGraphLaunch(CUgraphExec made, CUstream stream);
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph);
CUresult cuStreamCreate(CUstream *stream, unsigned int flags);

enum { N = 10000, BLOCK = 128, GROUPS = (N + BLOCK - 1) / BLOCK, ROWS = 3 };

typedef struct {
    int n;
    CUdeviceptr x;
    char more;
} Pair;

typedef struct {
    CUfunction scale, through, idle;
    CUstream stream;
    CUdeviceptr x, order, table, trips, gone;
    float *host;
} Work;

static void check(CUresult result, const char *what)
{
    if (result) {
        printf("%s: error %d\n", what, result);
        exit(1);
    }
}
#define CHECK(CALL) check(CALL, #CALL)

/* The file, and a zero behind it. */
static void *read_file(const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *bytes = calloc(1, MOST);
    if (!file || !bytes || fread(bytes, 1, MOST - 1, file) == 0)
        exit(70);
    fclose(file);
    return bytes;
}

static void fill(const Work *work)
{
    static float x[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 100);
    CHECK(cuMemcpyHtoD_v2(work->x, x, sizeof x));
}

/* Memory of the device, managed, and of the host; rows to which only a table leads. */
static void begin(Work *work, const char *path)
{
    static int order[N];
    const int trips = 50;
    CUcontext context;
    CUmodule module;
    CUdeviceptr rows[ROWS];
    void *mapped;
    CHECK(cuInit(0));
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    void *image = read_file(path);
    CHECK(cuModuleLoadData(&module, image));
    free(image);
    CHECK(cuModuleGetFunction(&work->scale, module, "scale"));
    CHECK(cuModuleGetFunction(&work->through, module, "through"));
    CHECK(cuModuleGetFunction(&work->idle, module, "idle"));
    CHECK(cuStreamCreate(&work->stream, 0));
    CHECK(cuMemAlloc_v2(&work->x, N * sizeof(float)));
    CHECK(cuMemAllocManaged(&work->order, sizeof order, 1));
    for (int i = 0; i < N; i++)
        order[i] = (int)((i * 7919L) % N);
    CHECK(cuMemcpyHtoD_v2(work->order, order, sizeof order));
    for (int i = 0; i < ROWS; i++) {
        CHECK(cuMemAlloc_v2(&rows[i], BLOCK * sizeof(float)));
        CHECK(cuMemcpyHtoD_v2(rows[i], order, BLOCK * sizeof(float)));
    }
    CHECK(cuMemAlloc_v2(&work->table, sizeof rows));
    CHECK(cuMemcpyHtoD_v2(work->table, rows, sizeof rows));
    CHECK(cuMemHostAlloc(&mapped, sizeof trips, 2));
    memcpy(mapped, &trips, sizeof trips);
    work->trips = (CUdeviceptr)(size_t)mapped;
    CHECK(cuMemAlloc_v2(&work->gone, 64));
    CHECK(cuMemFree_v2(work->gone));
}

static CUresult scale(Work *work, unsigned int groups, int n, CUstream stream)
{
    Pair pair = {n, work->x, 1};
    short plus = 2;
    void *params[] = {&pair, &work->order, &plus};
    return cuLaunchKernel(work->scale, groups, 1, 1, BLOCK, 1, 1, 0, stream, params, NULL);
}

/* The same, all arguments packed. */
static CUresult scale_packed(Work *work)
{
    struct {
        Pair pair;
        CUdeviceptr order;
        short plus;
    } packed = {{N / 2, work->x, 1}, work->order, 2};
    size_t size = sizeof packed;
    void *extra[] = {LAUNCH_PARAM_BUFFER_POINTER, &packed, LAUNCH_PARAM_BUFFER_SIZE, &size,
                     LAUNCH_PARAM_END};
    return cuLaunchKernel(work->scale, GROUPS, 1, 1, BLOCK, 1, 1, 0, NULL, NULL, extra);
}

static CUresult through(Work *work)
{
    int n = ROWS;
    void *params[] = {&work->table, &work->trips, &n};
    const CUlaunchConfig config = {.grid = {1, 1, 1}, .block = {BLOCK, 1, 1}};
    return cuLaunchKernelEx(&config, work->through, params, NULL);
}

static void by_graph(Work *work)
{
    CUgraph graph;
    CUgraphExec made;
    CHECK(cuStreamBeginCapture_v2(work->stream, 0));
    CHECK(scale(work, GROUPS, N, work->stream));
    CHECK(cuStreamEndCapture(work->stream, &graph));
    CHECK(cuGraphInstantiateWithFlags(&made, graph, 0));
    CHECK(cuGraphLaunch(made, work->stream));
    CHECK(cuStreamSynchronize(work->stream));
}

/* Whether the file is there, which it is from then on. */
static int is_again(const char *path)
{
    FILE *file = fopen(path, "wbx");
    if (file)
        fclose(file);
    return !file;
}

int main(int argc, char **argv)
{
    Work work = {0};
    const char *what = argc > 3 && is_again(argv[3]) ? argv[2] : "";
    float sum = 0;
    begin(&work, argv[1]);
    fill(&work);
    CHECK(scale(&work, GROUPS, N, NULL)); /* 1 */
    CHECK(through(&work));                /* 2 */
    fill(&work);
    CHECK(scale_packed(&work)); /* 3 */
    if (scale(&work, 0, N, NULL) == 0)
        return 1;
    fill(&work);
    CHECK(scale(&work, strcmp(what, "other") == 0 ? 7 : GROUPS, N, work.stream)); /* 4 */
    if (strcmp(what, "dies") == 0)
        raise(SIGKILL);
    by_graph(&work); /* 5 */
    for (int i = 0; i < 5; i++)
        CHECK(cuLaunchKernel(work.idle, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL)); /* 6 to 10 */
    work.host = calloc(N, sizeof *work.host);
    CHECK(cuMemcpyDtoH_v2(work.host, work.x, N * sizeof *work.host));
    for (int i = 0; i < N; i++)
        sum += work.host[i];
    free(work.host);
    printf("sum %.0f\n", (double)sum);
    return 0;
}
