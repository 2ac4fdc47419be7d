/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule "dead": drops instructions without a reader, if they have no other effect. */
#include "lift/rules/rules.h"

static gboolean has_effect(const PsSpots *spots, guint i)
{
    const PsFact *fact = ps_spot_fact(spots, i);
    const PsPtxMnemonic *mnemonic =
        ps_facts_instruction(spots->facts, ps_spot(spots, i)->point)->mnemonic;
    if (fact->class.kind == PS_CLASS_COMPUTE)
        return fact->n_to == 0;
    return fact->class.kind != PS_CLASS_LOAD || ps_ptx_has(mnemonic, "volatile") ||
           ps_ptx_has(mnemonic, "acquire");
}

static void mark(PsSpots *spots, GArray *todo, guint i)
{
    PsSpot *spot = ps_spot(spots, i);
    if (spot->alive)
        return;
    spot->alive = TRUE;
    g_array_append_val(todo, i);
}

void ps_rule_dead(PsSpots *spots)
{
    g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < spots->spots->len; i++)
        ps_spot(spots, i)->alive = FALSE;
    for (guint i = 0; i < spots->spots->len; i++) {
        const PsSpot *spot = ps_spot(spots, i);
        if (spot->kind == PS_SPOT_STEP && spot->role == PS_ROLE_NODE && has_effect(spots, i))
            mark(spots, todo, i);
    }
    while (todo->len > 0) {
        const guint i = g_array_index(todo, guint, todo->len - 1);
        const GArray *edges = ps_spot(spots, i)->edges;
        g_array_set_size(todo, todo->len - 1);
        for (guint j = 0; edges && j < edges->len; j++) {
            const PsEdge *edge = &g_array_index(edges, PsEdge, j);
            if (edge->value)
                mark(spots, todo, edge->on);
        }
    }
}
