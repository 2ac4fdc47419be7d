/* SPDX-License-Identifier: BSD-3-Clause */
/* See schedule-memory.h. */
#include "lift/rules/schedule-memory.h"

PsMemoryUses *ps_memory_uses_new(const PsSpots *spots)
{
    PsMemoryUses *uses = g_new0(PsMemoryUses, 1);
    uses->spots = spots;
    uses->uses = g_array_new(FALSE, FALSE, sizeof(PsMemoryUse));
    uses->versions = g_hash_table_new(NULL, NULL);
    uses->moved = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return uses;
}

void ps_memory_uses_free(PsMemoryUses *uses)
{
    g_array_unref(uses->uses);
    g_hash_table_unref(uses->versions);
    g_hash_table_unref(uses->moved);
    g_free(uses);
}

void ps_memory_uses_clear(PsMemoryUses *uses)
{
    g_array_set_size(uses->uses, 0);
    g_hash_table_remove_all(uses->versions);
    g_hash_table_remove_all(uses->moved);
}

static gboolean has_one_of(const PsPtxMnemonic *mnemonic, const char *const *list)
{
    for (; *list; list++)
        if (ps_ptx_has(mnemonic, *list))
            return TRUE;
    return FALSE;
}

static guint version_of(const PsMemoryUses *uses, guint reg)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(uses->versions, GUINT_TO_POINTER(reg)));
}

static gint64 moved_by(const PsMemoryUses *uses, guint reg)
{
    const gint64 *by = g_hash_table_lookup(uses->moved, GUINT_TO_POINTER(reg));
    return by ? *by : 0;
}

/* The address in a register behind a write: a constant further, or unknown. */
static void note_written(const PsMemoryUses *uses, const PsSpot *spot, guint reg)
{
    const PsFacts *facts = uses->spots->facts;
    gint64 step;
    if (facts->facts[spot->point].count != PS_COUNT_NONE &&
        (ps_facts_constant(facts, spot->point, 2, &step) ||
         ps_facts_constant(facts, spot->point, 1, &step))) {
        gint64 *by = g_new(gint64, 1);
        *by = moved_by(uses, reg) + step;
        g_hash_table_insert(uses->moved, GUINT_TO_POINTER(reg), by);
        return;
    }
    g_hash_table_insert(uses->versions, GUINT_TO_POINTER(reg),
                        GUINT_TO_POINTER(version_of(uses, reg) + 1));
}

static void add_use(PsMemoryUses *uses, guint at, PsClassKind kind)
{
    static const char *const ordered[] = {"volatile", "relaxed", "acquire",
                                          "release",  "mmio",    NULL};
    const PsFacts *facts = uses->spots->facts;
    const PsSpot *spot = ps_spot(uses->spots, at);
    const PsPtxMnemonic *mnemonic = ps_facts_instruction(facts, spot->point)->mnemonic;
    const PsPtxOperand *address = ps_facts_address(facts, spot->point);
    PsMemoryUse use = {.spot = at,
                       .barrier = kind == PS_CLASS_BARRIER,
                       .space = mnemonic->space,
                       .writes = kind != PS_CLASS_LOAD,
                       .constant = ps_ptx_has(mnemonic, "nc") || mnemonic->space == PS_PTX_CONST ||
                                   mnemonic->space == PS_PTX_PARAM,
                       .ordered = has_one_of(mnemonic, ordered) || kind == PS_CLASS_ATOMIC ||
                                  kind == PS_CLASS_COPY || !address,
                       .base = PS_PTX_NOWHERE};
    if (address) {
        use.base = ps_facts_base(facts, spot->point, address, &use.offset);
        use.version = version_of(uses, use.base);
        use.offset += moved_by(uses, use.base);
    }
    if (spot->pattern && spot->bytes == 0)
        use.bytes = spot->pattern->bytes;
    g_array_append_val(uses->uses, use);
}

void ps_memory_uses_add(PsMemoryUses *uses, guint at)
{
    const PsFact *fact = ps_spot_fact(uses->spots, at);
    const PsClassKind kind = fact->class.kind;
    if (ps_spot_is_node(uses->spots, at) &&
        (kind == PS_CLASS_LOAD || kind == PS_CLASS_STORE || kind == PS_CLASS_ATOMIC ||
         kind == PS_CLASS_COPY || kind == PS_CLASS_BARRIER))
        add_use(uses, at, kind);
    for (guint i = 0; i < fact->n_to; i++)
        note_written(uses, ps_spot(uses->spots, at), ps_fact_to(uses->spots->facts, fact)[i]);
}

static gboolean may_meet(const PsMemoryUse *a, const PsMemoryUse *b)
{
    if (a->space != b->space && a->space != PS_PTX_GENERIC && b->space != PS_PTX_GENERIC)
        return FALSE;
    if (a->base != b->base || a->version != b->version || a->bytes == 0 || b->bytes == 0)
        return TRUE;
    return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

gboolean ps_memory_keeps_order(const PsMemoryUses *uses, guint first, guint second)
{
    const PsMemoryUse *a = ps_memory_use(uses, first), *b = ps_memory_use(uses, second);
    if (a->constant || b->constant)
        return FALSE;
    if (a->barrier || b->barrier)
        return TRUE;
    if (a->ordered || b->ordered)
        return may_meet(a, b) || a->ordered == b->ordered;
    return (a->writes || b->writes) && may_meet(a, b);
}
