/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns raw rows into a GPU's description: what the device reports, a class for every curve whose
 * latencies show, and peaks. Every figure names its source.
 */
#include "latency-bench/describe/describe.h"
#include "latency-bench/internal.h"

#include <math.h>
#include <string.h>

static void clear_fit(void *data)
{
    PsBenchFit *fit = data;
    g_free(fit->class_name);
    g_array_unref(fit->points);
    ps_hull_fit_clear(&fit->fit);
}

void ps_bench_result_free(PsBenchResult *result)
{
    if (!result)
        return;
    ps_gpu_free(result->gpu);
    g_array_unref(result->fits);
    g_ptr_array_unref(result->warnings);
    g_free(result);
}

/* Adds the source of the whole file: how its figures were made. */
static void add_origin(PsDescribe *describe)
{
    const PsRaw *raw = describe->raw;
    g_autofree char *driver = ps_text_clean(raw->info.driver),
                    *backend = ps_text_clean(raw->info.backend), *when = ps_text_clean(raw->when);
    guint n = 0;
    for (guint i = 0; i < raw->rows->len; i++)
        n += ((const PsRawRow *)raw->rows->pdata[i])->problem == NULL;
    g_autofree char *text = g_strdup_printf(
        "Measured with pipesim bench %s, %s, on %s through %s%s%s%s: %u samples of chains of "
        "dependent instructions over active warps. Latencies are fitted to the whole curve "
        "(equation 1 of The Pipeline Performance Model), in cycles%s.",
        PIPESIM_VERSION, when ? when : "at an unknown time", describe->gpu->name,
        backend ? backend : "an unknown driver", driver ? " (" : "", driver ? driver : "",
        driver ? ")" : "", n,
        raw->info.counter ? " of the compute units' own counter"
                          : " that were worked out from times and the clock, since kernels cannot "
                            "read a counter there; launches count in them");
    ps_describe_source(describe, NULL, PS_SOURCE_MEASURED, g_utf8_make_valid(text, -1));
}

/* The written file must be readable, whatever names the device has. */
static gboolean check(const PsGpu *gpu, GError **error)
{
    g_autofree char *text = ps_gpu_write(gpu);
    g_autoptr(GError) why = NULL;
    g_autoptr(PsGpu) again = ps_gpu_parse(text, strlen(text), "the description", &why);
    if (!again)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "the measurements make no description: %s",
                    why->message);
    return again != NULL;
}

PsBenchResult *ps_bench_describe(const PsRaw *raw, GError **error)
{
    PsBenchResult *result = g_new0(PsBenchResult, 1);
    g_autofree char *name = ps_describe_name(&raw->info);
    result->gpu = ps_gpu_new(name);
    result->fits = g_array_new(FALSE, FALSE, sizeof(PsBenchFit));
    g_array_set_clear_func(result->fits, clear_fit);
    result->warnings = g_ptr_array_new_with_free_func(g_free);
    PsDescribe describe = {raw, result->gpu, result->fits, result->warnings, NAN};
    add_origin(&describe);
    ps_describe_chip(&describe);
    ps_describe_problems(&describe);
    ps_describe_fit(&describe);
    ps_describe_levels(&describe);
    ps_describe_atomics(&describe);
    ps_describe_local(&describe);
    const guint n = ps_describe_classes(&describe);
    if (!ps_gpu_derive(result->gpu, error)) {
        ps_bench_result_free(result);
        return NULL;
    }
    ps_describe_launches(&describe);
    ps_describe_bursts(&describe);
    ps_describe_substitutes(&describe);
    ps_describe_peaks(&describe);
    ps_describe_model(&describe);
    if (!n)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: not a single class could be measured; the description would be empty",
                    raw->path ? raw->path : name);
    if (n && check(result->gpu, error))
        return result;
    ps_bench_result_free(result);
    return NULL;
}
