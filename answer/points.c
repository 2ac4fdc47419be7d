/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of a sweep, and their questions. See sweep.h. */
#include "answer/sweep.h"

/* ---- questions ----------------------------------------------------------------------------- */

static PsScope *copy_scope(const PsScope *scope)
{
    PsScope *copy = ps_scope_new();
    g_autoptr(GPtrArray) names = scope ? ps_scope_names(scope) : g_ptr_array_new();
    for (guint i = 0; i < names->len; i++) {
        PsRational value;
        ps_scope_get(scope, names->pdata[i], &value);
        ps_scope_set(copy, names->pdata[i], value);
    }
    return copy;
}

/* Puts a value in its place; latencies are collected as the text of a what-if. */
static void apply(const PsSweepAxis *axis, PsRational value, PsVariedQuestion *varied,
                  GString *latencies)
{
    PsLaunchOptions *launch = &varied->question.launch;
    g_autofree char *text = NULL;
    switch (axis->kind) {
    case PS_SWEEP_AXIS_ACTIVE:
        launch->active = value.num;
        break;
    case PS_SWEEP_AXIS_GROUPS:
        launch->groups = value.num;
        break;
    case PS_SWEEP_AXIS_GROUP_SIZE:
        launch->group_size = value.num;
        break;
    case PS_SWEEP_AXIS_PARAM:
        ps_scope_set(varied->params, axis->name, value);
        break;
    case PS_SWEEP_AXIS_ISSUE:
    case PS_SWEEP_AXIS_COMPLETION:
        text = ps_rational_format(value);
        g_string_append_printf(latencies, "%s%s=%s", latencies->len ? "," : "", axis->name, text);
        break;
    case PS_SWEEP_AXIS_GRID:
    case PS_SWEEP_AXIS_BLOCK:
    case PS_SWEEP_AXIS_ARGUMENT:
    case PS_SWEEP_AXIS_MACRO:
        break; /* the graph is built with it */
    }
}

/* The what-if's text includes the varied latencies, so that both cover a class as one what-if
 * would. */
static gboolean parse_latencies(PsVariedQuestion *varied, const char *latencies,
                                const char *what_if, GError **error)
{
    if (*latencies && !(varied->latencies = ps_what_if_parse(latencies, error)))
        return FALSE;
    if (!what_if)
        return TRUE;
    g_autofree char *both = g_strconcat(latencies, *latencies ? "," : "", what_if, NULL);
    varied->what_if_latencies = ps_what_if_parse(both, error);
    return varied->what_if_latencies != NULL;
}

PsVariedQuestion *ps_varied_question_new(const PsQuestion *base, const GPtrArray *axes,
                                         const PsRational *values, guint n, const char *what_if,
                                         GError **error)
{
    g_autoptr(PsVariedQuestion) varied = g_new0(PsVariedQuestion, 1);
    g_autoptr(GString) latencies = g_string_new(NULL);
    varied->question = *base;
    varied->params = copy_scope(base->params);
    for (guint i = 0; i < n; i++)
        apply(axes->pdata[i], values[i], varied, latencies);
    if (!parse_latencies(varied, latencies->str, what_if, error))
        return NULL;
    varied->question.params = varied->params;
    if (varied->latencies)
        varied->question.latencies = varied->latencies;
    return g_steal_pointer(&varied);
}

void ps_varied_question_free(PsVariedQuestion *varied)
{
    if (!varied)
        return;
    ps_scope_free(varied->params);
    g_clear_pointer(&varied->latencies, g_ptr_array_unref);
    g_clear_pointer(&varied->what_if_latencies, g_ptr_array_unref);
    g_free(varied);
}

/* ---- points -------------------------------------------------------------------------------- */

struct PsPoints {
    const PsQuestion *base;
    const GPtrArray *axes;
    guint n;           /* number of lists */
    PsSweepAxisAt *at; /* [list]: its present place */
    guint made;        /* lists that could be built */
    gboolean started;
};

/* The points of the first n lists alone. */
static PsPoints *points_of(const PsQuestion *base, const GPtrArray *axes, guint n)
{
    PsPoints *points = g_new0(PsPoints, 1);
    *points = (PsPoints){.base = base, .axes = axes, .n = n};
    points->at = g_new0(PsSweepAxisAt, n);
    return points;
}

PsPoints *ps_points_new(const PsQuestion *base, const GPtrArray *axes)
{
    return points_of(base, axes, axes->len);
}

void ps_points_free(PsPoints *points)
{
    if (!points)
        return;
    g_free(points->at);
    g_free(points);
}

/* Finds the groups that a CU holds at once with these values. */
static gboolean find_max(const PsPoints *points, const PsRational *values, guint known, gint64 *max,
                         GError **error)
{
    const PsQuestion *base = points->base;
    g_autoptr(PsVariedQuestion) varied =
        ps_varied_question_new(base, points->axes, values, known, NULL, error);
    if (!varied)
        return FALSE;
    g_autoptr(PsKernel) kernel = ps_kernel_new(base->idg, varied->params, error);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    PsLaunch launch;
    if (!kernel ||
        !ps_launch_resolve(kernel, base->gpu, &varied->question.launch, &launch, warnings, error))
        return FALSE;
    *max = launch.active_groups;
    return TRUE;
}

static gboolean make_list(PsPoints *points, guint i, const PsRational *values, GError **error)
{
    const PsSweepAxis *axis = points->axes->pdata[i];
    gint64 max = 0;
    guint n;
    if (axis->uses_max &&
        (!find_max(points, values, i, &max, error) || !ps_sweep_axis_count(axis, max, &n, error)))
        return FALSE;
    ps_sweep_axis_first(axis, max, &points->at[i]);
    return TRUE;
}

/* Moves the last list that can move, and returns how many lists before it stay. -1 at the end. */
static int advance(PsPoints *points)
{
    if (!points->started) {
        points->started = TRUE;
        return 0;
    }
    guint i = points->made;
    while (i > 0 && !ps_sweep_axis_next(points->axes->pdata[i - 1], &points->at[i - 1]))
        i--;
    return i > 0 ? (int)i : -1;
}

gboolean ps_points_next(PsPoints *points, PsRational *values, guint *known, GError **error)
{
    const int keep = advance(points);
    if (keep < 0)
        return FALSE;
    for (guint i = 0; i < points->n; i++) {
        if (i >= (guint)keep && !make_list(points, i, values, error)) {
            points->made = *known = i;
            return TRUE;
        }
        values[i] = points->at[i].value;
    }
    points->made = *known = points->n;
    return TRUE;
}

gint64 ps_points_count(const PsQuestion *base, const GPtrArray *axes)
{
    guint walked = 0;
    for (guint i = 0; i < axes->len; i++)
        if (((const PsSweepAxis *)axes->pdata[i])->uses_max)
            walked = i + 1;
    gint64 rest = 1, total = 0;
    for (guint i = walked; i < axes->len && rest <= PS_SWEEP_MAX_POINTS; i++)
        rest *= ((const PsSweepAxis *)axes->pdata[i])->length;
    if (!walked)
        return rest;
    g_autoptr(PsPoints) points = points_of(base, axes, walked);
    g_autofree PsRational *values = g_new0(PsRational, walked);
    guint known;
    while (total <= PS_SWEEP_MAX_POINTS && ps_points_next(points, values, &known, NULL))
        total += known == walked ? rest : 1;
    return total;
}
