/* SPDX-License-Identifier: BSD-3-Clause */
/* See made-up.h. */
#include "tests/help/made-up.h"

#include <string.h>

/* What all of them have; %s: their own. */
static const char COMMON[] =
    "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Made up'><source kind='assumed'>Made "
    "up.</source>"
    "<chip compute-units='12' clock='1300' warp-size='%d' schedulers='4' issue-width='1'/>"
    "<limits warps='32' groups='16' group-size='1024' local-memory='65536'"
    " local-memory-unit='256'/>"
    "<pipeline name='f' per='scheduler'/><pipeline name='g'/><pipeline name='a'/><pipeline "
    "name='l'/>"
    "%s"
    "<class name='fadd' pipeline='f' issue='2' completion='5'/>"
    "</gpu>";

PsGpu *made_up_gpu(int warp_size, const char *own)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf(COMMON, warp_size, own);
    PsGpu *gpu = ps_gpu_parse(text, strlen(text), "made up", &error);
    g_assert_no_error(error);
    return gpu;
}

static PsRaw *measure(const PsGpu *gpu, double noise, gint64 l2)
{
    g_autoptr(GError) error = NULL;
    const PsModelDevice model = {.gpu = gpu, .noise = noise, .worst = 1, .seed = 11};
    g_autoptr(PsDevice) device = ps_device_model(&model, &error);
    g_assert_no_error(error);
    if (l2)
        device->info.l2 = l2;
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&device->info, PS_GRID_FULL, NULL);
    char *path = bench_path();
    PsRawWriter *writer = ps_raw_writer_new(path, &device->info, NULL, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    const PsBenchMeasure how = {.writer = writer, .warnings = warnings};
    g_assert_true(ps_bench_measure(device, plan, &how, &error));
    g_assert_true(ps_raw_writer_close(writer, NULL));
    PsRaw *raw = ps_raw_load(path, &error);
    g_assert_no_error(error);
    bench_path_free(path);
    return raw;
}

PsBenchResult *made_up_campaign(const PsGpu *gpu, double noise, gint64 l2)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsRaw) raw = measure(gpu, noise, l2);
    PsBenchResult *result = ps_bench_describe(raw, &error);
    g_assert_no_error(error);
    return result;
}

PsRaw *made_up_raw(const char *own)
{
    g_autoptr(PsGpu) gpu = made_up_gpu(32, own);
    return measure(gpu, 0, 0);
}

gboolean made_up_warned(const PsBenchResult *result, const char *text)
{
    for (guint i = 0; i < result->warnings->len; i++)
        if (strstr(result->warnings->pdata[i], text))
            return TRUE;
    return FALSE;
}

PsGpu *made_up_with_l2(gint64 mib)
{
    g_autofree char *own = g_strdup_printf(
        "<memory pipeline='g'><level name='l1' bytes='131072' port='64' latency='%d'/>"
        "<level name='l2' bytes='%" G_GINT64_FORMAT "' port='64' bandwidth='900' latency='%d'/>"
        "<level name='device' port='32' bandwidth='300' latency='%d'/></memory>"
        "<model levels='on'/>",
        MADE_UP_L1, mib * 1024 * 1024, MADE_UP_L2, MADE_UP_DEVICE);
    return made_up_gpu(32, own);
}

const PsBenchFit *made_up_fit(const PsBenchResult *result, const char *class_name)
{
    for (guint i = 0; i < result->fits->len; i++) {
        const PsBenchFit *fit = &g_array_index(result->fits, PsBenchFit, i);
        if (strcmp(fit->class_name, class_name) == 0)
            return fit;
    }
    g_error("nothing was fitted to %s", class_name);
    return NULL;
}
