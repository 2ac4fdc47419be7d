/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From addresses to memory: finds the buffer of each lane's bytes, and gives a clear message where
 * they lie in none. Accesses that row.h does not cover go lane by lane.
 */
#include "ptx/code/expand.h"
#include "ptx/run/heap.h"
#include "ptx/run/row.h"
#include <string.h>

void ps_ptx_addresses(const PsPtxWarp *warp, const PsPtxStep *step, guint64 address[PS_PTX_LANES])
{
    const guint64 offset = (guint64)step->offset;
    const guint64 *from = warp->slots[step->from[0]];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        address[lane] = from[lane] + offset;
}

PsPtxSpace ps_ptx_window(const PsPtxMachine *machine, guint64 address, guint64 *offset)
{
    static const PsPtxSpace spaces[] = {PS_PTX_SHARED, PS_PTX_LOCAL, PS_PTX_CONST, PS_PTX_PARAM};
    for (gsize i = 0; i < G_N_ELEMENTS(spaces); i++)
        if (address - machine->window[spaces[i]] < machine->window_bytes) {
            *offset = address - machine->window[spaces[i]];
            return spaces[i];
        }
    *offset = address;
    return PS_PTX_GLOBAL;
}

/* ---- one lane ------------------------------------------------------------------------------- */

/* A lane's own memory in the form of a buffer, if the address lies there; the address becomes an
 * offset in it. */
static gboolean own_memory(const PsPtxRunner *runner, PsPtxReach *reach, PsPtxBuffer *own)
{
    const guint64 size = runner->machine->code->thread_bytes;
    if (reach->space == PS_PTX_PARAM && reach->address >= PS_PTX_OWN_PARAM)
        reach->address -= PS_PTX_OWN_PARAM;
    else if (reach->space != PS_PTX_LOCAL)
        return FALSE;
    *own = (PsPtxBuffer){.size = size,
                         .data = runner->local + reach->lane * size,
                         .written = runner->stored + reach->lane * size};
    return TRUE;
}

/* Makes the blocks of the buffer that these bytes lie in. */
static void make_bytes(PsPtxMachine *machine, const PsPtxBuffer *buffer, guint64 offset,
                       const PsPtxReach *reach)
{
    const guint64 last = (offset + MAX(reach->bytes, 1) - 1) / PS_PTX_BLOCK;
    for (guint64 i = offset / PS_PTX_BLOCK; i <= last; i++)
        ps_ptx_make_block(machine, buffer->blocks, i, !reach->reads);
}

/* One lane's memory, or NULL with the warp's error set. */
static guint8 *reach_lane(PsPtxRunner *runner, const PsPtxStep *step, PsPtxReach *reach)
{
    PsPtxMachine *machine = runner->machine;
    const guint bytes = reach->bytes;
    PsPtxBuffer own;
    if ((bytes & (bytes - 1)) == 0 && (reach->address & (bytes - 1)) != 0)
        return ps_ptx_misaligned(runner, step, reach);
    if (reach->space != PS_PTX_GLOBAL && reach->address >> 32 == 1)
        reach->address &= G_MAXUINT32; /* the address is a sum of 32 bits that overflowed */
    const PsPtxMachine *owner = machine;
    if (reach->space == PS_PTX_SHARED && machine->cluster->n > 1 && !machine->launch.workspace)
        owner = ps_ptx_cluster_owner(runner, step, reach);
    if (!owner)
        return NULL;
    const PsPtxBuffer *buffer = own_memory(runner, reach, &own)
                                    ? &own
                                    : ps_ptx_buffer_at(owner, reach->space, reach->address);
    if (!buffer || bytes > buffer->size || reach->address - buffer->address > buffer->size - bytes)
        return owner == machine ? ps_ptx_outside(runner, step, reach)
                                : ps_ptx_cluster_outside(runner, step, reach);
    if (buffer->heap && !ps_ptx_heap_has(machine, buffer, reach->address, bytes))
        return ps_ptx_outside(runner, step, reach);
    if (reach->space == PS_PTX_CONST && ps_ptx_writes(runner, step)) {
        ps_ptx_fail(&runner->open, step, reach->lane, "writes to constant memory");
        return NULL;
    }
    if (buffer->blocks)
        make_bytes(machine, buffer, reach->address - buffer->address, reach);
    if (buffer->written && !reach->reads)
        memset(buffer->written + (reach->address - buffer->address), 1, bytes);
    return buffer->data + (reach->address - buffer->address);
}

/* ---- all lanes ------------------------------------------------------------------------------ */

/* The usual case: a row. */
static gboolean reach_row(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                          const PsPtxTouched *what, guint8 *memory[PS_PTX_LANES])
{
    guint64 place[PS_PTX_LANES];
    PsPtxRow row = {.address = runner->touched ? place : runner->address};
    if (what->space == PS_PTX_CONST || /* constant memory cannot be written */
        !ps_ptx_row(runner->machine, step, mask, what, &row))
        return FALSE;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        memory[lane] = row.data + (row.address[lane] - row.start);
    }
    ps_ptx_note(runner, row.space, what->bytes);
    return TRUE;
}

