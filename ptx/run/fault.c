/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings, and errors of a thread that does something wrong, above all at addresses where no
 * memory lies.
 */
#include "ptx/run/heap.h"
#include <stdarg.h>
#include <string.h>

void ps_ptx_machine_warn(PsPtxMachine *machine, guint64 key, char *text)
{
    const guint *group = machine->group, *grid = machine->launch.grid;
    const PsPtxWarned of = {.group = ((guint64)group[2] * grid[1] + group[1]) * grid[0] + group[0],
                            .order = machine->warned_of->len,
                            .key = key,
                            .text = text};
    /* adding it again would replace the old text, which machine->warnings holds */
    if (g_hash_table_contains(machine->warned, text)) {
        g_free(text);
        return;
    }
    g_hash_table_add(machine->warned, text);
    g_ptr_array_add(machine->warnings, text);
    g_array_append_val(machine->warned_of, of);
}

char *ps_ptx_thread_text(const PsPtxRunner *runner, guint lane)
{
    const guint *block = runner->machine->launch.block, *group = runner->machine->group;
    const guint thread = runner->open.number * PS_PTX_LANES + lane;
    return g_strdup_printf("thread (%u,%u,%u) of group (%u,%u,%u)", thread % block[0],
                           thread / block[0] % block[1], thread / block[0] / block[1], group[0],
                           group[1], group[2]);
}

void ps_ptx_fail(PsPtxWarp *warp, const PsPtxStep *step, guint lane, const char *format, ...)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    va_list arguments;
    if (warp->error)
        return;
    g_autofree char *location = ps_ptx_code_where(machine->code, step->point);
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *thread = ps_ptx_thread_text(ps_ptx_runner(warp), lane);
    warp->error = g_error_new(PS_ERROR, PS_ERROR_VALUE, "%s: %s %s", location, thread, text);
}

/* ---- addresses ------------------------------------------------------------------------------ */

gboolean ps_ptx_writes(const PsPtxRunner *runner, const PsPtxStep *step)
{
    static const char *const writers[] = {"st", "atom", "red", "stmatrix"};
    const PsPtxMnemonic *mnemonic =
        runner->machine->code->points[step->point].instruction->mnemonic;
    for (gsize i = 0; i < G_N_ELEMENTS(writers); i++)
        if (strcmp(mnemonic->opcode, writers[i]) == 0)
            return TRUE;
    return strcmp(mnemonic->opcode, "wmma") == 0 && ps_ptx_has(mnemonic, "store");
}

static const char *does(const PsPtxRunner *runner, const PsPtxStep *step, const PsPtxReach *reach)
{
    const char *opcode = runner->machine->code->points[step->point].instruction->mnemonic->opcode;
    const gboolean copies = strcmp(opcode, "cp") == 0 && !reach->reads;
    return copies || ps_ptx_writes(runner, step) ? "writes" : "reads";
}

/* "8 bytes behind the end of": the place of an address relative to a buffer (g_free). Negative
 * offsets come as large ones, of 32 or 64 bits. */
static char *distance(const PsPtxBuffer *buffer, guint64 address, guint bytes, guint64 *how_far)
{
    const guint64 end = buffer->address + buffer->size;
    const guint64 below = address > G_MAXUINT32 ? 0 - address : (guint32)(0 - address);
    if (end <= G_MAXINT32 && below <= G_MAXINT32 && address >= end) {
        *how_far = buffer->address + below;
        return g_strdup_printf("%" G_GUINT64_FORMAT " bytes before", *how_far);
    }
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

/* No buffer has so low an address: it is a null pointer, perhaps with the offset of a field or an
 * element. */
#define NULL_BELOW 4096

/* The nearest buffer of the list, or NULL, and the place of the address relative to it (g_free). */
static const PsPtxBuffer *nearest(const GArray *buffers, guint64 address, guint bytes, char **where)
{
    const PsPtxBuffer *best = NULL;
    guint64 least = 0;
    for (guint i = 0; i < buffers->len; i++) {
        const PsPtxBuffer *buffer = &g_array_index(buffers, PsPtxBuffer, i);
        guint64 how_far;
        g_autofree char *text = distance(buffer, address, bytes, &how_far);
        if (best && how_far >= least)
            continue;
        least = how_far;
        best = buffer;
        g_free(*where);
        *where = g_steal_pointer(&text);
    }
    return best;
}

/* The clause about the nearest buffer (g_free). */
static char *near(const PsPtxBuffer *buffer, const char *where)
{
    if (!buffer)
        return g_strdup(", where there is no buffer at all");
    g_autofree char *plain = ps_ptx_plain_name(buffer->name);
    return g_strdup_printf(", %s \"%s\", the nearest buffer (%" G_GUINT64_FORMAT " bytes)", where,
                           plain, buffer->size);
}

/* The size of a space that is one piece of memory. */
static guint64 size_of(const PsPtxMachine *machine, PsPtxSpace space)
{
    const guint64 dynamic = machine->launch.dynamic_shared;
    switch (space) {
    case PS_PTX_SHARED:
        return dynamic > 0 ? machine->code->dynamic_at + dynamic : machine->code->shared_bytes;
    case PS_PTX_LOCAL:
        return machine->code->thread_bytes;
    case PS_PTX_CONST: /* constant memory of machine code: its banks are one piece */
        return machine->buffers[space]->len > 0
                   ? g_array_index(machine->buffers[space], PsPtxBuffer, 0).size
                   : 0;
    default:
        return machine->param_bytes;
    }
}

/* The arrays of a space that is one piece of memory, in the form of buffers. */
static GArray *arrays_of(const PsPtxRunner *runner, guint point, PsPtxSpace space)
{
    const PsPtxMachine *machine = runner->machine;
    const PsPtxInline *in = machine->code->points[point].in;
    GHashTableIter iter;
    gpointer key, value;
    if (space == PS_PTX_SHARED && !machine->module->machine)
        return g_array_ref(machine->buffers[space]);
    GArray *list = g_array_new(FALSE, TRUE, sizeof(PsPtxBuffer));
    if (space == PS_PTX_SHARED || space == PS_PTX_CONST) {
        const PsPtxBuffer piece = {.size = size_of(machine, space)};
        g_array_append_val(list, piece);
    }
    if (space != PS_PTX_LOCAL || !in->addresses)
        return list;
    g_hash_table_iter_init(&iter, in->addresses);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        const PsPtxVariable *variable = key;
        PsPtxBuffer buffer = {.name = variable->name,
                              .address = GPOINTER_TO_SIZE(value),
                              .size = variable->size,
                              .argument = -1};
        if (variable->space == PS_PTX_LOCAL)
            g_array_append_val(list, buffer);
    }
    return list;
}

