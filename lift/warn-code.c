/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warns of code that exceeds a scheduler's memory for instructions: warps wait for instructions
 * that are fetched again in each iteration. How long depends on how far apart the warps are, which
 * no measurement tells, so there is no rule for the time.
 */
#include "lift/build-private.h"

/* The executed instructions of a loop, with inner loops. */
typedef struct {
    gint64 points;
    guint64 bytes; /* bytes of machine code */
} Extent;

typedef struct {
    const PsPtxCode *code;
    Extent *loops; /* by number; the last one is all code */
    guint most;    /* bytes that a scheduler keeps */
    const char *kept;
    GHashTable *seen; /* sequences; extents with a warning */
    GPtrArray *warnings;
} Looking;

static guint number_of(const PsPtxCode *code, guint loop)
{
    return loop == PS_PTX_NOWHERE ? code->n_loops : loop;
}

static Extent *find_extents(const PsFacts *facts)
{
    const PsPtxCode *code = facts->code;
    Extent *loops = g_new0(Extent, code->n_loops + 1);
    for (guint p = 0; p < code->n_points; p++) {
        if (facts->facts[p].role == PS_ROLE_ABSENT)
            continue;
        const gboolean stands = g_array_index(facts->machine->origins, PsSassOrigin, p).stands;
        guint loop = code->points[p].loop;
        for (;; loop = code->loops[loop].parent) {
            Extent *extent = &loops[number_of(code, loop)];
            extent->points++;
            extent->bytes += stands ? PS_SASS_BYTES : 0;
            if (loop == PS_PTX_NOWHERE)
                break;
        }
    }
    return loops;
}

static void warn(const Looking *looking, guint loop, guint64 bytes)
{
    enum { KIB = 1024 };
    g_autofree char *where =
        loop == PS_PTX_NOWHERE
            ? g_strdup("code outside of loops")
            : ps_ptx_code_where(looking->code, looking->code->loops[loop].header);
    g_ptr_array_add(looking->warnings,
                    g_strdup_printf("%s: %" G_GUINT64_FORMAT " KiB of machine code are executed "
                                    "one after the other, and %s; waiting for the others is not "
                                    "modelled, so the time may be too short",
                                    where, bytes / KIB, looking->kept));
}

/* Goes through a sequence that executes most of its instructions once; if most are in loops, these
 * count. */
static void look(const Looking *looking, const PsRollSequence *sequence, guint loop)
{
    const Extent *extent = &looking->loops[number_of(looking->code, loop)];
    if (!g_hash_table_add(looking->seen, (gpointer)sequence))
        return;
    if (extent->bytes > looking->most && sequence->length < 2 * extent->points &&
        sequence->length * 2 > extent->points && g_hash_table_add(looking->seen, (gpointer)extent))
        warn(looking, loop, extent->bytes);
    for (guint i = 0; i < sequence->n_items; i++)
        for (guint r = 0; sequence->items[i].kind == PS_ROLL_LOOP && r < sequence->items[i].n_runs;
             r++)
            look(looking, sequence->items[i].runs[r].body, sequence->items[i].loop);
}

void ps_build_warn_of_code(const PsSamples *samples, const PsFacts *facts, GPtrArray *warnings)
{
    if (!facts->machine)
        return;
    enum { KIB = 1024 };
    gboolean measured;
    const guint most = ps_sass_code_cache(facts->machine->capability, &measured);
    g_autofree char *kept =
        g_strdup_printf("a scheduler of sm_%d keeps %u%s", facts->machine->capability, most / KIB,
                        measured ? "" : ", as is assumed");
    g_autofree Extent *loops = find_extents(facts);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    const Looking looking = {facts->code, loops, most, kept, seen, warnings};
    for (guint k = 0; k < samples->chosen->len; k++) {
        const GPtrArray *all = g_array_index(samples->chosen, PsKind, k).group->warps;
        for (guint i = 0; i < all->len; i++)
            look(&looking, ((const PsRollWarps *)all->pdata[i])->sequence, PS_PTX_NOWHERE);
    }
}
