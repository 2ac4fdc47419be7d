/* SPDX-License-Identifier: BSD-3-Clause */
/* libcuda.so.1, see cupti.h. As the real one it loads what CUDA_INJECTION64_PATH names. A function
 * is here the name of a kernel. */
#include "tests/stand-in/cupti.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define CALL __attribute__((visibility("default")))

/* Those that nobody ends stay. */
typedef struct Context {
    uint32_t device;
    struct Context *next;
} Context;

static Context *current, *all;

/* CUPTI, if the injected library has opened it. */
static void *in_cupti(const char *name)
{
    void *library = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    return library ? dlsym(library, name) : NULL;
}

CALL int cuInit(unsigned flags);
CALL int cuCtxCreate_v2(void **context, unsigned flags, int device);
CALL int cuCtxDestroy_v2(void *context);
CALL int cuLaunchKernel(void *function, unsigned grid, unsigned grid_y, unsigned grid_z,
                        unsigned block, unsigned block_y, unsigned block_z, unsigned memory,
                        void *stream, void **values, void **extra);
CALL int cuGraphLaunch(void *graph, void *stream);

int cuInit(unsigned flags)
{
    (void)flags;
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    void *symbol = library ? dlsym(library, "InitializeInjection") : NULL;
    int (*begin)(void);
    memcpy(&begin, &symbol, sizeof begin);
    if (begin)
        begin();
    return 0;
}

int cuCtxCreate_v2(void **context, unsigned flags, int device)
{
    (void)flags;
    current = calloc(1, sizeof *current);
    if (!current)
        return 2;
    *current = (Context){.device = (uint32_t)device, .next = all};
    all = current;
    *context = current;
    return 0;
}

int cuCtxDestroy_v2(void *context)
{
    StandInContextFunction end;
    void *symbol = in_cupti("standin_context_end");
    memcpy(&end, &symbol, sizeof end);
    if (end)
        end(context);
    current = NULL;
    return 0;
}

static void launch(const StandInLaunch *what)
{
    StandInLaunchFunction tell;
    void *symbol = in_cupti("standin_launch");
    memcpy(&tell, &symbol, sizeof tell);
    if (tell)
        tell(what);
}

/* The interface has that many. NOLINTNEXTLINE(readability-function-size) */
int cuLaunchKernel(void *function, unsigned grid, unsigned grid_y, unsigned grid_z, unsigned block,
                   unsigned block_y, unsigned block_z, unsigned memory, void *stream, void **values,
                   void **extra)
{
    (void)grid_y, (void)grid_z, (void)block, (void)block_y, (void)block_z, (void)memory;
    (void)stream, (void)values, (void)extra;
    launch(&(StandInLaunch){current, current->device, function, (int32_t)grid, 0, grid == 0});
    return grid ? 0 : 1;
}

int cuGraphLaunch(void *graph, void *stream)
{
    (void)stream;
    launch(&(StandInLaunch){current, current->device, graph, 1, 1, 0});
    return 0;
}