/* The clause about an address that lies in no array of the space; `buffer` is the nearest array
 * (g_free). */
static char *near_array(const PsPtxMachine *machine, PsPtxSpace space, const PsPtxBuffer *buffer,
                        const char *where)
{
    const char *name = machine->launch.shared_name, *bytes = name ? " BYTES" : "";
    const char *colon = name ? ": " : "";
    const gboolean fixed = machine->launch.dynamic_shared > 0 || space != PS_PTX_SHARED;
    if (!buffer || (buffer->size == 0 && fixed))
        return g_strdup(", which has none there");
    if (buffer->size == 0)
        return g_strdup_printf(", whose size the launch gives%s%s%s", colon, name ? name : "",
                               bytes);
    if (buffer->name)
        return near(buffer, where);
    if (fixed)
        return g_strdup_printf(", %s all that it has", where);
    return g_strdup_printf(", %s all that it has; if the array that is meant is extern, the launch "
                           "gives its size%s%s%s",
                           where, colon, name ? name : "", bytes);
}

/* An address less than this above an argument that is a number was computed from that number. */
#define NUMBER_ABOVE (G_GUINT64_CONSTANT(1) << 32)

/* The clause about an address that comes from an argument which was given as a number (g_free);
 * else "". Buffers lie at higher addresses than numbers that people write. */
static char *number_at(const PsPtxMachine *machine, const PsPtxReach *reach)
{
    const PsPtxLaunch *launch = &machine->launch;
    const guint64 address = reach->address;
    const GArray *buffers = machine->buffers[PS_PTX_GLOBAL];
    gboolean low = reach->space == PS_PTX_GLOBAL;
    for (guint i = 0; i < buffers->len; i++)
        low = low && address < g_array_index(buffers, PsPtxBuffer, i).address;
    for (guint i = 0; low && i < launch->n_arguments; i++) {
        const PsPtxArgument *argument = &launch->arguments[i];
        const PsPtxVariable *param = launch->kernel->params->pdata[i];
        if (param->size == 8 && !argument->data && !argument->bytes && argument->bits > 0 &&
            argument->bits <= address && address - argument->bits < NUMBER_ABOVE)
            return g_strdup_printf(", since \"%s\" is the number %" G_GUINT64_FORMAT
                                   " and no buffer",
                                   argument->name, argument->bits);
    }
    return g_strdup("");
}

static gboolean lies_in(const PsPtxBuffer *buffer, guint64 address)
{
    return buffer && address >= buffer->address && address - buffer->address < buffer->size;
}

/* The clause about an address in the heap that lies in no allocated piece (g_free). */
static char *near_piece(PsPtxMachine *machine, const PsPtxBuffer *heap, const PsPtxReach *reach)
{
    PsPtxBuffer piece = {0};
    piece.address = ps_ptx_heap_before(machine, heap, reach->address, &piece.size);
    if (!piece.address)
        return g_strdup(", in the heap, where malloc has given nothing");
    guint64 how_far;
    g_autofree char *where = distance(&piece, reach->address, reach->bytes, &how_far);
    return g_strdup_printf(", in the heap, %s what malloc gave (%" G_GUINT64_FORMAT
                           " bytes), or where something was freed",
                           where, piece.size);
}

/* The clause about an address of constant memory that is one of global memory; NULL: it is none
 * (g_free). OpenCL's arguments in __constant memory are such, and a device has them in global
 * memory. */
