/* SPDX-License-Identifier: BSD-3-Clause */
/* See hint.h. */
#include "tell/hint.h"

#include "answer/figures.h"
#include "answer/words.h"
#include "base/class-name.h"
#include "idg/words.h"
#include "tell/describe.h"
#include "tell/format.h"
#include "tell/words.h"

#include <string.h>

/* The class that a hint names (g_free). */
static char *class_name(const PsAnswer *answer, const PsHint *hint, const char *otherwise)
{
    return hint->class_index == G_MAXUINT ? g_strdup(otherwise)
                                          : ps_answer_class_words(answer, hint->class_index);
}

static char *relieve_pipeline(const PsAnswer *answer, const PsHint *hint)
{
    g_autofree char *pipeline = ps_pipeline_words(answer, hint->pipeline);
    g_autofree char *name = class_name(answer, hint, NULL);
    g_autofree char *share = ps_format_share(hint->share);
    return g_strdup_printf("fewer or cheaper instructions of %s: %s of what %s is busy with", name,
                           share, pipeline);
}

/* Loads wait there for stores of partial sectors, which may take most of the time. */
static char *relieve_partial(const PsAnswer *answer, const PsHint *hint, const char *name)
{
    return hint->class_index != G_MAXUINT &&
                   !ps_class_writes(answer->machine->classes[hint->class_index].asked)
               ? g_strdup_printf("fewer sectors per request, of which %s moves most, and stores of "
                                 "whole sectors",
                                 name)
               : g_strdup_printf("stores of whole sectors, such as by threads beside each other "
                                 "that write beside each other: %s writes parts of them",
                                 name);
}

static char *relieve_server(const PsAnswer *answer, const PsHint *hint)
{
    g_autofree char *name = class_name(answer, hint, "loads and stores");
    if (ps_server_opens(hint->server))
        return g_strdup_printf(
            "accesses of which several meet in a row of device memory (1 KB): each "
            "of %s is alone in its row",
            name);
    if (hint->server->level == PS_LEVEL_DEVICE)
        return g_strdup_printf("fewer bytes from and to device memory, most of which %s moves",
                               name);
    if (hint->server->level < PS_N_LEVELS)
        return g_strdup_printf("fewer sectors per request, or data kept in registers and %s: %s "
                               "moves most",
                               ps_idg_local_memory(answer->idg), name);
    if (strcmp(hint->server->name, "stores") == 0)
        return g_strdup_printf("fewer bytes to and from L2, most of which %s moves", name);
    if (strcmp(hint->server->name, "partial") == 0)
        return relieve_partial(answer, hint, name);
    g_autofree char *text = ps_server_words(hint->server);
    return g_strdup_printf("fewer requests of %s to %s: combine them within a warp or group first",
                           name, text);
}

static char *add_warps(const PsAnswer *answer, const PsHint *hint)
{
    g_autofree char *limits = ps_sentence_limits(answer);
    g_autofree char *name = class_name(answer, hint, "results");
    return g_strdup_printf("more warps at once (now limited by %s), or more independent "
                           "instructions while %s is awaited",
                           limits, name);
}

static char *add_instructions(const PsAnswer *answer, const PsHint *hint)
{
    g_autofree char *name = class_name(answer, hint, "results");
    return g_strdup_printf("more independent instructions in each warp while %s is awaited", name);
}

/* The share of groups that write nothing. */
static double idle_share(const PsKernel *kernel)
{
    g_autofree gboolean *writes = g_new0(gboolean, kernel->n_kinds);
    gint64 idle = 0;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            writes[kernel->programs[p].kind] |=
                ps_class_writes(kernel->programs[p].nodes[n].item->class_name);
    for (guint k = 0; k < kernel->n_kinds; k++)
        idle += writes[k] ? 0 : kernel->kinds[k].share;
    return (double)idle / (double)kernel->parts;
}

/* Where most groups write nothing and others do, there is no data for most, as when the grid was
 * counted in threads. */
static char *relieve_launches(const PsAnswer *answer)
{
    const double idle = idle_share(answer->kernel);
    g_autofree char *share = ps_format_share(idle);
    return idle < 0.5 || idle == 1
               ? g_strdup("larger groups, or more work in each")
               : g_strdup_printf("fewer groups: %s of them write nothing; a grid counts groups and "
                                 "no threads",
                                 share);
}

char *ps_hint_new(const PsAnswer *answer)
{
    const PsHint hint = ps_answer_hint(answer);
    switch (hint.kind) {
    case PS_HINT_NONE:
        break;
    case PS_HINT_PIPELINE:
        return relieve_pipeline(answer, &hint);
    case PS_HINT_SERVER:
        return relieve_server(answer, &hint);
    case PS_HINT_MORE_GROUPS:
        return g_strdup_printf("more groups: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                               " CUs have work",
                               answer->machine->launch.groups, answer->gpu->compute_units);
    case PS_HINT_MORE_WARPS:
        return add_warps(answer, &hint);
    case PS_HINT_INDEPENDENT:
        return add_instructions(answer, &hint);
    case PS_HINT_LARGER_GROUPS:
        return relieve_launches(answer);
    case PS_HINT_INSTRUCTIONS:
        return g_strdup("fewer instructions, whatever their pipelines: wider loads and stores, "
                        "loops unrolled further, less arithmetic of addresses");
    }
    return NULL;
}
