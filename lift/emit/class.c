/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the class of a spot's instruction, with the suffix of its access, and counts the
 * instructions of each class. */
#include "lift/emit/emit-private.h"

#include "base/class-name.h"

#include <string.h>

static gboolean moves_matrices(const PsPtxMnemonic *mnemonic)
{
    return strcmp(mnemonic->opcode, "ldmatrix") == 0 || strcmp(mnemonic->opcode, "stmatrix") == 0;
}

/* Words of each lane in the matrices of ldmatrix and stmatrix: one for each 8 rows. */
static gint64 words_of_matrices(const PsPtxMnemonic *mnemonic)
{
    const gint64 matrices = ps_ptx_has(mnemonic, "x4") ? 4 : ps_ptx_has(mnemonic, "x2") ? 2 : 1;
    return matrices * (ps_ptx_has(mnemonic, "m16n16") ? 2 : 1);
}

static const PsPtxMnemonic *mnemonic_of(const PsSpots *spots, guint i)
{
    return ps_facts_instruction(spots->facts, ps_spot(spots, i)->point)->mnemonic;
}

/* Words of 4 bytes that each lane moves at once: 1 if the class does not depend on it. */
static gint64 words_of(const PsSpots *spots, guint i, guint bytes)
{
    const char *name = ps_spot_fact(spots, i)->name;
    static const char *const plain[] = {
        "local.load",      "local.store",      "global.load", "global.store",
        "global.load.own", "global.store.own", NULL};
    const PsPtxMnemonic *mnemonic = mnemonic_of(spots, i);
    if (moves_matrices(mnemonic))
        return words_of_matrices(mnemonic);
    if (!g_strv_contains(plain, name) || strcmp(mnemonic->opcode, "wmma") == 0)
        return 1;
    return bytes == 8 || bytes == 16 || bytes == 32 ? bytes / 4 : 1;
}

/* TRUE for accesses to memory that the graph shows. If all warps meet at an mbarrier, the access to
 * the mbarrier itself does not matter. A constant that is read into a uniform register has the
 * class of a move, without pattern or bytes. */
gboolean ps_spot_is_access(const PsSpots *spots, guint i)
{
    const PsFact *fact = ps_spot_fact(spots, i);
    return ps_spot(spots, i)->pattern && fact->class.kind != PS_CLASS_BARRIER &&
           !ps_class_covers("logic", fact->name);
}

char *ps_spot_class(const PsSpots *spots, guint i)
{
    const PsSpot *spot = ps_spot(spots, i);
    const char *name = ps_spot_fact(spots, i)->name;
    if (!ps_spot_is_access(spots, i) || ps_class_covers("copy", name))
        return g_strdup(name);
    PsPattern pattern = *spot->pattern;
    pattern.degree = spot->degree;
    pattern.bytes = spot->bytes > 0 ? spot->bytes : pattern.bytes;
    PsClassAccess access = ps_pattern_access(&pattern);
    access.words = words_of(spots, i, pattern.bytes);
    if (moves_matrices(mnemonic_of(spots, i))) { /* each lane by itself */
        access.broadcast = 0;
        access.pairs = 0;
    }
    return ps_class_with_access(name, &access);
}

static void count_class(GHashTable *counts, const char *class_name, gint64 times)
{
    gint64 *count = g_hash_table_lookup(counts, class_name);
    if (!count) {
        count = g_new0(gint64, 1);
        g_hash_table_insert(counts, g_strdup(class_name), count);
    }
    *count += times;
}

static void count_spot(const PsSpots *spots, guint i, GHashTable *counts, gint64 times)
{
    const PsSequence *sequence = ps_spot_fact(spots, i)->sequence;
    if (!sequence) {
        g_autofree char *class_name = ps_spot_class(spots, i);
        count_class(counts, class_name, times);
    }
    count_class(counts, "logic.mov", times * ps_spot(spots, i)->moves);
    for (guint s = 0; sequence && s < sequence->steps->len; s++)
        count_class(counts, g_array_index(sequence->steps, PsStep, s).class_name, times);
}

void ps_spots_count_classes(const PsSpots *spots, gint64 warps, GHashTable *counts)
{
    if (spots->facts->rules[PS_BUILD_FRAME])
        count_class(counts, "logic.mov", warps);
    for (guint i = 0; i < spots->spots->len; i++)
        if (ps_spot_is_node(spots, i))
            count_spot(spots, i, counts, warps * ps_spots_times(spots, i));
}
