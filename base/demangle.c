/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compilers of CUDA mangle names as those of C++ do, and the C++ library, which is on nearly every
 * machine, has a function with a C interface that undoes it. It is opened at run time: without it
 * names stay as they are.
 */
#include "base/kernel-name.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef char *(*Demangle)(const char *name, char *buffer, size_t *length, int *status);

char *ps_kernel_demangle(const char *name)
{
    if (!g_str_has_prefix(name, "_Z"))
        return NULL;
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
    Demangle function;
    memcpy(&function, &symbol, sizeof function);
    int status = 0;
    char *plain = function ? function(name, NULL, NULL, &status) : NULL;
    char *copy = plain && status == 0 ? g_strdup(plain) : NULL;
    free(plain);
    return copy; /* it stays open for the next name */
}
