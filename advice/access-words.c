/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on single accesses to memory in words: what would give something. See words.h. */
#include "advice/words.h"

#include "idg/words.h"
#include "tell/format.h"

#include <string.h>

/* ---- wider, aligned ------------------------------------------------------------------------ */

static char *wider(const PsAdvice *advice)
{
    const char *such = advice->then == 16  ? " (such as a float4)"
                       : advice->then == 8 ? " (such as a float2)"
                                           : "";
    return g_strdup_printf("one access of %" G_GINT64_FORMAT " bytes%s instead of %" G_GINT64_FORMAT
                           " of %" G_GINT64_FORMAT " each, which are beside each other,",
                           advice->then, such, advice->then / MAX(advice->now, 1), advice->now);
}

static char *aligned(const PsAdvice *advice)
{
    g_autofree char *sectors =
        g_strdup_printf("a request touches %" G_GINT64_FORMAT " sectors where %" G_GINT64_FORMAT
                        " would do, since it begins",
                        advice->now, advice->then);
    if (advice->offset == PS_IDG_ANY_OFFSET)
        return g_strconcat(sectors, " anywhere in a sector: rows of a multiple of 32 bytes", NULL);
    g_autofree char *bytes = ps_format_noun(advice->offset, "byte");
    return g_strdup_printf("%s %s after a multiple of 32: to begin at one", sectors, bytes);
}

/* ---- nearer -------------------------------------------------------------------------------- */

/* "loads the same address 32 times: one load before the loop" */
static char *in_registers(const PsAdvice *advice)
{
    const gboolean stores = ps_class_is_store(advice->class_name);
    g_autofree char *times = ps_format_count(advice->now);
    if (ps_class_covers("atomic", advice->class_name))
        return g_strdup_printf(
            "each thread adds to the same address %s times in a loop: a register "
            "instead, and one atomic behind it,",
            times);
    return g_strdup_printf(
        "each thread %s the same address %s times in a loop: a register instead, "
        "and one %s,",
        stores ? "stores to" : "loads from", times, stores ? "store behind it" : "load before it");
}

static char *in_local(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *now = ps_format_scaled((double)advice->now);
    g_autofree char *then = ps_format_scaled((double)advice->then);
    return g_strdup_printf(
        "a group's loads move %s bytes, of which %s are distinct: these once, and "
        "kept in %s,",
        now, then, ps_idg_local_memory(answer->idg));
}

/* "those of what the kernel never writes by the read-only path" */
static char *read_only(const PsAdvice *advice)
{
    g_autofree char *share = ps_format_share(advice->share);
    return g_strdup_printf(
        "this GPU's L1 keeps nothing of plain loads: those of what the kernel never writes by the "
        "read-only path (const __restrict__, or __ldg), where it has %s of what they ask L2 for,",
        share);
}

/* ---- one address --------------------------------------------------------------------------- */

/* "one line of counters": a spot is named by its buffer and the line's number. */
static char *describe_spot(const PsAdvice *advice)
{
    const char *number = strrchr(advice->spot, '_');
    return g_strdup_printf("%s of all groups meet at one line of %.*s, and take turns",
                           ps_class_is_store(advice->class_name) ? "stores" : "atomics",
                           number ? (int)(number - advice->spot) : (int)strlen(advice->spot),
                           advice->spot);
}

static char *one_address(const PsAnswer *answer, const PsAdvice *advice)
{
    const char *local = ps_idg_local_memory(answer->idg);
    if (!advice->spot)
        return g_strdup_printf("up to %" G_GINT64_FORMAT
                               " threads of a warp meet at one address of %s: one of its own for "
                               "each",
                               advice->now, local);
    g_autofree char *meet = describe_spot(advice);
    if (advice->change == PS_CHANGE_IN_REGISTERS)
        return g_strdup_printf("%s: sums of each thread, then of its group, and one atomic of each "
                               "group",
                               meet);
    if (advice->change == PS_CHANGE_IN_LOCAL)
        return g_strdup_printf("%s: sums in %s, which each group adds once,", meet, local);
    return g_strdup_printf("%s: a line of its own for each group", meet);
}

/* -------------------------------------------------------------------------------------------- */

static char *change_words(const PsAnswer *answer, const PsAdvice *advice)
{
    if (advice->cause == PS_CAUSE_ONE_ADDRESS)
        return one_address(answer, advice);
    switch (advice->change) {
    case PS_CHANGE_WIDER:
        return wider(advice);
    case PS_CHANGE_ALIGNED:
        return aligned(advice);
    case PS_CHANGE_IN_REGISTERS:
        return in_registers(advice);
    case PS_CHANGE_READ_ONLY:
        return read_only(advice);
    default:
        return in_local(answer, advice);
    }
}

char *ps_access_words(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *change = change_words(answer, advice);
    if (!advice->more_lines)
        return g_steal_pointer(&change);
    g_autofree char *lines = ps_format_noun(advice->more_lines, "more line");
    const gboolean has_comma = g_str_has_suffix(change, ",");
    return g_strdup_printf("%s%s here and on %s%s", change, has_comma ? "" : ",", lines,
                           has_comma ? "," : "");
}
