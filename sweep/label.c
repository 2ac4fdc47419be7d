/* SPDX-License-Identifier: BSD-3-Clause */
/* See label.h. */
#include "sweep/label.h"

static const PsSweepAxis *vary_at(const GPtrArray *vary, guint i)
{
    return vary->pdata[i];
}

/* The varied name on the horizontal axis: the last one with numbers, except the active groups.
 * vary->len if all have words. */
static guint axis(const GPtrArray *vary)
{
    guint last = vary->len;
    for (guint i = 0; i < vary->len; i++) {
        if (vary_at(vary, i)->kind == PS_SWEEP_AXIS_ACTIVE)
            return i;
        last = vary_at(vary, i)->words ? last : i;
    }
    return last;
}

gboolean ps_sweep_has_x(const GPtrArray *vary)
{
    return axis(vary) < vary->len;
}

static void add(GString *label, const char *text)
{
    g_string_append_printf(label, "%s%s", label->len ? ", " : "", text);
}

static void add_value(GString *label, const PsSweepAxis *vary, PsRational value)
{
    g_autofree char *number = ps_sweep_axis_text(vary, value);
    g_autofree char *text = g_strdup_printf("%s=%s", vary->name, number);
    add(label, text);
}

PsSweepNaming ps_sweep_plan_naming(const PsSweepPlan *plan)
{
    return (PsSweepNaming){plan->asked->axes, plan->several_files, plan->gpus->len > 1};
}

char *ps_sweep_point_label(const GPtrArray *vary, const PsRational *values, guint n)
{
    GString *label = g_string_new(NULL);
    for (guint i = 0; i < n; i++)
        add_value(label, vary_at(vary, i), values[i]);
    return g_string_free(label, FALSE);
}

char *ps_sweep_curve_label(const PsSweepNaming *naming, const PsAnswer *answer,
                           const PsRational *values)
{
    GString *label = g_string_new(NULL);
    if (naming->several_graphs)
        add(label, answer->idg->name);
    if (naming->several_gpus)
        add(label, answer->gpu->name);
    const guint x = axis(naming->vary);
    for (guint i = 0; i < naming->vary->len; i++)
        if (i != x)
            add_value(label, vary_at(naming->vary, i), values[i]);
    /* A single curve still needs a name. */
    if (!label->len)
        add(label, answer->idg->name);
    return g_string_free(label, FALSE);
}

double ps_sweep_x(const GPtrArray *vary, const PsAnswer *answer, const PsRational *values)
{
    const PsLaunch *launch = &answer->machine->launch;
    const guint x = axis(vary);
    if (vary_at(vary, x)->kind == PS_SWEEP_AXIS_ACTIVE)
        return (double)launch->active_groups * (double)launch->warps_per_group;
    return ps_rational_to_double(values[x]);
}

char *ps_sweep_x_label(const GPtrArray *vary)
{
    const PsSweepAxis *x = vary_at(vary, axis(vary));
    return g_strdup(x->kind == PS_SWEEP_AXIS_ACTIVE ? "active warps per compute unit" : x->name);
}

char *ps_sweep_chart_title_of(const PsSweepNaming *naming, const char *name, const PsGpu *gpu)
{
    if (naming->several_graphs && naming->several_gpus)
        return g_strdup("");
    if (naming->several_graphs)
        return g_strdup(gpu->name);
    if (naming->several_gpus)
        return g_strdup(name);
    return g_strdup_printf("%s on %s", name, gpu->name);
}
