/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sequences, each kept once (hash-consing): equal sequences are one pointer, so that comparing an
 * iteration with the one before takes constant time. A sequence lives as long as something refers
 * to it, so merged kinds of iterations leave no memory behind, however many there were.
 */
#include "lift/loops/roll-private.h"
#include "lift/memory/cache.h"

#include <string.h>

struct PsRollTable {
    GHashTable *sequences; /* Node: set */
    guint64 next_serial;
};

typedef struct {
    PsRollSequence sequence; /* must come first: a pointer to it is one to the node */
    PsRollTable *table;
    guint64 serial;
    guint64 weight;
    guint hash;
    guint references;
    const PsRollSequence *views[PS_ROLL_N_VIEWS]; /* each made once; the node itself has no
                                                     reference */
    PsRollItem items[];
} Node;

static Node *node_of(const PsRollSequence *sequence)
{
    return (Node *)sequence;
}

/* Multiplies, then folds the high half into the low one, whose bits the hash table uses. */
static guint mix(guint hash, guint64 value)
{
    guint64 product = (hash ^ value) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    return (guint)(product ^ (product >> 32));
}

/* TRUE if the item is a step without a pattern right behind another one. */
static gboolean goes_straight(const PsRollItem *item)
{
    return item->kind == PS_ROLL_STEP && !item->pattern && item[-1].kind == PS_ROLL_STEP &&
           !item[-1].pattern && item->point == item[-1].point + 1 && item->off == item[-1].off;
}

static guint hash_items(const PsRollItem *items, guint n)
{
    guint hash = n;
    for (guint i = 0; i < n; i++) {
        const PsRollItem *item = &items[i];
        if (i > 0 && goes_straight(item))
            continue; /* the item before tells it; where it ends, the next one */
        if (item->kind == PS_ROLL_STEP) {
            hash = mix(hash, 2 * (guint64)item->point + item->off);
            hash = mix(hash, GPOINTER_TO_SIZE(item->pattern));
            continue;
        }
        hash = mix(hash, ((guint64)item->loop << 32) + item->n_runs + 1);
        for (guint k = 0; k < item->n_runs; k++) {
            hash = mix(hash, (guint64)item->runs[k].times);
            hash = mix(hash, node_of(item->runs[k].body)->hash);
        }
    }
    return hash;
}

static gboolean equal_items(const PsRollItem *a, const PsRollItem *b)
{
    if (a->kind != b->kind)
        return FALSE;
    if (a->kind == PS_ROLL_STEP)
        return a->point == b->point && a->pattern == b->pattern && a->off == b->off;
    if (a->loop != b->loop || a->n_runs != b->n_runs || a->coarse != b->coarse ||
        a->parts != b->parts)
        return FALSE;
    for (guint i = 0; i < a->n_runs; i++)
        if (a->runs[i].times != b->runs[i].times || a->runs[i].body != b->runs[i].body)
            return FALSE;
    return TRUE;
}

static guint node_hash(gconstpointer key)
{
    return ((const Node *)key)->hash;
}

static gboolean node_equal(gconstpointer key_a, gconstpointer key_b)
{
    const Node *a = key_a;
    const Node *b = key_b;
    if (a == b)
        return TRUE;
    if (a->hash != b->hash || a->sequence.n_items != b->sequence.n_items)
        return FALSE;
    for (guint i = 0; i < a->sequence.n_items; i++)
        if (!equal_items(&a->sequence.items[i], &b->sequence.items[i]))
            return FALSE;
    return TRUE;
}

PsRollTable *ps_roll_table_new(void)
{
    PsRollTable *table = g_new0(PsRollTable, 1);
    table->sequences = g_hash_table_new(node_hash, node_equal);
    return table;
}

void ps_roll_table_free(PsRollTable *table)
{
    if (!table)
        return;
    g_hash_table_destroy(table->sequences);
    g_free(table);
}

guint ps_roll_table_size(const PsRollTable *table)
{
    return g_hash_table_size(table->sequences);
}

guint64 ps_roll_item_weight(const PsRollItem *item)
{
    guint64 weight = 1;
    for (guint i = 0; item->kind == PS_ROLL_LOOP && i < item->n_runs; i++)
        weight += node_of(item->runs[i].body)->weight;
    return MIN(weight, G_MAXUINT32);
}

static void add_length(PsRollSequence *sequence, const PsRollItem *item)
{
    sequence->length += item->kind == PS_ROLL_STEP;
    sequence->off += item->kind == PS_ROLL_STEP && item->off;
    for (guint i = 0; item->kind == PS_ROLL_LOOP && i < item->n_runs; i++) {
        sequence->length += item->runs[i].times * item->runs[i].body->length;
        sequence->off += item->runs[i].times * item->runs[i].body->off;
    }
}

static Node *node_new(PsRollTable *table, const PsRollItem *items, guint n, guint hash)
{
    Node *node = g_malloc(sizeof(Node) + n * sizeof(PsRollItem));
    *node = (Node){.table = table, .hash = hash, .serial = table->next_serial++, .weight = 1};
    node->sequence.n_items = n;
    node->sequence.items = node->items;
    if (n > 0)
        memcpy(node->items, items, n * sizeof(PsRollItem));
    for (guint i = 0; i < n; i++) {
        add_length(&node->sequence, &items[i]);
        node->weight += ps_roll_item_weight(&items[i]);
    }
    node->weight = MIN(node->weight, G_MAXUINT32);
    g_hash_table_add(table->sequences, node);
    return node;
}

