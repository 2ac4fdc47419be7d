/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From addresses to memory: which buffer each lane's bytes lie in, and clear words where they lie
 * in none. The usual case, all lanes in the buffer that was used last, is checked without a branch
 * per lane; all else goes lane by lane.
 */
#include "idg/ptx/run/warp.h"
#include <stdarg.h>
#include <string.h>

void ps_ptx_fail(PsPtxWarp *warp, const PsPtxStep *step, guint lane, const char *format, ...)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const guint *block = machine->launch.block, *group = machine->group;
    const guint thread = warp->number * PS_PTX_LANES + lane;
    va_list arguments;

    if (warp->error)
        return;
    g_autofree char *place = ps_ptx_code_where(machine->code, step->point);
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    warp->error =
        g_error_new(PS_ERROR, PS_ERROR_VALUE, "%s: thread (%u,%u,%u) of group (%u,%u,%u) %s", place,
                    thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1],
                    group[0], group[1], group[2], text);
}

void ps_ptx_addresses(const PsPtxWarp *warp, const PsPtxStep *step, guint base,
                      guint64 address[PS_PTX_LANES])
{
    const guint64 offset = (guint64)step->offset;

    if (base >= step->n_from) {
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            address[lane] = offset;
        return;
    }
    const guint64 *from = warp->slots[step->from[base]];
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

/* ---- errors --------------------------------------------------------------------------------- */

static gboolean writes(const PsPtxRunner *runner, const PsPtxStep *step)
{
    static const char *const writers[] = {"st", "atom", "red", "stmatrix"};
    const PsPtxMnemonic *mnemonic =
        runner->machine->code->points[step->point].instruction->mnemonic;

    for (gsize i = 0; i < G_N_ELEMENTS(writers); i++)
        if (strcmp(mnemonic->opcode, writers[i]) == 0)
            return TRUE;
    return strcmp(mnemonic->opcode, "wmma") == 0 && ps_ptx_has(mnemonic, "store");
}

/* "8 bytes after the end of" */
static char *distance(const PsPtxBuffer *buffer, guint64 address, guint bytes, guint64 *how_far)
{
    const guint64 end = buffer->address + buffer->size;

    if (address < buffer->address) {
        *how_far = buffer->address - address;
        return g_strdup_printf("%" G_GUINT64_FORMAT " bytes before", *how_far);
    }
    if (address >= end) {
        *how_far = address - end;
        if (*how_far == 0)
            return g_strdup("right behind the end of");
        return g_strdup_printf("%" G_GUINT64_FORMAT " bytes behind the end of", *how_far);
    }
    *how_far = 0;
    return g_strdup_printf("with its last %" G_GUINT64_FORMAT " bytes behind the end of",
                           address + bytes - end);
}

static char *nearest(const GArray *buffers, guint64 address, guint bytes)
{
    char *best = NULL;
    guint64 least = 0;

    for (guint i = 0; i < buffers->len; i++) {
        const PsPtxBuffer *buffer = &g_array_index(buffers, PsPtxBuffer, i);
        guint64 how_far;
        g_autofree char *text = distance(buffer, address, bytes, &how_far);
        if (best && how_far >= least)
            continue;
        least = how_far;
        g_free(best);
        best = g_strdup_printf("%s \"%s\", the nearest buffer (%" G_GUINT64_FORMAT " bytes)", text,
                               buffer->name, buffer->size);
    }
    return best ? best : g_strdup("where there is no buffer at all");
}

/* Variables of the group's or a thread's memory, as buffers. */
static GArray *variables_of(const PsPtxRunner *runner, guint point, PsPtxSpace space)
{
    const PsPtxCode *code = runner->machine->code;
    const PsPtxInline *in = code->points[point].in;
    GArray *list = g_array_new(FALSE, TRUE, sizeof(PsPtxBuffer));
    GHashTableIter iter;
    gpointer key, value;

    for (guint i = 0; space == PS_PTX_SHARED && i < code->shared->len; i++) {
        const PsPtxVariable *variable = code->shared->pdata[i];
        PsPtxBuffer buffer = {.name = variable->name,
                              .address = code->shared_at[i],
                              .size = variable->size > 0 ? variable->size
                                                         : runner->machine->launch.dynamic_shared};
        g_array_append_val(list, buffer);
    }
    if (space != PS_PTX_LOCAL || !in->addresses)
        return list;
    g_hash_table_iter_init(&iter, in->addresses);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        const PsPtxVariable *variable = key;
        PsPtxBuffer buffer = {
            variable->name, GPOINTER_TO_SIZE(value), variable->size, NULL, FALSE, -1};
        if (variable->space == PS_PTX_LOCAL)
            g_array_append_val(list, buffer);
    }
    return list;
}

