/* SPDX-License-Identifier: BSD-3-Clause */
/* See driver.h. */
#include "latency-bench/profile/driver.h"

#include <dlfcn.h>
#include <string.h>

typedef struct {
    const char *name;
    size_t offset; /* offset of the pointer in Driver */
} Function;

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

int ps_driver_open(Driver *driver, const char **missing)
{
    static const Function functions[] = {
        {"cuPointerGetAttribute", offsetof(Driver, pointer_attribute)},
        {"cuMemcpyAsync", offsetof(Driver, copy)},
        {"cuStreamCreate", offsetof(Driver, stream_create)},
        {"cuStreamDestroy_v2", offsetof(Driver, stream_destroy)},
        {"cuStreamSynchronize", offsetof(Driver, stream_wait)},
        {"cuStreamIsCapturing", offsetof(Driver, stream_capturing)},
        {"cuCtxSynchronize", offsetof(Driver, wait)},
        {"cuKernelGetFunction", offsetof(Driver, kernel_function)},
        {"cuFuncGetModule", offsetof(Driver, function_module)},
        {"cuModuleGetGlobal_v2", offsetof(Driver, variable)},
        {"cuDeviceGetAttribute", offsetof(Driver, device_attribute)},
    };
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    *missing = NULL;
    for (size_t i = 0; library && i < COUNT(functions); i++) {
        void *symbol = dlsym(library, functions[i].name);
        if (!symbol) {
            *missing = functions[i].name;
            return -1;
        }
        memcpy((char *)driver + functions[i].offset, &symbol, sizeof symbol);
    }
    return library ? 0 : -1;
}
