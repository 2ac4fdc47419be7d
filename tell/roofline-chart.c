/* SPDX-License-Identifier: BSD-3-Clause */
/* See roofline-chart.h. */
#include "tell/roofline-chart.h"

#include "base/nearest.h"
#include "base/usage.h"

#include <string.h>

static const char *name_of(const GPtrArray *kernels, guint i)
{
    return ((const PsRooflineKernel *)kernels->pdata[i])->kernel->name;
}

/* TRUE if the chart has a point, and so a number, for the kernel. */
static gboolean is_drawn(const PsRooflineKernel *kernel)
{
    for (guint gpu = 0; gpu < kernel->results->len; gpu++)
        if (ps_roofline_result(kernel, gpu)->rate > 0 &&
            ps_roofline_result(kernel, gpu)->params.O_krn > 0)
            return TRUE;
    return FALSE;
}

/* The index of the kernel with this number in the chart, from 1; the number of kernels if there is
 * none. *most is the highest number. */
static guint find_number(guint64 number, const GPtrArray *kernels, guint64 *most)
{
    guint found = kernels->len;
    *most = 0;
    for (guint i = 0; i < kernels->len; i++)
        if (is_drawn(kernels->pdata[i]) && ++*most == number)
            found = i;
    return found;
}

/* Tells whether a kernel is meant, by its name or by a pattern. */
typedef gboolean (*Meant)(const char *which, const char *name);

static gboolean is_name(const char *which, const char *name)
{
    return strcmp(which, name) == 0;
}

static gboolean is_like(const char *which, const char *name)
{
    return g_pattern_match_simple(which, name);
}

/* The number of kernels that are meant, and the first of them. */
static guint count_meant(Meant meant, const char *which, const GPtrArray *kernels, guint *index)
{
    guint n = 0;
    for (guint i = 0; i < kernels->len; i++)
        if (meant(which, name_of(kernels, i)) && n++ == 0)
            *index = i;
    return n;
}

static gboolean no_such_kernel(const char *which, const GPtrArray *kernels, guint64 most,
                               GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < kernels->len; i++)
        g_ptr_array_add(names, (gpointer)name_of(kernels, i));
    g_autofree char *near = ps_did_you_mean(which, names);
    return ps_usage_error(error,
                          "there is no such kernel; give its name, or its number in "
                          "the chart, from 1 to %" G_GUINT64_FORMAT "%s",
                          most, near);
}

gboolean ps_roofline_chart_find(const GPtrArray *kernels, const char *which, guint *index,
                                GError **error)
{
    guint64 number = 0, most;
    guint n = count_meant(is_name, which, kernels, index);
    g_ascii_string_to_unsigned(which, 10, 1, G_MAXUINT, &number, NULL);
    const guint numbered = find_number(number, kernels, &most);
    if (n == 0 && numbered < kernels->len) {
        *index = numbered;
        n = 1;
    }
    if (n == 0)
        n = count_meant(is_like, which, kernels, index);
    if (n > 1)
        return ps_usage_error(error,
                              "%u kernels are called so; give the number of one in "
                              "the chart, from 1 to %" G_GUINT64_FORMAT,
                              n, most);
    return n == 1 || no_such_kernel(which, kernels, most, error);
}

char *ps_roofline_chart_script(const PsRooflineChart *chart, double *height, GError **error)
{
    const GArray *gpus = chart->gpus;
    const GPtrArray *kernels = chart->kernels;
    g_autoptr(GArray) draw_gpus = g_array_new(FALSE, FALSE, sizeof(PsDrawGpu));
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(PsDrawKernel));
    for (guint i = 0; i < gpus->len; i++) {
        const PsRooflineGpu *on = ps_roofline_gpu(gpus, i);
        const PsDrawGpu gpu = {on->gpu->name, &on->peaks};
        g_array_append_val(draw_gpus, gpu);
    }
    for (guint gpu = 0; gpu < gpus->len; gpu++)
        for (guint i = 0; i < kernels->len; i++) {
            const PsRooflineKernel *kernel = kernels->pdata[i];
            const PsRooflineResult *result = ps_roofline_result(kernel, gpu);
            const PsDrawKernel point = {.name = kernel->kernel->name,
                                        .launch = kernel->kernel->launch,
                                        .file = kernel->path,
                                        .params = &result->params,
                                        .ceilings = &result->ceilings,
                                        .rate = result->rate,
                                        .estimated = result->estimated,
                                        .gpu = gpu,
                                        .adjusted = result->prediction.T_adjusted,
                                        .says_shared = kernel->kernel->says_shared};
            g_array_append_val(points, point);
        }
    const PsDraw draw = {.kind = chart->kind,
                         .gpus = draw_gpus,
                         .kernels = points,
                         .trajectory = chart->trajectory,
                         .discounted = chart->discounted};
    return ps_draw_script(&draw, height, error);
}
