/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A path through the grid of both sequences, from its start to its end: one step right leaves out
 * an element of A, one down an element of B, and diagonal steps, over equal elements, are free. See
 * align.h.
 */
#include "base/align.h"

/* Differences after which no shorter path is looked for. */
#define MOST_DIFFERENCES 1024

typedef struct {
    PsAlignSequence a, b;
    guint *beside;
    /* The diagonals are x - y, the middle one is 0. Each entry is the place in A that the best path
     * of so many differences reaches, from the start and, counted backwards, from the end. */
    int *ahead, *back;
} Align;

/* A part of the grid: the range of A and the range of B, each from and up to. */
typedef struct {
    int from[2], to[2];
} Part;

guint ps_align_key(GHashTable *keys, char *text)
{
    gpointer key = g_hash_table_lookup(keys, text);
    if (key) {
        g_free(text);
    } else {
        key = GUINT_TO_POINTER(g_hash_table_size(keys) + 1);
        g_hash_table_insert(keys, text, key);
    }
    return GPOINTER_TO_UINT(key);
}

/* ---- the middle of the shortest path ------------------------------------------------------- */

static gboolean are_equal(const Align *align, const Part *part, gboolean from_end, int x, int y)
{
    const int i = from_end ? part->to[0] - 1 - x : part->from[0] + x;
    const int j = from_end ? part->to[1] - 1 - y : part->from[1] + y;
    return align->a.keys[i] == align->b.keys[j];
}

/* The furthest that d differences come on diagonal k, by the furthest of d - 1. */
static int reach(const Align *align, const Part *part, gboolean from_end, int d, int k)
{
    const int n = part->to[0] - part->from[0], m = part->to[1] - part->from[1];
    int *best = from_end ? align->back : align->ahead;
    int x = d == 0                                             ? 0
            : k == -d || (k != d && best[k - 1] < best[k + 1]) ? best[k + 1]
                                                               : best[k - 1] + 1;
    while (x < n && x - k < m && are_equal(align, part, from_end, x, x - k))
        x++;
    return best[k] = x;
}

/* Goes on to d differences from the start or from the end. TRUE where that meets the path from the
 * other side; split is then the point of meeting. */
static gboolean advance(const Align *align, const Part *part, gboolean from_end, int d,
                        int split[2])
{
    const int n = part->to[0] - part->from[0], m = part->to[1] - part->from[1], delta = n - m;
    const int *other = from_end ? align->ahead : align->back;
    const int reached = from_end ? d : d - 1; /* by the other side */
    for (int k = -(d - 2 * MAX(0, d - m)); k <= d - 2 * MAX(0, d - n); k += 2) {
        const int x = reach(align, part, from_end, d, k), y = x - k;
        const gboolean meets = ABS(delta - k) <= reached && (delta - k - reached) % 2 == 0 &&
                               x <= n && y <= m && x + other[delta - k] >= n;
        if (!meets)
            continue;
        split[0] = from_end ? part->to[0] - x : part->from[0] + x;
        split[1] = from_end ? part->to[1] - y : part->from[1] + y;
        return TRUE;
    }
    return FALSE;
}

/* The point at which the path from the start came furthest. */
static void find_furthest(const Align *align, const Part *part, int d, int split[2])
{
    const int n = part->to[0] - part->from[0], m = part->to[1] - part->from[1];
    int best = -1;
    for (int k = -(d - 2 * MAX(0, d - m)); k <= d - 2 * MAX(0, d - n); k += 2) {
        const int x = align->ahead[k], y = x - k;
        if (x > n || y > m || x + y <= best)
            continue;
        best = x + y;
        split[0] = part->from[0] + x;
        split[1] = part->from[1] + y;
    }
}

/* A point in the middle of a shortest path; of a good path where the shortest is too long to look
 * for. */
