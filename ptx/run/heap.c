/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See heap.h. The search for room goes on where the last piece was found, so that it is short while
 * much is free.
 */
#include "ptx/run/heap.h"

#include "ptx/code/expand.h"
#include "ptx/run/row.h"

#include <string.h>

#define UNIT 16
#define ALIGN 256
/* Bits of a unit's byte in the books. The byte is 0, or the number of the unit's bytes that the
 * piece has, with these bits. */
#define TAKEN 0x40
#define FIRST 0x80
#define BYTES 0x1f

/* The head of a heap; a byte for each unit follows. */
typedef struct {
    guint64 taken; /* units that pieces have, and one more for each piece */
    guint64 next;  /* the unit where the next search begins */
} Head;

typedef struct {
    PsPtxMachine *machine;
    const PsPtxBuffer *buffer;
    Head *head;
    guint8 *map;
    guint64 units;
    guint64 begin; /* address of the first unit */
} Heap;

/* ---- the buffer ----------------------------------------------------------------------------- */

guint64 ps_ptx_heap_bytes(guint64 size)
{
    const guint64 units = size / UNIT + (size % UNIT != 0);
    return sizeof(Head) + units * (UNIT + 1) + ALIGN - 1;
}

/* Makes these bytes of the books present, and notes that they are written. */
static void open_books(const Heap *heap, const guint8 *from, guint64 n, gboolean writes)
{
    const guint64 at = (guint64)(from - heap->buffer->data);
    const PsPtxBlocks *blocks = heap->buffer->blocks;
    for (guint64 i = at / PS_PTX_BLOCK; blocks && i <= (at + n - 1) / PS_PTX_BLOCK; i++)
        ps_ptx_row_make_one(heap->machine, blocks, i, !writes);
}

static Heap heap_in(PsPtxMachine *machine, const PsPtxBuffer *buffer)
{
    Heap heap = {.machine = machine,
                 .buffer = buffer,
                 .head = (Head *)(gpointer)buffer->data,
                 .map = buffer->data + sizeof(Head),
                 .units = (buffer->size - sizeof(Head) - (ALIGN - 1)) / (UNIT + 1)};
    heap.begin = (buffer->address + sizeof(Head) + heap.units + ALIGN - 1) / ALIGN * ALIGN;
    return heap;
}

gboolean ps_ptx_heap_wanted(const PsPtxCode *code)
{
    for (guint p = 0; p < code->n_points; p++) {
        const PsPtxInstruction *instruction = code->points[p].instruction;
        if (strcmp(instruction->mnemonic->opcode, "call") != 0)
            continue;
        const PsPtxCall parts = ps_ptx_call_parts(instruction);
        const PsPtxOperand *callee = parts.callee < 0 ? NULL : &instruction->operands[parts.callee];
        if (callee && callee->function && ps_ptx_call_allocates(callee->function->name))
            return TRUE;
    }
    return FALSE;
}

gboolean ps_ptx_module_allocates(const PsPtxModule *module)
{
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        if (!function->body && ps_ptx_call_allocates(function->name))
            return TRUE;
    }
    return FALSE;
}

/* ---- pieces --------------------------------------------------------------------------------- */

/* A unit's byte; the unit behind the last one counts as free. */
static guint8 state(const Heap *heap, guint64 unit)
{
    if (unit >= heap->units)
        return 0;
    open_books(heap, heap->map + unit, 1, FALSE);
    return heap->map[unit];
}

static gboolean is_inside(const Heap *heap, guint64 address)
{
    return address >= heap->begin && (address - heap->begin) / UNIT < heap->units;
}

/* The first unit from `from` on that begins n free units, with no piece right before it;
 * G_MAXUINT64: there is none before `end`. The unit behind the n units must be free, too. */
