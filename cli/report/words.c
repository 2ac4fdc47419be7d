/* SPDX-License-Identifier: BSD-3-Clause */
/* See words.h. */
#include "cli/report/words.h"

#include "cli/report/format.h"

#include <string.h>

char *server_words(const PsServerRow *row)
{
    if (row->level == PS_LEVEL_DEVICE)
        return g_strdup("device memory bandwidth");
    if (row->level < PS_N_LEVELS) {
        g_autofree char *name = g_ascii_strup(row->name, -1);
        return g_strdup_printf("%s bandwidth", name);
    }
    if (g_str_equal(row->name, "atomics"))
        return g_strdup("atomics of the whole GPU");
    if (g_str_equal(row->name, "partial"))
        return g_strdup("partial sectors of the whole GPU");
    return ps_text_clean(row->name);
}

/* ---- the critical path --------------------------------------------------------------------- */

char *path_words(PsPathKind kind, const char *asked)
{
    if (kind == PS_PATH_DRAIN)
        return g_strdup("memory, after the last group");
    if (kind == PS_PATH_PLACE)
        return g_strdup("places of groups that ended");
    if (kind == PS_PATH_LAUNCH || !asked)
        return g_strdup("launching groups");
    g_autofree char *clean = ps_text_clean(asked);
    switch (kind) {
    case PS_PATH_PIPELINE:
        return g_strdup_printf("%s, holding its pipeline", clean);
    case PS_PATH_PORT:
        return g_strdup_printf("%s, holding the issue port", clean);
    case PS_PATH_HOLD:
        return g_strdup_printf("%s, holding its warp", clean);
    case PS_PATH_MEMORY:
        return g_strdup_printf("%s, waiting for memory", clean);
    case PS_PATH_BARRIER:
        return g_strdup_printf("%s, after its last warp", clean);
    default:
        return g_strdup_printf("%s, completion latency", clean);
    }
}

char *class_share_words(const PsAnswer *answer, const PsExplainShare *share)
{
    const char *asked =
        share->class_index == G_MAXUINT ? NULL : answer->machine->classes[share->class_index].asked;
    if (share->kind != PS_PATH_BARRIER || !asked)
        return path_words(share->kind, asked);
    g_autofree char *clean = ps_text_clean(asked);
    return g_strdup_printf("%s, after warp %u came last", clean, share->warp);
}

char *line_share_words(const PsAnswer *answer, const PsExplainShare *share)
{
    g_auto(PsNodePlace) place = ps_answer_place(answer, share->program, share->node);
    if (!share->line)
        return g_strdup(NO_LINE);
    if (share->near == share->ticks)
        return g_strdup_printf("near %s", share->line);
    return place.via ? g_strdup_printf("%s (%s)", share->line, place.via) : g_strdup(share->line);
}

static char *line_words(const PsNodePlace *place)
{
    return g_strconcat(place->line && place->near ? "near " : "", place->line ? place->line : "",
                       NULL);
}

char *near_words(const PsAnswer *answer, guint program, guint node)
{
    g_auto(PsNodePlace) place = ps_answer_place(answer, program, node);
    return line_words(&place);
}

char *place_words(const PsAnswer *answer, guint program, guint node)
{
    g_auto(PsNodePlace) place = ps_answer_place(answer, program, node);
    g_autofree char *line = line_words(&place);
    GString *words = g_string_new(line);
    if (place.via)
        g_string_append_printf(words, " (%s)", place.via);
    if (place.address >= 0)
        g_string_append_printf(words, "%sat %04x", words->len ? " " : "", (guint)place.address);
    return g_string_free(words, FALSE);
}

static char *pipeline_words(const PsAnswer *answer, guint pipeline)
{
    return ps_text_clean(((const PsPipeline *)answer->gpu->pipelines->pdata[pipeline])->name);
}

char *pipeline_share_words(const PsAnswer *answer, const PsExplainShare *share)
{
    if (share->kind == PS_PATH_PORT)
        return g_strdup(ISSUE_PORT);
    return share->pipeline == G_MAXUINT ? g_strdup(NO_PIPELINE)
                                        : pipeline_words(answer, share->pipeline);
}

/* ---- waits --------------------------------------------------------------------------------- */

char *wait_words(const PsAnswer *answer, const PsWaitRow *row)
{
    g_autofree char *of = NULL;
    if (row->which != G_MAXUINT)
        of = row->kind == PS_WAIT_QUEUE ? pipeline_words(answer, row->which)
                                        : ps_text_clean(answer->machine->classes[row->which].asked);
    switch (row->kind) {
    case PS_WAIT_ISSUING:
        return of ? g_strdup_printf("issuing %s", of) : g_strdup("issuing");
    case PS_WAIT_DATA:
        return of ? g_strdup_printf("data of %s", of) : g_strdup("data");
    case PS_WAIT_QUEUE:
        return of ? g_strdup_printf("queue of pipeline %s", of) : g_strdup("queue");
    case PS_WAIT_PORT:
        return g_strdup(ISSUE_PORT);
    case PS_WAIT_HOLD:
        return of ? g_strdup_printf("hold of %s", of) : g_strdup("hold");
    case PS_WAIT_BARRIER:
        return g_strdup("barrier");
    case PS_WAIT_DRAIN:
        return g_strdup("last results, or other warps of the group");
    case PS_WAIT_NOT_STARTED:
        return g_strdup("not started");
    default:
        return g_strdup("done");
    }
}

/* ---- sensitivity --------------------------------------------------------------------------- */

const char *varies_words(PsVaries varies)
{
    static const char *const words[] = {"issue latency", "completion latency",
                                        "latency",       "bandwidth",
                                        "port",          "groups at once",
                                        "groups",        "registers per thread",
                                        "local memory",  "clock"};
    return words[varies];
}

/* Latencies of memory at another clock are quotients that nobody reads. */
char *sensitivity_value(const PsSensitivity *row)
{
    g_autofree char *exact = ps_rational_format(row->value);
    return row->varies == PS_VARIES_CLOCK ? g_steal_pointer(&exact)
           : strchr(exact, '/')           ? format_number(ps_rational_to_double(row->value))
                                          : format_cycles(row->value);
}
