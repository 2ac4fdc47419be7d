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

#define RUN (1U << VERB_RUN)
#define SWEEP (1U << VERB_SWEEP)
#define SHOW (1U << VERB_SHOW)
#define AT(member) G_STRUCT_OFFSET(Raw, member)

/* An option, where its text goes, and the verbs that take it. */
typedef struct {
    const char *name;
    char letter;
    GOptionArg arg;
    glong at;
    guint verbs;
    const char *text, *value;
} Known;

static const Known OPTIONS[] = {
    {"gpu", 'g', G_OPTION_ARG_FILENAME_ARRAY, AT(gpus), RUN | SWEEP, "The GPU's description",
     "FILE"},
    {"groups", 0, G_OPTION_ARG_STRING, AT(groups), RUN | SWEEP, "Work-groups of the whole launch",
     "N"},
    {"group-size", 0, G_OPTION_ARG_STRING, AT(group_size), RUN | SWEEP, "Threads of each group",
     "N"},
    {"active", 0, G_OPTION_ARG_STRING, AT(active), RUN | SWEEP,
     "Groups on a CU at once (else by occupancy)", "M"},
    {"what-if", 0, G_OPTION_ARG_STRING_ARRAY, AT(what_if), RUN | SWEEP,
     "Run with and without these latencies", "CLASS.issue=V,..."},
    {"clock", 0, G_OPTION_ARG_STRING, AT(clock), RUN | SWEEP,
     "Clock instead of the GPU's base clock", "MHZ"},
    {"format", 'f', G_OPTION_ARG_STRING, AT(format), RUN | SWEEP, "text (default), json or csv",
     "FORMAT"},
    {"log", 0, G_OPTION_ARG_FILENAME, AT(log), RUN, "Write every event of a small run to FILE",
     "FILE"},
    {"vary", 0, G_OPTION_ARG_STRING_ARRAY, AT(vary), SWEEP, "Run with each value of the list",
     "NAME=LIST"},
    {"chart", 0, G_OPTION_ARG_FILENAME, AT(chart), SWEEP, "Draw performance as .svg, .png or .pdf",
     "FILE"},
    {"jobs", 'j', G_OPTION_ARG_STRING, AT(jobs), SWEEP,
     "Simulations at once (default: all processors)", "N"},
    {"dot", 0, G_OPTION_ARG_NONE, AT(dot), SHOW, "Draw the graph: write it for Graphviz", NULL},
    {"xml", 0, G_OPTION_ARG_NONE, AT(xml), SHOW, "Write the file anew, in its own format", NULL},
    {"help", 'h', G_OPTION_ARG_NONE, AT(help), RUN | SWEEP | SHOW, "Say this, and end", NULL},
    {"param", 'p', G_OPTION_ARG_STRING_ARRAY, AT(params), RUN | SWEEP | SHOW,
     "Give a parameter of the graph a value", "NAME=VALUE"},
    {"output", 'o', G_OPTION_ARG_FILENAME, AT(output), RUN | SWEEP | SHOW,
     "Write to FILE, - is standard output", "FILE"},
    {G_OPTION_REMAINING, 0, G_OPTION_ARG_FILENAME_ARRAY, AT(files), RUN | SWEEP | SHOW, NULL, NULL},
};

static void add_options(GOptionGroup *group, Verb verb, Raw *raw)
{
    for (guint i = 0; i < G_N_ELEMENTS(OPTIONS); i++) {
        const Known *known = &OPTIONS[i];
        const GOptionEntry entries[] = {{known->name, known->letter, 0, known->arg,
                                         G_STRUCT_MEMBER_P(raw, known->at), known->text,
                                         known->value},
                                        {0}};
        if (known->verbs & 1U << verb)
            g_option_group_add_entries(group, entries);
    }
}

typedef struct {
    const char *usage;
    const char *summary;
    const char *description;
} VerbText;

const char *verb_name(Verb verb)
{
    static const char *const names[] = {"run", "sweep", "show"};
    return names[verb];
}

static const VerbText VERBS[] = {
    [VERB_RUN] = {"GRAPH --gpu GPU",
                  "Simulates the kernel of an instruction dependence graph on a GPU: how long it\n"
                  "takes, what limits it, and what other latencies would change.",
                  "Example: pipesim mmul08.idg --gpu pascal.xml\n"
                  "         pipesim mmul08.idg --gpu pascal.xml --what-if local.issue=7\n"},
    [VERB_SWEEP] =
        {"GRAPH... --gpu GPU... --vary NAME=LIST...",
         "Runs side by side: every graph on every GPU with every combination of the\n"
         "values; the last list varies fastest.",
         "NAME is active, groups, group-size, a parameter of the graph, CLASS.issue or\n"
         "CLASS.completion. LIST is 1,2,4 or 1..32 or 4..16+4 or 32..1024*2, or several\n"
         "of these with commas; active=1..max goes up to what occupancy allows.\n\n"
         "Example: pipesim sweep mmul08.idg mmul16.idg --gpu pascal.xml \\\n"
         "             --vary active=1..max --chart mmul.svg\n"},
    [VERB_SHOW] = {"GRAPH|GPU",
                   "Shows what a graph or a GPU description says, with every value worked out.",
                   "Example: pipesim show mmul08.idg --param size=2048\n"
                   "         pipesim show mmul08.idg --dot | dot -Tsvg -o mmul08.svg\n"},
};

