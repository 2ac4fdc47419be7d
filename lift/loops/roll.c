/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recorder: it passes the events of all warps to each warp's record and to the caches. When a
 * group ends, it puts warps together that executed the same.
 */
#include "lift/loops/roll.h"
#include "lift/memory/cache.h"
#include "lift/loops/roll-private.h"

#include <string.h>

struct PsRoll {
    PsRollPlan plan;
    guint8 *points;
    PsPatterns *patterns;
    GPtrArray *warps;  /* PsRollWarp, by number, of the present group */
    GPtrArray *groups; /* PsRollGroup of ended groups */
    guint group[3];
    GArray *waits, *enders; /* as in PsRollGroup, for the present group */
    GHashTable *executed;   /* warp and point of a wait -> number of executions, guint64 * */
    PsPatternGroup next;    /* purposes of the next group */
};

/* TRUE for special functions, conversions, double precision and loads of constants; all others take
 * about as long as their issue. (Other accesses have a pattern if a lane makes them.) */
static gboolean is_slow(const PsPtxMnemonic *mnemonic)
{
    static const char *const opcodes[] = {"cos",   "cvt", "ex2",  "lg2",  "rcp",
                                          "rsqrt", "sin", "sqrt", "tanh", NULL};
    return g_strv_contains(opcodes, mnemonic->opcode) || ps_ptx_has(mnemonic, "f64") ||
           (strcmp(mnemonic->opcode, "ld") == 0 && ps_ptx_has(mnemonic, "const"));
}

static gboolean is_wait(const PsPtxMnemonic *mnemonic)
{
    return strcmp(mnemonic->opcode, "mbarrier") == 0 &&
           (ps_ptx_has(mnemonic, "test_wait") || ps_ptx_has(mnemonic, "try_wait"));
}

/* A warp whose guard lets no lane through does not arrive at a barrier. */
static guint8 kind_of(const PsPtxPoint *point, gboolean all_issue)
{
    const char *opcode = point->instruction->mnemonic->opcode;
    if (point->target != PS_PTX_NOWHERE || point->targets)
        return PS_ROLL_BRANCH;
    if (!strcmp(opcode, "ret") || !strcmp(opcode, "exit") || !strcmp(opcode, "trap"))
        return PS_ROLL_END | (all_issue ? PS_ROLL_ISSUES : 0);
    const guint8 waits = is_wait(point->instruction->mnemonic) ? PS_ROLL_WAITS : 0;
    if (!all_issue || !strcmp(opcode, "bar"))
        return waits;
    return waits | PS_ROLL_ISSUES | (is_slow(point->instruction->mnemonic) ? PS_ROLL_SLOW : 0);
}

/* TRUE if one comparison of integers decides the branch back to the loop's header. */
static gboolean counts(const PsPtxCode *code, guint branch)
{
    const PsPtxPoint *back = &code->points[branch];
    const gint guard = back->instruction->guard;
    for (guint p = branch; guard >= 0 && p-- > back->target;) {
        const PsPtxInstruction *one = code->points[p].instruction;
        if (ps_ptx_n_destinations(one) == 0 || one->operands[0].kind != PS_PTX_OPERAND_REGISTER ||
            ps_ptx_code_register(&code->points[p], one->operands[0].reg) !=
                ps_ptx_code_register(back, guard))
            continue;
        return one->n_operands == 3 && !strcmp(one->mnemonic->opcode, "setp") &&
               !ps_ptx_has(one->mnemonic, "f32") && !ps_ptx_has(one->mnemonic, "f64");
    }
    return FALSE;
}

static void mark_counting(const PsPtxCode *code, guint8 *points)
{
    for (guint p = 0; p < code->n_points; p++) {
        const PsPtxPoint *at = &code->points[p];
        if (at->loop != PS_PTX_NOWHERE && at->target == code->loops[at->loop].header &&
            counts(code, p))
            points[at->target] |= PS_ROLL_COUNTS;
    }
}

static void warps_free(gpointer data)
{
    PsRollWarps *warps = data;
    g_array_unref(warps->warps);
    ps_roll_unref(warps->sequence);
    g_free(warps->idle);
    g_free(warps->barred);
    g_free(warps);
}

static void group_free(gpointer data)
{
    PsRollGroup *group = data;
    g_ptr_array_unref(group->warps);
    g_array_unref(group->waits);
    g_array_unref(group->enders);
    g_free(group);
}

static void begin_waits(PsRoll *roll)
{
    roll->waits = g_array_new(FALSE, FALSE, sizeof(PsRollWait));
    roll->enders = g_array_new(FALSE, FALSE, sizeof(PsPtxEnder));
}

