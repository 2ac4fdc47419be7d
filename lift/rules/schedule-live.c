/* SPDX-License-Identifier: BSD-3-Clause */
/* See schedule-live.h. */
#include "lift/rules/schedule-live.h"

#include <string.h>

/* Values that a register that is forwarded may hold; more are left out. */
#define MOST_HELD 8

static PsLiveValue *value(const PsLive *live, guint i)
{
    return &g_array_index(live->values, PsLiveValue, i);
}

/* ---- which results other code reads -----------------------------------------------------------
 */

static void note_readers(PsLive *live, guint reader)
{
    const GArray *edges = ps_spot(live->spots, reader)->edges;
    for (guint e = 0; edges && e < edges->len; e++) {
        const PsEdge *edge = &g_array_index(edges, PsEdge, e);
        if (!edge->value)
            continue;
        if (edge->on < reader && edge->distance == 1)
            live->last[edge->on] = MAX(live->last[edge->on], reader);
        else
            live->later[edge->on] = 1;
    }
}

PsLive *ps_live_new(const PsSpots *spots)
{
    PsLive *live = g_new0(PsLive, 1);
    const guint n = spots->spots->len;
    live->spots = spots;
    live->last = g_new0(guint, n + 1);
    live->later = g_new0(guint8, n + 1);
    live->block = g_new0(guint, spots->facts->code->n_points + 1);
    live->values = g_array_new(FALSE, FALSE, sizeof(PsLiveValue));
    live->reads = g_array_new(FALSE, FALSE, sizeof(guint));
    live->first = g_array_new(FALSE, FALSE, sizeof(guint));
    live->item_spots = g_array_new(FALSE, FALSE, sizeof(guint));
    live->in = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    for (guint i = 0; i < n; i++)
        note_readers(live, i);
    return live;
}

void ps_live_free(PsLive *live)
{
    g_free(live->last);
    g_free(live->later);
    g_free(live->block);
    g_array_unref(live->values);
    g_array_unref(live->reads);
    g_array_unref(live->first);
    g_array_unref(live->item_spots);
    g_hash_table_unref(live->in);
    g_free(live);
}

/* ---- registers of results ---------------------------------------------------------------------
 */

/* Bytes of registers that one result of the instruction takes; predicates have their own. Numbers
 * of less than 32 bits take a register each, but for the parts of one. */
static guint bytes_of_result(const PsFacts *facts, guint point)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    const guint size = ps_ptx_type_size(mnemonic->types[0]);
    if (strcmp(mnemonic->opcode, "setp") == 0)
        return 0;
    if (strcmp(mnemonic->opcode, "mov") == 0 && instruction->operands[0].n_members > 0)
        return MAX(1, size / instruction->operands[0].n_members);
    return MAX(4, size) * (ps_ptx_has(mnemonic, "wide") ? 2 : 1);
}

static guint bytes_of(const PsSpots *spots, guint i)
{
    const PsSpot *spot = ps_spot(spots, i);
    return spot->bytes > 0
               ? MAX(4, spot->bytes)
               : ps_spot_fact(spots, i)->n_to * bytes_of_result(spots->facts, spot->point);
}

/* TRUE if all that reads the register is in the straight code, which runs as often as what wrote
 * it. */
static gboolean ends_here(const PsLive *live, guint reg)
{
    const PsFacts *facts = live->spots->facts;
    const guint writer = facts->writers[facts->first_writer[reg]];
    for (guint i = 0; i < ps_facts_n_readers(facts, reg); i++) {
        const guint point = facts->readers[facts->first_reader[reg] + i];
        if (live->block[point] != live->n_blocks ||
            facts->code->points[point].loop != facts->code->points[writer].loop)
            return FALSE;
    }
    return TRUE;
}

/* ---- values ------------------------------------------------------------------------------------
 */

