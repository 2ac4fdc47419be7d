/* SPDX-License-Identifier: BSD-3-Clause */
/* A program for recordings on a device (tests/device-recording.t): four threads load code and
 * launch its kernels, all at once. recorded-threads CODE */
#include "driver/cuda.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);

enum { THREADS = 4, LOADS = 5, LAUNCHES = 10, MOST = 1 << 20 };

static char image[MOST];
static CUcontext context;

static void check(CUresult result)
{
    if (result)
        abort();
}

static void *work(void *self)
{
    check(cuCtxSetCurrent(context));
    for (int i = 0; i < LOADS; i++) {
        CUmodule module;
        CUfunction idle;
        check(cuModuleLoadData(&module, image));
        check(cuModuleGetFunction(&idle, module, "idle"));
        for (int k = 0; k < LAUNCHES; k++)
            check(cuLaunchKernel(idle, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    }
    return self;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    FILE *file = fopen(argv[argc - 1], "rb");
    if (!file || fread(image, 1, MOST - 1, file) == 0)
        return 70;
    fclose(file);
    check(cuInit(0));
    check(cuDevicePrimaryCtxRetain(&context, 0));
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return 70;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
