/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "cli/options.h"

#include "cli/bench/options.h"
#include "cli/compare/options.h"
#include "cli/compare/whole.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/measuring-options.h"
#include "cli/refinements.h"
#include "cli/system/draft.h"
#include "cli/system/gnuplot.h"
#include "cli/system/input.h"
#include "cli/run/launch-lines.h"
#include "cli/run/options.h"
#include "cli/roofline/options.h"
#include "cli/sweep/options.h"

#include <string.h>

#define MAX_JOBS 1024 /* as in the table */

/* Seconds, some thirty years: a larger budget is no limit. */
#define MOST_BUDGET 1e9

static gboolean parse_what_if(char **list, Options *options, GError **error)
{
    if (!list)
        return TRUE;
    options->what_if_text = g_strjoinv(",", list);
    options->what_if = ps_what_if_parse(options->what_if_text, error);
    return options->what_if != NULL;
}

gboolean options_clock(const Options *options, const PsGpu *gpu, PsRational *clock, GError **error)
{
    return ps_asked_clock("--", &options->clock, gpu, clock, error);
}

gboolean options_fit(const Options *options, const PsGpu *gpu, GError **error)
{
    PsRational clock;
    PsRefinements refinements;
    return options_clock(options, gpu, &clock, error) &&
           ps_refinements_resolve(gpu, &options->refinements, &refinements, error);
}

static gboolean parse_measured(const char *text, double *seconds, GError **error)
{
    PsRational milliseconds;
    if (!text)
        return TRUE;
    if (!ps_rational_parse(text, &milliseconds) || milliseconds.num <= 0)
        return usage_error(
            error, "--measured: '%s' is no time in milliseconds, a decimal number above 0", text);
    *seconds = ps_rational_to_double(milliseconds) / 1e3;
    return TRUE;
}

/* The table has checked that the verb has the format. */
static Format format_of(const char *text)
{
    static const char *const names[] = {"text",  "json",  "csv",   "markdown", "gnuplot",
                                        "notes", "sarif", "junit", "github"};
    Format format = FORMAT_TEXT;
    while (text && strcmp(text, names[format]) != 0)
        format++;
    return format;
}

/* The value of a name elsewhere on the command line; NULL: it has none. */
static const char *set_elsewhere(const Options *options, const PsSweepAxis *vary)
{
    PsRational value;
    if ((vary->kind == PS_SWEEP_AXIS_GRID &&
         (options->given[OPTION_GRID].text || options->given[OPTION_THREADS].text)) ||
        (vary->kind == PS_SWEEP_AXIS_BLOCK && options->given[OPTION_BLOCK].text) ||
        (vary->kind == PS_SWEEP_AXIS_ACTIVE && options->launch.active) ||
        (vary->kind == PS_SWEEP_AXIS_GROUPS && options->launch.groups) ||
        (vary->kind == PS_SWEEP_AXIS_GROUP_SIZE && options->launch.group_size))
        return "by an option of its own";
    if (vary->kind == PS_SWEEP_AXIS_PARAM && ps_scope_get(options->params, vary->name, &value))
        return "by --param";
    for (guint i = 0; i < options->vary->len; i++)
        if (strcmp(((const PsSweepAxis *)options->vary->pdata[i])->name, vary->name) == 0)
            return "by another --vary";
    return NULL;
}

static PsSweepAxis *parse_axis(const char *text, const Options *options, GError **error)
{
    const char *const *arguments = (const char *const *)options->given[OPTION_ARG].list;
    gboolean code = FALSE, source = FALSE;
    for (char **file = options->files; file && *file; file++) {
        code |= ps_kernel_code_is(*file);
        source |= g_str_has_suffix(*file, ".cu") || g_str_has_suffix(*file, ".cl");
    }
    return code ? ps_sweep_axis_parse_code("--vary", text, arguments, source, error)
                : ps_sweep_axis_parse("--vary", text, error);
}

