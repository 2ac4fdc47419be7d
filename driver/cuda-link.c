/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries that link code. A single text or file needs no linker: it is the result. Several are
 * refused. */
#include "driver/state.h"

#include <string.h>

typedef struct Link {
    char *image;
    gsize size;
    guint n;
} Link;

static CUresult add(Link *link, const void *data, gsize size)
{
    DRIVER_ENTER;
    if (!link || !data)
        return CUDA_ERROR_INVALID_VALUE;
    if (++link->n > 1) {
        driver_say_once("the program links several pieces of code (cuLinkAddData), which pipesim "
                        "does not: let nvcc or nvJitLink link them");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    link->image = g_malloc(size + 1);
    memcpy(link->image, data, size);
    link->image[size] = 0;
    link->size = size;
    return CUDA_SUCCESS;
}

#pragma GCC visibility push(default)

CUresult cuLinkCreate_v2(unsigned int n, int *options, void **values, Link **link)
{
    DRIVER_ENTER;
    (void)n;
    (void)options;
    (void)values;
    if (!link)
        return CUDA_ERROR_INVALID_VALUE;
    *link = g_new0(Link, 1);
    return CUDA_SUCCESS;
}

CUresult cuLinkCreate(unsigned int n, int *options, void **values, Link **link)
{
    return cuLinkCreate_v2(n, options, values, link);
}

CUresult cuLinkAddData_v2(Link *link, int type, const void *data, size_t size, const char *name,
                          unsigned int n, int *options, void **values)
{
    (void)type;
    (void)name;
    (void)n;
    (void)options;
    (void)values;
    return add(link, data, size);
}

CUresult cuLinkAddData(Link *link, int type, const void *data, size_t size, const char *name,
                       unsigned int n, int *options, void **values)
{
    return cuLinkAddData_v2(link, type, data, size, name, n, options, values);
}

CUresult cuLinkAddFile_v2(Link *link, int type, const char *path, unsigned int n, int *options,
                          void **values)
{
    g_autofree char *text = NULL;
    gsize size = 0;
    (void)type;
    (void)n;
    (void)options;
    (void)values;
    return g_file_get_contents(path, &text, &size, NULL) ? add(link, text, size)
                                                         : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult cuLinkAddFile(Link *link, int type, const char *path, unsigned int n, int *options,
                       void **values)
{
    return cuLinkAddFile_v2(link, type, path, n, options, values);
}

CUresult cuLinkComplete(Link *link, void **image, size_t *size)
{
    DRIVER_ENTER;
    if (!link || !link->n || !image)
        return CUDA_ERROR_INVALID_VALUE;
    *image = link->image;
    if (size)
        *size = link->size;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(Link *link)
{
    DRIVER_ENTER;
    if (!link)
        return CUDA_ERROR_INVALID_HANDLE;
    g_free(link->image);
    g_free(link);
    return CUDA_SUCCESS;
}

#pragma GCC visibility pop
