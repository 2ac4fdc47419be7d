/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which class serves what a graph asks for. Classes are hierarchical by their dotted names: the
 * general one stands in for the special one that a description lacks. Access patterns come in
 * degrees ("local.load.c4", "global.load.s12"): before the general class, which knows of no
 * conflict, the same pattern of the next higher degree stands in.
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

/* Where the number of a name such as "local.load.c4" begins; NULL where its last part is not one
 * letter and a number, or a type: f64 is no degree of f16, nor s8 of s4 where matrices have it. */
static const char *degree_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (!dot || !g_ascii_isalpha(dot[1]) || dot[1] == 'f' || !g_ascii_isdigit(dot[2]) ||
        g_str_has_prefix(name, "tensor.") || strspn(dot + 2, "0123456789") != strlen(dot + 2) ||
        strlen(dot + 2) > 9)
        return NULL;
    return dot + 2;
}

/* The class of the same pattern with the lowest degree above that of the name, else with the
 * highest; NULL where there is none. */
static const PsClass *find_degree(const PsGpu *gpu, const char *name)
{
    const char *number = degree_of(name);
    const PsClass *best = NULL;
    gint64 degree = number ? g_ascii_strtoll(number, NULL, 10) : 0, best_degree = 0;
    for (guint i = 0; number && i < gpu->classes->len; i++) {
        const PsClass *klass = g_ptr_array_index(gpu->classes, i);
        const char *own = degree_of(klass->name);
        if (!own || own - klass->name != number - name ||
            strncmp(klass->name, name, (gsize)(number - name)) != 0)
            continue;
        const gint64 its = g_ascii_strtoll(own, NULL, 10);
        const gboolean better = its >= degree ? best_degree < degree || its < best_degree
                                              : best_degree < degree && its > best_degree;
        if (better || !best) {
            best = klass;
            best_degree = its;
        }
    }
    return best;
}

/* The class itself, or the nearest one beside or above it. */
static const PsClass *find_upwards(const PsGpu *gpu, const char *asked)
{
    g_autofree char *name = g_strdup(asked);
    for (char *end = name + strlen(name); end > name;) {
        *end = '\0';
        const PsClass *klass = ps_gpu_find_class(gpu, name);
        if (!klass)
            klass = find_degree(gpu, name);
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

void ps_class_add_names(const char *asked, GPtrArray *names)
{
    for (const char *end = asked + strlen(asked); end; end = g_strrstr_len(asked, end - asked, "."))
        g_ptr_array_add(names, g_strndup(asked, (gsize)(end - asked)));
}

double ps_gpu_class_rate(const PsGpu *gpu, const PsClass *klass)
{
    const PsPipeline *pipeline = gpu->pipelines->pdata[klass->pipeline];
    const double pipelines = pipeline->per_scheduler ? (double)MAX(gpu->schedulers, 1) : 1;
    return (double)gpu->warp_size * pipelines / ps_rational_to_double(klass->latency.issue);
}
