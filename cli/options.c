/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See options.h. GOption collects texts; what they mean is checked here, because its own numbers
 * take octal and hexadecimal ones, too.
 */
#include "cli/options.h"

#include "cli/bench/options.h"
#include "cli/compare/options.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/system/gnuplot.h"
#include "cli/run/refinements.h"
#include "cli/roofline/options.h"
#include "cli/sweep/options.h"
#include "cli/run/timeline.h"

#include <string.h>

#define MAX_JOBS 1024

/* A whole number of 1 to max; absent is 0. */
static gboolean parse_count(const char *name, const char *text, gint64 max, gint64 *value,
                            GError **error)
{
    PsRational number;
    *value = 0;
    if (!text)
        return TRUE;
    if (!ps_rational_parse(text, &number) || !ps_rational_is_int(number) || number.num < 1 ||
        number.num > max)
        return usage_error(error, "%s: '%s' is not a whole number from 1 to %" G_GINT64_FORMAT,
                           name, text, max);
    *value = number.num;
    return TRUE;
}

static gboolean parse_launch(const Raw *raw, PsLaunchOptions *launch, GError **error)
{
    return parse_count("--groups", raw->groups, G_MAXINT64 / 2, &launch->groups, error) &&
           parse_count("--group-size", raw->group_size, G_MAXINT32, &launch->group_size, error) &&
           parse_count("--active", raw->active, G_MAXINT32, &launch->active, error);
}

static gboolean parse_param(const char *text, PsScope *params, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : NULL;
    PsRational value;
    if (!name || !ps_expr_is_name(name) || !ps_rational_parse(equals + 1, &value))
        return usage_error(error, "--param '%s': write NAME=VALUE with a plain decimal number",
                           text);
    ps_scope_set(params, name, value);
    return TRUE;
}

static gboolean parse_what_if(char **list, Options *options, GError **error)
{
    if (!list)
        return TRUE;
    options->what_if_text = g_strjoinv(",", list);
    options->what_if = ps_what_if_parse(options->what_if_text, error);
    return options->what_if != NULL;
}

static gboolean parse_clock(const char *text, Options *options, GError **error)
{
    options->clock_choice = !text                        ? CLOCK_USUAL
                            : strcmp(text, "base") == 0  ? CLOCK_BASE
                            : strcmp(text, "boost") == 0 ? CLOCK_BOOST
                                                         : CLOCK_STATED;
    if (options->clock_choice != CLOCK_STATED ||
        (ps_rational_parse(text, &options->clock) && options->clock.num > 0))
        return TRUE;
    return usage_error(
        error, "--clock: '%s' is no clock: say base, boost, or MHz, a decimal number above 0",
        text);
}

gboolean options_clock(const Options *options, const PsGpu *gpu, PsRational *clock, GError **error)
{
    const ClockChoice choice = options->clock_choice;
    *clock = choice == CLOCK_STATED  ? options->clock
             : choice == CLOCK_BASE  ? gpu->clock
             : choice == CLOCK_BOOST ? gpu->boost_clock
                                     : ps_gpu_usual_clock(gpu);
    if (clock->num > 0)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "--clock boost: %s does not state a boost clock; say --clock MHZ", gpu->path);
    return FALSE;
}