/* Finds lanes' own memory, each lane at its own address. FALSE: some lane needs a closer look. */
static gboolean reach_own(PsPtxRunner *runner, guint32 mask, const PsPtxTouched *what,
                          guint8 *memory[PS_PTX_LANES])
{
    const guint64 size = runner->machine->code->thread_bytes;
    const guint bytes = what->bytes;
    guint64 offset[PS_PTX_LANES], any = 0;
    gboolean inside = what->space == PS_PTX_LOCAL && (bytes & (bytes - 1)) == 0 && bytes <= size &&
                      runner->machine->module->address_size == 64;
    PS_PTX_EACH_LANE offset[lane] = what->address[lane] + what->offset;
    for (guint32 rest = inside ? mask : 0; rest != 0; rest &= rest - 1) {
        const guint64 at = offset[__builtin_ctz(rest)];
        inside &= at <= size - bytes;
        any |= at;
    }
    if (!inside || (any & (bytes - 1)) != 0)
        return FALSE;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const guint64 at = lane * size + offset[lane];
        memory[lane] = runner->local + at;
        if (what->reads)
            continue;
        if (bytes == 4)
            memset(runner->stored + at, 1, 4);
        else
            memset(runner->stored + at, 1, bytes);
    }
    const guint64 place = runner->machine->place[PS_PTX_LOCAL];
    if (!runner->touched)
        PS_PTX_EACH_LANE runner->address[lane] = offset[lane] & place;
    ps_ptx_note(runner, PS_PTX_LOCAL, bytes);
    return TRUE;
}

/* Warns of lanes in different spaces. A device takes a turn for each space; an event has one space,
 * which counts for all lanes. */
static void note_strays(PsPtxRunner *runner, const PsPtxStep *step, guint32 strays,
                        PsPtxSpace space)
{
    PsPtxMachine *machine = runner->machine;
    g_autofree char *where = ps_ptx_code_where(machine->code, step->point);
    runner->strays = strays;
    ps_ptx_machine_warn(
        machine, PS_PTX_WARNS(PS_PTX_WARNS_SPACES, step->point),
        g_strdup_printf("%s: lanes of one warp access .%s memory and other memory at once; all of "
                        "them count as the former, so the time may be too short",
                        where, ps_ptx_space_name(space)));
}

gboolean ps_ptx_reach(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                      const PsPtxTouched *what, guint8 *memory[PS_PTX_LANES])
{
    guint64 resolved[PS_PTX_LANES];
    PsPtxSpace first = PS_PTX_GENERIC;
    const gboolean again = runner->touched;
    guint32 strays = 0;
    if (what->space == PS_PTX_LOCAL ? reach_own(runner, mask, what, memory)
                                    : reach_row(runner, step, mask, what, memory))
        return TRUE;
    PS_PTX_EACH_LANE resolved[lane] = what->address[lane] + what->offset;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        PsPtxReach reach = {lane, what->space, resolved[lane], what->bytes, what->reads};
        if (runner->machine->module->address_size == 32)
            reach.address &= G_MAXUINT32;
        if (what->space == PS_PTX_GENERIC)
            reach.space = ps_ptx_window(runner->machine, reach.address, &reach.address);
        memory[lane] = reach_lane(runner, step, &reach);
        if (!memory[lane])
            return FALSE;
        resolved[lane] = reach.address;
        if (first == PS_PTX_GENERIC)
            first = reach.space;
        if (reach.space != first)
            strays |= (guint32)1 << lane;
    }
    if (!again) {
        const guint64 place = runner->machine->place[first];
        PS_PTX_EACH_LANE runner->address[lane] = resolved[lane] & place;
    }
    ps_ptx_note(runner, first, what->bytes);
    if (!again && strays != 0)
        note_strays(runner, step, strays, first);
    return TRUE;
}

/* Notes a further access of the step, of the same size and in the same space as the first. */
static void note_more(PsPtxRunner *runner, guint32 mask, const guint64 address[PS_PTX_LANES],
                      guint bytes)
{
    if (runner->n_more == PS_PTX_MAX_MORE || bytes != runner->bytes)
        return;
    guint64 *more = runner->more[runner->n_more];
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        guint64 offset = address[lane];
        if (runner->machine->module->address_size == 32)
            offset &= G_MAXUINT32;
        /* the first access was noted with offsets in shared memory, so generic addresses become
         * offsets, too */
        if (runner->space != PS_PTX_GLOBAL &&
            ps_ptx_window(runner->machine, offset, &offset) == PS_PTX_GLOBAL)
            offset &= G_MAXUINT32;
        more[lane] = offset & runner->machine->place[runner->space];
    }
    runner->n_more++;
}

gboolean ps_ptx_reach_more(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                           const PsPtxTouched *what, guint8 *memory[PS_PTX_LANES])
{
    const gboolean again = runner->touched;
    if (!ps_ptx_reach(runner, step, mask, what, memory))
        return FALSE;
    if (again)
        note_more(runner, mask, what->address, what->bytes);
    return TRUE;
}

gboolean ps_ptx_touch(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                      const guint64 address[PS_PTX_LANES], guint bytes,
                      guint8 *memory[PS_PTX_LANES])
{
    const PsPtxTouched what = {.space = step->space, .bytes = bytes, .address = address};
    return ps_ptx_reach_more(ps_ptx_runner(warp), step, mask, &what, memory);
}
