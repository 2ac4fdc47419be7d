/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which class serves what a graph asks for. Classes are hierarchical by their dotted names: the
 * general one stands in for the special one that a description lacks.
 */
#include "gpu/internal.h"
#include <string.h>

const PsClass *ps_gpu_find_class(const PsGpu *gpu, const char *name)
{
    return g_hash_table_lookup(gpu->by_name, name);
}

const PsDefaultClass *ps_gpu_find_default(const PsGpu *gpu, const char *kind)
{
    for (guint i = 0; i < gpu->defaults->len; i++) {
        const PsDefaultClass *fallback = g_ptr_array_index(gpu->defaults, i);
        if (strcmp(fallback->kind, kind) == 0)
            return fallback;
    }
    return NULL;
}

/* The class itself, or the nearest one above it. */
static const PsClass *find_upwards(const PsGpu *gpu, const char *asked)
{
    g_autofree char *name = g_strdup(asked);
    for (char *end = name + strlen(name); end > name;) {
        *end = '\0';
        const PsClass *klass = ps_gpu_find_class(gpu, name);
        if (klass)
            return klass;
        do
            end--;
        while (end > name && *end != '.');
    }
    return NULL;
}

const PsClass *ps_gpu_class(const PsGpu *gpu, const char *asked, PsMatch *match)
{
    PsMatch ignored;
    if (!match)
        match = &ignored;
    const PsClass *klass = find_upwards(gpu, asked);
    if (klass) {
        *match = strcmp(klass->name, asked) == 0 ? PS_MATCH_EXACT : PS_MATCH_PARENT;
        return klass;
    }
    *match = PS_MATCH_DEFAULT;
    g_autofree char *kind = g_strndup(asked, strcspn(asked, "."));
    const PsDefaultClass *fallback = ps_gpu_find_default(gpu, kind);
    if (!fallback)
        fallback = ps_gpu_find_default(gpu, "unknown");
    return fallback ? ps_gpu_find_class(gpu, fallback->klass) : NULL;
}

gboolean ps_class_covers(const char *klass, const char *asked)
{
    gsize length = strlen(klass);
    return strncmp(klass, asked, length) == 0 && (asked[length] == '\0' || asked[length] == '.');
}
