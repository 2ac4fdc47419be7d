/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries that find entries, and names of errors. */
#define _GNU_SOURCE /* dladdr */
#include "driver/entry.h"
#include "driver/error-names.h"
#include "driver/state.h"

#include <dlfcn.h>
#include <string.h>

#pragma GCC visibility push(default)

CUresult cuGetErrorName(CUresult error, const char **name)
{
    const ErrorName *found = error_name(error);
    *name = found ? found->driver : NULL;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    const ErrorName *found = error_name(error);
    *text = found && found->driver ? found->text : NULL;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#pragma GCC visibility pop

/* ---- by name -------------------------------------------------------------------------------- */

enum { PER_THREAD = 2 };
enum { FOUND, NOT_FOUND, TOO_NEW };

/* The newest variant that is not newer than that version. */
static void *find(const char *name, int version, uint64_t flags, int *status)
{
    const Entry *best = NULL;
    *status = NOT_FOUND;
    for (const Entry *entry = driver_entries; entry->name; entry++) {
        if (strcmp(entry->name, name) != 0)
            continue;
        *status = best ? FOUND : TOO_NEW;
        if (entry->version <= version && (!best || entry->version >= best->version)) {
            best = entry;
            *status = FOUND;
        }
    }
    return !best ? NULL : (flags & PER_THREAD) && best->thread ? best->thread : best->address;
}

#pragma GCC visibility push(default)

CUresult cuGetProcAddress_v2(const char *name, void **address, int version, uint64_t flags,
                             int *status)
{
    int how;
    if (!name || !address)
        return CUDA_ERROR_INVALID_VALUE;
    *address = find(name, version, flags, &how);
    if (status)
        *status = how;
    return *address || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *name, void **address, int version, uint64_t flags)
{
    return cuGetProcAddress_v2(name, address, version, flags, NULL);
}

/* A table without documentation. NVIDIA's runtime asks for it, so the program or one of its
 * libraries contains that runtime. */
static const unsigned char of_runtime[] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                           0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};

#pragma GCC visibility pop

#pragma GCC visibility push(default)

CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    Dl_info caller = {0};
    *table = NULL;
    if (memcmp(id->bytes, of_runtime, sizeof of_runtime) != 0)
        return CUDA_ERROR_NOT_FOUND;
    const gboolean known = dladdr(__builtin_return_address(0), &caller) && caller.dli_fname;
    g_autofree char *name = g_path_get_basename(known ? caller.dli_fname : "the program");
    g_autofree char *text = g_strconcat(
        name,
        " has NVIDIA's own runtime inside, which works with NVIDIA's own driver alone, so that its "
        "calls fail here",
        g_str_has_prefix(name, "libcublas")
            ? "; --stand-in blas has kernels of pipesim's own in its place"
            : NULL,
        NULL);
    driver_say_once(text);
    return CUDA_ERROR_NOT_FOUND;
}

#pragma GCC visibility pop
