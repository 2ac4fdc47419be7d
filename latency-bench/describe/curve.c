/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Curves: which raw rows belong together, what they are called, and their fit. Rows of a class that
 * differ in the kernel's parameter `step` are accesses of different patterns, so each step is a
 * class of its own: local.load.c2 are loads from local memory with a conflict of degree 2,
 * global.load.stride2 loads of every second element.
 */
#include "base/class-name.h"
#include "latency-bench/describe/describe.h"
#include "latency-bench/internal.h"

#include <math.h>
#include <string.h>

/* More curves than any device has; a description has no room for more, either. */
#define MOST_CURVES 500

typedef struct {
    char *name;
    PsRaw view; /* with these rows alone; everything else is borrowed */
} Curve;

static void curve_free(void *data)
{
    Curve *curve = data;
    g_free(curve->name);
    g_ptr_array_unref(curve->view.rows);
    g_free(curve);
}

static char *name_of(const PsRawRow *row)
{
    if (row->kind == PS_BENCH_CHAIN)
        return g_strdup(row->class_name);
    const gboolean local = row->kind == PS_BENCH_LOCAL;
    return ps_class_with_access(row->class_name,
                                &(PsClassAccess){.conflicts = local ? row->launch.step : 1,
                                                 .stride = local ? 1 : row->launch.step});
}

/* Curves in the order of their first measurement. */
static GPtrArray *gather(PsDescribe *describe)
{
    const PsRaw *raw = describe->raw;
    gboolean more = FALSE;
    GPtrArray *curves = g_ptr_array_new_with_free_func(curve_free);
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < raw->rows->len; i++) {
        PsRawRow *row = raw->rows->pdata[i];
        if (!row->class_name || !ps_bench_has_chains(row->kind))
            continue;
        g_autofree char *name = name_of(row);
        Curve *curve = g_hash_table_lookup(by_name, name);
        if (!curve && curves->len == MOST_CURVES) {
            more = TRUE;
            continue;
        }
        if (!curve) {
            curve = g_new(Curve, 1);
            *curve = (Curve){g_steal_pointer(&name), *raw};
            curve->view.rows = g_ptr_array_new();
            g_ptr_array_add(curves, curve);
            g_hash_table_insert(by_name, curve->name, curve);
        }
        g_ptr_array_add(curve->view.rows, row);
    }
    if (more)
        ps_describe_warn(describe, "there are more than %d classes; the others are left out",
                         MOST_CURVES);
    return curves;
}

const PsHullFit *ps_describe_hull(const PsDescribe *describe, const char *class_name)
{
    for (guint i = 0; i < describe->fits->len; i++) {
        const PsBenchFit *fit = &g_array_index(describe->fits, PsBenchFit, i);
        if (strcmp(fit->class_name, class_name) == 0)
            return &fit->fit;
    }
    return NULL;
}

double ps_describe_issue(const PsDescribe *describe, const char *class_name)
{
    const double schedulers = (double)MAX(describe->gpu->schedulers, 1);
    const PsHullFit *fit = ps_describe_hull(describe, class_name);
    return fit ? fit->issue.value / (fit->scope == PS_PIPELINE_SCHEDULER ? schedulers : 1) : NAN;
}

void ps_describe_fit(PsDescribe *describe)
{
    g_autoptr(GPtrArray) curves = gather(describe);
    for (guint i = 0; i < curves->len; i++) {
        const Curve *curve = curves->pdata[i];
        const PsRawRow *first = curve->view.rows->pdata[0];
        PsBenchFit fit = {.class_name = g_strdup(curve->name),
                          .points = ps_raw_hull(&curve->view, first->class_name)};
        ps_hull_fit((const PsHullPoint *)(const void *)fit.points->data, fit.points->len,
                    describe->raw->info.schedulers, &fit.fit);
        g_array_append_val(describe->fits, fit);
    }
}
