/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses a device's plan: micro-benchmarks or whole kernels, all or some. */
#include "base/error.h"
#include "base/nearest.h"
#include "latency-bench/validate.h"

#include <string.h>

static PsBenchPlan *plan_of(const PsDeviceInfo *info, gboolean validation, PsBenchGrid grid,
                            const char *pattern)
{
    return validation ? ps_validation_plan(info, grid, pattern)
                      : ps_bench_plan(info, grid, pattern);
}

static void free_plan(gpointer plan)
{
    ps_bench_plan_free(plan);
}

GPtrArray *ps_bench_plans(const PsDeviceInfo *info, gboolean validation)
{
    static const PsBenchGrid grids[] = {PS_GRID_FULL, PS_GRID_QUICK, PS_GRID_REDUCED};
    GPtrArray *plans = g_ptr_array_new_with_free_func(free_plan);
    for (guint i = 0; i < G_N_ELEMENTS(grids); i++)
        g_ptr_array_add(plans, plan_of(info, validation, grids[i], NULL));
    return plans;
}

/* Benchmarks come in series, and a user names none completely: "fdad" means "fadd*" (g_free). */
static char *suggest_pattern(const char *written, const GPtrArray *kernels)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < kernels->len; i++) {
        const char *name = ((const PsBenchKernel *)kernels->pdata[i])->name;
        char *series = g_strdup_printf("%.*s*", (int)strcspn(name, "-"), name);
        if (g_ptr_array_find_with_equal_func(names, series, g_str_equal, NULL))
            g_free(series);
        else
            g_ptr_array_add(names, series);
    }
    g_autofree char *asked = g_strdup_printf("%.*s*", (int)strcspn(written, "-*?"), written);
    return ps_did_you_mean(asked, names);
}

PsBenchPlan *ps_bench_choose(const PsDeviceInfo *info, gboolean validation, PsBenchGrid grid,
                             const char *pattern, GError **error)
{
    g_autoptr(PsBenchPlan) plan = plan_of(info, validation, grid, pattern);
    if (plan->points->len)
        return g_steal_pointer(&plan);
    if (plan->warnings->len) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "nothing is left to measure: %s",
                    (const char *)plan->warnings->pdata[0]);
        return NULL;
    }
    g_autoptr(PsBenchPlan) all = plan_of(info, validation, grid, NULL);
    g_autoptr(GString) listed = g_string_new(NULL);
    for (guint i = 0; i < all->kernels->len; i++)
        g_string_append_printf(listed, "%s%s", i ? ", " : "",
                               ((const PsBenchKernel *)all->kernels->pdata[i])->name);
    g_autofree char *near = suggest_pattern(pattern, all->kernels);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "no benchmark has such a name; there are: %s%s",
                listed->str, near);
    return NULL;
}
