/* SPDX-License-Identifier: BSD-3-Clause */
/* See launches.h. */
#include "cli/run/launches.h"

#include "cli/build/graph.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/question.h"
#include "cli/system/output.h"
#include "cli/system/terminal.h"

#include <string.h>

gboolean launches_check(const Options *options, GError **error)
{
    static const OptionId of_one[] = {
        OPTION_WHAT_IF, OPTION_MEASURED, OPTION_BUDGET,  OPTION_LOG,    OPTION_TIMELINE,
        OPTION_TRACE,   OPTION_TABLES,   OPTION_EXPLAIN, OPTION_ADVISE, OPTION_SENSITIVITY,
        OPTION_REPORT,  OPTION_LISTING,  OPTION_FILES};
    for (const OptionId *id = of_one; options->launches && *id != OPTION_FILES; id++) {
        const OptionId only[] = {*id, OPTION_FILES};
        const char *name =
            is_given(&options->given[*id]) ? given_one_of(options->given, only) : NULL;
        if (name)
            return usage_error(
                error,
                "--%s is about one launch: give one --kernel, and neither --count nor --launches",
                name);
    }
    return TRUE;
}

/* ---- one after the other ------------------------------------------------------------------- */

/* A launch with which others may be equal. */
typedef struct {
    char *signature;
    PsIdg *idg;
    PsVariedQuestion *setup;
    PsAnswer *answer;
} Known;

static void known_free(void *data)
{
    Known *known = data;
    ps_answer_free(known->answer);
    ps_varied_question_free(known->setup);
    ps_idg_free(known->idg);
    g_free(known->signature);
    g_free(known);
}

typedef struct {
    PsGpu *gpu;       /* shared by all launches */
    GPtrArray *known; /* Known */
    GHashTable *told; /* warnings that were printed */
    GPtrArray *texts; /* PTX compiled from sources */
} Work;

static void work_clear(Work *work)
{
    g_ptr_array_unref(work->known);
    g_hash_table_unref(work->told);
    g_ptr_array_unref(work->texts);
    ps_gpu_free(work->gpu);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Work, work_clear)

static void tell(Work *work, const PsAnswer *answer, const char *text)
{
    g_autofree char *whole = g_strdup_printf("%s: %s", answer->idg->name, text);
    if (!g_hash_table_contains(work->told, whole))
        warn(whole);
    g_hash_table_add(work->told, g_steal_pointer(&whole));
}

/* Prints an answer's notes and warnings, for which the table has no place; JSON has them in each
 * answer. */
static void tell_all(Work *work, const PsAnswer *answer, Format format)
{
    const char *partial = ps_idg_partial(answer->idg);
    if (format == FORMAT_JSON)
        return;
    if (partial)
        tell(work, answer, partial);
    for (guint i = 0; i < answer->warnings->len; i++)
        tell(work, answer, answer->warnings->pdata[i]);
}

static gboolean simulate(Known *known, const Options *launch, Work *work, GError **error)
{
    known->idg = graph_of(launch, launch->files[0], &work->gpu, NULL, error);
    if (known->idg && !work->gpu)
        work->gpu = find_gpu(launch->gpus[0], error);
    known->setup =
        known->idg && work->gpu ? question_of(launch, known->idg, work->gpu, error) : NULL;
    if (!known->setup)
        return FALSE;
    progress_begin(launch->progress, "simulating", known->idg->name);
    known->setup->question.progress = progress_hearer(launch->progress);
    known->answer = ps_answer_new(&known->setup->question, NULL, error);
    return known->answer != NULL;
}

/* The launch's answer, owned by the work; NULL and *error. */
static const PsAnswer *answer_of(const Options *launch, Work *work, GError **error)
{
    g_autofree char *signature = given_signature(launch->given);
    for (guint i = 0; i < work->known->len; i++) {
        const Known *known = work->known->pdata[i];
        if (g_str_equal(known->signature, signature))
            return known->answer;
    }
    Known *known = g_new0(Known, 1);
    known->signature = g_steal_pointer(&signature);
    g_ptr_array_add(work->known, known);
    if (simulate(known, launch, work, error)) {
        tell_all(work, known->answer, launch->format);
        return known->answer;
    }
    if (launch->where)
        g_prefix_error(error, "%s: ", launch->where);
    return NULL;
}

static gboolean is_compiled(const char *name)
{
    return g_str_has_suffix(name, ".cu") || g_str_has_suffix(name, ".cl");
}

