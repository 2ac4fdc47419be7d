/* SPDX-License-Identifier: BSD-3-Clause */
/* See words.h. */
#include "tell/words.h"

#include "answer/words.h"
#include "idg/words.h"
#include "tell/format.h"

#include <string.h>

/* The begin of a server's name that means one place in memory. */
#define SPOT "spot "

char *ps_server_words(const PsServerRow *row)
{
    if (ps_server_opens(row))
        return g_strdup("device memory (opening rows)");
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
    if (g_str_equal(row->name, "stores"))
        return g_strdup("stores to L2");
    g_autofree char *name = ps_text_clean(row->name);
    return g_str_has_prefix(name, SPOT)
               ? g_strdup_printf("one place of atomics (%s)", name + strlen(SPOT))
               : g_steal_pointer(&name);
}

/* ---- the critical path --------------------------------------------------------------------- */

char *ps_path_words(PsPathKind kind, const char *name)
{
    if (kind == PS_PATH_DRAIN)
        return g_strdup("memory, after the last group");
    if (kind == PS_PATH_PLACE)
        return g_strdup("places of groups that ended");
    if (kind == PS_PATH_LAUNCH || !name)
        return g_strdup("launching groups");
    g_autofree char *clean = ps_text_clean(name);
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

/* Names a share with its class, which may have no name. */
static char *class_share_of(const PsExplainShare *share, const char *name)
{
    if (share->kind != PS_PATH_BARRIER || !name)
        return ps_path_words(share->kind, name);
    return g_strdup_printf("%s, after warp %u came last", name, share->warp);
}

char *ps_class_share_words(const PsAnswer *answer, const PsExplainShare *share)
{
    g_autofree char *name =
        share->class_index == G_MAXUINT ? NULL : ps_answer_class_words(answer, share->class_index);
    return class_share_of(share, name);
}

char *ps_class_share_name(const PsAnswer *answer, const PsExplainShare *share)
{
    g_autofree char *name = share->class_index == G_MAXUINT
                                ? NULL
                                : ps_text_clean(answer->machine->classes[share->class_index].asked);
    return class_share_of(share, name);
}

char *ps_line_share_words(const PsAnswer *answer, const PsExplainShare *share)
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

char *ps_near_words(const PsAnswer *answer, guint program, guint node)
{
    g_auto(PsNodePlace) place = ps_answer_place(answer, program, node);
    return line_words(&place);
}

char *ps_place_words(const PsAnswer *answer, guint program, guint node)
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

static const char *pipeline_name(const PsAnswer *answer, guint pipeline)
{
    return ((const PsPipeline *)answer->gpu->pipelines->pdata[pipeline])->name;
}

char *ps_pipeline_words(const PsAnswer *answer, guint pipeline)
{
    return ps_answer_pipeline_words(answer, pipeline_name(answer, pipeline));
}

/* The word for ticks without a pipeline; NULL: they have one. */
static const char *share_of_none(const PsExplainShare *share)
{
    return share->kind == PS_PATH_PORT    ? ISSUE_PORT
           : share->pipeline == G_MAXUINT ? NO_PIPELINE
                                          : NULL;
}

char *ps_pipeline_share_words(const PsAnswer *answer, const PsExplainShare *share)
{
    const char *none = share_of_none(share);
    return none ? g_strdup(none) : ps_pipeline_words(answer, share->pipeline);
}

char *ps_pipeline_share_name(const PsAnswer *answer, const PsExplainShare *share)
{
    const char *none = share_of_none(share);
    return none ? g_strdup(none) : ps_text_clean(pipeline_name(answer, share->pipeline));
}

/* A full CU has no time of its own: it is full of its groups' work. */
char *ps_sentence_places(const PsAnswer *answer)
{
    const gint64 places = answer->explain->places;
    g_autofree char *times = ps_format_noun(places, "time");
    return places == 0 ? NULL
                       : g_strdup_printf("A group waited for a place on the CU %s: the time is "
                                         "charged to what the group before it did.",
                                         times);
}

char *ps_sentence_path_lines(const PsAnswer *answer)
{
    const GPtrArray *lines = answer->explain->by_line;
    if (!ps_answer_has_lines(answer))
        return g_strdup("The graph states no source lines; code that is compiled with -lineinfo "
                        "has them.");
    for (guint i = 0; i < lines->len; i++)
        if (((const PsExplainShare *)lines->pdata[i])->near > 0)
            return g_strdup("An instruction without a line of its own is charged to the line "
                            "before it, as \"near\" that line.");
    return NULL;
}

/* ---- waits --------------------------------------------------------------------------------- */

/* Names a wait (g_free). `of` is the name of its class or pipeline, or NULL. */
static char *wait_of(const PsWaitRow *row, const char *of)
{
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

char *ps_wait_words(const PsAnswer *answer, const PsWaitRow *row)
{
    g_autofree char *of = row->which == G_MAXUINT      ? NULL
                          : row->kind == PS_WAIT_QUEUE ? ps_pipeline_words(answer, row->which)
                                                       : ps_answer_class_words(answer, row->which);
    return wait_of(row, of);
}

char *ps_wait_name(const PsAnswer *answer, const PsWaitRow *row)
{
    g_autofree char *of = row->which == G_MAXUINT
                              ? NULL
                              : ps_text_clean(row->kind == PS_WAIT_QUEUE
                                                  ? pipeline_name(answer, row->which)
                                                  : answer->machine->classes[row->which].asked);
    return wait_of(row, of);
}

/* ---- sensitivity --------------------------------------------------------------------------- */

const char *ps_varies_words(const PsAnswer *answer, PsVaries varies)
{
    static const char *const words[] = {
        "issue latency", "completion latency",   "latency", "bandwidth", "port", "groups at once",
        "groups",        "registers per thread", NULL,      "clock"};
    return words[varies] ? words[varies] : ps_idg_local_memory(answer->idg);
}

char *ps_sensitivity_words(const PsAnswer *answer, const PsSensitivity *row)
{
    g_autofree char *name = ps_idg_class_words(answer->idg, row->class_name);
    const char *varies = ps_varies_words(answer, row->varies);
    return !name                             ? g_strdup(varies)
           : ps_varies_of_level(row->varies) ? g_strdup_printf("%s %s", name, varies)
           : row->varies == PS_VARIES_ISSUE  ? g_strdup_printf("%s lambda", name)
                                             : g_strdup_printf("%s Lambda", name);
}

char *ps_relief_words(const PsAnswer *answer, const PsAvoidable *avoidable)
{
    g_autofree char *name = ps_idg_class_words(answer->idg, avoidable->class_name);
    return g_strdup_printf("%s %s", name,
                           avoidable->sectors ? "coalesced"
                           : avoidable->plain ? "without conflicts"
                                              : "as the GPU has it");
}

/* A clock is exact; memory's latencies at another clock are long quotients, which are rounded. */
char *ps_sensitivity_value(const PsSensitivity *row)
{
    return row->varies == PS_VARIES_CLOCK ? ps_rational_format(row->value)
           : row->value.den == 1          ? ps_format_count(row->value.num)
                                          : ps_format_latency(row->value);
}

/* From this share on a change of the wrong sign shows in a table of tenths of a per cent. */
#define CHANCE_SEEN 0.0005

GPtrArray *ps_sentences_chance(const PsAnswer *answer)
{
    GPtrArray *sentences = g_ptr_array_new_with_free_func(g_free);
    const double chance = answer->sensitivities->chance;
    g_autofree char *share = ps_format_share(chance);
    if (chance >= CHANCE_SEEN)
        g_ptr_array_add(sentences, g_strdup_printf("Changes up to %s may be chance: some longer "
                                                   "latency or smaller limit made the run faster "
                                                   "by as much",
                                                   share));
    return sentences;
}

GPtrArray *ps_sentences_untried(const PsAnswer *answer)
{
    GPtrArray *sentences = g_ptr_array_new_with_free_func(g_free);
    const GPtrArray *rows = answer->sensitivities->rows;
    g_autoptr(GHashTable) said = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < rows->len; i++) {
        const PsSensitivity *row = rows->pdata[i];
        for (guint k = 0; k < PS_SENSITIVITY_FACTORS; k++)
            if (row->why[k] && g_hash_table_add(said, row->why[k]))
                g_ptr_array_add(
                    sentences,
                    g_strdup_printf("%s: %s", ps_varies_words(answer, row->varies), row->why[k]));
    }
    return sentences;
}
