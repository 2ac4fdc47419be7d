/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loop of a kernel, and its chains. A trip is followed from its first to its last instruction,
 * noting which marked instruction of the trip produced each register.
 */
#include "latency-bench/code/instruction.h"

#include <string.h>

static const PsInstruction *get(const PsCode *code, guint i)
{
    return &g_array_index(code->instructions, PsInstruction, i);
}

/* ---- the loop ------------------------------------------------------------------------------ */

/* The instruction at a place; the number of all: there is none. */
static guint find_place(const PsCode *code, gint64 at)
{
    guint low = 0, high = code->instructions->len;
    while (low < high) {
        const guint middle = (low + high) / 2;
        if (get(code, middle)->at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->instructions->len && get(code, low)->at == at ? low
                                                                     : code->instructions->len;
}

static guint count_marks(const guint8 *marks, guint first, guint last)
{
    guint n = 0;
    for (guint i = first; i <= last; i++)
        n += marks[i];
    return n;
}

gboolean ps_code_find_loop(const PsCode *code, const guint8 *marks, guint *first, guint *last)
{
    guint most = 0;
    for (guint i = 0; i < code->instructions->len; i++) {
        const PsInstruction *branch = get(code, i);
        if (branch->target < 0 || branch->target > branch->at)
            continue;
        const guint begin = find_place(code, branch->target);
        const guint n = begin <= i ? count_marks(marks, begin, i) : 0;
        /* The innermost of loops with equal counts. */
        if (n > most || (n > 0 && n == most && i - begin < *last - *first)) {
            *first = begin;
            *last = i;
            most = n;
        }
    }
    return most > 0;
}

/* ---- chains -------------------------------------------------------------------------------- */

enum { NOBODY = -1 };

/* A marked instruction. */
typedef struct {
    gint64 depth; /* length of the chain of its kind that ends in it */
    gboolean is_waited_for, is_read;
} Link;

typedef struct {
    GArray *links;                   /* Link, in order */
    gint32 maker[PS_CODE_REGISTERS]; /* [register]: the link that produced it, or NOBODY */
    const PsInstruction *before;     /* the instruction before, if it is on a chain; or NULL */
    gint64 alone, all, at_once;      /* as in PsCodeChains */
    gint64 joined;                   /* a branch may have skipped what comes before this place */
} Trip;

/* The link with the longest chain, among an instruction's inputs. */
static gint32 latest_of(const Trip *trip, const PsInstruction *instruction)
{
    gint32 latest = NOBODY;
    gint64 depth = 0;
    for (guint i = 0; i < PS_CODE_READS; i++)
        for (guint k = 0; k < instruction->reads[i].n; k++) {
            const gint32 maker = trip->maker[instruction->reads[i].first + k];
            if (maker != NOBODY && g_array_index(trip->links, Link, maker).depth > depth) {
                depth = g_array_index(trip->links, Link, maker).depth;
                latest = maker;
            }
        }
    return latest;
}

/* An instruction that may be skipped keeps the old value, too: the longer chain counts. */
static void write(Trip *trip, const PsInstruction *instruction, gint32 maker)
{
    const gboolean maybe = instruction->guarded || instruction->at < trip->joined;
    for (guint k = 0; k < instruction->writes.n; k++) {
        gint32 *to = &trip->maker[instruction->writes.first + k];
        const gint64 old = *to == NOBODY ? 0 : g_array_index(trip->links, Link, *to).depth;
        const gint64 new = maker == NOBODY ? 0 : g_array_index(trip->links, Link, maker).depth;
        if (!maybe || new > old)
            *to = maker;
    }
}

static gint32 add_link(Trip *trip, gint32 before)
{
    Link link = {.depth = 1};
    const gint32 self = (gint32)trip->links->len;
    if (before != NOBODY) {
        Link *waited = &g_array_index(trip->links, Link, before);
        waited->is_waited_for = TRUE;
        link.depth = waited->depth + 1;
    }
    g_array_append_val(trip->links, link);
    return self;
}

static gboolean overlap(PsCodeRegisters a, PsCodeRegisters b)
{
    return a.n && b.n && a.first < b.first + b.n && b.first < a.first + a.n;
}

/* Notes whether the first read of a link is a read of the last link so far. */
static void note_reads(Trip *trip, const PsInstruction *instruction)
{
    const gint32 last = (gint32)trip->links->len - 1;
    for (guint i = 0; i < PS_CODE_READS; i++)
        for (guint k = 0; k < instruction->reads[i].n; k++) {
            const gint32 maker = trip->maker[instruction->reads[i].first + k];
            if (maker == NOBODY || g_array_index(trip->links, Link, maker).is_read)
                continue;
            g_array_index(trip->links, Link, maker).is_read = TRUE;
            trip->alone += maker == last;
        }
}

/* Notes an instruction on a chain. */
static void note_way(Trip *trip, const PsInstruction *instruction)
{
    gboolean waits = FALSE;
    for (guint i = 0; i < PS_CODE_READS && trip->before; i++)
        waits = waits || overlap(instruction->reads[i], trip->before->writes);
    trip->all++;
    trip->at_once += waits;
    trip->before = instruction;
}

static void follow(Trip *trip, const PsCode *code, const guint8 *marks, guint first, guint last)
{
    gint32 of_pair = NOBODY;
    memset(trip->maker, 0xff, sizeof trip->maker);
    for (guint i = first; i <= last; i++) {
        const PsInstruction *instruction = get(code, i);
        note_reads(trip, instruction);
        gint32 maker =
            i > first && get(code, i - 1)->paired ? of_pair : latest_of(trip, instruction);
        if (instruction->paired && i < last)
            of_pair = latest_of(trip, get(code, i + 1));
        if (marks[i])
            maker = add_link(trip, maker);
        if (maker != NOBODY)
            note_way(trip, instruction);
        write(trip, instruction, maker);
        if (instruction->target > instruction->at && i < last)
            trip->joined = MAX(trip->joined, instruction->target);
    }
}

static gint64 count_uneven(const GArray *links, gint64 depth, gint64 chains)
{
    g_autofree gint64 *at = g_new0(gint64, depth + 1);
    gint64 uneven = 0;
    for (guint i = 0; i < links->len; i++)
        at[g_array_index(links, Link, i).depth]++;
    for (gint64 i = 1; i <= depth; i++)
        uneven += at[i] != chains;
    return uneven;
}

/* In program order, no step waits for later steps of other chains. */
static gint64 most_ahead(const GArray *links)
{
    gint64 deepest = 0, ahead = 0;
    for (guint i = 0; i < links->len; i++) {
        const gint64 depth = g_array_index(links, Link, i).depth;
        deepest = MAX(deepest, depth);
        ahead = MAX(ahead, deepest - depth);
    }
    return ahead;
}

static void remove_alone(GArray *links)
{
    for (guint i = links->len; i-- > 0;) {
        const Link *link = &g_array_index(links, Link, i);
        if (!link->is_waited_for && link->depth == 1)
            g_array_remove_index(links, i);
    }
}

PsCodeChains ps_code_chains(const PsCode *code, const guint8 *marks, guint first, guint last,
                            gint64 chains, gboolean chained)
{
    PsCodeChains found = {0};
    Trip trip = {.links = g_array_new(FALSE, FALSE, sizeof(Link))};
    follow(&trip, code, marks, first, last);
    for (guint i = first; i <= last; i++)
        found.writes = found.writes || (marks[i] && get(code, i)->writes.n);
    if (chained && found.writes)
        remove_alone(trip.links);
    for (guint i = 0; i < trip.links->len; i++)
        found.depth = MAX(found.depth, g_array_index(trip.links, Link, i).depth);
    found.n = trip.links->len;
    found.uneven = count_uneven(trip.links, found.depth, chains);
    found.ahead = most_ahead(trip.links);
    found.alone = trip.alone;
    found.all = trip.all;
    found.at_once = trip.at_once;
    g_array_unref(trip.links);
    return found;
}
