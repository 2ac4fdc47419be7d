/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See options.h. GOption collects texts; what they mean is checked here, because its own numbers
 * take octal and hexadecimal ones, too.
 */
#include "cli/options.h"

#include "cli/chart.h"
#include "cli/fail.h"

#include <string.h>

#define MAX_JOBS 1024

/* The command line as texts. */
typedef struct {
    gboolean help, dot, xml;
    char **files, **gpus, **params, **what_if, **vary;
    char *groups, *group_size, *active, *clock, *jobs;
    char *format, *output, *log, *chart;
} Raw;

static void raw_clear(Raw *raw)
{
    char **const lists[] = {raw->files, raw->gpus, raw->params, raw->what_if, raw->vary};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        g_strfreev(lists[i]);
    char *const texts[] = {raw->groups, raw->group_size, raw->active, raw->clock, raw->jobs,
                           raw->format, raw->output,     raw->log,    raw->chart};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Raw, raw_clear)

/* ---- the options of each verb -------------------------------------------------------------- */

#define ENTRY(name, letter, arg, target, text, value)                                              \
    {                                                                                              \
        name, letter, 0, G_OPTION_ARG_##arg, target, text, value                                   \
    }

static void add_common(GOptionGroup *group, Raw *raw)
{
    const GOptionEntry entries[] = {
        ENTRY("help", 'h', NONE, &raw->help, "Say this, and end", NULL),
        ENTRY("param", 'p', STRING_ARRAY, &raw->params, "Give a parameter of the graph a value",
              "NAME=VALUE"),
        ENTRY("output", 'o', FILENAME, &raw->output, "Write to FILE, - is standard output", "FILE"),
        ENTRY(G_OPTION_REMAINING, 0, FILENAME_ARRAY, &raw->files, NULL, NULL),
        {0}};
    g_option_group_add_entries(group, entries);
}

static void add_simulation(GOptionGroup *group, Raw *raw)
{
    const GOptionEntry entries[] = {
        ENTRY("gpu", 'g', FILENAME_ARRAY, &raw->gpus, "The GPU's description", "FILE"),
        ENTRY("groups", 0, STRING, &raw->groups, "Work-groups of the whole launch", "N"),
        ENTRY("group-size", 0, STRING, &raw->group_size, "Threads of each group", "N"),
        ENTRY("active", 0, STRING, &raw->active, "Groups on a CU at once (else by occupancy)", "M"),
        ENTRY("what-if", 0, STRING_ARRAY, &raw->what_if, "Run with and without these latencies",
              "CLASS.issue=V,..."),
        ENTRY("clock", 0, STRING, &raw->clock, "Clock instead of the GPU's base clock", "MHZ"),
        ENTRY("format", 'f', STRING, &raw->format, "text (default), json or csv", "FORMAT"),
        {0}};
    g_option_group_add_entries(group, entries);
}

static void add_run(GOptionGroup *group, Raw *raw)
{
    const GOptionEntry entries[] = {
        ENTRY("log", 0, FILENAME, &raw->log, "Write every event of a small run to FILE", "FILE"),
        {0}};
    g_option_group_add_entries(group, entries);
}

static void add_sweep(GOptionGroup *group, Raw *raw)
{
    const GOptionEntry entries[] = {
        ENTRY("vary", 0, STRING_ARRAY, &raw->vary, "Run with each value of the list", "NAME=LIST"),
        ENTRY("chart", 0, FILENAME, &raw->chart, "Draw performance as .svg, .png or .pdf", "FILE"),
        ENTRY("jobs", 'j', STRING, &raw->jobs, "Simulations at once (default: all processors)",
              "N"),
        {0}};
    g_option_group_add_entries(group, entries);
}

static void add_show(GOptionGroup *group, Raw *raw)
{
    const GOptionEntry entries[] = {
        ENTRY("dot", 0, NONE, &raw->dot, "Draw the graph: write it for Graphviz", NULL),
        ENTRY("xml", 0, NONE, &raw->xml, "Write the file anew, in its own format", NULL),
        {0}};
    g_option_group_add_entries(group, entries);
}

typedef struct {
    const char *usage;
    const char *summary;
    const char *description;
    void (*add)(GOptionGroup *group, Raw *raw);
    gboolean simulates;
} VerbText;

static const VerbText VERBS[] = {
    [VERB_RUN] = {"GRAPH --gpu GPU",
                  "Simulates the kernel of an instruction dependence graph on a GPU: how long it\n"
                  "takes, what limits it, and what other latencies would change.",
                  "Example: pipesim mmul08.idg --gpu pascal.xml\n"
                  "         pipesim mmul08.idg --gpu pascal.xml --what-if local.issue=7\n",
                  add_run, TRUE},
    [VERB_SWEEP] =
        {"GRAPH... --gpu GPU... --vary NAME=LIST...",
         "Runs side by side: every graph on every GPU with every combination of the\n"
         "values; the last list varies fastest.",
         "NAME is active, groups, group-size, a parameter of the graph, CLASS.issue or\n"
         "CLASS.completion. LIST is 1,2,4 or 1..32 or 4..16+4 or 32..1024*2, or several\n"
         "of these with commas; active=1..max goes up to what occupancy allows.\n\n"
         "Example: pipesim sweep mmul08.idg mmul16.idg --gpu pascal.xml \\\n"
         "             --vary active=1..max --chart mmul.svg\n",
         add_sweep, TRUE},
    [VERB_SHOW] = {"GRAPH|GPU",
                   "Shows what a graph or a GPU description says, with every value worked out.",
                   "Example: pipesim show mmul08.idg --param size=2048\n"
                   "         pipesim show mmul08.idg --dot | dot -Tsvg -o mmul08.svg\n",
                   add_show, FALSE},
};