static gboolean outside(PsPtxRunner *runner, const PsPtxStep *step, guint lane, PsPtxSpace space,
                        guint64 address, guint bytes)
{
    const PsPtxMachine *machine = runner->machine;
    const char *does = writes(runner, step) ? "writes" : "reads";

    if (space == PS_PTX_GLOBAL || space == PS_PTX_CONST) {
        g_autofree char *near =
            nearest(space == PS_PTX_GLOBAL ? machine->buffers : machine->constants, address, bytes);
        ps_ptx_fail(&runner->open, step, lane,
                    "%s %u bytes at 0x%" G_GINT64_MODIFIER "x of .%s memory, %s", does, bytes,
                    address, ps_ptx_space_name(space), near);
        return FALSE;
    }
    g_autoptr(GArray) variables = variables_of(runner, step->point, space);
    g_autofree char *near =
        variables->len > 0 ? nearest(variables, address, bytes) : g_strdup("which has none there");
    ps_ptx_fail(&runner->open, step, lane,
                "%s %u bytes at 0x%" G_GINT64_MODIFIER "x of .%s memory (%" G_GUINT64_FORMAT
                " bytes), %s",
                does, bytes, address, ps_ptx_space_name(space),
                space == PS_PTX_SHARED  ? machine->shared_bytes
                : space == PS_PTX_LOCAL ? machine->code->thread_bytes
                                        : machine->param_bytes,
                near);
    return FALSE;
}

/* ---- one lane ------------------------------------------------------------------------------- */

