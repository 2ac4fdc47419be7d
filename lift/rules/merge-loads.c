/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rule "merge-loads": accesses to local memory at adjacent addresses become one of 8 or 16
 * bytes, and loads of constants one of 8. The assembler does so within straight code, where it
 * knows that the address is a multiple of that many bytes, and where nothing in between could
 * change what is read: a store or a barrier ends what can be merged. A merged load stands where the
 * first one stood, a merged store where the last one did.
 */
#include "lift/values/align.h"
#include "lift/rules/rules.h"

#include <string.h>

#define MOST_BYTES 16
#define MOST_CONSTANT_BYTES 8

/* An access that may be merged. Its base is a register that was not written in between. */
typedef struct {
    guint spot;
    PsPtxSpace space;
    guint base; /* PS_PTX_NOWHERE: a constant address */
    guint version;
    gint64 offset;
    guint bytes;
    PsLowBits low;
} Access;

typedef struct {
    PsSpots *spots;
    const PsLowBits *low;
    GHashTable *versions; /* register -> number of writes so far */
    GArray *accesses;     /* Access: those of the present straight code that may be merged */
    gboolean stores;      /* the accesses are stores, not loads */
} Merge;

/* ---- groups of adjacent accesses --------------------------------------------------------------
 */

static int compare(const void *a, const void *b)
{
    const Access *x = a, *y = b;
    if (x->space != y->space)
        return x->space < y->space ? -1 : 1;
    if (x->base != y->base)
        return x->base < y->base ? -1 : 1;
    if (x->version != y->version)
        return x->version < y->version ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->spot < y->spot ? -1 : x->spot > y->spot;
}

/* The number of accesses, from the first on, that fill exactly that many bytes; 0: none do. */
static guint fills(const Access *first, guint n, guint bytes)
{
    gint64 end = first->offset;
    for (guint i = 0; i < n; i++) {
        if (first[i].space != first->space || first[i].base != first->base ||
            first[i].version != first->version || first[i].offset != end)
            return 0;
        end += first[i].bytes;
        if (end - first->offset == bytes)
            return i + 1;
        if (end - first->offset > bytes)
            return 0;
    }
    return 0;
}

static gboolean is_aligned(const Access *access, guint bytes)
{
    const guint bits = bytes == 16 ? 4 : 3;
    if (access->space == PS_PTX_CONST && bytes > MOST_CONSTANT_BYTES)
        return FALSE;
    return access->low.n >= bits && access->low.bits % bytes == 0;
}

/* Makes one access of n. An access of the merged size takes more passes even without conflicts, so
 * its degree is the worst of the n, divided by n. */
static void join(Merge *merge, const Access *accesses, guint n, guint bytes)
{
    guint keep = accesses[0].spot, degree = 0;
    for (guint i = 0; i < n; i++) {
        keep = merge->stores ? MAX(keep, accesses[i].spot) : MIN(keep, accesses[i].spot);
        degree = MAX(degree, ps_spot(merge->spots, accesses[i].spot)->degree);
    }
    PsSpot *spot = ps_spot(merge->spots, keep);
    spot->bytes = bytes;
    spot->degree = (degree + n - 1) / n;
    for (guint i = 0; i < n; i++) {
        if (accesses[i].spot == keep)
            continue;
        ps_spot(merge->spots, accesses[i].spot)->into = keep;
        ps_spot(merge->spots, accesses[i].spot)->role = PS_ROLE_PART;
    }
}

static void end_straight(Merge *merge)
{
    g_array_sort(merge->accesses, compare);
    const Access *list = (const Access *)(gpointer)merge->accesses->data;
    for (guint i = 0; i < merge->accesses->len;) {
        guint n = 0;
        for (guint bytes = MOST_BYTES; bytes >= 8 && n < 2; bytes /= 2) {
            n = is_aligned(&list[i], bytes) ? fills(&list[i], merge->accesses->len - i, bytes) : 0;
            if (n >= 2)
                join(merge, &list[i], n, bytes);
        }
        i += MAX(1, n);
    }
    g_array_set_size(merge->accesses, 0);
}

