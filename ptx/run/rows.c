/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places a warp's slots in its memory, in rows of 32 lanes. Slots that never change come first,
 * then slots that are zero when a group begins, then slots that live only between two steps of a
 * block: a register that all lanes there write before they read it, and that no other code names.
 * In code from compilers nearly all slots are of the last kind, and few live at a time, so that a
 * warp's rows stay in the processor's first cache.
 *
 * Lanes that are elsewhere are not disturbed: a step writes the rows for the lanes that execute it,
 * and a lane is at one place at a time. So a row of the last kind must not hold a value that one
 * lane reads from another.
 */
#include "ptx/run/warp.h"
#include <string.h>

/* ---- special registers ---------------------------------------------------------------------- */

guint64 ps_ptx_rows_thread(const PsPtxMachine *machine, PsPtxSpecial special, guint thread)
{
    const guint *block = machine->launch.block;
    const guint lane = thread % PS_PTX_LANES;
    const guint64 bit = (guint64)1 << lane;
    switch (special) {
    case PS_PTX_TID_X:
        return thread % block[0];
    case PS_PTX_TID_Y:
        return thread / block[0] % block[1];
    case PS_PTX_TID_Z:
        return thread / block[0] / block[1];
    case PS_PTX_LANEID:
        return lane;
    case PS_PTX_WARPID:
        return thread / PS_PTX_LANES;
    case PS_PTX_LANEMASK_EQ:
        return bit;
    case PS_PTX_LANEMASK_LE:
        return 2 * bit - 1;
    case PS_PTX_LANEMASK_LT:
        return bit - 1;
    case PS_PTX_LANEMASK_GE:
        return G_MAXUINT32 & ~(bit - 1);
    case PS_PTX_LANEMASK_GT:
        return G_MAXUINT32 & ~(2 * bit - 1);
    default:
        return 0;
    }
}

guint64 ps_ptx_rows_group(const PsPtxMachine *machine, PsPtxSpecial special)
{
    switch (special) {
    case PS_PTX_NTID_X:
    case PS_PTX_NTID_Y:
    case PS_PTX_NTID_Z:
        return machine->launch.block[special - PS_PTX_NTID_X];
    case PS_PTX_CTAID_X:
    case PS_PTX_CTAID_Y:
    case PS_PTX_CTAID_Z:
        return machine->group[special - PS_PTX_CTAID_X];
    case PS_PTX_NCTAID_X:
    case PS_PTX_NCTAID_Y:
    case PS_PTX_NCTAID_Z:
        return machine->launch.grid[special - PS_PTX_NCTAID_X];
    case PS_PTX_NWARPID:
        return machine->n_warps;
    case PS_PTX_NSMID:
        return 1;
    case PS_PTX_DYNAMIC_SMEM_SIZE:
        return machine->launch.dynamic_shared;
    case PS_PTX_TOTAL_SMEM_SIZE:
        return machine->shared_bytes;
    case PS_PTX_ENVREG1:
        return machine->launch.workspace >> 32;
    case PS_PTX_ENVREG2:
        return machine->launch.workspace & G_MAXUINT32;
    default:
        return ps_ptx_cluster_special(machine, special);
    }
}

gboolean ps_ptx_rows_of_thread(PsPtxSpecial special)
{
    return special <= PS_PTX_TID_Z || special == PS_PTX_LANEID || special == PS_PTX_WARPID ||
           (special >= PS_PTX_LANEMASK_EQ && special <= PS_PTX_LANEMASK_GT);
}

static gboolean is_of_group(PsPtxSpecial special)
{
    return (special >= PS_PTX_CTAID_X && special <= PS_PTX_CTAID_Z) ||
           (special >= PS_PTX_CLUSTERID_X && special <= PS_PTX_IS_EXPLICIT_CLUSTER);
}

static void write_fixed(const PsPtxRunner *runner, const PsPtxFixed *fixed)
{
    const PsPtxMachine *machine = runner->machine;
    const PsPtxSpecial special = (PsPtxSpecial)fixed->value;
    const guint first = runner->open.number * PS_PTX_LANES;
    const guint64 value =
        fixed->value +
        (fixed->shared && !machine->module->machine ? ps_ptx_cluster_base(machine) : 0);
    guint64 *slot = runner->open.slots[fixed->slot];
    if (fixed->special && ps_ptx_rows_of_thread(special)) {
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            slot[lane] = ps_ptx_rows_thread(machine, special, first + lane);
        return;
    }
    const guint64 same = fixed->special ? ps_ptx_rows_group(machine, special) : value;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        slot[lane] = same;
}

/* ---- places --------------------------------------------------------------------------------- */

typedef enum { UNSEEN, FIXED, KEPT, PASSING, PASSED } Kind;

typedef struct {
    Kind kind;
    guint block; /* the only block that names the slot */
    guint last;  /* the last point that names it */
    guint row;
} Slot;

/* A step names a slot; defines: all lanes there write it, and none has read it in that step. */
static void name(Slot *slot, guint block, guint point, gboolean defines)
{
    if (slot->kind == UNSEEN) {
        slot->kind = defines ? PASSING : KEPT;
        slot->block = block;
    } else if (slot->kind == PASSING && slot->block != block) {
        slot->kind = KEPT;
    }
    slot->last = point;
}

static void keep(Slot *slot)
{
    if (slot->kind != FIXED)
        slot->kind = KEPT;
}

