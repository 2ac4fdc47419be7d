/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pipesim, the program: a client of libpipesim. Here the verb is found; the verbs are in files of
 * their own. Without a verb the arguments are those of run.
 */
#include "cli/fail.h"
#include "cli/output.h"
#include "cli/verbs.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(const Options *options);
} VERBS[] = {[VERB_RUN] = {"run", run_verb},
             [VERB_SWEEP] = {"sweep", sweep_verb},
             [VERB_SHOW] = {"show", show_verb}};

static const char HELP[] =
    "Usage:\n"
    "  pipesim GRAPH --gpu GPU [OPTION...]   a kernel's time, and what limits it\n"
    "  pipesim run ...                       the same\n"
    "  pipesim sweep GRAPH... --gpu GPU... --vary NAME=LIST...\n"
    "                                        many runs: table, CSV, chart\n"
    "  pipesim show GRAPH|GPU                what a file says, expanded or drawn\n"
    "\n"
    "  pipesim run --help, pipesim sweep --help and pipesim show --help say more;\n"
    "  pipesim --version tells the version.\n"
    "\n"
    "GRAPH is an instruction dependence graph (.idg), GPU a description (.xml).\n"
    "A name without a folder is looked up in the current folder, in the folders of\n"
    "$PIPESIM_PATH and among the graphs and GPUs that come with pipesim.\n"
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
                                         error->message, VERBS[verb].name);
    return fail(hint);
}

static int run(Verb verb, int argc, char **argv)
{
    /* The name that GLib puts into the usage line. */
    g_autofree char *name = g_strdup_printf("pipesim %s", VERBS[verb].name);
    g_set_prgname(name);
    g_autoptr(GError) error = NULL;
    g_autoptr(Options) options = options_parse(verb, argc, argv, &error);
    if (!options)
        return fail_with_hint(error, verb);
    if (!options->help)
        return VERBS[verb].run(options);
    g_autofree char *help = options_help(verb);
    return say(help);
}

int main(int argc, char **argv)
{
    /* A reader that goes away is an error of the write, which then ends the program in order. */
    signal(SIGPIPE, SIG_IGN);
    const char *first = argc > 1 ? argv[1] : "";
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        return say(HELP);
    if (strcmp(first, "--version") == 0)
        return say("pipesim " PIPESIM_VERSION "\n");
    for (guint i = 0; i < G_N_ELEMENTS(VERBS); i++)
        if (strcmp(first, VERBS[i].name) == 0) {
            argv[1] = argv[0];
            return run((Verb)i, argc - 1, argv + 1);
        }
    return run(VERB_RUN, argc, argv);
}
