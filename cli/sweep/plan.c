/* SPDX-License-Identifier: BSD-3-Clause */
/* See plan.h. */
#include "cli/sweep/plan.h"

#include "cli/build/graph.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/sweep/configuration.h"

#include <string.h>

static gboolean load_gpus(SweepPlan *plan, const Options *options, GError **error)
{
    for (guint i = 0; options->gpus[i]; i++) {
        PsGpu *gpu = find_gpu(options->gpus[i], error);
        if (!gpu)
            return FALSE;
        g_ptr_array_add(plan->gpus, gpu);
    }
    return TRUE;
}

/* Files that state a graph have one for all GPUs; NULL in stated are those of code. */
static gboolean load_stated(SweepPlan *plan, const Options *options, GPtrArray *stated,
                            GError **error)
{
    for (guint i = 0; options->files[i]; i++) {
        PsGpu *none = NULL;
        PsIdg *idg = NULL;
        if (!graph_is_built(options->files[i])) {
            idg = graph_of(options, options->files[i], &none, NULL, error);
            if (!idg)
                return FALSE;
            g_ptr_array_add(plan->graphs, idg);
        }
        g_ptr_array_add(stated, idg);
    }
    return TRUE;
}

/* A file's graph on each GPU; stated is NULL for code. */
static gboolean pair_up(SweepPlan *plan, const Options *options, const char *file,
                        const PsIdg *stated, GError **error)
{
    for (guint i = 0; i < plan->gpus->len; i++) {
        PsGpu *gpu = plan->gpus->pdata[i];
        PsIdg *made = stated ? NULL : graph_of(options, file, &gpu, NULL, error);
        const PsIdg *idg = stated ? stated : made;
        if (!idg)
            return FALSE;
        const SweepPair pair = {idg, gpu, idg->name, NULL, NULL};
        if (made)
            g_ptr_array_add(plan->graphs, made);
        g_array_append_val(plan->pairs, pair);
    }
    return TRUE;
}

/* What follows from values that code was executed with stays when these are varied. */
static void warn_of_code(const Options *options)
{
    const PsSweepAxis *vary = NULL;
    const char *code = NULL;
    for (guint i = 0; i < options->vary->len && !vary; i++) {
        const PsSweepAxis *one = options->vary->pdata[i];
        if (one->kind == PS_SWEEP_AXIS_PARAM || one->kind == PS_SWEEP_AXIS_GROUPS ||
            one->kind == PS_SWEEP_AXIS_GROUP_SIZE)
            vary = one;
    }
    for (guint i = 0; options->files[i] && !code; i++)
        if (graph_is_built(options->files[i]))
            code = options->files[i];
    if (!vary || !code)
        return;
    g_autofree char *text =
        g_strdup_printf("--vary %s: %s is executed once, with the values of --arg and --grid, so "
                        "which bytes caches serve stays as it is then; to vary grid, block or an "
                        "argument executes it for each value",
                        vary->name, code);
    warn(text);
}

static gboolean check_code(const SweepPlan *plan, const Options *options, GError **error)
{
    for (guint i = 0; options->vary->len > i; i++) {
        const PsSweepAxis *vary = options->vary->pdata[i];
        if (vary->uses_max)
            return usage_error(error,
                               "--vary %s=%s: what max is shows only when the code is built, which "
                               "other lists change; write numbers",
                               vary->name, vary->list);
    }
    for (guint i = 0; i < plan->gpus->len; i++)
        if (strcmp(options->gpus[i], "-") == 0)
            return usage_error(error, "--gpu -: code that is varied is built for each value, and "
                                      "standard input can be read once; name a file");
    return TRUE;
}

static gboolean is_varied(const Options *options, const char *name)
{
    for (guint i = 0; i < options->vary->len; i++)
        if (strcmp(((const PsSweepAxis *)options->vary->pdata[i])->name, name) == 0)
            return TRUE;
    return FALSE;
}

/* Every point would lack them, each behind a compiler's run of its own. This is said where a first
 * run could not tell what else is missing. */
static gboolean check_groups(const Options *options, GError **error)
{
    const PsCodeOptions *build = &options->code;
    return build->grid || build->threads || build->guess || is_varied(options, "grid") ||
           usage_error(error, "say how many groups there are, such as --grid 32x32 or --grid "
                              "n/block.x, or how many threads: --threads n");
}

/* Whether a text has the name as a word. */
static gboolean has_name(const char *text, const char *name)
{
    g_autofree char *quoted = g_regex_escape_string(name, -1);
    g_autofree char *pattern = g_strdup_printf("\\b%s\\b", quoted);
    return text && g_regex_match_simple(pattern, text, G_REGEX_RAW, 0);
}

/* Whether the code may include what the compiler does not bring: by a name in quotes, or from a
 * folder, or a file, that its options give (-I, -include, -isystem). */
static gboolean may_include_more(const char *code, char **compiler)
{
    for (char **word = compiler; word && *word; word++)
        if (g_str_has_prefix(*word, "-I") || g_str_has_prefix(*word, "-i") ||
            g_str_has_prefix(*word, "--include") || g_str_has_prefix(*word, "--pre-include"))
            return TRUE;
    return g_regex_match_simple("^\\s*#\\s*include\\s*\"", code, G_REGEX_RAW | G_REGEX_MULTILINE,
                                0);
}

