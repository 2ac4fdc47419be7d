/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pipesim, the program: a client of libpipesim. Here the verb is found; the verbs are in files of
 * their own. Without a verb the arguments are those of run.
 */
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/system/output.h"
#include "cli/verbs.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int (*const VERBS[])(const Options *options) = {
    [VERB_RUN] = run_verb,           [VERB_SWEEP] = sweep_verb, [VERB_COMPARE] = compare_verb,
    [VERB_ROOFLINE] = roofline_verb, [VERB_BENCH] = bench_verb, [VERB_VALIDATE] = validate_verb,
    [VERB_BUILD] = build_verb,       [VERB_SHOW] = show_verb,   [VERB_LIST] = list_verb};

static const char HELP[] =
    "Usage:\n"
    "  pipesim GRAPH --gpu GPU [OPTION...]   a kernel's time, and what limits it\n"
    "  pipesim run ...                       the same\n"
    "  pipesim sweep GRAPH... --gpu GPU... --vary NAME=LIST...\n"
    "                                        many runs: table, CSV, chart\n"
    "  pipesim compare A B --gpu GPU         two runs, and why they differ\n"
    "  pipesim roofline PROFILE|GRAPH... --gpu GPU...\n"
    "                                        bounds without simulation, charts\n"
    "  pipesim bench -o GPU                  measure a device, write its description\n"
    "  pipesim validate GPU -o REPORT        hold a description against whole kernels\n"
    "  pipesim profile [OPTION...] -- COMMAND\n"
    "                                        measure a program's kernels, for roofline\n"
    "  pipesim build KERNEL.ptx|.cu|.cl      a graph of a kernel's code\n"
    "  pipesim show GRAPH|GPU                what a file says, expanded or drawn\n"
    "  pipesim list [--gpus|--graphs]        the GPUs and graphs that there are\n"
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

/* Wrong usage: the message also tells where the right one is described. */
static int fail_with_hint(const GError *error, Verb verb)
{
    if (exit_status(error) != EXIT_USAGE)
        return fail(error);
    g_autoptr(GError) hint = g_error_new(PS_ERROR, PS_ERROR_USAGE, "%s (see pipesim %s --help)",
                                         error->message, verb_name(verb));
    return fail(hint);
}

static int run(Verb verb, char **argv)
{
    /* The name that GLib puts into the usage line. */
    g_autofree char *name = g_strdup_printf("pipesim %s", verb_name(verb));
    g_set_prgname(name);
    g_autoptr(GError) error = NULL;
    g_autoptr(Options) options = options_parse(verb, argv, &error);
    if (!options)
        return fail_with_hint(error, verb);
    if (!options->help)
        return VERBS[verb](options);
    g_autofree char *help = options_help(verb);
    return say(help);
}

static const char PROFILE[] = "profile";

/* "; did you mean ...?", of verbs and graphs, or else all of them (g_free). */
static char *suggest(const char *first)
{
    g_autoptr(GPtrArray) names = find_graph_stems();
    for (Verb verb = VERB_RUN; verb <= VERB_LIST; verb++)
        g_ptr_array_add(names, g_strdup(verb_name(verb)));
    g_ptr_array_add(names, g_strdup(PROFILE));
    g_autofree char *near = ps_did_you_mean(first, names), *graphs = find_graph_names();
    if (*near)
        return g_steal_pointer(&near);
    return g_strconcat("; the verbs are run, sweep, compare, roofline, bench, validate, profile, "
                       "build, show and list",
                       *graphs ? "; there are graphs: " : "", graphs, NULL);
}

/* What stands where a verb or a graph could, and is none of them. */
static int fail_with_names(const char *first)
{
    g_autofree char *near = suggest(first);
    g_autoptr(GError) error =
        g_error_new(PS_ERROR, PS_ERROR_USAGE,
                    "there is no verb or graph \"%s\"%s (see pipesim --help)", first, near);
    return fail(error);
}

static void on_limit(int number)
{
    (void)number;
}

/* A file that may grow no more (ulimit -f) does not: it is told like a full disk. A handler is not
 * inherited by programs that we run, as it would be to ignore the signal. */
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
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0)
        return say(HELP);
    if (strcmp(first, "--version") == 0)
        return say("pipesim " PIPESIM_VERSION "\n");
    if (strcmp(first, PROFILE) == 0)
        return profile_verb(argv + 1);
    for (Verb verb = VERB_RUN; verb <= VERB_LIST; verb++)
        if (strcmp(first, verb_name(verb)) == 0) {
            argv[1] = argv[0];
            return run(verb, argv + 1);
        }
    if (*first && *first != '-' && !strpbrk(first, "./") && !find_has_file(first) &&
        !g_file_test(first, G_FILE_TEST_IS_DIR))
        return fail_with_names(first);
    return run(VERB_RUN, argv);
}