static GOptionContext *make_context(Verb verb, Raw *raw)
{
    static const char *const name[] = {"run", "sweep", "show"};
    GOptionContext *context = g_option_context_new(VERBS[verb].usage);
    GOptionGroup *group = g_option_group_new(name[verb], "", "", NULL, NULL);
    if (VERBS[verb].simulates)
        add_simulation(group, raw);
    VERBS[verb].add(group, raw);
    add_common(group, raw);
    g_option_context_set_main_group(context, group);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_summary(context, VERBS[verb].summary);
    g_option_context_set_description(context, VERBS[verb].description);
    return context;
}

char *options_help(Verb verb)
{
    g_auto(Raw) raw = {0};
    g_autoptr(GOptionContext) context = make_context(verb, &raw);
    g_autoptr(GString) help = g_string_new(NULL);
    g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
    g_string_append(help, text);
    g_string_replace(help, "\u2026", "...", 0); /* plain text, for every terminal */
    return g_string_free(g_steal_pointer(&help), FALSE);
}

/* ---- values -------------------------------------------------------------------------------- */

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

static gboolean parse_clock(const char *text, PsRational *clock, GError **error)
{
    *clock = PS_RATIONAL_INT(0);
    if (!text || (ps_rational_parse(text, clock) && clock->num > 0))
        return TRUE;
    return usage_error(error, "--clock: '%s' is no clock in MHz, a decimal number above 0", text);
}

static gboolean parse_format(const char *text, Format *format, GError **error)
{
    static const char *const names[] = {"text", "json", "csv"};
    *format = FORMAT_TEXT;
    if (!text)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(text, names[i]) == 0) {
            *format = (Format)i;
            return TRUE;
        }
    return usage_error(error, "--format: there is no format '%s'; it is text, json or csv", text);
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

static gboolean parse_values(const Raw *raw, Options *options, GError **error)
{
    for (guint i = 0; raw->params && raw->params[i]; i++)
        if (!parse_param(raw->params[i], options->params, error))
            return FALSE;
    if (!parse_launch(raw, &options->launch, error) ||
        !parse_what_if(raw->what_if, options, error) ||
        !parse_clock(raw->clock, &options->clock, error) ||
        !parse_format(raw->format, &options->format, error) ||
        !parse_vary(raw->vary, options, error) || !parse_jobs(raw->jobs, &options->jobs, error))
        return FALSE;
    return !raw->chart || chart_check(raw->chart, error);
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

static gboolean check_together(Verb verb, const Options *options, GError **error)
{
    const guint files = options->files ? g_strv_length(options->files) : 0;
    const guint gpus = options->gpus ? g_strv_length(options->gpus) : 0;
    if (!files)
        return usage_error(error, verb == VERB_SHOW ? "say which graph or GPU description to show"
                                                    : "say which graph to simulate");
    if (verb != VERB_SWEEP && files > 1)
        return usage_error(error, "'%s': one file at a time%s", options->files[1],
                           verb == VERB_RUN ? "; sweep takes several" : "");
    if (verb != VERB_SHOW && !gpus)
        return usage_error(error, "say on which GPU, such as --gpu pascal.xml");
    if (verb == VERB_RUN && gpus > 1)
        return usage_error(error, "--gpu %s: one GPU at a time; sweep takes several",
                           options->gpus[1]);
    if (verb == VERB_SWEEP && !options->vary->len)
        return usage_error(error, "say what to vary, such as --vary active=1..max");
    if (options->dot && options->xml)
        return usage_error(error, "--dot and --xml: one of them at a time");
    return check_stdin(options, error);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void take_texts(Raw *raw, Options *options)
{
    options->help = raw->help;
    options->dot = raw->dot;
    options->xml = raw->xml;
    options->files = g_steal_pointer(&raw->files);
    options->gpus = g_steal_pointer(&raw->gpus);
    options->output = g_steal_pointer(&raw->output);
    options->log = g_steal_pointer(&raw->log);
    options->chart = g_steal_pointer(&raw->chart);
}

Options *options_parse(Verb verb, int argc, char **argv, GError **error)
{
    g_auto(Raw) raw = {0};
    g_autoptr(GOptionContext) context = make_context(verb, &raw);
    if (!g_option_context_parse(context, &argc, &argv, error))
        return NULL;
    g_autoptr(Options) options = g_new0(Options, 1);
    options->params = ps_scope_new();
    options->vary = g_ptr_array_new_with_free_func((GDestroyNotify)vary_free);
    if (!raw.help && !parse_values(&raw, options, error))
        return NULL;
    take_texts(&raw, options);
    if (!options->help && !check_together(verb, options, error))
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
    g_free(options);
}