/* Without a store, compiles each source once for all launches of its kernels. */
static gboolean compile_once(const Options *options, Work *work, GError **error)
{
    for (guint i = 0; i < options->launches->len; i++) {
        Options *launch = options->launches->pdata[i];
        for (guint k = 0; k < i && !launch->code.ptx; k++) {
            const Options *other = options->launches->pdata[k];
            if (other->code.ptx && options_have_one_ptx(other, launch))
                launch->code.ptx = other->code.ptx;
        }
        if (launch->code.store || launch->code.ptx || !is_compiled(launch->files[0]))
            continue;
        if (!work->gpu && !(work->gpu = find_gpu(launch->gpus[0], error)))
            return FALSE;
        g_autoptr(PsCodeModule) module =
            ps_code_module_load(&launch->code, launch->files[0], work->gpu, error);
        if (!module)
            return FALSE;
        launch->code.ptx = module->text;
        g_ptr_array_add(work->texts, g_steal_pointer(&module->text));
    }
    return TRUE;
}

/* ---- what they are given -------------------------------------------------------------------- */

/* TRUE if each shared argument belongs to one of the launches. */
static gboolean check_common(const Options *options, const Work *work, GError **error)
{
    g_autoptr(GPtrArray) untaken = NULL;
    for (guint i = 0; i < options->launches->len; i++) {
        const Options *launch = options->launches->pdata[i];
        if (!launch->code.common || !launch->code.common[0])
            return TRUE;
        g_autoptr(GPtrArray) own = ps_code_untaken(&launch->code, launch->files[0], work->gpu);
        if (!own || !own->len)
            return TRUE;
        for (guint k = untaken ? untaken->len : 0; k > 0; k--)
            if (!g_ptr_array_find_with_equal_func(own, untaken->pdata[k - 1], g_str_equal, NULL))
                g_ptr_array_remove_index(untaken, k - 1);
        untaken = untaken ? untaken : g_ptr_array_ref(own);
    }
    return !untaken || !untaken->len ||
           usage_error(error, "--arg %s: none of the kernels has such an argument",
                       (const char *)untaken->pdata[0]);
}

/* If several launches lack something, shows each as a line of a file. */
static void show_lines(const Options *options, const Work *work, GError **error)
{
    if (options->launches->len < 2 || options->given[OPTION_LAUNCHES].text ||
        !g_error_matches(*error, PS_ERROR, PS_ERROR_USAGE) || !strstr((*error)->message, " lacks "))
        return;
    for (guint i = 0; i < options->launches->len; i++) {
        const Options *launch = options->launches->pdata[i];
        const gint64 count = launch->given[OPTION_COUNT].number;
        g_autofree char *line = ps_code_launch_line(&launch->code, launch->files[0], work->gpu),
                        *more = count > 1 ? g_strdup_printf(" --count %" G_GINT64_FORMAT, count)
                                          : g_strdup("");
        g_autofree char *whole = g_strconcat(line ? line : "", more, NULL);
        if (line)
            show_command(whole);
    }
    g_autofree char *message =
        g_strdup_printf("%s. The lines above have all %u launches: filled in, in a file, "
                        "--launches FILE takes them",
                        (*error)->message, options->launches->len);
    g_clear_error(error);
    usage_error(error, "%s", message);
}

gboolean launches_run(const Options *options, GError **error)
{
    const guint n = options->launches->len;
    g_auto(Work) work = {NULL, g_ptr_array_new_with_free_func(known_free),
                         g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                         g_ptr_array_new_with_free_func(g_free)};
    g_autofree LaunchRow *rows = g_new0(LaunchRow, n);
    g_autofree PsLaunchTime *times = g_new0(PsLaunchTime, n);
    if (!compile_once(options, &work, error) || !check_common(options, &work, error))
        return FALSE;
    for (guint i = 0; i < n; i++) {
        const Options *launch = options->launches->pdata[i];
        const PsAnswer *answer = rows[i].answer = answer_of(launch, &work, error);
        if (!answer) {
            show_lines(options, &work, error);
            return FALSE;
        }
        times[i] = (PsLaunchTime){.count = launch->given[OPTION_COUNT].number,
                                  .seconds = answer->seconds,
                                  .half_width = answer->clamped ? 0 : answer->half_width};
    }
    progress_begin(options->progress, NULL, NULL);
    const PsLaunchTime all = ps_launch_times_add_up(times, n);
    for (guint i = 0; i < n; i++)
        rows[i].time = times[i];
    g_autofree char *text = launch_table(rows, n, &all, options);
    if (!output_write(options->output, text, error))
        return FALSE;
    if (options->format == FORMAT_TEXT)
        terminal_note_narrow(options->output);
    return TRUE;
}