/* TRUE if the list has the value, at that place or behind it. */
static gboolean has(const GArray *list, guint first, guint i)
{
    for (guint k = first; k < list->len; k++)
        if (g_array_index(list, guint, k) == i)
            return TRUE;
    return FALSE;
}

static void add_once(GArray *list, guint i)
{
    if (list->len < MOST_HELD && !has(list, 0, i))
        g_array_append_val(list, i);
}

/* The values that a register holds; those from before the code are found when they are asked for.
 */
static GArray *held_by(PsLive *live, guint reg, guint depth)
{
    const PsFacts *facts = live->spots->facts;
    GArray *list = g_hash_table_lookup(live->in, GUINT_TO_POINTER(reg + 1));
    if (list)
        return list;
    list = g_array_new(FALSE, FALSE, sizeof(guint));
    g_hash_table_insert(live->in, GUINT_TO_POINTER(reg + 1), list);
    const guint definition =
        reg < facts->n_registers ? ps_facts_definition(facts, reg) : PS_PTX_NOWHERE;
    const PsFact *fact = definition != PS_PTX_NOWHERE ? &facts->facts[definition] : NULL;
    if (reg >= facts->n_registers || ps_facts_n_writers(facts, reg) == 0 ||
        (fact && fact->role != PS_ROLE_NODE && fact->role != PS_ROLE_FORWARD))
        return list;
    if (fact && fact->role == PS_ROLE_FORWARD) {
        for (guint i = 0; i < fact->n_from && depth < MOST_HELD; i++) {
            const GArray *of = held_by(live, ps_fact_from(facts, fact)[i].reg, depth + 1);
            for (guint k = 0; k < of->len; k++)
                add_once(list, g_array_index(of, guint, k));
        }
        return list;
    }
    const PsLiveValue new = {bytes_of_result(facts, facts->writers[facts->first_writer[reg]]), 0,
                             !ends_here(live, reg), reg};
    add_once(list, live->values->len);
    g_array_append_val(live->values, new);
    return list;
}

/* Adds what the instruction reads to a list. */
static void gather(PsLive *live, guint i, GArray *list)
{
    const PsFacts *facts = live->spots->facts;
    const PsFact *fact = ps_spot_fact(live->spots, i);
    const guint first = list->len;
    for (guint f = 0; f < fact->n_from; f++) {
        const GArray *of = held_by(live, ps_fact_from(facts, fact)[f].reg, 0);
        for (guint k = 0; k < of->len; k++)
            if (!has(list, first, g_array_index(of, guint, k)))
                g_array_append_val(list, g_array_index(of, guint, k));
    }
}

/* The registers that the spot writes hold these values from now on. */
static void set_held(PsLive *live, guint i, const guint *values, guint n)
{
    const PsFacts *facts = live->spots->facts;
    const PsFact *fact = ps_spot_fact(live->spots, i);
    for (guint t = 0; t < fact->n_to; t++) {
        GArray *list = g_array_new(FALSE, FALSE, sizeof(guint));
        for (guint k = 0; k < n; k++)
            add_once(list, values[k]);
        g_hash_table_insert(live->in, GUINT_TO_POINTER(ps_fact_to(facts, fact)[t] + 1), list);
    }
}

/* The item of a spot in the present code; PS_PTX_NOWHERE: it is none. */
static guint item_of(const PsLive *live, guint spot)
{
    for (guint low = 0, high = live->item_spots->len; low < high;) {
        const guint middle = (low + high) / 2;
        const guint at = g_array_index(live->item_spots, guint, middle);
        if (at == spot)
            return middle;
        if (at < spot)
            low = middle + 1;
        else
            high = middle;
    }
    return PS_PTX_NOWHERE;
}

