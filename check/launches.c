/* SPDX-License-Identifier: BSD-3-Clause */
/* See launches.h. */
#include "check/launches.h"

#include "base/kernel-name.h"
#include "check/cause.h"

#include <math.h>
#include <string.h>

/* ---- which kernel of a set ------------------------------------------------------------------ */

/* The plan's name of the kernel within its file; NULL: the file has one kernel. */
static const char *written_of(const PsCheckKernel *kernel)
{
    for (guint i = 0; i < kernel->options->len; i++) {
        const PsCheckOption *option = kernel->options->pdata[i];
        if (strcmp(option->name, "kernel") == 0)
            return option->value;
    }
    return NULL;
}

static gboolean has_file(const PsGateSet *set, const char *file)
{
    for (guint i = 0; i < set->kernels->len; i++)
        if (strcmp(((const PsGateKernel *)set->kernels->pdata[i])->file, file) == 0)
            return TRUE;
    return FALSE;
}

/* The kernel that fits the name best, in the plan's file if the set has kernels of it; NULL: none,
 * or several fit equally. */
static PsGateKernel *find(const PsGateSet *set, const char *file, const char *name)
{
    const gboolean by_file = has_file(set, file);
    PsGateKernel *found = NULL;
    PsKernelFit best = PS_KERNEL_FIT_NONE;
    for (guint i = 0; i < set->kernels->len; i++) {
        PsGateKernel *kernel = set->kernels->pdata[i];
        const PsKernelFit fit = by_file && strcmp(kernel->file, file) != 0
                                    ? PS_KERNEL_FIT_NONE
                                    : ps_kernel_fit(kernel->kernel->name, name);
        if (fit == PS_KERNEL_FIT_NONE || fit < best)
            continue;
        found = fit > best ? kernel : NULL;
        best = fit;
    }
    return found;
}

/* ---- one launch ----------------------------------------------------------------------------- */

/* A launch in one of the two sets. */
typedef struct {
    PsCheckKernel kernel; /* with the path of its file in that set, owned */
    PsCheckResult *result;
    PsGateKernel *gated; /* NULL: the set does not have it */
} Side;

static void side_clear(Side *side)
{
    g_free(side->kernel.path);
    ps_check_result_free(side->result);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Side, side_clear)

static void add(PsGateKernel *kernel, PsGateFigure figure, double value)
{
    kernel->figures[figure] =
        isnan(kernel->figures[figure]) ? value : kernel->figures[figure] + value;
}

static gboolean ask(Side *side, const PsCheckKernel *kernel, PsGateSet *set, const PsGpu *gpu,
                    PsHearer hearer, GError **error)
{
    const gboolean is_folder = g_file_test(set->path, G_FILE_TEST_IS_DIR);
    const char *written = written_of(kernel);
    side->kernel = *kernel;
    side->kernel.path = is_folder ? NULL : g_strdup(set->path);
    if (is_folder)
        side->kernel = ps_check_elsewhere(kernel, set->path);
    if (!g_file_test(side->kernel.path, G_FILE_TEST_EXISTS)) {
        g_ptr_array_add(set->warnings, g_strdup_printf("%s: not there, so %s has no time",
                                                       side->kernel.path, kernel->name));
        return TRUE;
    }
    side->result = ps_check_ask(&side->kernel, gpu, gpu->name, hearer, error);
    if (!side->result)
        return FALSE;
    side->gated =
        find(set, is_folder ? kernel->file : set->path, written ? written : side->result->kernel);
    if (!side->gated) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: %s of the launches is no kernel of %s, or several of it are",
                    side->kernel.path, kernel->name, set->path);
        return FALSE;
    }
    add(side->gated, PS_GATE_TIME, side->result->seconds);
    add(side->gated, PS_GATE_CONFLICTS, side->result->conflicts);
    return TRUE;
}

/* Judges how much slower the kernel may be, and finds where it became slower, at the launch that
 * lost most. */
static void judge(const PsCheckPlan *plan, const Side *before, Side *after)
{
    PsGateKernel *kernel = after->gated;
    const double slower = after->kernel.slower >= 0 ? after->kernel.slower : plan->slower;
    if (!kernel)
        return;
    kernel->slower = isnan(kernel->slower) ? slower : MIN(kernel->slower, slower);
    const double lost = before->result ? after->result->seconds - before->result->seconds : 0;
    if (lost <= kernel->slow.seconds)
        return;
    g_free(kernel->slow.words);
    g_free(kernel->slow.file);
    kernel->slow.seconds = lost;
    kernel->slow.words = ps_check_cause(&after->kernel, before->result, after->result,
                                        &kernel->slow.file, &kernel->slow.line);
}

gboolean ps_check_launches(const PsCheckPlan *plan, PsGateSet *before, PsGateSet *after,
                           const PsGpu *gpu, PsHearer hearer, GError **error)
{
    for (guint i = 0; i < plan->kernels->len; i++) {
        const PsCheckKernel *kernel = plan->kernels->pdata[i];
        g_auto(Side) was = {0}, is = {0};
        if (!ask(&was, kernel, before, gpu, hearer, error) ||
            !ask(&is, kernel, after, gpu, hearer, error))
            return FALSE;
        if (!was.result && !is.result) {
            ps_error_at(error, PS_ERROR_VALUE, kernel->place, "%s is in neither folder",
                        kernel->file);
            return FALSE;
        }
        judge(plan, &was, &is);
    }
    return TRUE;
}
