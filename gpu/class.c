/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the class that serves the one that a graph asks for: by its name (base/class-name.h) the
 * general one stands in for the special one that a description lacks. Access patterns come in
 * degrees ("local.load.c4", "global.load.s12"): before the general class, which knows of no
 * conflict, the same pattern of the next higher degree stands in.
 */
#include "base/class-name.h"
#include "gpu/internal.h"
#include "gpu/rows.h"

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

/* The class of the same pattern with the lowest degree above the name's; else the one with the
 * highest degree; NULL: there is none. */
static const PsClass *find_degree(const PsGpu *gpu, const char *name)
{
    const PsClass *best = NULL;
    gsize stem, its_stem;
    gint64 degree, its, best_degree = 0;
    if (!ps_class_degree(name, &stem, &degree))
        return NULL;
    for (guint i = 0; i < gpu->classes->len; i++) {
        const PsClass *class = g_ptr_array_index(gpu->classes, i);
        if (!ps_class_degree(class->name, &its_stem, &its) || its_stem != stem ||
            strncmp(class->name, name, stem) != 0)
            continue;
        const gboolean better = its >= degree ? best_degree < degree || its < best_degree
                                              : best_degree < degree && its > best_degree;
        if (better || !best) {
            best = class;
            best_degree = its;
        }
    }
    return best;
}

/* The class itself, or the nearest one of the same or of a higher level. */
static const PsClass *find_upwards(const PsGpu *gpu, const char *asked)
{
    g_autofree char *name = g_strdup(asked);
    const PsClass *class;
    do {
        class = ps_gpu_find_class(gpu, name);
        if (!class)
            class = find_degree(gpu, name);
    } while (!class && ps_class_cut_last(name));
    return class;
}

const PsClass *ps_gpu_class(const PsGpu *gpu, const char *asked, PsMatch *match)
{
    PsMatch ignored;
    if (!match)
        match = &ignored;
    const PsClass *class = find_upwards(gpu, asked);
    if (class) {
        *match = strcmp(class->name, asked) == 0 ? PS_MATCH_EXACT : PS_MATCH_PARENT;
        return class;
    }
    *match = PS_MATCH_DEFAULT;
    g_autofree char *kind = ps_class_first_parts(asked, 1);
    const PsDefaultClass *fallback = ps_gpu_find_default(gpu, kind);
    if (!fallback)
        fallback = ps_gpu_find_default(gpu, "unknown");
    return fallback ? ps_gpu_find_class(gpu, fallback->class_name) : NULL;
}

double ps_gpu_class_rate(const PsGpu *gpu, const PsClass *gpu_class)
{
    const PsPipeline *pipeline = gpu->pipelines->pdata[gpu_class->pipeline];
    const double pipelines = pipeline->per_scheduler ? (double)MAX(gpu->schedulers, 1) : 1;
    return (double)gpu->warp_size * pipelines / ps_rational_to_double(gpu_class->latency.issue);
}