static gboolean parse_clamp(const char *text, Clamp *clamp, GError **error)
{
    *clamp = CLAMP_CEILING;
    if (!text)
        return TRUE;
    for (Clamp each = CLAMP_CEILING; each <= CLAMP_NONE; each++)
        if (strcmp(text, clamp_name(each)) == 0) {
            *clamp = each;
            return TRUE;
        }
    return usage_error(error, "--clamp: there is no clamp '%s'; it is ceiling, roofline or none",
                       text);
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

static gboolean parse_format(Verb verb, const char *text, Format *format, GError **error)
{
    static const char *const names[] = {"text", "json", "csv", "gnuplot"};
    const guint n = verb == VERB_ROOFLINE ? 4 : verb == VERB_BENCH ? 2 : 3;
    if (verb == VERB_VALIDATE && g_strcmp0(text, "json") == 0)
        return usage_error(error, "--format: a report is text, or csv of all its points");
    *format = FORMAT_TEXT;
    if (!text)
        return TRUE;
    for (guint i = 0; i < n; i++)
        if (strcmp(text, names[i]) == 0) {
            *format = (Format)i;
            return TRUE;
        }
    return usage_error(error, "--format: there is no format '%s'; it is text%s", text,
                       verb == VERB_ROOFLINE ? ", json, csv or gnuplot"
                       : verb == VERB_BENCH  ? " or json"
                                             : ", json or csv");
}

/* What a name is set to elsewhere on the command line; NULL where it is not. */
static const char *set_elsewhere(const Options *options, const Vary *vary)
{
    PsRational value;
    if ((vary->kind == VARY_ACTIVE && options->launch.active) ||
        (vary->kind == VARY_GROUPS && options->launch.groups) ||
        (vary->kind == VARY_GROUP_SIZE && options->launch.group_size))
        return "by an option of its own";
    if (vary->kind == VARY_PARAM && ps_scope_get(options->params, vary->name, &value))
        return "by --param";
    for (guint i = 0; i < options->vary->len; i++)
        if (strcmp(((const Vary *)options->vary->pdata[i])->name, vary->name) == 0)
            return "by another --vary";
    return NULL;
}

static gboolean parse_vary(char **list, Options *options, GError **error)
{
    for (guint i = 0; list && list[i]; i++) {
        g_autoptr(Vary) vary = vary_parse(list[i], error);
        if (!vary)
            return FALSE;
        const char *where = set_elsewhere(options, vary);
        if (where)
            return usage_error(error, "--vary %s: it is set %s already", vary->name, where);
        g_ptr_array_add(options->vary, g_steal_pointer(&vary));
    }
    return TRUE;
}

static gboolean parse_jobs(const char *text, guint *jobs, GError **error)
{
    gint64 value;
    if (!parse_count("--jobs", text, MAX_JOBS, &value, error))
        return FALSE;
    *jobs = value ? (guint)value : MIN(g_get_num_processors(), MAX_JOBS);
    return TRUE;
}

static gboolean check_path(const char *name, const char *path, GError **error)
{
    return !path || *path || usage_error(error, "%s: the name of the file is empty", name);
}

static gboolean check_names(const char *what, char **names, GError **error)
{
    for (guint i = 0; names && names[i]; i++)
        if (!*names[i])
            return usage_error(error, "%s is an empty name", what);
    return TRUE;
}

/* Standard output is the answer's, unless that goes elsewhere. */
static gboolean check_report(const Raw *raw, GError **error)
{
    if (raw->no_source && !raw->report)
        return usage_error(error, "--no-source leaves the source out of the page that --report "
                                  "writes; add that");
    if (g_strcmp0(raw->report, "-") != 0 || (raw->output && strcmp(raw->output, "-") != 0))
        return check_path("--report", raw->report, error);
    return usage_error(error, "--report: standard output has the answer already; name a file for "
                              "the page, or one for the answer with --output");
}

static gboolean parse_windows(const Raw *raw, Options *options, GError **error)
{
    options->timeline = raw->timeline != NULL;
    if (raw->timeline_warps && !raw->timeline)
        return usage_error(error, "--timeline-warps chooses the warps of --timeline; add that");
    if (raw->trace_window && !raw->trace)
        return usage_error(error, "--trace-window chooses the cycles of --trace FILE; add that");
    if (raw->timeline && options->format != FORMAT_TEXT)
        return usage_error(error, "--timeline is text; --trace FILE is for programs");
    if (raw->trace && strcmp(raw->trace, "-") == 0)
        return usage_error(error, "--trace: standard output has the report; name a file");
    return timeline_check_warps(raw->timeline_warps, error) &&
           check_path("--trace", raw->trace, error) &&
           window_parse("--timeline", raw->timeline, &options->timeline_window, error) &&
           window_parse("--trace-window", raw->trace_window, &options->trace_window, error);
}

static gboolean parse_values(Verb verb, Raw *raw, Options *options, GError **error)
{
    for (guint i = 0; raw->params && raw->params[i]; i++)
        if (!parse_param(raw->params[i], options->params, error))
            return FALSE;
    if (!parse_launch(raw, &options->launch, error) ||
        !parse_what_if(raw->what_if, options, error) || !parse_clock(raw->clock, options, error) ||
        !parse_clamp(raw->clamp, &options->clamp, error) ||
        !parse_measured(raw->measured, &options->measured, error) ||
        !refinements_parse(raw, &options->refinements, error) ||
        !parse_format(verb, raw->format, &options->format, error) ||
        !parse_vary(raw->vary, options, error) || !parse_jobs(raw->jobs, &options->jobs, error) ||
        !sweep_options_parse(raw, options, error) || !roofline_options_parse(raw, options, error) ||
        ((verb == VERB_BENCH || verb == VERB_VALIDATE) &&
         !bench_options_parse(raw, options, error)) ||
        !build_options_parse(raw, &options->build, error))
        return FALSE;
    return check_names("one of the files", raw->files, error) &&
           check_names("one --gpu", raw->gpus, error) &&
           check_path("--points", raw->points, error) &&
           check_path("--output", raw->output, error) && check_path("--log", raw->log, error) &&
           parse_windows(raw, options, error) && check_report(raw, error) &&
           (!raw->chart || gnuplot_check(raw->chart, error));
}

/* ---- which go together --------------------------------------------------------------------- */

/* Standard input can be read only once. */
static gboolean check_stdin(const Options *options, GError **error)
{
    guint n = 0;
    for (guint i = 0; options->files[i]; i++)
        n += strcmp(options->files[i], "-") == 0;
    for (guint i = 0; options->gpus && options->gpus[i]; i++)
        n += strcmp(options->gpus[i], "-") == 0;
    return n < 2 || usage_error(error, "standard input (-) can be read only once");
}

/* In CSV each of them is a table of its own. */
static gboolean check_tables(const Options *options, GError **error)
{
    const guint n = (guint)options->explain + (guint)options->sensitivity + (guint)options->advise;
    if (options->tables && options->format != FORMAT_TEXT)
        return usage_error(error,
                           "--tables is of the page of text; other formats have all of them");
    return options->format != FORMAT_CSV || n < 2 ||
           usage_error(error, "--format csv writes one table: --explain, --sensitivity or "
                              "--advise; --format json has all of them");
}

/* A GPU among the graphs most likely lacks its --gpu. */
static const char *gpu_among(char **files)
{
    for (guint i = 1; files[i]; i++)
        if (g_str_has_suffix(files[i], ".xml") || find_is_gpu(files[i]))
            return files[i];
    return NULL;
}

/* A measured time is that of one kernel with one launch on one GPU: what it can stand beside
 * differs in how many groups are active and in latencies alone. */
static gboolean check_measured(const Options *options, GError **error)
{
    if (!(options->measured > 0))
        return TRUE;
    if (options->files[1] || options->gpus[1])
        return usage_error(error, "--measured is the time of one graph on one GPU");
    for (guint i = 0; i < options->vary->len; i++) {
        const Vary *vary = options->vary->pdata[i];
        if (vary->kind != VARY_ACTIVE && vary->kind != VARY_ISSUE && vary->kind != VARY_COMPLETION)
            return usage_error(error,
                               "--measured is the time of one launch, so %s cannot be varied "
                               "beside it; active, CLASS.issue and CLASS.completion can",
                               vary->name);
    }
    return TRUE;
}

/* A description, and a name for what is measured. */
static gboolean check_validate(const Options *options, guint files, GError **error)
{
    const BenchOptions *bench = &options->bench;
    if (files != 1)
        return usage_error(error,
                           files ? "'%s': one description at a time"
                                 : "say which GPU description to validate%s",
                           files ? options->files[1] : "");
    if (!bench->from && !bench->raw && (!options->output || strcmp(options->output, "-") == 0))
        return usage_error(error, "say where measurements are kept: --output REPORT.md, or --raw "
                                  "FILE; those that are there are --from FILE");
    return TRUE;
}

/* Rows of one kind make a table. */
static gboolean check_list(const Options *options, GError **error)
{
    if (options->files)
        return usage_error(error, "'%s': list takes no names; --gpus lists GPUs, --graphs graphs",
                           options->files[0]);
    return options->format != FORMAT_CSV || options->only_gpus != options->only_graphs ||
           usage_error(error, "--format csv writes one table: say --gpus or --graphs");
}

static gboolean check_gpus(Verb verb, const Options *options, guint gpus, GError **error)
{
    const char *first = options->files[0];
    if (verb != VERB_SHOW && verb != VERB_BUILD && !gpus)
        return find_is_gpu(first)
                   ? usage_error(error,
                                 "'%s' is a GPU description; pipesim show %s prints it, and "
                                 "--gpu %s beside a graph runs that on it",
                                 first, first, first)
                   : usage_error(error, "say on which GPU, such as --gpu pascal.xml");
    if (verb == VERB_SHOW && gpus && !build_is_code(options->files[0]))
        return usage_error(error,
                           "--gpu is for the code of a kernel, whose graph follows from the GPU's "
                           "caches, and '%s' is none",
                           options->files[0]);
    return (verb != VERB_RUN && verb != VERB_BUILD && verb != VERB_SHOW) || gpus < 2 ||
           usage_error(error, "--gpu %s: one GPU at a time; sweep takes several", options->gpus[1]);
}

/* One file, or two GPUs. */
static gboolean check_show(const Options *options, guint files, GError **error)
{
    if (files > 2)
        return usage_error(error, "'%s': one file at a time, or two GPUs", options->files[2]);
    if (options->dot && options->xml)
        return usage_error(error, "--dot and --xml: one of them at a time");
    if (files > 1 && options->xml)
        return usage_error(error, "--xml writes one file, not two side by side");
    return files > 1 || !options->sources ||
           usage_error(error, "--sources is for two GPUs; of one, they are shown anyway");
}

static gboolean check_together(Verb verb, const Options *options, GError **error)
{
    static const char *const wanted[] = {[VERB_RUN] = "graph to simulate",
                                         [VERB_SWEEP] = "graph to simulate",
                                         [VERB_ROOFLINE] =
                                             "profiles or graphs to hold against the roofline",
                                         [VERB_BUILD] = "kernel's code to build a graph of",
                                         [VERB_SHOW] = "graph or GPU description to show"};
    const guint files = options->files ? g_strv_length(options->files) : 0;
    const guint gpus = options->gpus ? g_strv_length(options->gpus) : 0;
    if (verb == VERB_BENCH)
        return !files || usage_error(error,
                                     "'%s': bench measures a device, and takes no file; "
                                     "measurements that are there are --from RAW",
                                     options->files[0]);
    if (verb == VERB_VALIDATE)
        return check_validate(options, files, error);
    if (verb == VERB_LIST)
        return check_list(options, error);
    if (!files)
        return usage_error(error, "say which %s", options->merge ? "CSVs to join" : wanted[verb]);
    if (options->merge)
        return check_stdin(options, error);
    const char *gpu = verb == VERB_SHOW || verb == VERB_BUILD ? NULL : gpu_among(options->files);
    if (gpu)
        return usage_error(error, "'%s' looks like a GPU description; write --gpu %s", gpu, gpu);
    if (verb == VERB_SHOW)
        return check_show(options, files, error) && check_gpus(verb, options, gpus, error) &&
               check_stdin(options, error);
    if (verb != VERB_SWEEP && verb != VERB_ROOFLINE && files > 1)
        return usage_error(error, "'%s': one file at a time%s", options->files[1],
                           verb == VERB_RUN ? "; sweep takes several" : "");
    if (!check_gpus(verb, options, gpus, error))
        return FALSE;
    if (verb == VERB_SWEEP && !options->vary->len)
        return usage_error(error, "say what to vary, such as --vary active=1..max");
    return (verb == VERB_ROOFLINE || check_measured(options, error)) &&
           check_tables(options, error) && check_stdin(options, error);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void take_texts(Raw *raw, Options *options)
{
    options->help = raw->help;
    options->dot = raw->dot;
    options->xml = raw->xml;
    options->sources = raw->sources;
    options->only_gpus = raw->only_gpus;
    options->only_graphs = raw->only_graphs;
    options->no_fast_forward = raw->no_fast_forward;
    options->explain = raw->explain;
    options->tables = raw->tables;
    options->sensitivity = raw->sensitivity;
    options->advise = raw->advise;
    options->report = g_steal_pointer(&raw->report);
    options->no_source = raw->no_source;
    options->files = g_steal_pointer(&raw->files);
    options->gpus = g_steal_pointer(&raw->gpus);
    options->output = g_steal_pointer(&raw->output);
    options->log = g_steal_pointer(&raw->log);
    options->chart = g_steal_pointer(&raw->chart);
    options->resume = g_steal_pointer(&raw->resume);
    options->points = g_steal_pointer(&raw->points);
    options->timeline_warps = g_steal_pointer(&raw->timeline_warps);
    options->trace = g_steal_pointer(&raw->trace);
}

static Options *make_options(Verb verb, Raw *raw, GError **error)
{
    g_autoptr(Options) options = g_new0(Options, 1);
    options->params = ps_scope_new();
    options->vary = g_ptr_array_new_with_free_func((GDestroyNotify)vary_free);
    if (!raw->help && !parse_values(verb, raw, options, error))
        return NULL;
    take_texts(raw, options);
    return g_steal_pointer(&options);
}

static Options *side_options(CompareSide *side, GError **error)
{
    Options *options = make_options(VERB_COMPARE, &side->raw, error);
    if (!options)
        return NULL;
    options->apart = g_steal_pointer(&side->apart);
    options->build.common = g_steal_pointer(&side->common);
    return options;
}

static Options *parse_compare(char **argv, GError **error)
{
    CompareSide sides[2] = {0};
    g_autoptr(Options) options = NULL;
    if (compare_sides_read(argv, sides, error))
        options = side_options(&sides[0], error);
    if (options && !options->help && !(options->versus = side_options(&sides[1], error)))
        g_clear_pointer(&options, options_free);
    compare_sides_clear(sides);
    return g_steal_pointer(&options);
}

Options *options_parse(Verb verb, char **argv, GError **error)
{
    g_auto(Raw) raw = {0};
    if (verb == VERB_COMPARE)
        return parse_compare(argv, error);
    if (!raw_read(verb, argv, &raw, error))
        return NULL;
    g_autoptr(Options) options = make_options(verb, &raw, error);
    if (!options || (!options->help && (!build_options_check(verb, &raw, options->files, error) ||
                                        !check_together(verb, options, error))))
        return NULL;
    return g_steal_pointer(&options);
}

void options_free(Options *options)
{
    if (!options)
        return;
    g_strfreev(options->files);
    g_strfreev(options->gpus);
    ps_scope_free(options->params);
    if (options->what_if)
        g_ptr_array_unref(options->what_if);
    g_free(options->what_if_text);
    g_free(options->output);
    g_free(options->log);
    g_ptr_array_unref(options->vary);
    g_free(options->chart);
    g_free(options->resume);
    g_free(options->signature);
    g_free(options->points);
    g_free(options->timeline_warps);
    g_free(options->trace);
    g_free(options->report);
    options_free(options->versus);
    g_strfreev(options->apart);
    g_free(options->roofline.discounted);
    g_free(options->roofline.kernel);
    bench_options_clear(&options->bench);
    build_options_clear(&options->build);
    g_free(options);
}