PsRoll *ps_roll_new(const PsPtxCode *code, const PsRollOptions *options)
{
    PsRoll *roll = g_new0(PsRoll, 1);
    roll->points = g_new(guint8, MAX(code->n_points, 1));
    for (guint i = 0; i < code->n_points; i++)
        roll->points[i] = kind_of(&code->points[i], options->all_issue);
    for (guint i = 0; i < code->n_loops; i++)
        roll->points[code->loops[i].header] |= PS_ROLL_HEADER;
    if (!options->all_issue)
        mark_counting(code, roll->points);
    roll->plan = (PsRollPlan){.code = code,
                              .points = roll->points,
                              .table = ps_roll_table_new(),
                              .most_kinds = options->most_kinds ? options->most_kinds : 64};
    roll->patterns = ps_patterns_new(code, &options->patterns);
    roll->warps = g_ptr_array_new_with_free_func((GDestroyNotify)ps_roll_warp_free);
    roll->groups = g_ptr_array_new_with_free_func(group_free);
    roll->executed = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    begin_waits(roll);
    return roll;
}

void ps_roll_free(PsRoll *roll)
{
    if (!roll)
        return;
    g_ptr_array_unref(roll->warps);
    g_ptr_array_unref(roll->groups);
    g_array_unref(roll->waits);
    g_array_unref(roll->enders);
    g_hash_table_unref(roll->executed);
    ps_roll_table_free(roll->plan.table);
    ps_patterns_free(roll->patterns);
    g_free(roll->points);
    g_free(roll);
}

/* ---- listening ----------------------------------------------------------------------------- */

static void group_begins(gpointer data, const guint group[3])
{
    PsRoll *roll = data;
    memcpy(roll->group, group, sizeof(roll->group));
    g_ptr_array_set_size(roll->warps, 0); /* remains of a group that failed */
    g_array_set_size(roll->waits, 0);
    g_array_set_size(roll->enders, 0);
    g_hash_table_remove_all(roll->executed);
    ps_patterns_group_begins(roll->patterns, group, roll->next);
    roll->next = (PsPatternGroup){0};
}

/* The event for the lanes that access memory. */
static PsPtxEvent without_idle(const PsPtxEvent *event)
{
    PsPtxEvent access = *event;
    access.mask &= ~access.idle;
    return access;
}

static void add_wait(PsRoll *roll, const PsPtxEvent *event, guint64 index)
{
    const PsRollWait wait = {event->rank, event->warp,       event->point,
                             index,       roll->enders->len, event->n_enders};
    g_array_append_val(roll->waits, wait);
    g_array_append_vals(roll->enders, event->enders, event->n_enders);
}

/* Notes a wait for an mbarrier, and what ended it. */
static void note_wait(PsRoll *roll, const PsPtxEvent *event)
{
    const gint64 key = (gint64)event->point << 8 | event->warp;
    guint64 *count = g_hash_table_lookup(roll->executed, &key);
    if (!count) {
        count = g_new0(guint64, 1);
        g_hash_table_insert(roll->executed, g_memdup2(&key, sizeof key), count);
    }
    if (event->n_enders > 0)
        add_wait(roll, event, *count);
    (*count)++;
}

/* Notes a wait at a barrier where only some warps meet. The warp's own arrival has its number. */
static void met(gpointer data, const PsPtxEvent *event)
{
    for (guint i = 0; i < event->n_enders; i++)
        if (event->enders[i].warp == event->warp && event->enders[i].point == event->point)
            add_wait(data, event, event->enders[i].index);
}

static void executed(gpointer data, const PsPtxEvent *event)
{
    PsRoll *roll = data;
    if (event->mask != 0 && (roll->points[event->point] & PS_ROLL_WAITS) != 0)
        note_wait(roll, event);
    while (roll->warps->len <= event->warp)
        g_ptr_array_add(roll->warps, ps_roll_warp_new(&roll->plan));
    PsRollWarp *warp = g_ptr_array_index(roll->warps, event->warp);
    const PsPattern *pattern = NULL;
    if (ps_roll_warp_enters(warp, event))
        ps_patterns_enters(roll->patterns, event->warp);
    if (event->memory && event->mask != 0) {
        const PsPtxEvent access = without_idle(event);
        pattern = ps_patterns_access(roll->patterns, &access);
    }
    ps_roll_warp_event(warp, event, pattern);
}

