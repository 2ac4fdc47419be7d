/* SPDX-License-Identifier: BSD-3-Clause */
/* See rocm.h. */
#include "profile/rocm.h"

#include "base/error.h"
#include "tell/facts.h"
#include "tell/json.h"
#include "tell/roofline-facts.h"

#include <math.h>
#include <string.h>

#define COUNTERS_PER_RUN 4

/* ---- commands ------------------------------------------------------------------------------ */

/* The words, with the command behind them. */
static char **words_and(const char *const *words, char **command)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_strv_builder_addv(builder, (const char **)words);
    g_strv_builder_addv(builder, (const char **)command);
    return g_strv_builder_end(builder);
}

char **ps_rocm_times_command(gboolean is_v3, const char *where, char **command)
{
    const char *const v3[] = {
        "rocprofv3", "--kernel-trace", "--output-format", "csv", "-d", where, "--", NULL};
    g_autofree char *file = g_build_filename(where, "kernel_trace.csv", NULL);
    const char *const v1[] = {"rocprof", "--timestamp", "on", "-o", file, NULL};
    return words_and(is_v3 ? v3 : v1, command);
}

char **ps_rocm_counters_command(gboolean is_v3, const char *where, char **counters, char **command,
                                GError **error)
{
    if (is_v3) {
        const char *const first[] = {"rocprofv3", "--pmc", NULL};
        const char *const rest[] = {"--output-format", "csv", "-d", where, "--", NULL};
        g_auto(GStrv) behind = words_and(rest, command), counting = words_and(first, counters);
        return words_and((const char *const *)counting, behind);
    }
    g_autofree char *list = g_strjoinv(" ", counters), *text = g_strdup_printf("pmc: %s\n", list);
    g_autofree char *wanted = g_build_filename(where, "counters.txt", NULL);
    g_autofree char *file = g_build_filename(where, "counter_collection.csv", NULL);
    const char *const v1[] = {"rocprof", "-i", wanted, "-o", file, NULL};
    return g_file_set_contents(wanted, text, -1, error) ? words_and(v1, command) : NULL;
}

/* ---- counters ------------------------------------------------------------------------------ */

char **ps_rocm_list_command(gboolean is_v3)
{
    const char *const v3[] = {"rocprofv3", "--list-avail", NULL};
    const char *const v1[] = {"rocprof", "--list-basic", "--list-derived", NULL};
    return g_strdupv((char **)(is_v3 ? v3 : v1));
}

GHashTable *ps_rocm_listed(const char *said)
{
    if (!strstr(said, "SQ_"))
        return NULL;
    GHashTable *known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_auto(GStrv) words = g_strsplit_set(said, " \t\r\n,:;[]()\"'", -1);
    for (guint i = 0; words[i]; i++)
        g_hash_table_add(known, g_strdup(words[i]));
    return known;
}

char **ps_rocm_next_counters(const GPtrArray *counters, guint *at)
{
    g_autoptr(GStrvBuilder) group = g_strv_builder_new();
    const guint end = MIN(*at + COUNTERS_PER_RUN, counters->len);
    for (; *at < end; ++*at)
        g_strv_builder_add(group, counters->pdata[*at]);
    return g_strv_builder_end(group);
}

/* ---- files --------------------------------------------------------------------------------- */

/* Appends all files below the folder with that ending. */
static void gather(const char *folder, const char *ending, guint depth, GString *text)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL), *content = NULL;
        gsize length = 0;
        if (g_file_test(path, G_FILE_TEST_IS_DIR) && depth > 0)
            gather(path, ending, depth - 1, text);
        else if (g_str_has_suffix(name, ending) &&
                 g_file_get_contents(path, &content, &length, NULL))
            g_string_append_len(text, content, (gssize)length);
    }
}

PsProfile *ps_rocm_load(gboolean is_v3, const char *folder, const char *what, GError **error)
{
    const char *ending = strcmp(what, "times") != 0 ? "counter_collection.csv"
                         : is_v3                    ? "kernel_trace.csv"
                                                    : ".csv";
    g_autofree char *below = g_build_filename(folder, what, NULL);
    g_autofree char *whole = g_strconcat(folder, "/", what, ".csv", NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    gather(below, ending, 4, text);
    if (!text->len) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s wrote no *%s: no kernel was launched?",
                    is_v3 ? "rocprofv3" : "rocprof", ending);
        return NULL;
    }
    return g_file_set_contents(whole, text->str, (gssize)text->len, error)
               ? ps_profile_load(whole, NULL, error)
               : NULL;
}

/* ---- kernels ------------------------------------------------------------------------------- */

void ps_rocm_join(PsProfile *counts, const PsProfile *times)
{
    for (guint i = 0; i < counts->kernels->len; i++) {
        PsProfileKernel *kernel = counts->kernels->pdata[i];
        kernel->seconds = NAN;
    }
    ps_profile_join(counts, times);
}

static void put_kernel(PsJson *json, const PsProfileKernel *kernel)
{
    g_autoptr(PsTold) facts = ps_told_new();
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_NAME, kernel->name);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_DEVICE, kernel->device);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_LAUNCHES, kernel->launches);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_MEASURED_SECONDS, kernel->seconds);
    ps_tell_parameters(&kernel->params, facts);
    ps_json_told_object(json, facts);
}

char *ps_profile_kernels_json(const PsProfile *profile)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_open(&json, NULL, '{', PS_JSON_LINES);
    ps_json_open_fact(&json, PS_FACT_PROFILE_KERNELS);
    for (guint i = 0; i < profile->kernels->len; i++)
        put_kernel(&json, profile->kernels->pdata[i]);
    ps_json_close(&json, ']');
    ps_json_close(&json, '}');
    g_string_append_c(json.out, '\n');
    return g_string_free(json.out, FALSE);
}
