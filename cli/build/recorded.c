/* SPDX-License-Identifier: BSD-3-Clause */
/* See recorded.h. */
#include "cli/build/recorded.h"

#include "cli/fail.h"
#include "cli/report/paper.h"

#include <math.h>

gboolean recorded_options_check(const Value *given, char **files, GError **error)
{
    if (!given[OPTION_LAUNCH].text)
        return TRUE;
    for (guint i = 0; files && files[i]; i++)
        if (ps_card_recording_is(files[i]))
            return TRUE;
    return !files || usage_error(error,
                                 "--launch is for a recording (pipesim program --record FILE), and "
                                 "'%s' is none",
                                 files[0]);
}

/* The number of the launch, from 1; 0 and *error. */
static guint which(const Options *options, const PsCardRecording *recording, GError **error)
{
    const guint n = ps_card_recording_count(recording);
    const guint64 given = (guint64)options->given[OPTION_LAUNCH].number;
    const char *path = ps_card_recording_name(recording);
    if (!n) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s: no launch was recorded", path);
        return 0;
    }
    if (!given && n > 1) {
        usage_error(error,
                    "%s has %u launches: say which, such as --launch %u; pipesim show %s lists "
                    "them",
                    path, n, n, path);
        return 0;
    }
    if (given > n) {
        usage_error(error, "--launch %" G_GUINT64_FORMAT ": %s has %u launches", given, path, n);
        return 0;
    }
    return given ? (guint)given : 1;
}

PsIdg *recorded_graph(const Options *options, const char *path, const PsGpu *gpu,
                      PsSassCode **machine, GError **error)
{
    g_autoptr(PsCardRecording) recording = ps_card_recording_open(path, error);
    const guint n = recording ? which(options, recording, error) : 0;
    if (!n)
        return NULL;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(PsCardReplay) replay = ps_card_replay_new(recording, gpu, FALSE);
    progress_begin(options->progress, "executing", path);
    PsIdg *idg = ps_card_replay_graph(replay, n, machine, notes, error);
    progress_begin(options->progress, NULL, NULL);
    for (guint i = 0; i < notes->len; i++)
        ps_code_note(&options->code, notes->pdata[i]);
    return idg;
}

/* ---- the list ------------------------------------------------------------------------------- */

static char *extent(const guint size[3])
{
    return size[2] > 1   ? g_strdup_printf("%ux%ux%u", size[0], size[1], size[2])
           : size[1] > 1 ? g_strdup_printf("%ux%u", size[0], size[1])
                         : g_strdup_printf("%u", size[0]);
}

static void add_row(PsTable *table, guint n, const PsCardRecordedLaunch *launch, gboolean measured)
{
    ps_table_add(table, g_strdup_printf("%u", n));
    ps_table_add(table, ps_card_kernel_name(launch->kernel));
    ps_table_add(table, extent(launch->grid));
    ps_table_add(table, extent(launch->block));
    ps_table_add(table, g_strdup_printf("%" G_GUINT64_FORMAT, launch->shared));
    ps_table_add(table, g_strdup_printf("%u", launch->stream));
    if (measured)
        ps_table_add(table,
                     isnan(launch->measured) ? g_strdup("") : ps_format_time(launch->measured));
    ps_table_add(table, launch->left         ? g_strdup_printf("not in it: %s", launch->left)
                        : launch->first != n ? g_strdup_printf("as launch %u", launch->first)
                        : launch->good       ? g_strdup("")
                                             : g_strdup("ended with an error"));
}

/* The recording's launches (PsCardRecordedLaunch); *measured: some have measured times. NULL and
 * *error. */
static GArray *launches_of(const PsCardRecording *recording, gboolean *measured, GError **error)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(PsCardRecordedLaunch));
    *measured = FALSE;
    for (guint n = 1; n <= ps_card_recording_count(recording); n++) {
        PsCardRecordedLaunch launch;
        if (!ps_card_recording_launch(recording, n, &launch, error))
            return NULL;
        *measured = *measured || !isnan(launch.measured);
        g_array_append_val(all, launch);
    }
    return g_steal_pointer(&all);
}

char *recorded_list(const Options *options, const char *path, GError **error)
{
    static const char *const heads[] = {"Launch",  "Kernel",       "Groups",
                                        "Threads", "Shared bytes", "Stream"};
    gboolean measured;
    g_autoptr(PsCardRecording) recording = ps_card_recording_open(path, error);
    g_autoptr(GArray) all = recording ? launches_of(recording, &measured, error) : NULL;
    if (!all)
        return NULL;
    g_autoptr(PsTable) table = ps_table_new(measured ? "rlrrrrrl" : "rlrrrrl");
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
        ps_table_add(table, g_strdup(heads[i]));
    if (measured)
        ps_table_add(table, g_strdup("Measured"));
    ps_table_add(table, g_strdup(""));
    for (guint i = 0; i < all->len; i++)
        add_row(table, i + 1, &g_array_index(all, PsCardRecordedLaunch, i), measured);
    GString *out = g_string_new(NULL);
    const PsPaper paper = paper_for(options, out);
    ps_paper_table(&paper, table, 0);
    return g_string_free(out, FALSE);
}
