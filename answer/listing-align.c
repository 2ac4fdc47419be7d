/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The longest common subsequence of two listings' opcodes, by Hirschberg's algorithm (1975), which
 * needs no more memory than a row of the table: it cuts A in the middle, finds from both ends where
 * B is best cut, and does the same with both parts.
 */
#include "answer/listing.h"

#include <string.h>

typedef struct {
    const PsListing *sides[2];
    guint *keys[2];          /* the same where opcodes with their modifiers are */
    guint *ahead, *backward; /* a row of the table each: lengths of common subsequences */
    GArray *pairs;           /* PsListingPair */
} Align;

/* ---- pairs ---------------------------------------------------------------------------------- */

/* The text without numbers of registers, and whether these are kept for the next instruction:
 * "@!P FFMA R,R,c[0x0][0x160],R" (g_free). */
static char *without_registers(const char *text)
{
    static const char kept[] = ".reuse";
    GString *out = g_string_new(NULL);
    for (const char *at = text; *at;) {
        if (g_str_has_prefix(at, kept)) {
            at += strlen(kept);
            continue;
        }
        const gsize letters = strspn(at, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");
        const gsize name = strspn(at, "URPSB");
        const gsize number = name ? strspn(at + name, G_CSET_DIGITS) : 0;
        const gsize n = MAX(letters, 1);
        g_string_append_len(out, at, (gssize)(number && name + number == n ? name : n));
        at += n;
    }
    return g_string_free(out, FALSE);
}

static const PsListingRow *row_at(const Align *align, guint side, guint i)
{
    return align->sides[side]->rows->pdata[i];
}

static void add_one(Align *align, guint side, guint i)
{
    PsListingPair pair = {.change = side ? PS_LISTING_ONLY_B : PS_LISTING_ONLY_A};
    pair.rows[side] = row_at(align, side, i);
    g_array_append_val(align->pairs, pair);
}

static void add_both(Align *align, guint a, guint b)
{
    const PsListingRow *x = row_at(align, 0, a), *y = row_at(align, 1, b);
    g_autofree char *first = without_registers(x->text), *second = without_registers(y->text);
    const PsListingPair pair = {strcmp(first, second) == 0 ? PS_LISTING_SAME : PS_LISTING_CHANGED,
                                {x, y}};
    g_array_append_val(align->pairs, pair);
}

/* ---- the algorithm -------------------------------------------------------------------------- */

/* A stretch of each: from and up to. */
typedef struct {
    guint from[2], to[2];
} Part;

/* Lengths for the whole of A's stretch and each beginning (or end) of B's, in `row`. */
static void find_lengths(const Align *align, const Part *part, gboolean from_end, guint *row)
{
    const guint n = part->to[0] - part->from[0], m = part->to[1] - part->from[1];
    memset(row, 0, (m + 1) * sizeof *row);
    for (guint i = 0; i < n; i++) {
        const guint key = align->keys[0][from_end ? part->to[0] - 1 - i : part->from[0] + i];
        guint corner = 0;
        for (guint j = 0; j < m; j++) {
            const guint other = align->keys[1][from_end ? part->to[1] - 1 - j : part->from[1] + j];
            const guint above = row[j + 1];
            row[j + 1] = key == other ? corner + 1 : MAX(above, row[j]);
            corner = above;
        }
    }
}

static void align_one(Align *align, const Part *part)
{
    const guint a = part->from[0];
    guint b = part->from[1];
    while (b < part->to[1] && align->keys[1][b] != align->keys[0][a])
        b++;
    if (b == part->to[1])
        add_one(align, 0, a);
    for (guint j = part->from[1]; j < part->to[1]; j++)
        if (j == b)
            add_both(align, a, b);
        else
            add_one(align, 1, j);
}

static void align_part(Align *align, Part part)
{
    const guint m = part.to[1] - part.from[1];
    if (part.from[0] == part.to[0]) {
        for (guint j = part.from[1]; j < part.to[1]; j++)
            add_one(align, 1, j);
        return;
    }
    if (part.to[0] - part.from[0] == 1) {
        align_one(align, &part);
        return;
    }
    Part first = part, second = part;
    guint best = 0;
    first.to[0] = second.from[0] = part.from[0] + (part.to[0] - part.from[0]) / 2;
    find_lengths(align, &first, FALSE, align->ahead);
    find_lengths(align, &second, TRUE, align->backward);
    for (guint j = 0; j <= m; j++)
        if (align->ahead[j] + align->backward[m - j] >
            align->ahead[best] + align->backward[m - best])
            best = j;
    first.to[1] = second.from[1] = part.from[1] + best;
    align_part(align, first);
    align_part(align, second);
}

/* What both begin with and what both end with costs no search. */
static void align_all(Align *align)
{
    Part part = {{0, 0}, {align->sides[0]->rows->len, align->sides[1]->rows->len}};
    guint n_same = 0;
    while (part.from[0] < part.to[0] && part.from[1] < part.to[1] &&
           align->keys[0][part.from[0]] == align->keys[1][part.from[1]]) {
        add_both(align, part.from[0]++, part.from[1]);
        part.from[1]++;
    }
    while (part.from[0] < part.to[0] && part.from[1] < part.to[1] &&
           align->keys[0][part.to[0] - 1] == align->keys[1][part.to[1] - 1]) {
        part.to[0]--;
        part.to[1]--;
        n_same++;
    }
    align_part(align, part);
    for (guint i = 0; i < n_same; i++)
        add_both(align, part.to[0] + i, part.to[1] + i);
}

static guint *keys_of(const PsListing *listing, GHashTable *numbers)
{
    guint *keys = g_new(guint, listing->rows->len + 1);
    for (guint i = 0; i < listing->rows->len; i++) {
        const char *opcode = ((const PsListingRow *)listing->rows->pdata[i])->instruction->opcode;
        gpointer number = g_hash_table_lookup(numbers, opcode);
        if (!number) {
            number = GUINT_TO_POINTER(g_hash_table_size(numbers) + 1);
            g_hash_table_insert(numbers, (gpointer)opcode, number);
        }
        keys[i] = GPOINTER_TO_UINT(number);
    }
    return keys;
}

GArray *ps_listing_align(const PsListing *a, const PsListing *b)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    Align align = {.sides = {a, b},
                   .keys = {keys_of(a, numbers), keys_of(b, numbers)},
                   .ahead = g_new(guint, b->rows->len + 1),
                   .backward = g_new(guint, b->rows->len + 1),
                   .pairs = g_array_new(FALSE, FALSE, sizeof(PsListingPair))};
    align_all(&align);
    g_free(align.keys[0]);
    g_free(align.keys[1]);
    g_free(align.ahead);
    g_free(align.backward);
    return align.pairs;
}
