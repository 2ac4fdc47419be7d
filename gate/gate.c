/* SPDX-License-Identifier: BSD-3-Clause */
/* See gate.h. */
#include "gate/gate.h"

#include <math.h>
#include <string.h>

/* ---- joining -------------------------------------------------------------------------------- */

static void count_names(const PsGateSet *set, GHashTable *twice)
{
    for (guint i = 1; i < set->kernels->len; i++) {
        const PsGateKernel *one = set->kernels->pdata[i - 1], *other = set->kernels->pdata[i];
        if (strcmp(one->kernel->name, other->kernel->name) == 0 &&
            one->image->capability == other->image->capability)
            g_hash_table_add(twice, one->kernel->name);
    }
}

/* The keys of a set's kernels (texts; g_ptr_array_unref): name and architecture; the file, too, if
 * several files have one of that name; and a number if one file has several. */
static GPtrArray *keys_of(const PsGateSet *set, GHashTable *twice)
{
    GPtrArray *keys = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < set->kernels->len; i++) {
        const PsGateKernel *kernel = set->kernels->pdata[i];
        const gboolean several = g_hash_table_contains(twice, kernel->kernel->name);
        char *key = g_strdup_printf("%s sm_%d %s", kernel->kernel->name, kernel->image->capability,
                                    several ? kernel->file : "");
        const guint before = GPOINTER_TO_UINT(g_hash_table_lookup(seen, key));
        g_ptr_array_add(keys, g_strdup_printf("%s#%u", key, before));
        g_hash_table_insert(seen, key, GUINT_TO_POINTER(before + 1));
    }
    return keys;
}

/* FALSE: the figure is not known on both sides. */
static gboolean both_known(const PsGatePair *pair, PsGateFigure figure)
{
    return pair->before && pair->after && !isnan(pair->before->figures[figure]) &&
           !isnan(pair->after->figures[figure]);
}

static gboolean differs(const PsGatePair *pair)
{
    if (!pair->before || !pair->after)
        return TRUE;
    for (guint i = 0; i < PS_GATE_N_FIGURES; i++)
        if (both_known(pair, i) && pair->before->figures[i] != pair->after->figures[i])
            return TRUE;
    return memcmp(pair->before->mix.of, pair->after->mix.of,
                  PS_SASS_MIX_PADDING * sizeof pair->after->mix.of[0]) != 0;
}

PsGateLimit ps_gate_limit_of(const PsGate *gate, const PsGateKernel *after, PsGateFigure figure)
{
    return figure == PS_GATE_TIME ? (PsGateLimit){!isnan(after->slower), TRUE, after->slower}
                                  : gate->limits[figure];
}

static void judge(const PsGate *gate, PsGatePair *pair)
{
    for (guint i = 0; i < PS_GATE_N_FIGURES; i++) {
        if (!both_known(pair, i))
            continue;
        const PsGateLimit limit = ps_gate_limit_of(gate, pair->after, i);
        const double before = pair->before->figures[i], after = pair->after->figures[i],
                     worse = i == PS_GATE_OCCUPANCY ? 100 * (before - after) : after - before,
                     of = i == PS_GATE_OCCUPANCY ? 100 * before : before;
        pair->fails[i] =
            limit.limited && worse > (limit.in_per_cent ? limit.most * of / 100 : limit.most);
        pair->failed = pair->failed || pair->fails[i];
    }
}

static void add_pair(PsGate *gate, const PsGateKernel *before, const PsGateKernel *after)
{
    PsGatePair *pair = g_new0(PsGatePair, 1);
    pair->before = before;
    pair->after = after;
    judge(gate, pair);
    gate->n_failed += pair->failed;
    if (differs(pair)) {
        g_ptr_array_add(gate->pairs, pair);
        return;
    }
    gate->n_same++;
    g_free(pair);
}

static const PsGateKernel *of_pair(const PsGatePair *pair)
{
    return pair->after ? pair->after : pair->before;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    const PsGateKernel *x = of_pair(*(PsGatePair *const *)a), *y = of_pair(*(PsGatePair *const *)b);
    const gint order = strcmp(x->kernel->name, y->kernel->name),
               architecture = x->image->capability - y->image->capability;
    return order ? order : architecture ? architecture : strcmp(x->file, y->file);
}

/* Kernels by their keys, which are borrowed. */
static GHashTable *index_of(const PsGateSet *set, const GPtrArray *keys)
{
    GHashTable *all = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < keys->len; i++)
        g_hash_table_insert(all, keys->pdata[i], set->kernels->pdata[i]);
    return all;
}

static void join(PsGate *gate)
{
    g_autoptr(GHashTable) twice = g_hash_table_new(g_str_hash, g_str_equal);
    count_names(gate->before, twice);
    count_names(gate->after, twice);
    g_autoptr(GPtrArray) before = keys_of(gate->before, twice), after = keys_of(gate->after, twice);
    g_autoptr(GHashTable) were = index_of(gate->before, before), are = index_of(gate->after, after);
    for (guint i = 0; i < after->len; i++)
        add_pair(gate, g_hash_table_lookup(were, after->pdata[i]), gate->after->kernels->pdata[i]);
    for (guint i = 0; i < before->len; i++)
        if (!g_hash_table_contains(are, before->pdata[i]))
            add_pair(gate, gate->before->kernels->pdata[i], NULL);
    g_ptr_array_sort(gate->pairs, by_name);
}

PsGate *ps_gate_new(const PsGateSet *before, const PsGateSet *after,
                    const PsGateLimit limits[PS_GATE_N_FIGURES], const PsGpu *gpu)
{
    PsGate *gate = g_new0(PsGate, 1);
    gate->before = before;
    gate->after = after;
    gate->gpu = gpu;
    memcpy(gate->limits, limits, sizeof gate->limits);
    gate->pairs = g_ptr_array_new_with_free_func(g_free);
    join(gate);
    return gate;
}

void ps_gate_free(PsGate *gate)
{
    if (!gate)
        return;
    g_ptr_array_unref(gate->pairs);
    g_free(gate);
}
