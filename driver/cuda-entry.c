/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries that find entries, and names of errors. */
#include "driver/entry.h"
#include "driver/error-names.h"
#include "driver/state.h"

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

/* Tables that no documentation has. */
CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    (void)id;
    *table = NULL;
    return CUDA_ERROR_NOT_FOUND;
}

#pragma GCC visibility pop