static gboolean parse_vary(char **list, Options *options, GError **error)
{
    for (guint i = 0; list && list[i]; i++) {
        g_autoptr(PsSweepAxis) vary = parse_axis(list[i], options, error);
        if (!vary)
            return FALSE;
        const char *where = set_elsewhere(options, vary);
        if (where)
            return usage_error(error, "--vary %s: it is set %s already", vary->name, where);
        g_ptr_array_add(options->vary, g_steal_pointer(&vary));
    }
    return TRUE;
}

static gboolean parse_precision(const Value *given, Options *options, GError **error)
{
    const char *text = given[OPTION_PRECISION].text;
    const gboolean exact = given[OPTION_EXACT].on || given[OPTION_NO_FAST_FORWARD].on;
    if (text && exact)
        return usage_error(error, "--precision is of times that are extrapolated; leave it out "
                                  "with --exact and --no-fast-forward");
    options->precision = exact ? 0 : PS_USUAL_PRECISION;
    return !text || ps_text_precision("--", text, &options->precision, error);
}

/* The budget runs from here. Options that simulate a whole run once more cannot keep one. */
static gboolean parse_budget(const Value *given, Options *options, GError **error)
{
    static const OptionId longer[] = {OPTION_TRACE, OPTION_TIMELINE, OPTION_LOG, OPTION_RESUME};
    static const char *const names[] = {"--trace", "--timeline", "--log", "--resume"};
    const char *text = given[OPTION_BUDGET].text;
    PsRational seconds;
    if (!text)
        return TRUE;
    if (!ps_rational_parse(text, &seconds) || seconds.num <= 0)
        return usage_error(error, "--budget: '%s' is no time in seconds, a decimal number above 0",
                           text);
    for (guint i = 0; i < G_N_ELEMENTS(longer); i++)
        if (is_given(&given[longer[i]]))
            return usage_error(error,
                               "--budget cuts a run short, and %s needs it whole; leave out one of "
                               "the two",
                               names[i]);
    if (is_given(&given[OPTION_SHARD]))
        return usage_error(error, "--budget leaves points out, and --shard needs them all; leave "
                                  "out one of the two");
    const double most = MIN(ps_rational_to_double(seconds), MOST_BUDGET);
    options->deadline = g_get_monotonic_time() + (gint64)(most * G_USEC_PER_SEC);
    return TRUE;
}

/* Copies values that need no reading. */
static void take_values(const Value *given, Options *options)
{
    options->launch = (PsLaunchOptions){.groups = given[OPTION_GROUPS].number,
                                        .group_size = given[OPTION_GROUP_SIZE].number,
                                        .active = given[OPTION_ACTIVE].number};
    options->clamp = (PsClamp)given[OPTION_CLAMP].word;
    options->format = format_of(given[OPTION_FORMAT].text);
    options->jobs = (guint)given[OPTION_JOBS].number;
    if (!options->jobs)
        options->jobs = MIN(g_get_num_processors(), MAX_JOBS);
    options->no_fast_forward = given[OPTION_NO_FAST_FORWARD].on;
    options->explain = given[OPTION_EXPLAIN].on;
    options->sensitivity = given[OPTION_SENSITIVITY].on;
    options->advise = given[OPTION_ADVISE].on;
    options->report = given[OPTION_REPORT].text;
    options->files = given[OPTION_FILES].list;
    options->gpus = given[OPTION_GPU].list;
    options->output = given[OPTION_OUTPUT].text;
    options->chart = given[OPTION_CHART].text;
    options->resume = given[OPTION_RESUME].text;
}