static void name_all(Slot *slots, const PsPtxStep *step, guint block)
{
    if (step->guard >= 0)
        name(&slots[step->guard], block, step->point, FALSE);
    for (guint i = 0; i < step->n_from; i++)
        name(&slots[step->from[i]], block, step->point, FALSE);
    for (guint i = 0; i < step->n_to; i++)
        name(&slots[step->to[i]], block, step->point, step->guard < 0);
    for (guint i = 0; i < step->n_both; i++)
        keep(&slots[step->both[i]]);
    if (step->alone)
        return;
    for (guint i = 0; i < step->n_from; i++)
        keep(&slots[step->from[i]]);
    for (guint i = 0; i < step->n_to; i++)
        keep(&slots[step->to[i]]);
}

static void find_kinds(const PsPtxMachine *machine, Slot *slots)
{
    GHashTableIter iter;
    gpointer value;
    guint block = 0;
    for (guint i = 0; i < machine->fixed->len; i++)
        slots[g_array_index(machine->fixed, PsPtxFixed, i).slot].kind = FIXED;
    for (guint i = 0; i < machine->code->n_points; i++) {
        block += machine->code->points[i].leader;
        name_all(slots, &machine->steps[i], block);
    }
    g_hash_table_iter_init(&iter, machine->preludes);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const PsPtxPrelude *prelude = value;
        for (guint i = 0; i < prelude->n; i++) {
            keep(&slots[prelude->before[i].from]);
            keep(&slots[prelude->before[i].to]);
        }
    }
}

/* Takes a row for what the step defines, and gives back those that it names last. */
static void pass(PsPtxMachine *machine, Slot *slots, const PsPtxStep *step, GArray *spare)
{
    for (guint i = 0; i < step->n_to; i++) {
        Slot *slot = &slots[step->to[i]];
        if (slot->kind != PASSING || slot->row != 0)
            continue;
        slot->row =
            spare->len > 0 ? g_array_index(spare, guint, spare->len - 1) : machine->n_slots++;
        g_array_set_size(spare, spare->len > 0 ? spare->len - 1 : 0);
    }
    for (guint i = 0; i < step->n_to + step->n_from + 1; i++) {
        const gint number = i == 0            ? step->guard
                            : i <= step->n_to ? (gint)step->to[i - 1]
                                              : (gint)step->from[i - 1 - step->n_to];
        if (number < 0 || slots[number].kind != PASSING || slots[number].last != step->point)
            continue;
        slots[number].kind = PASSED;
        g_array_append_val(spare, slots[number].row);
    }
}

static void rename_slots(PsPtxMachine *machine, const Slot *slots)
{
    GHashTableIter iter;
    gpointer value;
    for (guint k = 0; k < machine->code->n_points; k++) {
        PsPtxStep *step = &machine->steps[k];
        if (step->guard >= 0)
            step->guard = (gint32)slots[step->guard].row;
        for (guint i = 0; i < step->n_from; i++)
            step->from[i] = slots[step->from[i]].row;
        for (guint i = 0; i < step->n_to; i++)
            step->to[i] = slots[step->to[i]].row;
        for (guint i = 0; i < step->n_both; i++)
            step->both[i] = slots[step->both[i]].row;
    }
    g_hash_table_iter_init(&iter, machine->preludes);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const PsPtxPrelude *prelude = value;
        for (guint i = 0; i < prelude->n; i++) {
            prelude->before[i].from = slots[prelude->before[i].from].row;
            prelude->before[i].to = slots[prelude->before[i].to].row;
        }
    }
}

void ps_ptx_rows_place(PsPtxMachine *machine, const guint *registers)
{
    const guint n = machine->n_slots;
    g_autofree Slot *slots = g_new0(Slot, (gsize)n + 1);
    g_autoptr(GArray) spare = g_array_new(FALSE, FALSE, sizeof(guint));
    find_kinds(machine, slots);
    machine->n_slots = 0;
    for (guint i = 0; i < machine->fixed->len; i++) {
        PsPtxFixed *fixed = &g_array_index(machine->fixed, PsPtxFixed, i);
        slots[fixed->slot].row = machine->n_slots;
        fixed->slot = machine->n_slots++;
    }
    machine->kept_registers = g_new0(guint, (gsize)n + 1);
    for (guint i = 0; i < n; i++)
        if (slots[i].kind == KEPT || slots[i].kind == UNSEEN) {
            machine->kept_registers[machine->n_slots - machine->fixed->len] = registers[i];
            slots[i].row = machine->n_slots++;
        }
    machine->n_kept = machine->n_slots - machine->fixed->len;
    machine->n_slots = MAX(machine->n_slots, 1); /* row 0 is for no slot that lives only within a
                                                    block */
    for (guint i = 0; i < machine->code->n_points; i++)
        pass(machine, slots, &machine->steps[i], spare);
    rename_slots(machine, slots);
}

void ps_ptx_rows_make(const PsPtxRunner *runner)
{
    const GArray *fixed = runner->machine->fixed;
    for (guint i = 0; i < fixed->len; i++)
        write_fixed(runner, &g_array_index(fixed, PsPtxFixed, i));
}

void ps_ptx_rows_begin(const PsPtxRunner *runner)
{
    const PsPtxMachine *machine = runner->machine;
    const guint n_fixed = machine->fixed->len;
    for (guint i = 0; i < n_fixed; i++) {
        const PsPtxFixed *fixed = &g_array_index(machine->fixed, PsPtxFixed, i);
        if (fixed->special && is_of_group((PsPtxSpecial)fixed->value))
            write_fixed(runner, fixed);
    }
    memset(runner->open.slots[n_fixed], 0, sizeof *runner->open.slots * machine->n_kept);
}
