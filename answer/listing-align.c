/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two listings as one. First, instructions in the same order in both are paired: those that are
 * equal but for their registers, then those of one opcode. Then instructions that have moved are
 * paired (base/align.h).
 */
#include "answer/listing.h"

#include "base/align.h"

#include <string.h>

typedef struct {
    const PsListing *sides[2];
    guint *texts[2];         /* keys: equal for instructions that are equal but for registers */
    guint *opcodes[2];       /* keys: equal for equal opcodes with their modifiers */
    guint *beside[2];        /* [instruction]: its counterpart on the other side */
    gboolean *moved;         /* [B's instruction] */
    guint *ahead, *backward; /* one row of the table each */
    GArray *pairs;           /* PsListingPair */
} Align;

/* ---- keys ----------------------------------------------------------------------------------- */

/* The text without numbers of registers and without marks of their reuse: "@!P FFMA
 * R,R,c[0x0][0x160],R" (g_free). */
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

static void find_keys(Align *align)
{
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint side = 0; side < 2; side++) {
        const GPtrArray *rows = align->sides[side]->rows;
        align->texts[side] = g_new(guint, rows->len + 1);
        align->opcodes[side] = g_new(guint, rows->len + 1);
        for (guint i = 0; i < rows->len; i++) {
            const PsListingRow *row = rows->pdata[i];
            align->texts[side][i] = ps_align_key(keys, without_registers(row->text));
            align->opcodes[side][i] = ps_align_key(keys, g_strdup(row->instruction->opcode));
        }
    }
}

/* ---- in the order of both ------------------------------------------------------------------- */

/* Pairs that are compared in full, at most; in longer stretches only opcodes count. */
#define MOST_PAIRS (1U << 26)

/* A stretch of each listing: from and up to. */
typedef struct {
    guint from[2], to[2];
} Part;

/* The value of pairing two instructions. */
static guint worth(const Align *align, guint i, guint j)
{
    enum { OPCODE = 2, WHOLE = 3 };
    return align->texts[0][i] == align->texts[1][j]       ? WHOLE
           : align->opcodes[0][i] == align->opcodes[1][j] ? OPCODE
                                                          : 0;
}

/* The best value of A's whole stretch against each beginning (or end) of B's, in `row`. */
static void find_most(const Align *align, const Part *part, gboolean from_end, guint *row)
{
    const guint n = part->to[0] - part->from[0], m = part->to[1] - part->from[1];
    memset(row, 0, (m + 1) * sizeof *row);
    for (guint k = 0; k < n; k++) {
        const guint i = from_end ? part->to[0] - 1 - k : part->from[0] + k;
        guint corner = 0;
        for (guint l = 0; l < m; l++) {
            const guint j = from_end ? part->to[1] - 1 - l : part->from[1] + l;
            const guint above = row[l + 1];
            row[l + 1] = MAX(MAX(above, row[l]), corner + worth(align, i, j));
            corner = above;
        }
    }
}

static void align_one(const Align *align, const Part *part)
{
    const guint i = part->from[0];
    guint most = 0;
    for (guint j = part->from[1]; j < part->to[1]; j++)
        if (worth(align, i, j) > most) {
            most = worth(align, i, j);
            align->beside[0][i] = j;
        }
}

static void align_by_opcode(const Align *align, const Part *part)
{
    guint *beside = align->beside[0] + part->from[0];
    const PsAlignSequence a = {align->opcodes[0] + part->from[0], part->to[0] - part->from[0]};
    const PsAlignSequence b = {align->opcodes[1] + part->from[1], part->to[1] - part->from[1]};
    ps_align_in_order(a, b, beside);
    for (guint k = 0; k < a.n; k++)
        beside[k] += beside[k] == PS_ALIGN_NONE ? 0 : part->from[1];
}

/* Hirschberg's algorithm (1975), which needs memory for one row of the table: it cuts A in the
 * middle, finds from both ends the best cut of B, and does the same with both halves. */
