/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the items of two bodies that are the same instruction. See waves-align.h. */
#include "idg/waves-align.h"

#include "idg/internal.h"

#include <string.h>

/* Pairs of items that are compared at most: a score takes four bytes. */
#define MOST_PAIRS (16 * 1024 * 1024)

/* Score of a barrier. Barriers must match in all warps, so one counts more than the rest of a
 * body. */
#define OF_BARRIER 100000u
#define OF_LOOP 2u
#define OF_NODE 1u

static gboolean are_equal(const PsExpr *a, const PsExpr *b)
{
    return a && b ? strcmp(ps_expr_text(a), ps_expr_text(b)) == 0 : !a && !b;
}

/* TRUE if both items state the attribute, or neither does. */
static gboolean are_stated(const PsExpr *a, const PsExpr *b)
{
    return !a == !b;
}

static gboolean is_same_access(const PsIdgItem *a, const PsIdgItem *b)
{
    gboolean same = !a->serial == !b->serial && are_stated(a->lines, b->lines) &&
                    are_stated(a->wavefronts, b->wavefronts) && are_stated(a->rows, b->rows) &&
                    are_stated(a->distinct, b->distinct) &&
                    are_stated(a->read_only, b->read_only) && g_strcmp0(a->spot, b->spot) == 0;
    for (PsLevel level = 0; level < PS_N_LEVELS; level++)
        same = same && are_stated(a->share[level], b->share[level]);
    return same;
}

static gboolean is_same_node(const PsIdgItem *a, const PsIdgItem *b)
{
    return a->source_line == b->source_line && strcmp(a->class_name, b->class_name) == 0 &&
           g_strcmp0(a->file, b->file) == 0 && g_strcmp0(a->via, b->via) == 0 &&
           g_strcmp0(a->type, b->type) == 0 && g_strcmp0(a->op, b->op) == 0 &&
           are_equal(a->bytes, b->bytes) && are_equal(a->ops, b->ops) &&
           are_equal(a->hold, b->hold) && is_same_access(a, b);
}

/* The first or last node of an item; NULL if it has none. */
static const PsIdgItem *end_of(const PsIdgItem *item, gboolean last)
{
    while (item && item->kind == PS_IDG_LOOP)
        item = item->body->len ? item->body->pdata[last ? item->body->len - 1 : 0] : NULL;
    return item;
}

static guint score_of(const PsIdgItem *a, const PsIdgItem *b)
{
    if (a->kind != b->kind)
        return 0;
    if (a->kind == PS_IDG_NODE)
        return !is_same_node(a, b) ? 0 : ps_idg_is_barrier(a) ? OF_BARRIER : OF_NODE;
    for (int last = 0; last < 2; last++) {
        const PsIdgItem *x = end_of(a, last), *y = end_of(b, last);
        if (x && y && is_same_node(x, y))
            return OF_LOOP;
    }
    return 0;
}

/* The items of a body from one place up to another one. */
typedef struct {
    void *const *items;
    guint n;
} Part;

/* The best sum of scores behind each pair of places. */
static guint *find_scores(const Part *a, const Part *b)
{
    const gsize width = b->n + 1;
    guint *best = g_new0(guint, (a->n + 1) * width);
    for (guint i = a->n; i-- > 0;)
        for (guint j = b->n; j-- > 0;) {
            const guint score = score_of(a->items[i], b->items[j]);
            const guint both = score ? score + best[(i + 1) * width + j + 1] : 0;
            best[i * width + j] =
                MAX(both, MAX(best[(i + 1) * width + j], best[i * width + j + 1]));
        }
    return best;
}

static void add_pair(GArray *pairs, const PsIdgItem *a, const PsIdgItem *b)
{
    const PsItemPair pair = {{a, b}};
    g_array_append_val(pairs, pair);
}

/* Follows the best path through both bodies. */
static void follow(const Part *a, const Part *b, const guint *best, GArray *pairs)
{
    const gsize width = b->n + 1;
    guint i = 0, j = 0;
    while (i < a->n || j < b->n) {
        const guint score = i < a->n && j < b->n ? score_of(a->items[i], b->items[j]) : 0;
        const guint here = best[i * width + j];
        if (score && here == score + best[(i + 1) * width + j + 1])
            add_pair(pairs, a->items[i++], b->items[j++]);
        else if (i < a->n && (j == b->n || here == best[(i + 1) * width + j]))
            add_pair(pairs, a->items[i++], NULL);
        else
            add_pair(pairs, NULL, b->items[j++]);
    }
}

GArray *ps_waves_align(const GPtrArray *a, const GPtrArray *b)
{
    GArray *pairs = g_array_new(FALSE, FALSE, sizeof(PsItemPair));
    guint begin = 0, end = 0;
    const guint least = MIN(a->len, b->len);
    while (begin < least && score_of(a->pdata[begin], b->pdata[begin]))
        begin++;
    while (end < least - begin && score_of(a->pdata[a->len - 1 - end], b->pdata[b->len - 1 - end]))
        end++;
    const Part x = {a->pdata + begin, a->len - begin - end},
               y = {b->pdata + begin, b->len - begin - end};
    if ((x.n + 1) * (guint64)(y.n + 1) > MOST_PAIRS) {
        g_array_unref(pairs);
        return NULL;
    }
    g_autofree guint *best = find_scores(&x, &y);
    for (guint i = 0; i < begin; i++)
        add_pair(pairs, a->pdata[i], b->pdata[i]);
    follow(&x, &y, best, pairs);
    for (guint i = end; i-- > 0;)
        add_pair(pairs, a->pdata[a->len - 1 - i], b->pdata[b->len - 1 - i]);
    return pairs;
}
