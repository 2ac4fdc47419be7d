/* SPDX-License-Identifier: BSD-3-Clause */
/* See plan.h. */
#include "sweep/plan.h"

#include "base/usage.h"
#include "code/code.h"
#include "sweep/configuration.h"
#include "sweep/macro.h"

#include <string.h>

/* Warns that values with which code was executed stay fixed when parameters are varied. */
static void warn_of_code(const PsSweepPlan *plan)
{
    const PsSweepAsked *asked = plan->asked;
    const PsSweepAxis *vary = NULL;
    for (guint i = 0; i < asked->axes->len && !vary; i++) {
        const PsSweepAxis *one = asked->axes->pdata[i];
        if (one->kind == PS_SWEEP_AXIS_PARAM || one->kind == PS_SWEEP_AXIS_GROUPS ||
            one->kind == PS_SWEEP_AXIS_GROUP_SIZE)
            vary = one;
    }
    if (!vary || !plan->built)
        return;
    g_autofree char *text = g_strdup_printf(
        "%svary %s: %s is executed once, with the values of %sarg and %sgrid, so which bytes "
        "caches "
        "serve stays as it is then; to vary grid, block or an argument executes it for each value",
        asked->prefix, vary->name, plan->built, asked->prefix, asked->prefix);
    ps_code_warn(asked->code, text);
}

static gboolean check_code(const PsSweepPlan *plan, const PsSweepAsked *asked, GError **error)
{
    for (guint i = 0; asked->axes->len > i; i++) {
        const PsSweepAxis *vary = asked->axes->pdata[i];
        if (vary->uses_max)
            return ps_usage_error(error,
                                  "%s %s=%s: what max is shows only when the code is built, which "
                                  "other lists change; write numbers",
                                  vary->option, vary->name, vary->list);
    }
    for (guint i = 0; i < plan->gpus->len; i++)
        if (strcmp(asked->gpus[i], "-") == 0)
            return ps_usage_error(error,
                                  "%sgpu -: code that is varied is built for each value, and "
                                  "standard input can be read once; name a file",
                                  asked->prefix);
    return TRUE;
}

static gboolean is_varied(const PsSweepAsked *asked, const char *name)
{
    for (guint i = 0; i < asked->axes->len; i++)
        if (strcmp(((const PsSweepAxis *)asked->axes->pdata[i])->name, name) == 0)
            return TRUE;
    return FALSE;
}

/* Refuses values that every point would lack, each after its own run of the compiler. Here no first
 * run can tell what else is missing. */
static gboolean check_groups(const PsSweepAsked *asked, GError **error)
{
    const PsCodeOptions *build = asked->code;
    return build->grid || build->threads || build->guess || is_varied(asked, "grid") ||
           ps_usage_error(error,
                          "say how many groups there are, such as %sgrid 32x32 or %sgrid "
                          "n/block.x, or how many threads: %sthreads n",
                          asked->prefix, asked->prefix, asked->prefix);
}

/* Graphs of varied code are made when their points come. */
gboolean ps_sweep_plan_pair_code(PsSweepPlan *plan, GError **error)
{
    const PsSweepAsked *asked = plan->asked;
    if (!check_code(plan, asked, error))
        return FALSE;
    for (guint i = 0; asked->files[i]; i++) {
        const char *file = asked->files[i];
        if (!ps_kernel_code_is(file) || !g_file_test(file, G_FILE_TEST_EXISTS))
            return ps_usage_error(
                error,
                "%s: lists of code (%svary) are for files that are there and end in "
                ".cu, .cl, .ptx or .cubin",
                file, asked->prefix);
        for (guint k = 0; k < asked->axes->len; k++)
            if (!ps_sweep_macro_check(asked, file, asked->axes->pdata[k], error))
                return FALSE;
        g_autofree char *base = g_path_get_basename(file);
        char *name = g_strdup(asked->code->kernel ? asked->code->kernel : base);
        if (!asked->code->kernel && strrchr(name, '.'))
            *strrchr(name, '.') = '\0';
        g_ptr_array_add(plan->names, name);
        for (guint g = 0; g < plan->gpus->len; g++) {
            const PsSweepPair pair = {NULL, plan->gpus->pdata[g], name, file, asked->gpus[g]};
            g_array_append_val(plan->pairs, pair);
        }
    }
    return TRUE;
}

/* Names of varied code's graphs are checked when a graph exists. */
static gboolean check_names(const PsSweepPlan *plan, GError **error)
{
    const GPtrArray *axes = plan->asked->axes;
    for (guint i = 0; plan->graphs->len && i < plan->pairs->len; i++)
        for (guint j = 0; j < axes->len; j++)
            if (!ps_sweep_axis_check(axes->pdata[j], g_array_index(plan->pairs, PsSweepPair, i).idg,
                                     error))
                return FALSE;
    return TRUE;
}

/* Wrong usage at the first point of a pair is wrong for all; other errors concern that point
 * alone. */
