/* SPDX-License-Identifier: BSD-3-Clause */
/* See question.h. */
#include "sweep/question.h"

#include "answer/asked.h"
#include "base/usage.h"
#include "sweep/sweep.h"

#include <string.h>

/* The result. */
typedef struct {
    GString *rows;
    GPtrArray *told; /* char * */
} Swept;

static gboolean put(const char *text, gpointer data, GError **error)
{
    (void)error;
    g_string_append(((Swept *)data)->rows, text);
    return TRUE;
}

static void tell(const char *text, gboolean warning, gpointer data)
{
    (void)warning;
    g_ptr_array_add(((Swept *)data)->told, g_strdup(text));
}

/* ---- lists --------------------------------------------------------------------------------- */

/* TRUE if the question already has a value in that place, or another list has. */
static gboolean is_set(const PsQuestion *question, const GPtrArray *axes, const PsSweepAxis *axis)
{
    const PsLaunchOptions *launch = &question->launch;
    PsRational value;
    for (guint i = 0; i < axes->len; i++)
        if (strcmp(((const PsSweepAxis *)axes->pdata[i])->name, axis->name) == 0)
            return TRUE;
    return (axis->kind == PS_SWEEP_AXIS_ACTIVE && launch->active) ||
           (axis->kind == PS_SWEEP_AXIS_GROUPS && launch->groups) ||
           (axis->kind == PS_SWEEP_AXIS_GROUP_SIZE && launch->group_size) ||
           (axis->kind == PS_SWEEP_AXIS_PARAM &&
            ps_scope_get(question->params, axis->name, &value));
}

static gboolean read_lists(const PsQuestion *question, const char *const *lists, GPtrArray *axes,
                           GError **error)
{
    for (; *lists; lists++) {
        g_autoptr(PsSweepAxis) axis = ps_sweep_axis_parse("vary", *lists, error);
        if (!axis)
            return FALSE;
        if (is_set(question, axes, axis))
            return ps_usage_error(error, "vary %s: it is set already", axis->name);
        g_ptr_array_add(axes, g_steal_pointer(&axis));
    }
    return axes->len || ps_usage_error(error, "say what to vary, such as active=1..max");
}

/* Reads "json", or "json:3" for the best three. */
static gboolean read_form(const char *format, PsSweepForm *form, guint *best, GError **error)
{
    static const char *const names[] = {[PS_SWEEP_TEXT] = "text",
                                        [PS_SWEEP_JSON] = "json",
                                        [PS_SWEEP_CSV] = "csv",
                                        [PS_SWEEP_MARKDOWN] = "markdown"};
    const gsize length = strcspn(format, ":");
    guint64 n = 0;
    if (format[length] &&
        !g_ascii_string_to_unsigned(format + length + 1, 10, 1, G_MAXUINT, &n, NULL))
        return ps_usage_error(error, "format: '%s' says no number of rows behind its colon",
                              format);
    *best = (guint)n;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (strlen(names[i]) == length && strncmp(format, names[i], length) == 0) {
            *form = (PsSweepForm)i;
            return TRUE;
        }
    return ps_usage_error(error, "format: '%s' is none of json, csv, text, markdown", format);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static gboolean run(const PsSweepAsked *asked, PsSweepForm form, Swept *swept, GError **error)
{
    PsSweepResult result;
    g_autoptr(PsSweepPlan) plan = ps_sweep_plan_new(asked);
    ps_sweep_plan_lend(plan, asked->question.idg, asked->question.gpu);
    if (!ps_sweep_plan_check(plan, error))
        return FALSE;
    g_autoptr(PsSweepCsv) csv = ps_sweep_csv_new(plan);
    const PsSweepRun what = {
        .plan = plan, .form = form, .csv = csv, .put = put, .tell = tell, .data = swept};
    return ps_sweep_run(&what, &result, error);
}

char *ps_question_sweep(PsQuestion *question, const char *const *lists, const char *format,
                        guint threads, char ***told, GError **error)
{
    PsAsked *asked = (PsAsked *)question;
    char *one[] = {NULL, NULL};
    g_autoptr(GPtrArray) axes = g_ptr_array_new_with_free_func((GDestroyNotify)ps_sweep_axis_free);
    g_autoptr(GString) rows = g_string_new(NULL);
    g_autoptr(GPtrArray) sentences = g_ptr_array_new_with_free_func(g_free);
    Swept swept = {rows, sentences};
    PsSweepForm form = PS_SWEEP_JSON;
    guint best = 0;
    if (!ps_asked_check_many(asked, "a sweep asks many", error) ||
        !ps_asked_complete(asked, error) || !read_form(format, &form, &best, error) ||
        !read_lists(question, lists, axes, error))
        return NULL;
    PsSweepAsked all = {.prefix = "",
                        .question = *question,
                        .clock = asked->clock,
                        .axes = axes,
                        .what_if = asked->what_if->len ? asked->what_if->str : NULL,
                        .files = one,
                        .gpus = one,
                        .threads = threads ? threads : g_get_num_processors(),
                        .best = best,
                        .hearer = question->progress};
    all.question.latencies = NULL;         /* those of the what-if are told separately */
    all.question.progress = (PsHearer){0}; /* points are computed in threads of their own */
    if (!run(&all, form, &swept, error))
        return NULL;
    g_ptr_array_add(sentences, NULL);
    if (told)
        *told = (char **)g_ptr_array_free(g_steal_pointer(&sentences), FALSE);
    return g_string_free(g_steal_pointer(&rows), FALSE);
}