static void take_spot(PsLive *live, guint i, guint *item)
{
    const PsSpot *spot = ps_spot(live->spots, i);
    if (ps_spot_is_node(live->spots, i)) {
        gather(live, i, live->reads);
        g_array_append_val(live->first, live->reads->len);
        set_held(live, i, item, 1);
        ++*item;
        return;
    }
    if (spot->role == PS_ROLE_FORWARD) {
        g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(guint));
        gather(live, i, list);
        set_held(live, i, (const guint *)(gpointer)list->data, list->len);
    } else if (spot->role == PS_ROLE_PART) {
        const guint into = item_of(live, spot->into);
        if (into < *item)
            set_held(live, i, &into, 1);
    }
}

/* A value from before the code ends with it if its register has another one then. */
static void find_staying(PsLive *live)
{
    for (guint v = live->item_spots->len; v < live->values->len; v++) {
        PsLiveValue *at = value(live, v);
        const GArray *list = g_hash_table_lookup(live->in, GUINT_TO_POINTER(at->made_from + 1));
        if (list->len != 1 || g_array_index(list, guint, 0) != v)
            at->stays = FALSE;
    }
}

void ps_live_begin(PsLive *live, guint begin, guint end)
{
    live->n_blocks++;
    live->end = end;
    live->now = 0;
    GArray *const lists[] = {live->values, live->reads, live->first, live->item_spots};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        g_array_set_size(lists[i], 0);
    g_hash_table_remove_all(live->in);
    const guint zero = 0;
    g_array_append_val(live->first, zero);
    for (guint i = begin; i < end; i++) {
        live->block[ps_spot(live->spots, i)->point] = live->n_blocks;
        if (!ps_spot_is_node(live->spots, i))
            continue;
        const PsLiveValue new = {bytes_of(live->spots, i), 0,
                                 live->later[i] || live->last[i] >= end, PS_PTX_NOWHERE};
        g_array_append_val(live->values, new);
        g_array_append_val(live->item_spots, i);
    }
    guint item = 0;
    for (guint i = begin; i < end; i++)
        take_spot(live, i, &item);
    for (guint r = 0; r < live->reads->len; r++)
        value(live, g_array_index(live->reads, guint, r))->readers++;
    find_staying(live);
    for (guint v = live->item_spots->len; v < live->values->len; v++)
        live->now += value(live, v)->bytes;
}

/* ---- placing -----------------------------------------------------------------------------------
 */

gint64 ps_live_change(const PsLive *live, guint item)
{
    const PsLiveValue *own = value(live, item);
    gint64 sum = own->readers > 0 || own->stays ? own->bytes : 0;
    const guint end = g_array_index(live->first, guint, item + 1);
    for (guint r = g_array_index(live->first, guint, item); r < end; r++) {
        const PsLiveValue *at = value(live, g_array_index(live->reads, guint, r));
        if (at->readers == 1 && !at->stays)
            sum -= at->bytes;
    }
    return sum;
}

void ps_live_place(PsLive *live, guint item)
{
    live->now += ps_live_change(live, item);
    const guint end = g_array_index(live->first, guint, item + 1);
    for (guint r = g_array_index(live->first, guint, item); r < end; r++)
        value(live, g_array_index(live->reads, guint, r))->readers--;
}

GArray *ps_live_save(const PsLive *live)
{
    GArray *saved = g_array_new(FALSE, FALSE, sizeof(PsLiveValue));
    g_array_append_vals(saved, live->values->data, live->values->len);
    return saved;
}

void ps_live_restore(PsLive *live, const GArray *saved)
{
    if (saved->len > 0)
        memcpy(live->values->data, saved->data, saved->len * sizeof(PsLiveValue));
    live->now = 0;
    for (guint v = live->item_spots->len; v < live->values->len; v++)
        live->now += value(live, v)->bytes;
}

gint64 ps_live_most(PsLive *live)
{
    g_autoptr(GArray) saved = ps_live_save(live);
    gint64 most = live->now;
    for (guint i = 0; i < live->item_spots->len; i++) {
        ps_live_place(live, i);
        most = MAX(most, live->now);
    }
    ps_live_restore(live, saved);
    return most;
}