static void straight(gpointer data, const PsPtxEvent *event, guint n, const guint32 *masks)
{
    PsRoll *roll = data;
    executed(data, event);
    ps_roll_warp_steps(g_ptr_array_index(roll->warps, event->warp), event, event->point + 1, n - 1,
                       masks ? masks + 1 : NULL);
}

/* The group's warps that executed the sequence; takes ownership of the reference. */
static PsRollWarps *warps_with(PsRollGroup *group, const PsRollSequence *sequence)
{
    for (guint i = 0; i < group->warps->len; i++) {
        PsRollWarps *warps = g_ptr_array_index(group->warps, i);
        if (warps->sequence != sequence)
            continue;
        ps_roll_unref(sequence);
        return warps;
    }
    PsRollWarps *warps = g_new0(PsRollWarps, 1);
    warps->warps = g_array_new(FALSE, FALSE, sizeof(guint));
    warps->sequence = sequence;
    g_ptr_array_add(group->warps, warps);
    return warps;
}

/* Adds one warp's counts per point (NULL, or owned by the sum from now on) to those of others. */
static void add_counts(guint64 **sum, guint64 **counts, guint n_points)
{
    for (guint p = 0; *counts && *sum && p < n_points; p++)
        (*sum)[p] += (*counts)[p];
    if (!*sum)
        *sum = g_steal_pointer(counts);
}

/* Adds an ended warp to those that executed the same. */
static void add_warp(const PsRoll *roll, PsRollGroup *group, guint number)
{
    PsRollWarp *warp = g_ptr_array_index(roll->warps, number);
    g_autofree guint64 *idle = NULL, *barred = NULL;
    const guint lanes = ps_roll_warp_lanes(warp, &idle, &barred);
    const PsRollSequence *sequence = ps_roll_warp_end(warp);
    group->length += sequence->length;
    group->off += sequence->off;
    PsRollWarps *warps = warps_with(group, sequence);
    g_array_append_val(warps->warps, number);
    warps->lanes += lanes;
    add_counts(&warps->idle, &idle, roll->plan.code->n_points);
    add_counts(&warps->barred, &barred, roll->plan.code->n_points);
}

static void group_ends(gpointer data)
{
    PsRoll *roll = data;
    PsRollGroup *group = g_new0(PsRollGroup, 1);
    memcpy(group->group, roll->group, sizeof(group->group));
    group->warps = g_ptr_array_new_with_free_func(warps_free);
    for (guint i = 0; i < roll->warps->len; i++)
        add_warp(roll, group, i);
    group->demand = ps_patterns_demand(roll->patterns);
    group->waits = roll->waits;
    group->enders = roll->enders;
    begin_waits(roll);
    g_ptr_array_add(roll->groups, group);
    g_ptr_array_set_size(roll->warps, 0);
    ps_patterns_group_ends(roll->patterns);
}

PsPtxListener ps_roll_listener(PsRoll *roll)
{
    return (PsPtxListener){.data = roll,
                           .group_begins = group_begins,
                           .executed = executed,
                           .straight = straight,
                           .met = met,
                           .group_ends = group_ends};
}

void ps_roll_next(PsRoll *roll, PsPatternGroup what)
{
    roll->next = what;
}

void ps_roll_ask(PsRoll *roll, const PsPtxEvent *event, PsDemand *sum)
{
    const PsPtxEvent access = without_idle(event);
    if (access.memory && access.mask != 0)
        ps_patterns_ask(roll->patterns, &access, sum);
}

void ps_roll_wave_begins(PsRoll *roll, guint64 first)
{
    ps_patterns_wave_begins(roll->patterns, first);
}

void ps_roll_wave_access(PsRoll *roll, const PsPtxEvent *event)
{
    const PsPtxEvent access = without_idle(event);
    if (access.memory && access.mask != 0)
        ps_patterns_wave_access(roll->patterns, &access);
}

void ps_roll_settle(PsRoll *roll)
{
    ps_patterns_settle(roll->patterns);
}

void ps_roll_unroll(PsRoll *roll, const guint *unrolled)
{
    if (ps_patterns_unroll(roll->patterns, unrolled))
        ps_patterns_settle(roll->patterns);
}

gboolean ps_roll_wave_shares(const PsRoll *roll)
{
    return ps_patterns_wave_shares(roll->patterns);
}

PsHitRates ps_roll_rates(const PsRoll *roll)
{
    return ps_patterns_rates(roll->patterns);
}

const GPtrArray *ps_roll_groups(const PsRoll *roll)
{
    return roll->groups;
}

const GPtrArray *ps_roll_patterns(const PsRoll *roll)
{
    return ps_patterns_all(roll->patterns);
}
