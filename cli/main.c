/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program pipesim: a client of libpipesim. This file finds the verb; each verb has files of its
 * own. Without a verb, arguments are those of run.
 */
#include "cli/check.h"
#include "cli/command-line.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/option-table.h"
#include "cli/system/output.h"
#include "cli/verbs.h"
#include "pipesim-private.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int (*const FUNCTIONS[])(const Options *options) = {
#define FUNCTION(ID, name) [ID] = name##_verb,
    EACH_VERB(FUNCTION)
#undef FUNCTION
};

static const char HELP[] =
    "\n"
    "  pipesim VERB --help says more of each;\n"
    "  pipesim --version tells the version.\n"
    "\n"
    "GRAPH is an instruction dependence graph (.idg), or a kernel's code (.ptx, .cu,\n"
    ".cl) with the options of pipesim build, GPU a description (.xml), PROFILE what a\n"
    "profiler counted (.csv) or kernel parameters (.json).\n"
    "A name without a folder is looked up in the current folder, in the folders of\n"
    "$PIPESIM_PATH and among the graphs and GPUs that come with pipesim; its ending\n"
    "(.idg, .xml) may be left out.\n"
    "\n"
    "Example: pipesim mmul08.idg --gpu pascal.xml\n";

static int say(const char *text)
{
    g_autoptr(GError) error = NULL;
    return output_write(NULL, text, &error) ? EXIT_SUCCESS : fail(error);
}

static GString *usage(void)
{
    GString *usage = g_string_new("Usage:\n");
    for (Verb verb = 0; verb < N_VERBS; verb++)
        g_string_append(usage, VERBS[verb].overview);
    return usage;
}

static int say_help(void)
{
    g_autoptr(GString) help = usage();
    g_string_append(help, HELP);
    return say(help->str);
}

/* Prints the usage, for a call without arguments. */
static int say_usage(void)
{
    g_autoptr(GString) text = usage();
    g_printerr("%s\npipesim --help says more. Example: pipesim mmul08.idg --gpu pascal.xml\n",
               text->str);
    return EXIT_USAGE;
}

/* A person who types the input sees no progress line below it. */
static gboolean reads_terminal(const Options *options)
{
    return isatty(STDIN_FILENO) &&
           ((options->files && g_strv_contains((const char *const *)options->files, "-")) ||
            (options->gpus && g_strv_contains((const char *const *)options->gpus, "-")));
}

static int work(Verb verb, Options *options)
{
    Progress *progress = progress_new(!reads_terminal(options));
    options_set_progress(options, progress);
    const int status = FUNCTIONS[verb](options);
    progress_free(progress);
    return status;
}

static int run(Verb verb, char **argv)
{
    /* GLib puts this name into the usage line. */
    g_autofree char *name = g_strdup_printf("pipesim %s", verb_name(verb));
    g_set_prgname(name);
    g_autoptr(GError) error = NULL;
    /* Checked before options, which would be another program's. */
    if (verb == VERB_SWEEP && argv[1] && !find_no_space(argv[1], &error))
        return check_failed(error);
    g_autoptr(Options) options = options_parse(verb, argv, &error);
    if (!options)
        return check_failed(error);
    if (!options->given[OPTION_HELP].on)
        return work(verb, options);
    g_autofree char *help = options_help(verb);
    return say(help);
}

/* "; did you mean ...?" with verbs and graphs, or else how to list them (g_free). */
static char *suggest(const char *first)
{
    g_autoptr(GPtrArray) names = find_graph_stems(), files = find_code_called(first);
    if (files->len)
        return g_strdup_printf("; did you mean %s?", (const char *)files->pdata[0]);
    for (Verb verb = 0; verb < N_VERBS; verb++)
        g_ptr_array_add(names, g_strdup(verb_name(verb)));
    g_autofree char *near = ps_did_you_mean(first, names);
    g_autofree char *verbs = verb_names((1U << N_VERBS) - 1);
    if (*near)
        return g_steal_pointer(&near);
    return g_strconcat("; the verbs are ", verbs, "; pipesim list --graphs lists the graphs", NULL);
}

/* The option of run with this name that needs no value (g_free); NULL: none. */
static char *option_called(const char *name)
{
    g_autofree char *word = g_strconcat("--", name, NULL);
    char *argv[] = {(char *)"pipesim", word, NULL};
    g_autoptr(Value) values = values_read(VERB_RUN, argv, NULL);
    return values ? g_strdup(name) : NULL;
}

/* Reports a first word that is neither a verb nor a graph. */
static int fail_with_names(const char *first)
{
    g_autofree char *option = option_called(first);
    g_autofree char *near = option ? g_strdup_printf("; it is an option: pipesim KERNEL --gpu GPU "
                                                     "--%s",
                                                     option)
                                   : suggest(first);
    g_autoptr(GError) error =
        g_error_new(PS_ERROR, PS_ERROR_USAGE,
                    "there is no verb or graph \"%s\"%s (see pipesim --help)", first, near);
    return fail(error);
}

/* Prints the help of "pipesim help VERB". */
static int help_of(const char *name)
{
    for (Verb verb = 0; verb < N_VERBS; verb++)
        if (strcmp(name, verb_name(verb)) == 0)
            return run(verb, (char *[]){(char *)"pipesim", (char *)"--help", NULL});
    return fail_with_names(name);
}

static void on_limit(int number)
{
    (void)number;
}

/* Makes a file's size limit (ulimit -f) an error like a full disk. A handler, unlike an ignored
 * signal, is not inherited by programs that we run. */
static void tell_of_limits(void)
{
    const struct sigaction told = {.sa_handler = on_limit};
    struct sigaction old;
    if (sigaction(SIGXFSZ, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        sigaction(SIGXFSZ, &told, NULL);
}

int main(int argc, char **argv)
{
    tell_of_limits();
    const char *first = argc > 1 ? argv[1] : "";
    if (argc < 2)
        return say_usage();
    if (strcmp(first, "help") == 0 && argc > 2)
        return help_of(argv[2]);
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0)
        return say_help();
    if (strcmp(first, "--version") == 0 || strcmp(first, "version") == 0)
        return say("pipesim " PIPESIM_VERSION "\n");
    for (Verb verb = 0; verb < N_VERBS; verb++)
        if (strcmp(first, verb_name(verb)) == 0) {
            argv[1] = argv[0];
            return run(verb, argv + 1);
        }
    if (*first && *first != '-' && !strpbrk(first, "./") && !find_has_file(first) &&
        !g_file_test(first, G_FILE_TEST_IS_DIR))
        return fail_with_names(first);
    return run(VERB_RUN, argv);
}
