/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readable names of kernels. Compilers of CUDA mangle them as those of C++ do, and the C++ library,
 * which is on every machine that runs CUDA, has a function with a C interface that undoes it. It is
 * opened at run time: without it names stay as they are.
 */
#include "cli/profile.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef char *(*Demangle)(const char *name, char *buffer, size_t *length, int *status);

static char *demangle(const char *name)
{
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
    Demangle function;
    memcpy(&function, &symbol, sizeof function);
    int status = 0;
    char *plain = function ? function(name, NULL, NULL, &status) : NULL;
    char *copy = plain && status == 0 ? g_strdup(plain) : NULL;
    free(plain);
    return copy; /* the library stays: it is asked again, and does not like to be closed */
}

const char *profile_name(ProfileTrace *trace, const char *name)
{
    const char *known = g_hash_table_lookup(trace->names, name);
    if (known)
        return known;
    g_autofree char *plain = g_str_has_prefix(name, "_Z") ? demangle(name) : NULL;
    const char *kept = g_string_chunk_insert(trace->texts, plain ? plain : name);
    g_hash_table_insert(trace->names, g_strdup(name), (gpointer)kept);
    return kept;
}
