/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that try a compare-and-swap, or an exchange, in global memory until no other thread has
 * changed the word in between. Groups are executed one after the other, so only a group's own
 * threads make a try fail, and the failures because of other groups are unknown. If groups seldom
 * meet at a word, that is a warning. If they do meet, nearly all tries may fail, and the time would
 * be far too short.
 */
#include "lift/build-private.h"

#include <string.h>

static gboolean tries(const PsFacts *facts, guint point)
{
    const PsPtxMnemonic *mnemonic = ps_facts_instruction(facts, point)->mnemonic;
    return facts->facts[point].role != PS_ROLE_ABSENT && strcmp(mnemonic->opcode, "atom") == 0 &&
           (ps_ptx_has(mnemonic, "cas") || ps_ptx_has(mnemonic, "exch")) &&
           mnemonic->space != PS_PTX_SHARED && facts->code->points[point].loop != PS_PTX_NOWHERE &&
           ps_build_decides(facts, point);
}

/* The number of groups at once. */
static double groups_at_once(const PsSamples *samples)
{
    const PsBuildOptions *options = samples->options;
    const double all = (double)ps_samples_groups(samples);
    const guint resident = ps_samples_resident(options, ps_ptx_machine_code(samples->machine));
    return resident > 0 && options->compute_units > 0
               ? MIN(all, (double)resident * options->compute_units)
               : all;
}

/* The first point of these spots where a mean try meets at least one of another group; or
 * PS_PTX_NOWHERE. */
static guint contended(const PsSpots *spots, double others)
{
    for (guint i = 0; i < spots->spots->len; i++) {
        const PsSpot *spot = ps_spot(spots, i);
        PsMeeting meeting;
        if (ps_spot_is_node(spots, i) && spot->pattern &&
            ps_pattern_meeting(spot->pattern, &meeting) && meeting.share * others >= 1 &&
            tries(spots->facts, spot->point))
            return spot->point;
    }
    return PS_PTX_NOWHERE;
}

gboolean ps_build_check_retries(const PsSamples *samples, const PsLayout *layout, GError **error)
{
    const double others = groups_at_once(samples) - 1;
    guint first = PS_PTX_NOWHERE;
    GHashTableIter all;
    gpointer spots;
    g_hash_table_iter_init(&all, layout->spots);
    while (!samples->options->partial && g_hash_table_iter_next(&all, NULL, &spots))
        first = MIN(first, contended(spots, others));
    if (first == PS_PTX_NOWHERE)
        return TRUE;
    g_autofree char *where = ps_ptx_code_where(layout->facts->code, first);
    g_autofree char *clause = ps_build_partial_clause(samples->options);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%s: threads of many groups try this at one place until it succeeds; how often "
                "others make it fail is not known, since groups are executed one after the other, "
                "so the time is not known; an atomic operation that needs no loop has one%s",
                where, clause);
    return FALSE;
}

void ps_build_warn_of_retries(const PsFacts *facts, GPtrArray *warnings)
{
    for (guint p = 0; p < facts->code->n_points; p++) {
        if (!tries(facts, p))
            continue;
        g_autofree char *where = ps_ptx_code_where(facts->code, p);
        g_ptr_array_add(
            warnings,
            g_strdup_printf("%s: this loop tries an atomic operation until it succeeds; how often "
                            "threads of other groups make it fail nobody knows, since groups are "
                            "executed one after the other, so the time may be too short",
                            where));
        return;
    }
}
