/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binding by R7 and R8 for the slow simulator, from nodes to the whole launch: see
 * reference-traffic.h. Each function is a sentence of docs/reference/model.md.
 */
#include "tests/help/reference-node.h"
#include "tests/help/reference-expand.h"

#include <math.h>
#include <string.h>

/* ---- the graph ----------------------------------------------------------------------------- */

/* All nodes of a body that go through levels, in the order of the text. */
static void collect(const PsGpu *gpu, const GPtrArray *body, GPtrArray *items)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            collect(gpu, item->body, items);
        else if (ref_goes_through_levels(gpu, item))
            g_ptr_array_add(items, item);
    }
}

static GPtrArray *nodes_of(const PsGpu *gpu, const PsIdg *idg)
{
    GPtrArray *items = g_ptr_array_new();
    for (guint c = 0; c < idg->codes->len; c++)
        collect(gpu, ((const PsIdgCode *)idg->codes->pdata[c])->body, items);
    return items;
}

/* Whether any node of a body states its wavefronts. */
static gboolean counts(const GPtrArray *body)
{
    gboolean found = FALSE;
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        found = found || item->wavefronts || (item->kind == PS_IDG_LOOP && counts(item->body));
    }
    return found;
}

static gboolean are_counted(const RefMemory *memory, const PsIdg *idg)
{
    gboolean found = FALSE;
    for (guint c = 0; c < idg->codes->len; c++)
        found = found || counts(((const PsIdgCode *)idg->codes->pdata[c])->body);
    return found && ref_is_stated(memory->gpu->memory.wavefront);
}

/* The server of a spot: the first node of that name decides its number. */
static guint server_of_spot(const GPtrArray *items, const char *spot)
{
    guint i = 0;
    while (spot && g_strcmp0(((const PsIdgItem *)items->pdata[i])->spot, spot) != 0)
        i++;
    return REF_FIRST_SPOT + i;
}

/* ---- what a launch before has left --------------------------------------------------------- */

/* How often a warp that runs the body runs the node. */
static gint64 times_in(const GPtrArray *body, const PsScope *scope, const PsIdgItem *node)
{
    const PsIntRange range = {"number", 0, G_MAXINT32};
    gint64 times = 0;
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        gint64 trips = 0;
        if (item == node)
            times++;
        else if (item->kind == PS_IDG_LOOP &&
                 ps_expr_eval_int(item->times, scope, (PsPlace){"test", 0}, &range, &trips, NULL))
            times += trips * times_in(item->body, scope, node);
    }
    return times;
}

/* How often the warps of a group of that kind run it. */
static gint64 instances_in(const RefMemory *memory, const PsIdg *idg, const PsScope *scope,
                           guint kind, const PsIdgItem *node)
{
    gint64 instances = 0;
    for (gint64 w = 0; w < memory->warps; w++) {
        const PsIdgCode *code = idg->codes->pdata[ref_code_of(idg, scope, kind, w)];
        instances += times_in(code->body, scope, node);
    }
    return instances;
}

/* The instances of the whole launch, of which each kind has its share. */
static Fraction instances_of(const RefMemory *memory, const PsIdg *idg, const PsScope *scope,
                             const PsIdgItem *node)
{
    gint64 instances = 0, parts = 0;
    for (guint k = 0; k < ref_kinds(idg); k++) {
        const gint64 share = ref_share(idg, scope, k);
        instances += share * instances_in(memory, idg, scope, k, node);
        parts += share;
    }
    return fraction_mul(fraction(memory->groups, 1), fraction(instances, parts));
}

/* What the launch reads from device memory and writes there, cold. */
static void launch_bytes(const RefMemory *memory, const PsIdg *idg, const PsScope *scope,
                         const GPtrArray *items, Fraction bytes[2])
{
    bytes[0] = bytes[1] = fraction(0, 1);
    for (guint i = 0; i < items->len; i++) {
        const RefNode node = {memory, items->pdata[i], scope, 0, FALSE, FALSE, FALSE, FALSE};
        const Fraction instances = instances_of(memory, idg, scope, node.item);
        Fraction *of = &bytes[ref_writes(node.item)];
        *of = fraction_add(*of, fraction_mul(instances, ref_bytes_at(&node, PS_LEVEL_DEVICE)));
    }
}

/* Whether the launch has an instance of any node that writes sectors in part. */
static gboolean any_writes_parts(const RefMemory *memory, const PsIdg *idg, const PsScope *scope,
                                 const GPtrArray *items)
{
    gboolean found = FALSE;
    for (guint i = 0; i < items->len; i++) {
        const RefNode node = {memory, items->pdata[i], scope, 0, FALSE, FALSE, FALSE, FALSE};
        found = found || (ref_share_in_part(&node).num > 0 &&
                          instances_of(memory, idg, scope, node.item).num > 0);
    }
    return found;
}

/* Whether the launch has an instance of any store, whose whole sectors have a rate. */
static gboolean any_stores(const RefMemory *memory, const PsIdg *idg, const PsScope *scope,
                           const GPtrArray *items)
{
    gboolean found = FALSE;
    for (guint i = 0; i < items->len; i++)
        found = found || (ref_is_store(items->pdata[i]) &&
                          instances_of(memory, idg, scope, items->pdata[i]).num > 0);
    return found && ref_is_stated(memory->gpu->atomics.stores);
}