/* ---- straight code ----------------------------------------------------------------------------
 */

static gboolean is_plain(const PsFacts *facts, const PsSpot *spot)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, spot->point);
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    static const char *const ordered[] = {"volatile", "relaxed", "acquire", "release", "mmio"};
    for (gsize i = 0; i < G_N_ELEMENTS(ordered); i++)
        if (ps_ptx_has(mnemonic, ordered[i]))
            return FALSE;
    return spot->role == PS_ROLE_NODE && instruction->guard < 0 && spot->pattern &&
           (spot->pattern->space == PS_PTX_SHARED || spot->pattern->space == PS_PTX_CONST) &&
           (spot->pattern->bytes == 4 || spot->pattern->bytes == 8) &&
           (strcmp(mnemonic->opcode, "ld") == 0 || strcmp(mnemonic->opcode, "st") == 0);
}

static void add_access(Merge *merge, guint i)
{
    const PsFacts *facts = merge->spots->facts;
    const PsSpot *spot = ps_spot(merge->spots, i);
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, spot->point);
    const PsPtxOperand *operand = ps_facts_address(facts, spot->point);
    const gboolean store = instruction->mnemonic->opcode[0] == 's';
    if (merge->stores != store)
        end_straight(merge);
    merge->stores = store;
    if (!operand)
        return;
    Access access = {.spot = i,
                     .space = spot->pattern->space,
                     .bytes = spot->pattern->bytes,
                     .low = ps_low_bits_of_address(facts, merge->low, spot->point, operand)};
    access.base = ps_facts_base(facts, spot->point, operand, &access.offset);
    access.version =
        GPOINTER_TO_UINT(g_hash_table_lookup(merge->versions, GUINT_TO_POINTER(access.base)));
    g_array_append_val(merge->accesses, access);
}

static gboolean ends_straight(const Merge *merge, guint i)
{
    const PsSpot *spot = ps_spot(merge->spots, i);
    if (spot->kind != PS_SPOT_STEP || ps_spot_leads(merge->spots, i))
        return TRUE;
    const PsFact *fact = &merge->spots->facts->facts[spot->point];
    const gboolean shared = spot->pattern && spot->pattern->space == PS_PTX_SHARED;
    if (shared && (merge->stores || fact->class.kind == PS_CLASS_STORE) &&
        !is_plain(merge->spots->facts, spot))
        return TRUE;
    return spot->role == PS_ROLE_WAIT || fact->class.kind == PS_CLASS_BARRIER ||
           fact->class.kind == PS_CLASS_EFFECT || fact->class.kind == PS_CLASS_COPY ||
           (fact->class.kind == PS_CLASS_ATOMIC && shared);
}

static void note_writes(Merge *merge, const PsSpot *spot)
{
    const PsFacts *facts = merge->spots->facts;
    const PsFact *fact = &facts->facts[spot->point];
    for (guint i = 0; i < fact->n_to; i++) {
        gpointer reg = GUINT_TO_POINTER(ps_fact_to(facts, fact)[i]);
        const guint version = GPOINTER_TO_UINT(g_hash_table_lookup(merge->versions, reg));
        g_hash_table_insert(merge->versions, reg, GUINT_TO_POINTER(version + 1));
    }
}

void ps_rule_merge_loads(PsSpots *spots)
{
    g_autofree PsLowBits *low = ps_low_bits(spots->facts);
    g_autoptr(GHashTable) versions = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) accesses = g_array_new(FALSE, FALSE, sizeof(Access));
    Merge merge = {spots, low, versions, accesses, FALSE};
    for (guint i = 0; i < spots->spots->len; i++) {
        const PsSpot *spot = ps_spot(spots, i);
        if (ends_straight(&merge, i))
            end_straight(&merge);
        if (spot->kind != PS_SPOT_STEP)
            continue;
        if (is_plain(spots->facts, spot))
            add_access(&merge, i);
        note_writes(&merge, spot);
    }
    end_straight(&merge);
}
