/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb profile: a program is run, its kernels are measured, and a file is written that
 * `pipesim roofline` reads. Its options end where the command begins, whose own options are its
 * own.
 */
#include "cli/profile/profile.h"

#include "cli/fail.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

static const char SUMMARY[] =
    "Runs a program that uses a GPU, measures its kernels, and writes a file for\n"
    "pipesim roofline. It runs once for times and again for counters, which disturb times.\n"
    "\n"
    "CUDA programs need no change; NVIDIA's CUPTI, of the CUDA toolkit, does the work.\n"
    "HIP programs are run by ROCm's rocprofv3 or rocprof.";

typedef struct {
    char *output, *metrics, *backend, *counters;
    gboolean help;
} Texts;

static void texts_clear(Texts *texts)
{
    g_free(texts->output);
    g_free(texts->metrics);
    g_free(texts->backend);
    g_free(texts->counters);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

/* Adds the names of the options, with their dashes. */
static GOptionContext *make_context(Texts *texts, GPtrArray *names)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &texts->output,
         "Where to write (profile.csv, for HIP profile.json)", "FILE"},
        {"metrics", 0, 0, G_OPTION_ARG_STRING, &texts->metrics,
         "What the roofline needs, or times alone", "roofline|times"},
        {"backend", 0, 0, G_OPTION_ARG_STRING, &texts->backend, "Of the program (cuda)",
         "cuda|hip"},
        {"counters", 0, 0, G_OPTION_ARG_STRING, &texts->counters,
         "Who counts: CUPTI, or Nsight Compute", "cupti|ncu"},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &texts->help, "Show this help", NULL},
        {0},
    };
    GOptionContext *context = g_option_context_new("[--] COMMAND [ARGUMENT...]");
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_strict_posix(context, TRUE);
    g_option_context_set_summary(context, SUMMARY);
    g_option_context_add_main_entries(context, entries, NULL);
    for (const GOptionEntry *entry = entries; entry->long_name; entry++)
        g_ptr_array_add(names, g_strconcat("--", entry->long_name, NULL));
    return context;
}

/* Whether the text, or else the first name, is the second of two names. */
static gboolean choose(const char *option, const char *text, const char *const names[2],
                       gboolean *second, GError **error)
{
    *second = g_strcmp0(text, names[1]) == 0;
    return !text || *second || strcmp(text, names[0]) == 0 ||
           usage_error(error, "--%s: there is no '%s'; it is %s or %s", option, text, names[0],
                       names[1]);
}

/* The exit status; EXIT_USAGE with *error where the options are wrong. */
static int profile(const Texts *texts, char **command, GError **error)
{
    gboolean times_alone, is_hip, use_ncu;
    if (!choose("metrics", texts->metrics, (const char *const[]){"roofline", "times"}, &times_alone,
                error) ||
        !choose("backend", texts->backend, (const char *const[]){"cuda", "hip"}, &is_hip, error) ||
        !choose("counters", texts->counters, (const char *const[]){"cupti", "ncu"}, &use_ncu,
                error))
        return EXIT_USAGE;
    if (texts->output && !*texts->output) {
        usage_error(error, "--output: the name of the file is empty");
        return EXIT_USAGE;
    }
    if (*command && strcmp(*command, "--") == 0)
        command++;
    if (!*command) {
        usage_error(error, "say which program to run, as in: pipesim profile -- ./app 1024");
        return EXIT_USAGE;
    }
    const ProfileOptions options = {.output = texts->output ? texts->output
                                              : is_hip      ? "profile.json"
                                                            : "profile.csv",
                                    .counters = !times_alone,
                                    .use_ncu = use_ncu,
                                    .command = command};
    return (is_hip ? profile_hip : profile_cuda)(&options);
}

int profile_verb(char **argv)
{
    g_autoptr(GError) error = NULL;
    g_auto(Texts) texts = {0};
    g_set_prgname("pipesim profile");
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GOptionContext) context = make_context(&texts, names);
    g_auto(GStrv) rest = g_strdupv(argv);
    int status = EXIT_USAGE;
    if (g_option_context_parse_strv(context, &rest, &error)) {
        if (texts.help) {
            g_autofree char *help = g_option_context_get_help(context, TRUE, NULL);
            return output_write(NULL, help, &error) ? EXIT_SUCCESS : fail(error);
        }
        status = profile(&texts, rest + 1, &error);
    }
    if (error) {
        option_suggest(error, names);
        g_autoptr(GError) hint = g_error_new(PS_ERROR, PS_ERROR_USAGE,
                                             "%s (see pipesim profile --help)", error->message);
        return fail(hint);
    }
    return status;
}
