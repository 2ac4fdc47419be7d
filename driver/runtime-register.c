/* SPDX-License-Identifier: BSD-3-Clause */
/* Compilers put calls of these entries before main: they register code, and the host's functions
 * and variables that stand for the device's. Everything is loaded at its first use. */
#include "driver/runtime.h"

#include <stdlib.h>
#include <string.h>

struct Binary {
    void *image;
    CUlibrary library; /* NULL: not loaded yet */
};

static GRecMutex lock;
static GHashTable *functions, *variables; /* host address -> Registered */
static GPtrArray *managed;                /* the managed ones of these variables */

static void add(GHashTable **table, const Registered *registered)
{
    g_rec_mutex_lock(&lock);
    if (!*table)
        *table = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    Registered *copy = g_memdup2(registered, sizeof *registered);
    g_hash_table_insert(*table, (gpointer)registered->host, copy);
    if (registered->managed) {
        managed = managed ? managed : g_ptr_array_new();
        g_ptr_array_add(managed, copy);
    }
    g_rec_mutex_unlock(&lock);
}

static cudaError_t load(struct Binary *binary)
{
    return binary->library
               ? cudaSuccess
               : cuLibraryLoadData(&binary->library, binary->image, NULL, NULL, 0, NULL, NULL, 0);
}

static cudaError_t find_function(Registered *function)
{
    CUkernel kernel = NULL;
    const cudaError_t error = load(function->binary);
    if (error)
        return error;
    if (cuLibraryGetKernel(&kernel, function->binary->library, function->name))
        return cudaErrorInvalidDeviceFunction;
    function->device = kernel;
    return cudaSuccess;
}

/* A managed variable is a pointer on the host. */
static cudaError_t find_variable(Registered *variable)
{
    CUdeviceptr address = 0;
    const cudaError_t error = load(variable->binary);
    if (error)
        return error;
    if (cuLibraryGetGlobal(&address, &variable->size, variable->binary->library, variable->name))
        return cudaErrorInvalidSymbol;
    variable->device = (void *)(size_t)address;
    if (variable->managed)
        *(void **)(size_t)variable->host = variable->device;
    return cudaSuccess;
}

/* Managed variables get memory before a kernel or the host uses them. */
static cudaError_t find_managed(void)
{
    cudaError_t error = cudaSuccess;
    for (guint i = 0; managed && i < managed->len && !error; i++) {
        Registered *variable = managed->pdata[i];
        if (!variable->device)
            error = find_variable(variable);
    }
    return error;
}

cudaError_t runtime_function(const void *host, CUfunction *function)
{
    g_rec_mutex_lock(&lock);
    Registered *found = functions ? g_hash_table_lookup(functions, host) : NULL;
    cudaError_t error = find_managed();
    if (!error && found && !found->device)
        error = find_function(found);
    if (!error && !found)
        error = cudaErrorInvalidDeviceFunction;
    *function = error ? NULL : found->device;
    g_rec_mutex_unlock(&lock);
    return error;
}

const void *runtime_host(CUfunction function)
{
    GHashTableIter iter;
    gpointer registered;
    const void *host = NULL;
    g_rec_mutex_lock(&lock);
    g_hash_table_iter_init(&iter, functions);
    while (!host && g_hash_table_iter_next(&iter, NULL, &registered))
        if (((const Registered *)registered)->device == function)
            host = ((const Registered *)registered)->host;
    g_rec_mutex_unlock(&lock);
    return host;
}

cudaError_t runtime_variable(const void *host, char **address, size_t *size)
{
    g_rec_mutex_lock(&lock);
    Registered *found = variables ? g_hash_table_lookup(variables, host) : NULL;
    cudaError_t error = found ? cudaSuccess : cudaErrorInvalidSymbol;
    if (found && !found->device)
        error = find_variable(found);
    if (!error) {
        *address = found->device;
        if (size)
            *size = found->size;
    }
    g_rec_mutex_unlock(&lock);
    return error;
}

#pragma GCC visibility push(default)

void **__cudaRegisterFatBinary(void *image)
{
    struct Binary *binary = g_new0(struct Binary, 1);
    binary->image = image;
    return (void **)binary;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle; /* the process ends */
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int limit, void *tid, void *bid, void *block, void *grid, int *size)
{
    (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)size;
    add(&functions, &(Registered){.host = host, .name = name, .binary = (struct Binary *)handle});
}

void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external,
                       size_t size, int constant, int global)
{
    (void)address, (void)external, (void)constant, (void)global;
    add(&variables,
        &(Registered){.host = host, .name = name, .binary = (struct Binary *)handle, .size = size});
}

void __cudaRegisterManagedVar(void **handle, void **host, char *address, const char *name,
                              int external, size_t size, int constant, int global)
{
    (void)address, (void)external, (void)constant, (void)global;
    add(&variables, &(Registered){.host = host,
                                  .name = name,
                                  .binary = (struct Binary *)handle,
                                  .managed = TRUE,
                                  .size = size});
}

/* The host calls it before it reads a managed variable. */
char __cudaInitModule(void **handle)
{
    (void)handle;
    if (runtime_enter())
        return 0;
    g_rec_mutex_lock(&lock);
    const cudaError_t error = find_managed();
    g_rec_mutex_unlock(&lock);
    return error ? 0 : 1;
}

cudaError_t __cudaGetKernel(const void **kernel, const void *host)
{
    *kernel = host;
    return cudaSuccess;
}

cudaError_t cudaGetKernel(const void **kernel, const void *host)
{
    return __cudaGetKernel(kernel, host);
}

cudaError_t cudaGetFuncBySymbol(CUfunction *function, const void *host)
{
    RUNTIME_ENTER;
    return runtime_keep(runtime_function(host, function));
}

#pragma GCC visibility pop