static void find_split(const Align *align, const Part *part, int split[2])
{
    for (int d = 0; d <= MOST_DIFFERENCES; d++)
        if (advance(align, part, FALSE, d, split) || advance(align, part, TRUE, d, split))
            return;
    find_furthest(align, part, MOST_DIFFERENCES, split);
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Takes off the elements that both begin with and that both end with. */
static void take_ends(const Align *align, Part *part)
{
    while (part->from[0] < part->to[0] && part->from[1] < part->to[1] &&
           align->a.keys[part->from[0]] == align->b.keys[part->from[1]])
        align->beside[part->from[0]++] = (guint)part->from[1]++;
    while (part->from[0] < part->to[0] && part->from[1] < part->to[1] &&
           align->a.keys[part->to[0] - 1] == align->b.keys[part->to[1] - 1])
        align->beside[--part->to[0]] = (guint)--part->to[1];
}

/* Calls itself for the first part of a long path: that part is short where no middle was found. */
static void align_part(const Align *align, Part part)
{
    for (;;) {
        take_ends(align, &part);
        if (part.from[0] == part.to[0] || part.from[1] == part.to[1])
            return;
        int split[2] = {part.from[0], part.from[1]};
        find_split(align, &part, split);
        align_part(align, (Part){{part.from[0], part.from[1]}, {split[0], split[1]}});
        part.from[0] = split[0];
        part.from[1] = split[1];
    }
}

void ps_align_in_order(PsAlignSequence a, PsAlignSequence b, guint *beside)
{
    enum { MIDDLE = MOST_DIFFERENCES + 1, N = 2 * MIDDLE + 1 };
    g_autofree int *ahead = g_new0(int, N), *back = g_new0(int, N);
    const Align align = {a, b, beside, ahead + MIDDLE, back + MIDDLE};
    for (guint i = 0; i < a.n; i++)
        beside[i] = PS_ALIGN_NONE;
    align_part(&align, (Part){{0, 0}, {(int)a.n, (int)b.n}});
}

/* ---- moved blocks -------------------------------------------------------------------------- */

/* How many elements with a key are left on each side, and the place of the last. */
typedef struct {
    guint n[2], at[2];
} Left;

static void count(GHashTable *lefts, guint key, guint side, guint at)
{
    Left *left = g_hash_table_lookup(lefts, GUINT_TO_POINTER(key));
    if (!left) {
        left = g_new0(Left, 1);
        g_hash_table_insert(lefts, GUINT_TO_POINTER(key), left);
    }
    left->n[side]++;
    left->at[side] = at;
}

typedef struct {
    PsAlignSequence a, b;
    guint *beside;
    gboolean *taken; /* elements of b that already stand beside one of a */
} Moves;

/* Takes i and j, and the pairs behind them in the direction, as long as they are equal and left. */
static void take_block(const Moves *moves, guint i, guint j, gboolean back)
{
    const guint step = back ? G_MAXUINT : 1; /* below 0 is far above every length */
    while (i < moves->a.n && j < moves->b.n && moves->a.keys[i] == moves->b.keys[j] &&
           moves->beside[i] == PS_ALIGN_NONE && !moves->taken[j]) {
        moves->beside[i] = j;
        moves->taken[j] = TRUE;
        i += step;
        j += step;
    }
}

/* The number of elements that are left, by key (Left). */
static GHashTable *count_left(const Moves *moves)
{
    GHashTable *lefts = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint i = 0; i < moves->a.n; i++)
        if (moves->beside[i] == PS_ALIGN_NONE)
            count(lefts, moves->a.keys[i], 0, i);
        else
            moves->taken[moves->beside[i]] = TRUE;
    for (guint j = 0; j < moves->b.n; j++)
        if (!moves->taken[j])
            count(lefts, moves->b.keys[j], 1, j);
    return lefts;
}

void ps_align_moved(PsAlignSequence a, PsAlignSequence b, guint *beside)
{
    g_autofree gboolean *taken = g_new0(gboolean, b.n + 1);
    const Moves moves = {a, b, beside, taken};
    g_autoptr(GHashTable) lefts = count_left(&moves);
    for (guint i = 0; i < a.n; i++) {
        const Left *left = g_hash_table_lookup(lefts, GUINT_TO_POINTER(a.keys[i]));
        if (beside[i] != PS_ALIGN_NONE || left->n[0] != 1 || left->n[1] != 1)
            continue;
        const guint j = left->at[1];
        take_block(&moves, i, j, FALSE);
        if (i > 0 && j > 0)
            take_block(&moves, i - 1, j - 1, TRUE);
    }
}