/* "; did you mean block?", or what to do for options that are not varied (g_free). */
static char *what_is_varied(const char *name)
{
    static const char *const varied[] = {"block", "grid", "active", "groups", "group-size"};
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    if (g_ascii_strcasecmp(name, "gpu") == 0)
        return g_strdup("; several GPUs are --gpu A --gpu B");
    if (g_ascii_strcasecmp(name, "registers") == 0 || g_ascii_strcasecmp(name, "threads") == 0)
        return g_strdup_printf("; --%s is not varied: sweep once with each", name);
    for (guint i = 0; i < G_N_ELEMENTS(varied); i++)
        g_ptr_array_add(names, (gpointer)varied[i]);
    return ps_did_you_mean(name, names);
}

/* A macro that neither the code nor the launch names changes nothing; what else the code includes
 * may name it. */
static gboolean check_macro(const Options *options, const char *file, const PsSweepAxis *vary,
                            GError **error)
{
    const PsCodeOptions *build = &options->code;
    g_autofree char *code = NULL;
    if (!g_file_get_contents(file, &code, NULL, NULL) || may_include_more(code, build->compiler))
        return TRUE;
    gboolean named = has_name(code, vary->name) || has_name(build->grid, vary->name) ||
                     has_name(build->threads, vary->name) || has_name(build->block, vary->name);
    for (char **word = build->arguments; word && *word; word++)
        named |= has_name(*word, vary->name);
    for (char **word = build->compiler; word && *word; word++)
        named |= has_name(*word, vary->name);
    g_autofree char *near = named ? NULL : what_is_varied(vary->name);
    return named || usage_error(error,
                                "--vary %s: that is a macro (-D%s=...), which neither %s nor the "
                                "launch names, so nothing would change%s",
                                vary->name, vary->name, file, near);
}

/* Whether a kernel of the source has a parameter of that name: in the last brackets before its
 * body, behind its type. What is written otherwise is the compiler's to tell. */
static gboolean is_parameter(const char *code, const char *name)
{
    g_autofree char *quoted = g_regex_escape_string(name, -1);
    g_autofree char *pattern = g_strdup_printf(
        "\\b(__global__|__kernel|kernel)\\b[^;{}]*\\([^(){};]*(\\w\\s+|[*&]\\s*)%s\\s*"
        "(\\[[^\\]]*\\]\\s*)?(,[^(){};]*)?\\)\\s*\\{",
        quoted);
    return g_regex_match_simple(pattern, code, G_REGEX_RAW, 0);
}

/* A macro of a parameter's name would replace it in all code, that of the compiler's headers, too.
 */
static gboolean check_no_parameter(const char *file, const PsSweepAxis *vary, GError **error)
{
    g_autofree char *code = NULL;
    return !g_file_get_contents(file, &code, NULL, NULL) || !is_parameter(code, vary->name) ||
           usage_error(error,
                       "--vary %s: that is a parameter of a kernel in %s, and a list of its values "
                       "replaces that of --arg: write --arg %s=%s, too",
                       vary->name, file, vary->name, vary->name);
}

static gboolean check_macros(const Options *options, const char *file, GError **error)
{
    for (guint i = 0; i < options->vary->len; i++) {
        const PsSweepAxis *vary = options->vary->pdata[i];
        if (vary->kind == PS_SWEEP_AXIS_MACRO &&
            (!check_no_parameter(file, vary, error) || !check_macro(options, file, vary, error)))
            return FALSE;
    }
    return TRUE;
}

/* Code that is varied has its graphs made when their points come. */
static gboolean pair_code(SweepPlan *plan, const Options *options, GError **error)
{
    if (!load_gpus(plan, options, error) || !check_code(plan, options, error))
        return FALSE;
    for (guint i = 0; options->files[i]; i++) {
        const char *file = options->files[i];
        if (!ps_kernel_code_is(file) || !g_file_test(file, G_FILE_TEST_EXISTS))
            return usage_error(error,
                               "%s: lists of code (--vary) are for files that are there and end in "
                               ".cu, .cl, .ptx or .cubin",
                               file);
        if (!check_macros(options, file, error))
            return FALSE;
        g_autofree char *base = g_path_get_basename(file);
        char *name = g_strdup(options->code.kernel ? options->code.kernel : base);
        if (!options->code.kernel && strrchr(name, '.'))
            *strrchr(name, '.') = '\0';
        g_ptr_array_add(plan->names, name);
        for (guint g = 0; g < plan->gpus->len; g++) {
            const SweepPair pair = {NULL, plan->gpus->pdata[g], name, file, options->gpus[g]};
            g_array_append_val(plan->pairs, pair);
        }
    }
    return TRUE;
}