static gboolean check_first(const PsSweepAsked *asked, const PsQuestion *base, GError **error)
{
    g_autoptr(PsPoints) points = ps_points_new(base, asked->axes);
    g_autofree PsRational *values = g_new0(PsRational, asked->axes->len);
    g_autoptr(GError) why = NULL;
    guint known;
    if (!ps_points_next(points, values, &known, &why))
        return TRUE;
    g_autoptr(PsVariedQuestion) varied =
        why ? NULL : ps_varied_question_new(base, asked->axes, values, known, asked->what_if, &why);
    if (varied && base->idg && ps_answer_check(&varied->question, &why) &&
        varied->what_if_latencies) {
        varied->question.latencies = varied->what_if_latencies;
        ps_answer_check(&varied->question, &why);
    }
    if (!why || !g_error_matches(why, PS_ERROR, PS_ERROR_USAGE))
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&why));
    return FALSE;
}

/* Checks everything that the launch of code lacks, on the first GPU, before other points are
 * built. */
static gboolean check_launch(const PsSweepPlan *plan, const PsSweepPair *pair, GError **error)
{
    const PsSweepAsked *asked = plan->asked;
    PsQuestion base;
    if (!pair->file || pair->gpu != plan->gpus->pdata[0])
        return TRUE;
    (void)ps_sweep_question(asked, NULL, pair->gpu, &base, NULL);
    g_autoptr(PsPoints) points = ps_points_new(&base, asked->axes);
    g_autofree PsRational *values = g_new0(PsRational, asked->axes->len);
    PsSweepPoint point = {.name = pair->name,
                          .file = pair->file,
                          .gpu = pair->gpu,
                          .gpu_name = pair->gpu_name,
                          .values = values};
    g_autoptr(GError) why = NULL;
    if (!ps_points_next(points, values, &point.known, &why) || why)
        return TRUE;
    return ps_sweep_code_check(asked, &point, error) && check_groups(asked, error);
}

static gboolean add_points(PsSweepPlan *plan, const PsSweepPair *pair, GError **error)
{
    const PsSweepAsked *asked = plan->asked;
    PsQuestion base;
    /* A sweep without a clock still has points; each of them will fail. */
    (void)ps_sweep_question(asked, pair->idg, pair->gpu, &base, NULL);
    if (!check_first(asked, &base, error))
        return FALSE;
    const gint64 total = plan->total + ps_points_count(&base, asked->axes);
    if (total > PS_SWEEP_MAX_POINTS)
        return ps_usage_error(error, "%svary: there are more than %d points, the most of a sweep",
                              asked->prefix, PS_SWEEP_MAX_POINTS);
    plan->total = (guint)total;
    return TRUE;
}

gboolean ps_sweep_plan_check(PsSweepPlan *plan, GError **error)
{
    if (!check_names(plan, error))
        return FALSE;
    for (guint i = 0; i < plan->pairs->len; i++)
        if (!add_points(plan, &g_array_index(plan->pairs, PsSweepPair, i), error))
            return FALSE;
    for (guint i = 0; i < plan->pairs->len; i++)
        if (!check_launch(plan, &g_array_index(plan->pairs, PsSweepPair, i), error))
            return FALSE;
    warn_of_code(plan);
    return TRUE;
}

/* ---- what it has ---------------------------------------------------------------------------- */

PsSweepPlan *ps_sweep_plan_new(const PsSweepAsked *asked)
{
    PsSweepPlan *plan = g_new0(PsSweepPlan, 1);
    plan->asked = asked;
    plan->graphs = g_ptr_array_new_with_free_func((GDestroyNotify)ps_idg_free);
    plan->gpus = g_ptr_array_new_with_free_func((GDestroyNotify)ps_gpu_free);
    plan->pairs = g_array_new(FALSE, FALSE, sizeof(PsSweepPair));
    plan->names = g_ptr_array_new_with_free_func(g_free);
    plan->several_files = asked->files[0] && asked->files[1];
    return plan;
}

void ps_sweep_plan_add_gpu(PsSweepPlan *plan, PsGpu *gpu)
{
    g_ptr_array_add(plan->gpus, gpu);
}

void ps_sweep_plan_add_graph(PsSweepPlan *plan, PsIdg *idg, const char *file)
{
    g_ptr_array_add(plan->graphs, idg);
    if (!plan->built)
        plan->built = file;
}

void ps_sweep_plan_pair(PsSweepPlan *plan, const PsIdg *idg, const PsGpu *gpu)
{
    const PsSweepPair pair = {idg, gpu, idg->name, NULL, NULL};
    g_array_append_val(plan->pairs, pair);
}

void ps_sweep_plan_lend(PsSweepPlan *plan, const PsIdg *idg, const PsGpu *gpu)
{
    g_ptr_array_set_free_func(plan->graphs, NULL);
    g_ptr_array_set_free_func(plan->gpus, NULL);
    g_ptr_array_add(plan->graphs, (gpointer)idg);
    g_ptr_array_add(plan->gpus, (gpointer)gpu);
    ps_sweep_plan_pair(plan, idg, gpu);
}

void ps_sweep_plan_free(PsSweepPlan *plan)
{
    if (!plan)
        return;
    g_ptr_array_unref(plan->graphs);
    g_ptr_array_unref(plan->gpus);
    g_ptr_array_unref(plan->names);
    g_array_unref(plan->pairs);
    g_free(plan);
}

guint ps_sweep_plan_share(const PsSweepPlan *plan)
{
    const PsSweepAsked *asked = plan->asked;
    if (!asked->shards)
        return plan->total;
    return plan->total / asked->shards + (plan->total % asked->shards >= asked->shard);
}

gboolean ps_sweep_is_mine(const PsSweepAsked *asked, guint number)
{
    return !asked->shards || (number - 1) % asked->shards == asked->shard - 1;
}