static char *near_global(const PsPtxMachine *machine, const PsPtxReach *reach)
{
    g_autofree char *where = NULL;
    const PsPtxBuffer *buffer =
        reach->space == PS_PTX_CONST
            ? nearest(machine->buffers[PS_PTX_GLOBAL], reach->address, reach->bytes, &where)
            : NULL;
    if (!lies_in(buffer, reach->address))
        return NULL;
    return g_strdup_printf(", where arguments such as \"%s\" cannot be yet; with __global const in "
                           "place of __constant there is an answer, for loads of global memory",
                           buffer->name);
}

static void fail_at_buffer(PsPtxRunner *runner, const PsPtxStep *step, const PsPtxReach *reach)
{
    PsPtxMachine *machine = runner->machine;
    const gboolean null = reach->space == PS_PTX_GLOBAL && reach->address < NULL_BELOW;
    g_autofree char *where = NULL;
    const PsPtxBuffer *buffer =
        nearest(machine->buffers[reach->space], reach->address, reach->bytes, &where);
    g_autofree char *number = number_at(machine, reach), *global = near_global(machine, reach);
    const gboolean in_heap = buffer && buffer->heap && lies_in(buffer, reach->address);
    g_autofree char *text = *number   ? g_steal_pointer(&number)
                            : in_heap ? near_piece(machine, buffer, reach)
                            : null    ? g_strdup(", which a pointer that is zero leads to")
                            : global  ? g_steal_pointer(&global)
                                      : near(buffer, where);
    ps_ptx_fail(&runner->open, step, reach->lane,
                "%s %u bytes at 0x%" G_GINT64_MODIFIER "x of .%s memory%s",
                does(runner, step, reach), reach->bytes,
                reach->address - (buffer ? buffer->apart : 0), ps_ptx_space_name(reach->space),
                text);
}

#define MOST_RANKS 16

/* TRUE if the address has the rank of another group, though the launch asks for no clusters. */
static gboolean is_of_cluster(const PsPtxMachine *machine, const PsPtxReach *reach)
{
    const PsPtxCode *code = machine->code;
    const guint64 rank = reach->address >> PS_PTX_RANK_AT;
    if (reach->space != PS_PTX_SHARED || !machine->module->machine || machine->cluster->n > 1 ||
        rank == 0 || rank >= MOST_RANKS)
        return FALSE;
    for (guint i = 0; i < code->n_points; i++) {
        const PsPtxMnemonic *mnemonic = code->points[i].instruction->mnemonic;
        if (strcmp(mnemonic->opcode, "barrier") == 0 && ps_ptx_has(mnemonic, "cluster"))
            return TRUE;
    }
    return FALSE;
}

/* TRUE for an address below the stack of a thread of machine code. The stack begins with the bytes
 * that the code states, and grows towards 0. */
static gboolean is_below_stack(const PsPtxMachine *machine, const PsPtxReach *reach)
{
    return reach->space == PS_PTX_LOCAL && machine->module->machine && (gint32)reach->address < 0;
}

guint8 *ps_ptx_outside(PsPtxRunner *runner, const PsPtxStep *step, const PsPtxReach *reach)
{
    PsPtxMachine *machine = runner->machine;
    if (reach->space != PS_PTX_SHARED)
        machine->fault = PS_PTX_FAULT_ADDRESS;
    if (reach->space == PS_PTX_GLOBAL ||
        (reach->space == PS_PTX_CONST && !machine->module->machine)) {
        fail_at_buffer(runner, step, reach);
        return NULL;
    }
    g_autofree char *where = NULL;
    g_autoptr(GArray) arrays = arrays_of(runner, step->point, reach->space);
    const PsPtxBuffer *buffer = nearest(arrays, reach->address, reach->bytes, &where);
    g_autofree char *text =
        is_of_cluster(machine, reach)
            ? g_strdup(", where another group of its cluster would have its own, and the launch "
                       "asks for no clusters")
        : is_below_stack(machine, reach)
            ? g_strdup(", below the stack whose size the code states: it takes more when it runs, "
                       "as alloca does, and how much is not known")
            : near_array(machine, reach->space, buffer, where);
    ps_ptx_fail(
        &runner->open, step, reach->lane,
        "%s %u bytes at 0x%" G_GINT64_MODIFIER "x of .%s memory (%" G_GUINT64_FORMAT " bytes)%s",
        does(runner, step, reach), reach->bytes, reach->address - (buffer ? buffer->apart : 0),
        ps_ptx_space_name(reach->space), size_of(machine, reach->space), text);
    return NULL;
}

guint8 *ps_ptx_misaligned(PsPtxRunner *runner, const PsPtxStep *step, const PsPtxReach *reach)
{
    g_autofree char *number = number_at(runner->machine, reach);
    runner->machine->fault = PS_PTX_FAULT_MISALIGNED;
    ps_ptx_fail(&runner->open, step, reach->lane,
                "%s %u bytes at 0x%" G_GINT64_MODIFIER
                "x of .%s memory, which is no multiple of %u%s",
                does(runner, step, reach), reach->bytes, reach->address,
                ps_ptx_space_name(reach->space), reach->bytes, number);
    return NULL;
}