/* Reads options of this verb alone, or of the few verbs that take code or measure. */
static gboolean parse_own(Verb verb, const Value *given, Options *options, GError **error)
{
    switch (verb) {
    case VERB_RUN:
        return run_options_parse(given, options, error) &&
               code_options_parse(given, &options->code, error);
    case VERB_COMPARE:
    case VERB_SHOW:
    case VERB_BUILD:
    case VERB_GATE:
        return code_options_parse(given, &options->code, error);
    case VERB_SWEEP:
        return sweep_options_parse(given, options, error) &&
               code_options_parse(given, &options->code, error);
    case VERB_ROOFLINE:
        return roofline_options_parse(given, options, error) &&
               code_options_parse(given, &options->code, error);
    case VERB_BENCH:
        return bench_options_parse(given, options, error);
    case VERB_VALIDATE:
        return measuring_options_parse(given, options, error) &&
               measuring_options_check_names(given, error);
    default:
        return TRUE;
    }
}

static gboolean parse_values(Verb verb, const Value *given, Options *options, GError **error)
{
    take_values(given, options);
    for (char **param = given[OPTION_PARAM].list; param && *param; param++)
        if (!ps_text_param("--", *param, options->params, error))
            return FALSE;
    if (!parse_what_if(given[OPTION_WHAT_IF].list, options, error) ||
        !ps_text_clock("--", given[OPTION_CLOCK].text, &options->clock, error) ||
        !parse_measured(given[OPTION_MEASURED].text, &options->measured, error) ||
        !refinements_parse(given, &options->refinements, error) ||
        !parse_vary(given[OPTION_VARY].list, options, error) ||
        !parse_own(verb, given, options, error))
        return FALSE;
    return parse_precision(given, options, error) && parse_budget(given, options, error) &&
           (!options->chart || gnuplot_check(options->chart, error));
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Notes the use of standard input; a verb refuses a second use. */
static gboolean take_input(Verb verb, const Value *given, Options *options, GError **error)
{
    const gboolean takes_code = verb == VERB_RUN || verb == VERB_SHOW || verb == VERB_BUILD ||
                                (verb == VERB_SWEEP && !given[OPTION_MERGE].on) ||
                                (verb == VERB_ROOFLINE && given_for_code(verb, given));
    const char *const *gpus = (const char *const *)given[OPTION_GPU].list;
    if (!takes_code || (gpus && g_strv_contains(gpus, "-")) ||
        g_strcmp0(given[OPTION_LAUNCHES].text, "-") == 0)
        return TRUE;
    const gboolean taken = input_take(given[OPTION_FILES].list, &options->input, error);
    options->code.shown = options->input ? "-" : NULL;
    return taken;
}

/* Takes ownership of the values. */
static Options *make_options(Verb verb, Value *given, GError **error)
{
    g_autoptr(Options) options = g_new0(Options, 1);
    options->given = given;
    options->params = ps_scope_new();
    options->vary = g_ptr_array_new_with_free_func((GDestroyNotify)ps_sweep_axis_free);
    if (!given[OPTION_HELP].on &&
        (!values_check(verb, given, error) || !take_input(verb, given, options, error) ||
         !parse_values(verb, given, options, error)))
        return NULL;
    return g_steal_pointer(&options);
}

static Options *side_options(CompareSide *side, GError **error)
{
    Options *options = make_options(VERB_COMPARE, g_steal_pointer(&side->given), error);
    if (!options)
        return NULL;
    options->apart = g_steal_pointer(&side->apart);
    options->code.common = g_steal_pointer(&side->common);
    options->input = g_steal_pointer(&side->input);
    if (side->from_input)
        options->code.shown = "-";
    return options;
}

static Options *parse_compare(char **argv, GError **error)
{
    CompareSide sides[2] = {0};
    g_autoptr(Options) options = NULL;
    if (compare_sides_read(argv, sides, error))
        options = side_options(&sides[0], error);
    if (options && !options->given[OPTION_HELP].on &&
        !(options->versus = side_options(&sides[1], error)))
        g_clear_pointer(&options, options_free);
    compare_sides_clear(sides);
    return g_steal_pointer(&options);
}

static Options *parse_words(Verb verb, char **argv, GError **error)
{
    Value *given = values_read(verb, argv, error);
    g_autoptr(Options) options = given ? make_options(verb, given, error) : NULL;
    if (!options ||
        (!given[OPTION_HELP].on && !code_options_check(verb, given, options->files, error)))
        return NULL;
    return g_steal_pointer(&options);
}

/* Standard input is read once for all launches. */
static void take_same_input(const Options *options, char **argv)
{
    for (char **word = argv; options->input && *word; word++)
        if (strcmp(*word, "-") == 0) {
            g_free(*word);
            *word = g_strdup(options->input);
        }
}

/* Messages of building are printed once for all launches. */
static gboolean add_launch(Options *options, const LaunchLine *line, GError **error)
{
    take_same_input(options, line->argv);
    Options *launch = parse_words(VERB_RUN, line->argv, error);
    if (!launch) {
        g_prefix_error(error, "%s%s", line->where ? line->where : "", line->where ? ": " : "");
        return FALSE;
    }
    launch->where = g_strdup(line->where);
    launch->code.shown = options->code.shown;
    launch->code.common = g_strdupv(line->common);
    g_ptr_array_unref(launch->code.said);
    launch->code.said = g_ptr_array_ref(options->code.said);
    g_ptr_array_add(options->launches, launch);
    return TRUE;
}

static Options *parse_run(char **argv, GError **error)
{
    g_autoptr(LaunchLines) lines = launch_lines_read(argv, error);
    g_autoptr(Options) options = lines ? parse_words(VERB_RUN, lines->argv, error) : NULL;
    if (!options || options->given[OPTION_HELP].on || !lines->launches->len)
        return g_steal_pointer(&options);
    options->launches = g_ptr_array_new_with_free_func((GDestroyNotify)options_free);
    for (guint i = 0; i < lines->launches->len; i++)
        if (!add_launch(options, lines->launches->pdata[i], error))
            return NULL;
    return g_steal_pointer(&options);
}

/* Only the last --kernel would count, and the answer would be about that one alone. */
static gboolean check_one_kernel(Verb verb, char **argv, GError **error)
{
    g_auto(GStrv) words = words_join(verb, argv, error);
    guint n = 0;
    for (char **word = words; word && *word && strcmp(*word, "--") != 0; word++)
        n += g_str_has_prefix(*word, "--kernel=");
    return words &&
           (n < 2 || usage_error(error, "--kernel is there twice; only pipesim run takes several"));
}

Options *options_parse(Verb verb, char **argv, GError **error)
{
    if (verb == VERB_COMPARE)
        return compare_is_of_programs(argv) ? parse_words(verb, argv, error)
                                            : parse_compare(argv, error);
    if (verb == VERB_RUN)
        return parse_run(argv, error);
    return check_one_kernel(verb, argv, error) ? parse_words(verb, argv, error) : NULL;
}

void options_set_progress(Options *options, Progress *progress)
{
    options->progress = progress;
    code_options_set_progress(&options->code, progress);
    if (options->versus)
        options_set_progress(options->versus, progress);
    for (guint i = 0; options->launches && i < options->launches->len; i++)
        options_set_progress(options->launches->pdata[i], progress);
}

void options_free(Options *options)
{
    if (!options)
        return;
    values_free(options->given);
    input_remove(options->input);
    ps_scope_free(options->params);
    if (options->what_if)
        g_ptr_array_unref(options->what_if);
    g_free(options->what_if_text);
    g_ptr_array_unref(options->vary);
    g_free(options->signature);
    options_free(options->versus);
    g_clear_pointer(&options->launches, g_ptr_array_unref);
    g_free(options->where);
    g_strfreev(options->apart);
    bench_options_clear(&options->bench);
    code_options_clear(&options->code);
    g_free(options);
}

gboolean options_have_one_ptx(const Options *a, const Options *b)
{
    return strcmp(a->files[0], b->files[0]) == 0 && strcmp(a->gpus[0], b->gpus[0]) == 0 &&
           g_strcmp0(a->code.arch, b->code.arch) == 0 &&
           g_strv_equal((const char *const *)a->code.compiler,
                        (const char *const *)b->code.compiler);
}
