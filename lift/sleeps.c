/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that sleep (`nanosleep`). A device lets them sleep for anything from nothing to twice the
 * time that they ask for, so the time is unknown. A loop that waits for other threads may sleep
 * between its looks: then not the sleep decides how long it takes, but what it waits for.
 */
#include "lift/build-private.h"

#include <string.h>

static gboolean sleeps(const PsFacts *facts, guint point)
{
    return facts->facts[point].role != PS_ROLE_ABSENT &&
           strcmp(ps_facts_instruction(facts, point)->mnemonic->opcode, "nanosleep") == 0;
}

/* TRUE if the instruction reads what other threads may change. */
static gboolean looks(const PsFacts *facts, guint point)
{
    static const char *const opcodes[] = {"ld", "atom", "mbarrier", NULL};
    return facts->facts[point].role != PS_ROLE_ABSENT &&
           g_strv_contains(opcodes, ps_facts_instruction(facts, point)->mnemonic->opcode);
}

/* TRUE if other threads end the loop around this point. */
static gboolean waits(const PsFacts *facts, guint point)
{
    const guint loop = facts->code->points[point].loop;
    for (guint p = 0; loop != PS_PTX_NOWHERE && p < facts->code->n_points; p++)
        if (facts->code->points[p].loop == loop && looks(facts, p) && ps_build_decides(facts, p))
            return TRUE;
    return FALSE;
}

gboolean ps_build_check_sleeps(const PsSamples *samples, const PsFacts *facts, GError **error)
{
    for (guint p = 0; !samples->options->partial && p < facts->code->n_points; p++) {
        if (!sleeps(facts, p) || waits(facts, p))
            continue;
        g_autofree char *where = ps_ptx_code_where(facts->code, p);
        g_autofree char *clause = ps_build_partial_clause(samples->options);
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: threads sleep here, for anything from nothing to twice what they ask for, "
                    "so the time is not known%s",
                    where, clause);
        return FALSE;
    }
    return TRUE;
}

void ps_build_warn_of_sleeps(const PsFacts *facts, GPtrArray *warnings)
{
    for (guint p = 0; p < facts->code->n_points; p++) {
        if (!sleeps(facts, p))
            continue;
        g_autofree char *where = ps_ptx_code_where(facts->code, p);
        g_ptr_array_add(warnings, g_strdup_printf("%s: the time that threads sleep here is not in "
                                                  "the answer",
                                                  where));
        return;
    }
}