static void align_part(const Align *align, Part part)
{
    const guint n = part.to[0] - part.from[0], m = part.to[1] - part.from[1];
    if (n == 0 || m == 0)
        return;
    if (n == 1) {
        align_one(align, &part);
        return;
    }
    if ((guint64)n * m > MOST_PAIRS) {
        align_by_opcode(align, &part);
        return;
    }
    Part first = part, second = part;
    guint best = 0;
    first.to[0] = second.from[0] = part.from[0] + n / 2;
    find_most(align, &first, FALSE, align->ahead);
    find_most(align, &second, TRUE, align->backward);
    for (guint j = 0; j <= m; j++)
        if (align->ahead[j] + align->backward[m - j] >
            align->ahead[best] + align->backward[m - best])
            best = j;
    first.to[1] = second.from[1] = part.from[1] + best;
    align_part(align, first);
    align_part(align, second);
}

/* A common beginning and a common end need no search. */
static void align_all(const Align *align, guint n, guint m)
{
    Part part = {{0, 0}, {n, m}};
    while (part.from[0] < part.to[0] && part.from[1] < part.to[1] &&
           align->texts[0][part.from[0]] == align->texts[1][part.from[1]])
        align->beside[0][part.from[0]++] = part.from[1]++;
    while (part.from[0] < part.to[0] && part.from[1] < part.to[1] &&
           align->texts[0][part.to[0] - 1] == align->texts[1][part.to[1] - 1])
        align->beside[0][--part.to[0]] = --part.to[1];
    align_part(align, part);
}

/* ---- moved ---------------------------------------------------------------------------------- */

/* Instructions that still have no counterpart in order, but one elsewhere, have moved. */
static void align_rest(const Align *align, guint n, guint m)
{
    g_autofree guint *in_order = g_memdup2(align->beside[0], n * sizeof(guint));
    ps_align_moved((PsAlignSequence){align->texts[0], n}, (PsAlignSequence){align->texts[1], m},
                   align->beside[0]);
    for (guint j = 0; j < m; j++)
        align->beside[1][j] = PS_ALIGN_NONE;
    for (guint i = 0; i < n; i++) {
        const guint j = align->beside[0][i];
        if (j == PS_ALIGN_NONE)
            continue;
        align->beside[1][j] = i;
        align->moved[j] = in_order[i] == PS_ALIGN_NONE;
    }
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static void add_pair(const Align *align, guint i, guint j)
{
    const gboolean both = i != PS_ALIGN_NONE && j != PS_ALIGN_NONE;
    const PsListingPair pair = {!both ? j == PS_ALIGN_NONE ? PS_LISTING_ONLY_A : PS_LISTING_ONLY_B
                                : align->moved[j]                          ? PS_LISTING_MOVED
                                : align->texts[0][i] == align->texts[1][j] ? PS_LISTING_SAME
                                                                           : PS_LISTING_CHANGED,
                                {i == PS_ALIGN_NONE ? NULL : align->sides[0]->rows->pdata[i],
                                 j == PS_ALIGN_NONE ? NULL : align->sides[1]->rows->pdata[j]}};
    g_array_append_val(align->pairs, pair);
}

/* Pairs in the order of both, with A's own before B's; a moved instruction stands where B has
 * it. */
static void add_pairs(const Align *align, guint n, guint m)
{
    guint i = 0;
    for (guint j = 0; j <= m; j++) {
        for (; i < n && (align->beside[0][i] == PS_ALIGN_NONE || align->moved[align->beside[0][i]]);
             i++)
            if (align->beside[0][i] == PS_ALIGN_NONE)
                add_pair(align, i, PS_ALIGN_NONE);
        if (j == m)
            return;
        add_pair(align, align->beside[1][j], j);
        i += align->beside[1][j] == i;
    }
}

GArray *ps_listing_align(const PsListing *a, const PsListing *b)
{
    const guint n = a->rows->len, m = b->rows->len;
    Align align = {.sides = {a, b},
                   .beside = {g_new(guint, n + 1), g_new(guint, m + 1)},
                   .moved = g_new0(gboolean, m + 1),
                   .ahead = g_new(guint, m + 1),
                   .backward = g_new(guint, m + 1),
                   .pairs = g_array_new(FALSE, FALSE, sizeof(PsListingPair))};
    for (guint i = 0; i < n; i++)
        align.beside[0][i] = PS_ALIGN_NONE;
    find_keys(&align);
    align_all(&align, n, m);
    align_rest(&align, n, m);
    add_pairs(&align, n, m);
    for (guint side = 0; side < 2; side++) {
        g_free(align.texts[side]);
        g_free(align.opcodes[side]);
        g_free(align.beside[side]);
    }
    g_free(align.moved);
    g_free(align.ahead);
    g_free(align.backward);
    return align.pairs;
}
