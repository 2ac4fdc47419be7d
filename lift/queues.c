/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work that groups take from a counter in global memory, as persistent kernels do. Groups are
 * executed one after the other, so the first takes what all would share, and the graph has the time
 * of one group that does everything.
 */
#include "lift/build-private.h"

#include <string.h>

/* Ratio to the mean from which on a group counts as having taken the work of others: if the counter
 * decides how long groups go on, and if it may. */
#define TAKES_ALL 2
#define SEEMS_SO 8

typedef struct {
    const PsFacts *facts;
    guint loop;      /* loop of the counter */
    guint8 *from_it; /* [register]: it depends on the counter */
    gboolean shared; /* shared memory depends on it */
    gboolean grown;
} Search;

static gboolean takes(const PsFacts *facts, guint point)
{
    const PsPtxMnemonic *mnemonic = ps_facts_instruction(facts, point)->mnemonic;
    return strcmp(mnemonic->opcode, "atom") == 0 && mnemonic->space != PS_PTX_SHARED &&
           (ps_ptx_has(mnemonic, "add") || ps_ptx_has(mnemonic, "inc")) &&
           facts->code->points[point].loop != PS_PTX_NOWHERE;
}

gboolean ps_build_leaves(const PsPtxCode *code, guint point, guint loop)
{
    const PsPtxPoint *at = &code->points[point];
    const char *opcode = at->instruction->mnemonic->opcode;
    if (!ps_ptx_code_in_loop(code, point, loop))
        return FALSE;
    if (strcmp(opcode, "ret") == 0 || strcmp(opcode, "exit") == 0)
        return TRUE;
    return at->target != PS_PTX_NOWHERE && ps_ptx_code_may_leave(code, point, loop);
}

static void mark(Search *search, const PsFact *fact)
{
    for (guint i = 0; i < fact->n_to; i++) {
        guint8 *mark = &search->from_it[ps_fact_to(search->facts, fact)[i]];
        search->grown |= !*mark;
        *mark = TRUE;
    }
}

/* Follows the counter through one instruction; TRUE: it decides there whether the loop goes on. */
static gboolean follow(Search *search, guint point)
{
    const PsFact *fact = &search->facts->facts[point];
    const PsPtxMnemonic *mnemonic = ps_facts_instruction(search->facts, point)->mnemonic;
    const gboolean shared = mnemonic->space == PS_PTX_SHARED;
    gboolean reads = shared && search->shared && strcmp(mnemonic->opcode, "ld") == 0;
    for (guint i = 0; i < fact->n_from; i++) {
        const PsUse *use = &ps_fact_from(search->facts, fact)[i];
        reads |= use->kind != PS_USE_ADDRESS && search->from_it[use->reg];
    }
    if (!reads)
        return FALSE;
    search->grown |= shared && !search->shared;
    search->shared |= shared;
    mark(search, fact);
    return ps_build_leaves(search->facts->code, point, search->loop);
}

gboolean ps_build_decides(const PsFacts *facts, guint point)
{
    g_autofree guint8 *from_it = g_malloc0((gsize)facts->n_registers + 1);
    Search search = {facts, facts->code->points[point].loop, from_it, FALSE, FALSE};
    mark(&search, &facts->facts[point]);
    while (search.grown) {
        search.grown = FALSE;
        for (guint p = 0; p < facts->code->n_points; p++)
            if (follow(&search, p))
                return TRUE;
    }
    return FALSE;
}

/* The most instructions of any group, as a multiple of the mean. */
static double most_of_mean(const PsSamples *samples)
{
    gint64 most = 0;
    for (guint k = 0; k < samples->kinds->len; k++)
        most = MAX(most, g_array_index(samples->kinds, PsKind, k).group->length);
    return (double)most / MAX(ps_kinds_mean(samples->kinds), 1);
}

char *ps_build_partial_clause(const PsBuildOptions *options)
{
    return options->partial_name
               ? g_strdup_printf("; %s answers all the same", options->partial_name)
               : g_strdup("");
}

gboolean ps_build_check_queues(const PsSamples *samples, const PsFacts *facts, GError **error)
{
    if (samples->options->partial || most_of_mean(samples) <= TAKES_ALL)
        return TRUE;
    for (guint p = 0; p < facts->code->n_points; p++) {
        if (facts->facts[p].role == PS_ROLE_ABSENT || !takes(facts, p) ||
            !ps_build_decides(facts, p))
            continue;
        g_autofree char *where = ps_ptx_code_where(facts->code, p);
        g_autofree char *clause = ps_build_partial_clause(samples->options);
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: groups take their work here from a counter of global memory; they are "
                    "executed one after the other, so one took what they would share, and the "
                    "time would be far too long%s",
                    where, clause);
        return FALSE;
    }
    return TRUE;
}

void ps_build_warn_of_queues(const PsSamples *samples, const PsFacts *facts, GPtrArray *warnings)
{
    const double most = most_of_mean(samples);
    for (guint p = 0; most > TAKES_ALL && p < facts->code->n_points; p++) {
        if (facts->facts[p].role == PS_ROLE_ABSENT || !takes(facts, p) ||
            (most <= SEEMS_SO && !ps_build_decides(facts, p)))
            continue;
        g_autofree char *where = ps_ptx_code_where(facts->code, p);
        g_ptr_array_add(
            warnings,
            g_strdup_printf("%s: if groups take their work here from a counter of global memory: "
                            "they are executed one after the other, so one took what they would "
                            "share, and the time may be far too long",
                            where));
        return;
    }
}
