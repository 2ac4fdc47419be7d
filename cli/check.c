/* SPDX-License-Identifier: BSD-3-Clause */
/* See check.h. */
#include "cli/check.h"

#include "cli/build/graph.h"
#include "cli/fail.h"
#include "cli/find.h"

#include <errno.h>
#include <string.h>

gboolean check_files(const Options *options, const char *wanted, GError **error)
{
    return options->files || usage_error(error, "say which %s", wanted);
}

gboolean check_one_file(const Options *options, const char *instead, GError **error)
{
    return !options->files[1] ||
           usage_error(error, "'%s': one file at a time%s", options->files[1], instead);
}

/* Printed texts may have other dashes than the hyphen before an option. */
static gboolean check_dashes(const char *word, GError **error)
{
    static const char *const dashes[] = {"\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x88\x92"};
    for (guint i = 0; i < G_N_ELEMENTS(dashes); i++)
        if (g_str_has_prefix(word, dashes[i])) {
            const char *name = word + strlen(dashes[i]);
            while (g_str_has_prefix(name, dashes[i]))
                name += strlen(dashes[i]);
            return usage_error(error, "'%s' begins with a dash, and options with two hyphens: --%s",
                               word, name);
        }
    return TRUE;
}

/* Refuses words behind code that are no files: values of arguments without --arg. */
static gboolean check_values(char **files, GError **error)
{
    for (guint i = 1; files[i] && ps_kernel_code_is(files[0]); i++) {
        const char *word = files[i];
        const gsize name = strspn(word, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_+");
        if (g_file_test(word, G_FILE_TEST_EXISTS))
            continue;
        if (name && word[name] == '=')
            return usage_error(error, "'%s' looks like an argument's value; write --arg %s", word,
                               word);
        if (g_ascii_isdigit(*word) && !word[name])
            return usage_error(error, "'%s' looks like an argument's value; write --arg NAME=%s",
                               word, word);
    }
    return TRUE;
}

/* A GPU among the graphs: its --gpu is most likely missing. */
static const char *gpu_among(char **files)
{
    for (guint i = 1; files[i]; i++)
        if (g_str_has_suffix(files[i], ".xml") || find_is_gpu(files[i]))
            return files[i];
    return NULL;
}

gboolean check_graphs(const Options *options, GError **error)
{
    char **files = options->files;
    for (char **file = files; *file; file++)
        if (!check_dashes(*file, error))
            return FALSE;
    const char *gpu = gpu_among(files);
    if (gpu)
        return usage_error(error, "'%s' looks like a GPU description; write --gpu %s", gpu, gpu);
    if (files[1] && !options->gpus && ps_kernel_code_is(files[1]) && find_is_gpu(files[0]))
        return usage_error(error, "'%s' is a GPU description; write %s --gpu %s", files[0],
                           files[1], files[0]);
    return check_values(files, error);
}

gboolean check_gpus(const Options *options, GError **error)
{
    const char *first = options->files[0];
    if (options->gpus)
        return TRUE;
    if (find_is_gpu(first))
        return usage_error(error,
                           "'%s' is a GPU description; pipesim show %s prints it, and --gpu %s "
                           "beside a graph runs that on it",
                           first, first, first);
    g_autoptr(GError) all = NULL;
    if (ps_kernel_code_is(first) && !say_what_lacks(options, first, "--gpu GPU", &all) &&
        exit_status(all) == EXIT_USAGE) {
        g_propagate_error(error, g_steal_pointer(&all));
        return FALSE;
    }
    return usage_error(error, "say on which GPU, such as --gpu pascal.xml");
}

gboolean check_one_gpu(const Options *options, GError **error)
{
    return !options->gpus || !options->gpus[1] ||
           usage_error(error, "--gpu %s: one GPU at a time; sweep takes several", options->gpus[1]);
}

/* A measured time belongs to one launch: only variants in active groups and latencies may be
 * compared with it. */
gboolean check_measured_time(const Options *options, GError **error)
{
    if (!(options->measured > 0))
        return TRUE;
    if (options->files[1] || options->gpus[1])
        return usage_error(error, "--measured is the time of one graph on one GPU");
    for (guint i = 0; i < options->vary->len; i++) {
        const PsSweepAxis *vary = options->vary->pdata[i];
        if (vary->kind != PS_SWEEP_AXIS_ACTIVE && vary->kind != PS_SWEEP_AXIS_ISSUE &&
            vary->kind != PS_SWEEP_AXIS_COMPLETION)
            return usage_error(error,
                               "--measured is the time of one launch, so %s cannot be varied "
                               "beside it; active, CLASS.issue and CLASS.completion can",
                               vary->name);
    }
    return TRUE;
}

gboolean check_listing(const Options *options, const char *name, const PsSassCode *machine,
                       GError **error)
{
    return machine || !options->given[OPTION_LISTING].on ||
           usage_error(error,
                       "--listing: %s was not executed as machine code; give it a cubin, or PTX or "
                       "a source with --from sass",
                       name);
}

gboolean check_stdin(const Options *options, GError **error)
{
    guint n = 0;
    for (char **file = options->files; *file; file++)
        n += strcmp(*file, "-") == 0;
    for (char **gpu = options->gpus; gpu && *gpu; gpu++)
        n += strcmp(*gpu, "-") == 0;
    n += g_strcmp0(options->given[OPTION_LAUNCHES].text, "-") == 0;
    return n < 2 || usage_error(error, "standard input (-) can be read only once");
}

gboolean check_folders(const Options *options, GError **error)
{
    static const struct {
        OptionId id;
        const char *name; /* begins the message; NULL: none */
    } files[] = {{OPTION_OUTPUT, "--output"},
                 {OPTION_REPORT, "--report"},
                 {OPTION_CHART, NULL},
                 {OPTION_TRACE, "--trace"},
                 {OPTION_LOG, "--log"}};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        const char *path = options->given[files[i].id].text;
        g_autofree char *folder = path ? g_path_get_dirname(path) : NULL;
        if (!folder || g_file_test(folder, G_FILE_TEST_EXISTS))
            continue;
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s%s%s: cannot be written: %s",
                    files[i].name ? files[i].name : "", files[i].name ? ": " : "", path,
                    g_strerror(ENOENT));
        return FALSE;
    }
    return TRUE;
}

int check_failed(const GError *error)
{
    if (exit_status(error) != EXIT_USAGE)
        return fail(error);
    g_autoptr(GError) hint = g_error_new(PS_ERROR, PS_ERROR_USAGE, "%s (see %s --help)",
                                         error->message, g_get_prgname());
    return fail(hint);
}
