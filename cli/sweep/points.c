/* SPDX-License-Identifier: BSD-3-Clause */
/* See points.h. */
#include "cli/sweep/points.h"

/* ---- setups -------------------------------------------------------------------------------- */

static PsScope *copy_scope(const PsScope *scope)
{
    PsScope *copy = ps_scope_new();
    g_autoptr(GPtrArray) names = ps_scope_names(scope);
    for (guint i = 0; i < names->len; i++) {
        PsRational value;
        ps_scope_get(scope, names->pdata[i], &value);
        ps_scope_set(copy, names->pdata[i], value);
    }
    return copy;
}

/* Puts a value in its place; latencies are collected as a what-if's text. */
static void apply(const Vary *vary, PsRational value, Setup *setup, GString *latencies)
{
    PsLaunchOptions *launch = &setup->question.launch;
    g_autofree char *text = NULL;
    switch (vary->kind) {
    case VARY_ACTIVE:
        launch->active = value.num;
        break;
    case VARY_GROUPS:
        launch->groups = value.num;
        break;
    case VARY_GROUP_SIZE:
        launch->group_size = value.num;
        break;
    case VARY_PARAM:
        ps_scope_set(setup->params, vary->name, value);
        break;
    case VARY_ISSUE:
    case VARY_COMPLETION:
        text = ps_rational_format(value);
        g_string_append_printf(latencies, "%s%s=%s", latencies->len ? "," : "", vary->name, text);
        break;
    }
}

/* A what-if's text also holds the varied latencies, so that the two together cover a class as they
 * would on one command line. */
static gboolean parse_latencies(Setup *setup, const char *varied, const char *what_if,
                                GError **error)
{
    if (*varied && !(setup->latencies = ps_what_if_parse(varied, error)))
        return FALSE;
    if (!what_if)
        return TRUE;
    g_autofree char *both = g_strconcat(varied, *varied ? "," : "", what_if, NULL);
    setup->what_if_latencies = ps_what_if_parse(both, error);
    return setup->what_if_latencies != NULL;
}

Setup *setup_new(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                 const PsRational *values, guint n, GError **error)
{
    g_autoptr(Setup) setup = g_new0(Setup, 1);
    g_autoptr(GString) latencies = g_string_new(NULL);
    setup->params = copy_scope(options->params);
    setup->question.launch = options->launch;
    for (guint i = 0; i < n; i++)
        apply(options->vary->pdata[i], values[i], setup, latencies);
    if (!parse_latencies(setup, latencies->str, options->what_if_text, error) ||
        !options_clock(options, gpu, &setup->question.clock, error))
        return NULL;
    setup->question.idg = idg;
    setup->question.gpu = gpu;
    setup->question.params = setup->params;
    setup->question.latencies = setup->latencies;
    setup->question.refinements = &options->refinements;
    setup->question.clamp = options->clamp;
    setup->question.no_fast_forward = options->no_fast_forward;
    setup->question.explain = options->explain || options->advise || options->report != NULL;
    return g_steal_pointer(&setup);
}

void setup_free(Setup *setup)
{
    if (!setup)
        return;
    ps_scope_free(setup->params);
    g_clear_pointer(&setup->latencies, g_ptr_array_unref);
    g_clear_pointer(&setup->what_if_latencies, g_ptr_array_unref);
    g_free(setup);
}

/* ---- points -------------------------------------------------------------------------------- */

struct Points {
    const Options *options;
    const PsIdg *idg;
    const PsGpu *gpu;
    guint n;    /* lists */
    VaryAt *at; /* where each list stands */
    guint made; /* lists that could be made */
    gboolean started;
};

/* The points of the first n lists alone. */
static Points *points_of(const Options *options, const PsIdg *idg, const PsGpu *gpu, guint n)
{
    Points *points = g_new0(Points, 1);
    *points = (Points){.options = options, .idg = idg, .gpu = gpu, .n = n};
    points->at = g_new0(VaryAt, n);
    return points;
}

Points *points_new(const Options *options, const PsIdg *idg, const PsGpu *gpu)
{
    return points_of(options, idg, gpu, options->vary->len);
}

void points_free(Points *points)
{
    g_free(points->at);
    g_free(points);
}

static const Vary *vary_at(const Points *points, guint i)
{
    return points->options->vary->pdata[i];
}

/* Groups that a CU holds at once with these values. */
static gboolean find_max(const Points *points, const PsRational *values, guint known, gint64 *max,
                         GError **error)
{
    g_autoptr(Setup) setup =
        setup_new(points->options, points->idg, points->gpu, values, known, error);
    if (!setup)
        return FALSE;
    g_autoptr(PsKernel) kernel = ps_kernel_new(points->idg, setup->params, error);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    PsLaunch launch;
    if (!kernel ||
        !ps_launch_resolve(kernel, points->gpu, &setup->question.launch, &launch, warnings, error))
        return FALSE;
    *max = launch.active_groups;
    return TRUE;
}

static gboolean make_list(Points *points, guint i, const PsRational *values, GError **error)
{
    const Vary *vary = vary_at(points, i);
    gint64 max = 0;
    guint n;
    if (vary->uses_max &&
        (!find_max(points, values, i, &max, error) || !vary_count(vary, max, &n, error)))
        return FALSE;
    vary_first(vary, max, &points->at[i]);
    return TRUE;
}

/* Moves the last list that can move, and returns how many lists stay as they are. -1 at the end. */
static int advance(Points *points)
{
    if (!points->started) {
        points->started = TRUE;
        return 0;
    }
    guint i = points->made;
    while (i > 0 && !vary_next(vary_at(points, i - 1), &points->at[i - 1]))
        i--;
    return i > 0 ? (int)i : -1;
}

gboolean points_next(Points *points, PsRational *values, guint *known, GError **error)
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

gint64 points_count(const Options *options, const PsIdg *idg, const PsGpu *gpu)
{
    guint walked = 0;
    for (guint i = 0; i < options->vary->len; i++)
        if (((const Vary *)options->vary->pdata[i])->uses_max)
            walked = i + 1;
    gint64 rest = 1, total = 0;
    for (guint i = walked; i < options->vary->len && rest <= VARY_MAX_POINTS; i++)
        rest *= ((const Vary *)options->vary->pdata[i])->length;
    if (!walked)
        return rest;
    g_autoptr(Points) points = points_of(options, idg, gpu, walked);
    g_autofree PsRational *values = g_new0(PsRational, walked);
    guint known;
    while (total <= VARY_MAX_POINTS && points_next(points, values, &known, NULL))
        total += known == walked ? rest : 1;
    return total;
}