static gboolean load_all(SweepPlan *plan, const Options *options, GError **error)
{
    g_autoptr(GPtrArray) stated = g_ptr_array_new();
    if (configuration_is_varied(options))
        return pair_code(plan, options, error);
    if (!load_stated(plan, options, stated, error) || !load_gpus(plan, options, error))
        return FALSE;
    for (guint i = 0; options->files[i]; i++)
        if (!pair_up(plan, options, options->files[i], stated->pdata[i], error))
            return FALSE;
    return TRUE;
}

/* A configuration of code that is varied has its graph's names checked when that is there. */
static gboolean check_names(const SweepPlan *plan, const Options *options, GError **error)
{
    for (guint i = 0; plan->graphs->len && i < plan->pairs->len; i++)
        for (guint j = 0; j < options->vary->len; j++)
            if (!ps_sweep_axis_check(options->vary->pdata[j],
                                     g_array_index(plan->pairs, SweepPair, i).idg, error))
                return FALSE;
    return TRUE;
}

/* What is wrong usage for the first point of a pair is it for all of them; what else is wrong with
 * it is the point's own affair. */
static gboolean check_first(const Options *options, const PsQuestion *base, GError **error)
{
    g_autoptr(PsPoints) points = ps_points_new(base, options->vary);
    g_autofree PsRational *values = g_new0(PsRational, options->vary->len);
    g_autoptr(GError) why = NULL;
    guint known;
    if (!ps_points_next(points, values, &known, &why))
        return TRUE;
    g_autoptr(PsVariedQuestion) varied =
        why ? NULL
            : ps_varied_question_new(base, options->vary, values, known, options->what_if_text,
                                     &why);
    if (varied && base->idg && ps_answer_check(&varied->question, &why) &&
        varied->what_if_latencies) {
        varied->question.latencies = varied->what_if_latencies;
        ps_answer_check(&varied->question, &why);
    }
    if (!why || exit_status(why) != EXIT_USAGE)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&why));
    return FALSE;
}

/* All that the launch of code lacks, on the first GPU, before any other point is built. */
static gboolean check_launch(const SweepPlan *plan, const Options *options, const SweepPair *pair,
                             GError **error)
{
    PsQuestion base;
    if (!pair->file || pair->gpu != plan->gpus->pdata[0])
        return TRUE;
    (void)question_of(options, NULL, pair->gpu, &base, NULL);
    g_autoptr(PsPoints) points = ps_points_new(&base, options->vary);
    g_autofree PsRational *values = g_new0(PsRational, options->vary->len);
    Point point = {.name = pair->name,
                   .file = pair->file,
                   .gpu = pair->gpu,
                   .gpu_name = pair->gpu_name,
                   .values = values};
    g_autoptr(GError) why = NULL;
    if (!ps_points_next(points, values, &point.known, &why) || why)
        return TRUE;
    return configuration_check(options, &point, error) && check_groups(options, error);
}

static gboolean add_points(SweepPlan *plan, const Options *options, const SweepPair *pair,
                           GError **error)
{
    PsQuestion base;
    /* Without a clock it has points still, each of which will fail. */
    (void)question_of(options, pair->idg, pair->gpu, &base, NULL);
    if (!check_first(options, &base, error))
        return FALSE;
    const gint64 total = plan->total + ps_points_count(&base, options->vary);
    if (total > PS_SWEEP_MAX_POINTS)
        return usage_error(error, "--vary: there are more than %d points, the most of a sweep",
                           PS_SWEEP_MAX_POINTS);
    plan->total = (guint)total;
    return TRUE;
}

SweepPlan *sweep_plan_new(const Options *options, GError **error)
{
    g_autoptr(SweepPlan) plan = g_new0(SweepPlan, 1);
    plan->graphs = g_ptr_array_new_with_free_func((GDestroyNotify)ps_idg_free);
    plan->gpus = g_ptr_array_new_with_free_func((GDestroyNotify)ps_gpu_free);
    plan->pairs = g_array_new(FALSE, FALSE, sizeof(SweepPair));
    plan->names = g_ptr_array_new_with_free_func(g_free);
    plan->several_files = options->files[1] != NULL;
    if (!load_all(plan, options, error) || !check_names(plan, options, error))
        return NULL;
    for (guint i = 0; i < plan->pairs->len; i++)
        if (!add_points(plan, options, &g_array_index(plan->pairs, SweepPair, i), error))
            return NULL;
    for (guint i = 0; i < plan->pairs->len; i++)
        if (!check_launch(plan, options, &g_array_index(plan->pairs, SweepPair, i), error))
            return NULL;
    if (plan->graphs->len)
        warn_of_code(options);
    return g_steal_pointer(&plan);
}

void sweep_plan_free(SweepPlan *plan)
{
    if (!plan)
        return;
    g_ptr_array_unref(plan->graphs);
    g_ptr_array_unref(plan->gpus);
    g_ptr_array_unref(plan->names);
    g_array_unref(plan->pairs);
    g_free(plan);
}

guint sweep_plan_share(const SweepPlan *plan, const Options *options)
{
    if (!options->shards)
        return plan->total;
    return plan->total / options->shards + (plan->total % options->shards >= options->shard);
}

gboolean sweep_plan_is_mine(const Options *options, guint number)
{
    return !options->shards || (number - 1) % options->shards == options->shard - 1;
}