static guint64 find_room(const Heap *heap, guint64 n, guint64 from, guint64 end)
{
    guint64 first = from;
    if (first > 0 && state(heap, first - 1) != 0)
        first++;
    for (guint64 unit = first; first < end && n <= heap->units - MIN(first, heap->units); unit++) {
        if (state(heap, unit) != 0)
            first = unit + 2;
        else if (unit >= first + n)
            return first;
    }
    return G_MAXUINT64;
}

static void set_piece(const Heap *heap, guint64 first, guint64 n, guint64 bytes)
{
    guint8 *map = heap->map + first;
    open_books(heap, map, n, TRUE);
    memset(map, TAKEN | UNIT, n);
    map[n - 1] = (guint8)(TAKEN | (bytes - (n - 1) * UNIT));
    map[0] |= FIRST;
}

guint64 ps_ptx_heap_take(PsPtxMachine *machine, guint64 bytes)
{
    const PsPtxBuffer *buffer = machine->heap;
    if (!buffer || bytes > buffer->size)
        return 0;
    const Heap heap = heap_in(machine, buffer);
    const guint64 n = MAX((bytes + UNIT - 1) / UNIT, 1);
    open_books(&heap, buffer->data, sizeof(Head), TRUE);
    /* the last piece needs no unit behind it */
    if (heap.head->taken + n > heap.units)
        return 0;
    guint64 first = find_room(&heap, n, heap.head->next, heap.units);
    if (first == G_MAXUINT64)
        first = find_room(&heap, n, 0, heap.head->next);
    if (first == G_MAXUINT64)
        return 0;
    set_piece(&heap, first, n, bytes);
    heap.head->next = MIN(first + n, heap.units);
    heap.head->taken += n + 1;
    return heap.begin + first * UNIT;
}

/* The number of units of the piece that begins at `first`. */
static guint64 length(const Heap *heap, guint64 first)
{
    guint64 n = 1;
    while (state(heap, first + n) != 0)
        n++;
    return n;
}

gboolean ps_ptx_heap_give_back(PsPtxMachine *machine, guint64 address)
{
    const PsPtxBuffer *buffer = machine->heap;
    if (!buffer)
        return FALSE;
    const Heap heap = heap_in(machine, buffer);
    const guint64 first = (address - heap.begin) / UNIT;
    if (!is_inside(&heap, address) || address % UNIT != 0 || !(state(&heap, first) & FIRST))
        return FALSE;
    const guint64 n = length(&heap, first);
    open_books(&heap, buffer->data, sizeof(Head), TRUE);
    open_books(&heap, heap.map + first, n, TRUE);
    memset(heap.map + first, 0, n);
    heap.head->taken -= n + 1;
    return TRUE;
}

/* ---- accesses ------------------------------------------------------------------------------- */

gboolean ps_ptx_heap_has(PsPtxMachine *machine, const PsPtxBuffer *buffer, guint64 address,
                         guint bytes)
{
    const Heap heap = heap_in(machine, buffer);
    if (!is_inside(&heap, address))
        return FALSE;
    const guint64 at = address - heap.begin, end = at + bytes;
    for (guint64 unit = at / UNIT; unit * UNIT < end; unit++) {
        const guint8 is = state(&heap, unit);
        const gboolean begins = (is & FIRST) && unit > at / UNIT;
        if (is == 0 || begins || MIN(end - unit * UNIT, UNIT) > (is & BYTES))
            return FALSE;
    }
    return TRUE;
}

guint64 ps_ptx_heap_before(PsPtxMachine *machine, const PsPtxBuffer *buffer, guint64 address,
                           guint64 *size)
{
    const Heap heap = heap_in(machine, buffer);
    guint64 unit = address < heap.begin ? 0 : MIN((address - heap.begin) / UNIT + 1, heap.units);
    while (unit > 0 && !(state(&heap, unit - 1) & FIRST))
        unit--;
    if (unit == 0)
        return 0;
    const guint64 n = length(&heap, unit - 1);
    *size = (n - 1) * UNIT + (state(&heap, unit - 1 + n - 1) & BYTES);
    return heap.begin + (unit - 1) * UNIT;
}