static GOptionContext *make_context(Verb verb, Raw *raw)
{
    GOptionContext *context = g_option_context_new(VERBS[verb].usage);
    GOptionGroup *group = g_option_group_new(verb_name(verb), "", "", NULL, NULL);
    add_options(group, verb, raw);
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

/* ---- what GOption does not know ------------------------------------------------------------- */

/* The option that an argument such as "--jobs", "--jobs=2", "-j" or "-j2" is; NULL for none. */
static const Known *find_option(const char *argument)
{
    if (argument[0] != '-' || !argument[1])
        return NULL;
    const gsize length = strcspn(argument + 1, "=") - 1;
    for (guint i = 0; i < G_N_ELEMENTS(OPTIONS) - 1; i++) {
        const Known *known = &OPTIONS[i];
        if (argument[1] == '-'
                ? strlen(known->name) == length && strncmp(known->name, argument + 2, length) == 0
                : known->letter == argument[1])
            return known;
    }
    return NULL;
}

/* That an option is another verb's, and whose. */
static gboolean check_verb(Verb verb, const Known *known, GError **error)
{
    g_autoptr(GString) whose = g_string_new(NULL);
    if (known->verbs & 1U << verb)
        return TRUE;
    for (Verb other = VERB_RUN; other <= VERB_SHOW; other++)
        if (known->verbs & 1U << other)
            g_string_append_printf(whose, "%s%s", whose->len ? " and " : "", verb_name(other));
    return usage_error(error, "--%s belongs to pipesim %s, and this is pipesim %s", known->name,
                       whose->str, verb_name(verb));
}

/* The command line as GOption understands it: "-j2" becomes "-j" and "2" (g_strfreev). NULL and
 * *error for an option of another verb. */
static char **translate(Verb verb, char **argv, GError **error)
{
    g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
    gboolean is_value = FALSE, no_more = FALSE;
    for (; *argv; argv++) {
        const Known *known = is_value || no_more ? NULL : find_option(*argv);
        no_more |= !is_value && strcmp(*argv, "--") == 0;
        if (known && !check_verb(verb, known, error))
            return NULL;
        const gboolean takes = known && known->arg != G_OPTION_ARG_NONE;
        const gboolean is_short = known && (*argv)[1] != '-';
        const gboolean attached = takes && is_short && (*argv)[2];
        is_value = takes && !attached && !strchr(*argv, '=');
        g_ptr_array_add(out, attached ? g_strndup(*argv, 2) : g_strdup(*argv));
        if (attached)
            g_ptr_array_add(out, g_strdup(*argv + 2));
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_steal(out, NULL);
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

static gboolean check_path(const char *name, const char *path, GError **error)
{
    return !path || *path || usage_error(error, "%s: the name of the file is empty", name);
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
    return check_path("--output", raw->output, error) && check_path("--log", raw->log, error) &&
           (!raw->chart || chart_check(raw->chart, error));
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

/* A GPU among the graphs most likely lacks its --gpu. */
static const char *gpu_among(char **files)
{
    for (guint i = 1; files[i]; i++)
        if (g_str_has_suffix(files[i], ".xml"))
            return files[i];
    return NULL;
}

static gboolean check_together(Verb verb, const Options *options, GError **error)
{
    const guint files = options->files ? g_strv_length(options->files) : 0;
    const guint gpus = options->gpus ? g_strv_length(options->gpus) : 0;
    if (!files)
        return usage_error(error, verb == VERB_SHOW ? "say which graph or GPU description to show"
                                                    : "say which graph to simulate");
    const char *gpu = verb == VERB_SHOW ? NULL : gpu_among(options->files);
    if (gpu)
        return usage_error(error, "'%s' looks like a GPU description; write --gpu %s", gpu, gpu);
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

Options *options_parse(Verb verb, char **argv, GError **error)
{
    g_auto(Raw) raw = {0};
    g_autoptr(GOptionContext) context = make_context(verb, &raw);
    g_auto(GStrv) arguments = translate(verb, argv, error);
    if (!arguments || !g_option_context_parse_strv(context, &arguments, error))
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