/* --cache warm: all that the launch moves at device memory fits in the cache before it. */
static gboolean is_kept(const RefMemory *memory, Fraction bytes)
{
    const GArray *levels = memory->gpu->memory.levels;
    if (memory->cache != PS_CACHE_WARM || levels->len < 2)
        return FALSE;
    const PsMemoryLevel *cache = &g_array_index(levels, PsMemoryLevel, levels->len - 2);
    return !fraction_less(fraction(cache->bytes, 1), bytes);
}

static double number(Fraction of)
{
    return (double)of.num / (double)of.den;
}

/* --cache dirty: each line that comes takes the place of any other, so of what must be written back
 * e^(-S/C) is left when S bytes were stored, and e^(-R/C) of that when R bytes were read. It is
 * added to what is written. */
static gint64 written_back(const RefMemory *memory, Fraction bytes[2])
{
    const GArray *levels = memory->gpu->memory.levels;
    if (memory->cache != PS_CACHE_DIRTY || bytes[0].num == 0)
        return 0;
    const PsMemoryLevel *cache = &g_array_index(levels, PsMemoryLevel, levels->len - 2);
    const double room = (double)cache->bytes, read = number(bytes[0]) / room,
                 left = number(fraction_of(cache->dirty)) * exp(-number(bytes[1]) / room),
                 back = left * (1 - exp(-read));
    bytes[1] = fraction_add(bytes[1], fraction((gint64)(back * room * (1 << 20)), 1 << 20));
    return (gint64)(1024 * back / read + 0.5);
}

/* All of the traffic is mixed, 1024 parts, once a quarter of it is of each sort. */
static gint64 mixed_parts(Fraction read, Fraction written)
{
    const Fraction all = fraction_add(read, written), less = fraction_min(read, written);
    if (!fraction_less(fraction(0, 1), less))
        return 0;
    const Fraction share = fraction_div(fraction_mul(fraction(4, 1), less), all);
    return fraction_round(fraction_min(share, fraction(1, 1)), 1024);
}

GHashTable *ref_traffic_new(const RefMemory *of, const PsIdg *idg, const PsScope *scope)
{
    RefMemory on = *of;
    const RefMemory *memory = &on;
    Fraction bytes[2];
    GHashTable *table = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_autoptr(GPtrArray) items = nodes_of(memory->gpu, idg);
    launch_bytes(memory, idg, scope, items, bytes);
    const gboolean kept = is_kept(memory, fraction_add(bytes[0], bytes[1])),
                   counted = are_counted(memory, idg),
                   parts = any_writes_parts(memory, idg, scope, items),
                   stored = any_stores(memory, idg, scope, items);
    on.back = written_back(memory, bytes);
    on.mixed = mixed_parts(bytes[0], bytes[1]);
    for (guint i = 0; i < items->len; i++) {
        PsIdgItem *item = items->pdata[i];
        const RefNode node = {memory,  item, scope, server_of_spot(items, item->spot),
                              counted, kept, parts, stored};
        g_hash_table_insert(table, item, ref_traffic_of(&node));
    }
    return table;
}

/* ---- device memory that is busy ------------------------------------------------------------- */

static gint64 ticks_of_ns(const RefMemory *memory, Fraction ns)
{
    const Fraction cycles =
        fraction_div(fraction_mul(ns, fraction_of(memory->clock)), fraction(1000, 1));
    return fraction_whole(fraction(fraction_round(cycles, 1024), 1024), memory->ticks_per_cycle);
}

void ref_queue(const RefMemory *memory, const PsIdg *idg, const PsScope *scope, gint64 *queue,
               gint64 *window)
{
    const PsMemory *of = &memory->gpu->memory;
    Fraction bytes[2];
    *queue = *window = 0;
    if (!ref_is_stated(of->window))
        return;
    g_autoptr(GPtrArray) items = nodes_of(memory->gpu, idg);
    launch_bytes(memory, idg, scope, items, bytes);
    written_back(memory, bytes);
    const Fraction q = fraction(mixed_parts(bytes[0], bytes[1]), 1024);
    const Fraction plain = fraction_mul(fraction_sub(fraction(1, 1), q), fraction_of(of->queue));
    *queue =
        ticks_of_ns(memory, fraction_add(plain, fraction_mul(q, fraction_of(of->queue_mixed))));
    *window = ticks_of_ns(memory, fraction_of(of->window));
}

/* ---- the first instructions ---------------------------------------------------------------- */

/* Twice the latency of where they come from: the last cache if a launch before left them there,
 * else device memory. */
gint64 ref_fetch(const RefMemory *memory)
{
    const GArray *levels = memory->gpu->memory.levels;
    const guint last = levels->len - (memory->cache == PS_CACHE_WARM && levels->len > 1 ? 2 : 1);
    const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, last);
    const Fraction twice =
        fraction_mul(fraction(2, 1), ref_latency_in_cycles(memory, level->latency, level->at));
    return fraction_whole(fraction(fraction_ceil(twice, 1024), 1024), memory->ticks_per_cycle);
}