static const PsPtxBuffer *find(PsPtxMachine *machine, guint64 address)
{
    guint low = 0, high = machine->buffers->len;

    while (low < high) {
        guint middle = (low + high) / 2;
        if (g_array_index(machine->buffers, PsPtxBuffer, middle).address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &g_array_index(machine->buffers, PsPtxBuffer, low - 1);
}

/* The bytes of a space that has one piece of memory. */
static guint8 *piece_of(const PsPtxRunner *runner, guint lane, PsPtxSpace space, guint64 *address,
                        guint64 *size)
{
    const PsPtxMachine *machine = runner->machine;

    if (*address >> 32 == 1) /* a sum of 32 bits */
        *address &= G_MAXUINT32;
    if (space == PS_PTX_PARAM && *address >= PS_PTX_OWN_PARAM) {
        *address -= PS_PTX_OWN_PARAM;
        space = PS_PTX_LOCAL;
    }
    switch (space) {
    case PS_PTX_SHARED:
        *size = machine->shared_bytes;
        return machine->shared;
    case PS_PTX_CONST:
        *size = machine->constant_bytes;
        return machine->constant;
    case PS_PTX_PARAM:
        *size = machine->param_bytes;
        return machine->param;
    default:
        *size = machine->code->thread_bytes;
        return runner->local + lane * machine->code->thread_bytes;
    }
}

static gboolean reach_lane(PsPtxRunner *runner, const PsPtxStep *step, guint lane, PsPtxSpace space,
                           guint64 *address, guint bytes, guint8 **memory)
{
    PsPtxMachine *machine = runner->machine;
    const guint align = (bytes & (bytes - 1)) == 0 ? bytes : 1;

    if ((*address & (align - 1)) != 0) {
        ps_ptx_fail(&runner->open, step, lane,
                    "%s %u bytes at 0x%" G_GINT64_MODIFIER "x of .%s memory, which is no multiple "
                    "of %u",
                    writes(runner, step) ? "writes" : "reads", bytes, *address,
                    ps_ptx_space_name(space), align);
        return FALSE;
    }
    if (space == PS_PTX_GLOBAL) {
        const PsPtxBuffer *buffer = find(machine, *address);
        if (!buffer || bytes > buffer->size || *address - buffer->address > buffer->size - bytes)
            return outside(runner, step, lane, space, *address, bytes);
        machine->last = buffer;
        *memory = buffer->data + (*address - buffer->address);
        return TRUE;
    }
    guint64 size;
    guint8 *piece = piece_of(runner, lane, space, address, &size);
    if (bytes > size || *address > size - bytes)
        return outside(runner, step, lane, space, *address, bytes);
    if (space == PS_PTX_CONST && writes(runner, step)) {
        ps_ptx_fail(&runner->open, step, lane, "writes to constant memory");
        return FALSE;
    }
    *memory = piece + *address;
    return TRUE;
}

/* ---- all lanes ------------------------------------------------------------------------------ */

/* All lanes' bytes lie in this memory, whose first byte has this address. */
static gboolean all_in(guint32 mask, const guint64 address[PS_PTX_LANES], guint bytes,
                       const PsPtxBuffer *buffer, guint8 *memory[PS_PTX_LANES])
{
    if (!buffer || bytes > buffer->size || (bytes & (bytes - 1)) != 0)
        return FALSE;
    /* The top bit tells whether an offset is more than span, which is less than 2^63. */
    const guint64 span = buffer->size - bytes;
    guint64 bad = 0, all = 0;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        const guint64 offset = address[lane] - buffer->address;
        const guint64 here = 0 - (guint64)(mask >> lane & 1);
        bad |= ((span - offset) | offset) & here;
        all |= address[lane] & here;
    }
    if (bad >> 63 != 0 || (all & (bytes - 1)) != 0)
        return FALSE;
    if (mask == G_MAXUINT32) {
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            memory[lane] = buffer->data + (address[lane] - buffer->address);
        return TRUE;
    }
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        if ((mask >> lane & 1) != 0)
            memory[lane] = buffer->data + (address[lane] - buffer->address);
    return TRUE;
}

static void note(PsPtxRunner *runner, PsPtxSpace space, const guint64 address[PS_PTX_LANES],
                 guint bytes)
{
    if (runner->touched || space == PS_PTX_PARAM)
        return;
    runner->touched = TRUE;
    runner->space = space;
    runner->bytes = bytes;
    memcpy(runner->address, address, sizeof runner->address);
}

static gboolean fast(PsPtxRunner *runner, guint32 mask, PsPtxSpace space,
                     const guint64 address[PS_PTX_LANES], guint bytes, guint8 *memory[PS_PTX_LANES])
{
    const PsPtxMachine *machine = runner->machine;

    if (space == PS_PTX_GLOBAL || space == PS_PTX_GENERIC) {
        if (!all_in(mask, address, bytes, machine->last, memory))
            return FALSE;
        note(runner, PS_PTX_GLOBAL, address, bytes);
        return TRUE;
    }
    if (space == PS_PTX_SHARED) {
        PsPtxBuffer shared = {.size = machine->shared_bytes, .data = machine->shared};
        if (!all_in(mask, address, bytes, &shared, memory))
            return FALSE;
        note(runner, PS_PTX_SHARED, address, bytes);
        return TRUE;
    }
    return FALSE;
}

gboolean ps_ptx_reach(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask, PsPtxSpace space,
                      const guint64 address[PS_PTX_LANES], guint bytes,
                      guint8 *memory[PS_PTX_LANES])
{
    guint64 resolved[PS_PTX_LANES];
    PsPtxSpace first = PS_PTX_GENERIC;

    if (fast(runner, mask, space, address, bytes, memory))
        return TRUE;
    memcpy(resolved, address, sizeof resolved);
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctz(rest);
        PsPtxSpace here = space;
        if (runner->machine->module->address_size == 32)
            resolved[lane] &= G_MAXUINT32;
        if (space == PS_PTX_GENERIC)
            here = ps_ptx_window(runner->machine, resolved[lane], &resolved[lane]);
        if (!reach_lane(runner, step, lane, here, &resolved[lane], bytes, &memory[lane]))
            return FALSE;
        if (first == PS_PTX_GENERIC)
            first = here;
    }
    note(runner, first, resolved, bytes);
    return TRUE;
}

gboolean ps_ptx_touch(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                      const guint64 address[PS_PTX_LANES], guint bytes,
                      guint8 *memory[PS_PTX_LANES])
{
    return ps_ptx_reach(ps_ptx_runner(warp), step, mask, step->space, address, bytes, memory);
}