const PsRollSequence *ps_roll_intern(PsRollTable *table, GArray *items)
{
    PsRollItem *data = (PsRollItem *)(gpointer)items->data;
    Node key = {.hash = hash_items(data, items->len)};
    key.sequence.n_items = items->len;
    key.sequence.items = data;
    Node *node = g_hash_table_lookup(table->sequences, &key);
    if (!node)
        node = node_new(table, data, items->len, key.hash);
    else
        for (guint i = 0; i < items->len; i++)
            ps_roll_item_clear(&data[i]);
    g_array_set_size(items, 0);
    return ps_roll_ref(&node->sequence);
}

const PsRollSequence *ps_roll_ref(const PsRollSequence *sequence)
{
    node_of(sequence)->references++;
    return sequence;
}

void ps_roll_unref(const PsRollSequence *sequence)
{
    Node *node = node_of(sequence);
    if (--node->references > 0)
        return;
    g_hash_table_remove(node->table->sequences, node);
    for (guint i = 0; i < PS_ROLL_N_VIEWS; i++)
        if (node->views[i] && node->views[i] != sequence)
            ps_roll_unref(node->views[i]);
    for (guint i = 0; i < node->sequence.n_items; i++)
        ps_roll_item_clear(&node->items[i]);
    g_free(node);
}

guint64 ps_roll_weight(const PsRollSequence *sequence)
{
    return node_of(sequence)->weight;
}

/* ---- items --------------------------------------------------------------------------------- */

PsRollItem ps_roll_loop_item(guint loop, GArray *runs, PsRollCoarse coarse)
{
    PsRollItem item = {.kind = PS_ROLL_LOOP, .loop = loop, .n_runs = runs->len, .coarse = coarse};
    item.runs = g_memdup2(runs->data, runs->len * sizeof(PsRollRun));
    g_array_set_size(runs, 0);
    return item;
}

void ps_roll_item_clear(PsRollItem *item)
{
    if (item->kind != PS_ROLL_LOOP)
        return;
    for (guint i = 0; i < item->n_runs; i++)
        ps_roll_unref(item->runs[i].body);
    g_free((gpointer)item->runs);
}

void ps_roll_runs_clear(GArray *runs)
{
    for (guint i = 0; i < runs->len; i++)
        ps_roll_unref(g_array_index(runs, PsRollRun, i).body);
    g_array_set_size(runs, 0);
}

const PsRollItem *ps_roll_composite(guint loop, const PsRollSequence *body)
{
    if (body->n_items != 1 || body->items[0].kind != PS_ROLL_LOOP || body->items[0].loop != loop)
        return NULL;
    return &body->items[0];
}

gint64 ps_roll_iterations(const PsRollItem *loop)
{
    gint64 iterations = 0;
    for (guint i = 0; i < loop->n_runs; i++) {
        const PsRollItem *several = ps_roll_composite(loop->loop, loop->runs[i].body);
        iterations += loop->runs[i].times * (several ? ps_roll_iterations(several) : 1);
    }
    return iterations;
}

/* ---- views --------------------------------------------------------------------------------- */

static int by_serial(gconstpointer a, gconstpointer b)
{
    guint64 x = node_of(((const PsRollRun *)a)->body)->serial;
    guint64 y = node_of(((const PsRollRun *)b)->body)->serial;
    return x < y ? -1 : x > y;
}

/* Appends the views of a loop's runs; an iteration that stands for several is taken apart. */
static void view_runs(PsRollTable *table, const PsRollItem *loop, gint64 times, PsRollView view,
                      GArray *runs)
{
    for (guint i = 0; i < loop->n_runs; i++) {
        PsRollRun run = {.times = times * loop->runs[i].times};
        const PsRollItem *several = ps_roll_composite(loop->loop, loop->runs[i].body);
        if (several) {
            view_runs(table, several, run.times, view, runs);
            continue;
        }
        run.body = ps_roll_view(table, loop->runs[i].body, view);
        g_array_append_val(runs, run);
    }
}

/* The view of a loop: its kinds of iterations in an order that does not depend on which came
 * first. */
static PsRollItem view_loop(PsRollTable *table, const PsRollItem *loop, PsRollView view)
{
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(PsRollRun));
    view_runs(table, loop, 1, view, runs);
    g_array_sort(runs, by_serial);
    guint n = 0;
    PsRollRun *data = (PsRollRun *)(gpointer)runs->data;
    for (guint i = 0; i < runs->len; i++) {
        if (n > 0 && data[n - 1].body == data[i].body) {
            data[n - 1].times += data[i].times;
            ps_roll_unref(data[i].body);
        } else {
            data[n++] = data[i];
        }
    }
    g_array_set_size(runs, n);
    PsRollCoarse coarse = n > 1 ? PS_ROLL_NO_ORDER : PS_ROLL_EXACT;
    if (view == PS_ROLL_MEAN)
        coarse = PS_ROLL_MEAN_PATTERNS;
    PsRollItem item = ps_roll_loop_item(loop->loop, runs, MAX(coarse, loop->coarse));
    item.parts = loop->parts;
    return item;
}

const PsRollSequence *ps_roll_view(PsRollTable *table, const PsRollSequence *sequence,
                                   PsRollView view)
{
    Node *node = node_of(sequence);
    if (!node->views[view]) {
        g_autoptr(GArray) items =
            g_array_sized_new(FALSE, FALSE, sizeof(PsRollItem), sequence->n_items);
        for (guint i = 0; i < sequence->n_items; i++) {
            PsRollItem item = sequence->items[i];
            if (item.kind == PS_ROLL_LOOP)
                item = view_loop(table, &item, view);
            else if (view == PS_ROLL_MEAN && item.pattern)
                item.pattern = ps_pattern_mean(item.pattern);
            g_array_append_val(items, item);
        }
        node->views[view] = ps_roll_intern(table, items);
        if (node->views[view] == sequence)
            node->references--; /* a reference to itself would keep it for ever */
    }
    return ps_roll_ref(node->views[view]);
}
