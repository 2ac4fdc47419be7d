/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The layout of memory. Global memory has the arguments' buffers and the module's variables. The
 * other spaces begin at 0; each has a window of generic addresses, far from all buffers.
 *
 * The unused space between two buffers is larger than any buffer, so that an address that leaves
 * one buffer does not come to another one. Arrays in shared and constant memory are apart in their
 * addresses alone: the lowest bits of an address are the place in that memory, which has no gaps,
 * and all that depends on places (banks, lines) is as on the device. Machine code knows places and
 * no arrays: its memory is one piece.
 */
#include "ptx/code/expand.h"
#include "ptx/run/heap.h"
#include <string.h>

#define BUFFER_ALIGN 256
/* The unused space between buffers is BUFFER_GAP plus a power of two of at most MOST_APART. */
#define BUFFER_GAP 65536
#define MOST_APART ((guint64)1 << 40)
#define ARRAYS_END ((guint64)1 << 31) /* arrays' addresses are positive in 32 bits, too */
/* Devices give shared memory to groups in units of this many bytes. */
#define SHARED_UNIT 128
#define MOST_MODULE_BYTES ((guint64)1 << 30)
#define MOST_SHARED_BYTES ((guint64)1 << 24)

typedef struct {
    PsPtxMachine *machine;
    guint64 constants; /* bytes of constant memory that are taken */
    guint64 taken;     /* bytes that the module's variables take */
    GPtrArray *variables;
    GError **error;
} Layout;

static void set_windows(PsPtxMachine *machine)
{
    static const PsPtxSpace spaces[] = {PS_PTX_SHARED, PS_PTX_LOCAL, PS_PTX_CONST, PS_PTX_PARAM};
    const gboolean narrow = machine->module->address_size == 32;
    machine->window_bytes = narrow ? (guint64)1 << 24 : (guint64)1 << 32;
    for (gsize i = 0; i < G_N_ELEMENTS(spaces); i++)
        machine->window[spaces[i]] =
            narrow ? 0xf0000000U + ((guint64)i << 24) : ((guint64)1 << 48) + ((guint64)i << 36);
}

/* ---- global and constant memory ------------------------------------------------------------- */

static guint64 align_to(guint64 value, guint64 align)
{
    return align > 1 ? (value + align - 1) / align * align : value;
}

static guint64 bytes_of(const GArray *buffers)
{
    guint64 bytes = 0;
    for (guint i = 0; i < buffers->len; i++)
        bytes += g_array_index(buffers, PsPtxBuffer, i).size;
    return bytes;
}

/* The largest power of two that fits n + 1 times into `room`; 0: there is none. */
static guint64 largest_step(guint64 room, guint n)
{
    const guint64 each = room / ((guint64)n + 1);
    return each == 0 ? 0 : (guint64)1 << (63 - __builtin_clzll(each));
}

static gint by_address(gconstpointer a, gconstpointer b)
{
    const PsPtxBuffer *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* Gives the buffers their addresses. */
static gboolean place_buffers(const Layout *layout)
{
    const PsPtxMachine *machine = layout->machine;
    const gboolean narrow = machine->module->address_size == 32;
    const guint64 end = narrow ? 0xf0000000U : (guint64)1 << 47;
    const GArray *buffers = machine->buffers[PS_PTX_GLOBAL];
    guint64 next = narrow ? 0x100000U : (guint64)0x7 << 32;
    const guint64 bytes = bytes_of(buffers), room = end - next - MIN(bytes, end - next);
    const guint64 most =
        machine->launch.n_placed ? BUFFER_GAP : MOST_APART; /* placed buffers lie above */
    const guint64 gap = BUFFER_GAP + MIN(largest_step(room / 2, buffers->len), most);
    for (guint i = 0; i < buffers->len; i++) {
        PsPtxBuffer *buffer = &g_array_index(buffers, PsPtxBuffer, i);
        const guint64 align = buffer->variable ? buffer->variable->align : 0;
        if (buffer->placed)
            continue;
        buffer->address = align_to(next, MAX(align, BUFFER_ALIGN));
        if (buffer->size > end || buffer->address > end - buffer->size) {
            g_set_error(
                layout->error, PS_ERROR, PS_ERROR_LIMIT,
                "buffers up to \"%s\" do not fit into the addresses that the module can use",
                buffer->name);
            return FALSE;
        }
        next = buffer->address + buffer->size + gap;
    }
    if (machine->launch.n_placed)
        g_array_sort(machine->buffers[PS_PTX_GLOBAL], by_address);
    return TRUE;
}

/* Moves the space's arrays, whose addresses are their places, apart. */
static void keep_apart(PsPtxMachine *machine, PsPtxSpace space, guint64 bytes)
{
    const GArray *arrays = machine->buffers[space];
    const guint64 end = space == PS_PTX_SHARED && ps_ptx_cluster_size(machine) > 1
                            ? (guint64)1 << PS_PTX_RANK_AT
                            : ARRAYS_END;
    const guint64 step = largest_step(MIN(machine->window_bytes, end), arrays->len);
    if (machine->module->machine || arrays->len < 2 || step < bytes)
        return;
    machine->place[space] = step - 1;
    for (guint i = 0; i < arrays->len; i++) {
        PsPtxBuffer *array = &g_array_index(arrays, PsPtxBuffer, i);
        array->apart = i * step;
        array->address += array->apart;
    }
}

static void note_addresses(const PsPtxMachine *machine, PsPtxSpace space)
{
    for (guint i = 0; i < machine->buffers[space]->len; i++) {
        const PsPtxBuffer *buffer = &g_array_index(machine->buffers[space], PsPtxBuffer, i);
        if (buffer->variable)
            g_hash_table_insert(machine->addresses, (gpointer)buffer->variable,
                                GSIZE_TO_POINTER(buffer->address));
    }
}

/* The placement that the launch gives the variable, or NULL. */
static const PsPtxPlaced *placed_of(const PsPtxMachine *machine, const PsPtxVariable *variable)
{
    for (guint i = 0; i < machine->launch.n_placed; i++) {
        const PsPtxPlaced *placed = &machine->launch.placed[i];
        if (placed->is_variable && strcmp(placed->name, variable->name) == 0)
            return placed;
    }
    return NULL;
}

/* The memory for a variable's bytes, owned by the caller; NULL: constants lie together. */
static gpointer bytes_for(const PsPtxVariable *variable)
{
    return variable->space == PS_PTX_CONST ? NULL : g_malloc0(MAX(variable->size, 1));
}

/* Blocks of memory that the machine owns. All of it is there, and stores to it are noted. */
static PsPtxBlocks *own_blocks(guint64 size)
{
    PsPtxBlocks *blocks = g_new0(PsPtxBlocks, 1);
    blocks->n = (gsize)((size + PS_PTX_BLOCK - 1) / PS_PTX_BLOCK);
    blocks->whole = TRUE;
    blocks->made = g_malloc(blocks->n + 1);
    memset(blocks->made, PS_PTX_BLOCK_MADE, blocks->n + 1);
    return blocks;
}

static void own(PsPtxBuffer *buffer)
{
    buffer->owned = TRUE;
    buffer->blocks = own_blocks(buffer->size);
}

static gboolean add_variable(Layout *layout, const PsPtxVariable *variable)
{
    PsPtxMachine *machine = layout->machine;
    PsPtxBuffer buffer = {
        .name = variable->name, .size = variable->size, .argument = -1, .variable = variable};
    if (variable->space != PS_PTX_GLOBAL && variable->space != PS_PTX_CONST)
        return TRUE;
    if (variable->size > MOST_MODULE_BYTES - layout->taken) {
        g_set_error(layout->error, PS_ERROR, PS_ERROR_LIMIT,
                    "%s:%d: the module's variables up to \"%s\" take more than %" G_GUINT64_FORMAT
                    " bytes",
                    machine->module->path ? machine->module->path : "PTX", variable->line,
                    variable->name, MOST_MODULE_BYTES);
        return FALSE;
    }
    layout->taken += variable->size;
    g_ptr_array_add(layout->variables, (gpointer)variable);
    if (variable->space == PS_PTX_CONST) {
        buffer.address = align_to(layout->constants, MAX(variable->align, 1));
        layout->constants = buffer.address + buffer.size;
    }
    buffer.placed = placed_of(machine, variable);
    if (buffer.placed && variable->space == PS_PTX_GLOBAL) {
        buffer.address = buffer.placed->address;
        buffer.data = buffer.placed->data;
        buffer.blocks = buffer.placed->blocks;
    } else {
        buffer.data = bytes_for(variable);
        if (buffer.data)
            own(&buffer);
    }
    g_array_append_val(machine->buffers[variable->space], buffer);
    return TRUE;
}

static gboolean add_variables(Layout *layout)
{
    PsPtxMachine *machine = layout->machine;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < machine->module->variables->len; i++)
        if (!add_variable(layout, machine->module->variables->pdata[i]))
            return FALSE;
    for (guint i = 0; i < machine->code->inlines->len; i++) {
        const PsPtxInline *in = machine->code->inlines->pdata[i];
        if (!g_hash_table_add(seen, (gpointer)in->function))
            continue;
        for (guint k = 0; k < in->function->variables->len; k++)
            if (!add_variable(layout, in->function->variables->pdata[k]))
                return FALSE;
    }
    return TRUE;
}

/* A variable of the module. */
static const PsPtxBuffer *buffer_of(const PsPtxMachine *machine, const PsPtxVariable *variable)
{
    const guint64 address = GPOINTER_TO_SIZE(g_hash_table_lookup(machine->addresses, variable));
    return ps_ptx_buffer_at(machine, variable->space, address);
}

static void relocate(const PsPtxMachine *machine, const PsPtxVariable *variable, guint8 *memory)
{
    for (guint i = 0; variable->relocations && i < variable->relocations->len; i++) {
        const PsPtxRelocation *relocation =
            &g_array_index(variable->relocations, PsPtxRelocation, i);
        guint64 address = 0;
        if (relocation->of) {
            ps_ptx_variable_address(machine->code, machine->addresses, NULL, relocation->of,
                                    &address);
            if (relocation->generic)
                address += machine->window[relocation->of->space];
        } else if (relocation->function) {
            address = ps_ptx_function_address(relocation->function);
        }
        address += (guint64)relocation->offset;
        if (relocation->size <= 8 && relocation->at + relocation->size <= variable->size)
            memcpy(memory + relocation->at, &address, relocation->size);
    }
}

static void initialise(const Layout *layout)
{
    for (guint i = 0; i < layout->variables->len; i++) {
        const PsPtxVariable *variable = layout->variables->pdata[i];
        const PsPtxBuffer *buffer = buffer_of(layout->machine, variable);
        if (buffer->placed && variable->space == PS_PTX_GLOBAL)
            continue; /* a program may have changed the variable since it began */
        const guint8 *begins = buffer->placed ? buffer->placed->data : variable->init;
        if (begins && variable->size > 0)
            memcpy(buffer->data, begins, variable->size);
        if (!buffer->placed) /* a placed variable holds its addresses already, or newer ones */
            relocate(layout->machine, variable, buffer->data);
    }
}

/* ---- parameters and the group's memory ------------------------------------------------------ */

/* Makes the space's memory one piece. */
static void make_piece(const PsPtxMachine *machine, PsPtxSpace space, guint8 *data, guint64 size)
{
    const PsPtxBuffer piece = {.size = size, .data = data, .argument = -1};
    g_array_set_size(machine->buffers[space], 0);
    g_array_append_val(machine->buffers[space], piece);
}

static void add_fields(PsPtxMachine *machine, const PsPtxArgument *argument)
{
    for (guint i = 0; i < argument->n_fields; i++) {
        const PsPtxField *field = &argument->fields[i];
        const PsPtxBuffer buffer = {.name = field->name,
                                    .size = field->size,
                                    .data = field->data,
                                    .blocks = field->blocks,
                                    .argument = -1,
                                    .field = field};
        g_array_append_val(machine->buffers[PS_PTX_GLOBAL], buffer);
    }
}

static void add_placed(PsPtxMachine *machine)
{
    for (guint i = 0; i < machine->launch.n_placed; i++) {
        const PsPtxPlaced *placed = &machine->launch.placed[i];
        const PsPtxBuffer buffer = {.name = placed->name,
                                    .address = placed->address,
                                    .size = placed->size,
                                    .data = placed->data,
                                    .blocks = placed->blocks,
                                    .argument = -1,
                                    .heap = placed->is_heap,
                                    .placed = placed};
        if (!placed->is_variable)
            g_array_append_val(machine->buffers[PS_PTX_GLOBAL], buffer);
    }
}

/* Kernels that allocate memory have a heap in any launch. */
static void add_heap(const PsPtxMachine *machine)
{
    const guint64 size = ps_ptx_heap_bytes(PS_PTX_HEAP);
    for (guint i = 0; i < machine->launch.n_placed; i++)
        if (machine->launch.placed[i].is_heap)
            return;
    if (!ps_ptx_heap_wanted(machine->code))
        return;
    PsPtxBuffer buffer = {
        .name = "heap", .size = size, .data = g_malloc0(size), .heap = TRUE, .argument = -1};
    own(&buffer);
    g_array_append_val(machine->buffers[PS_PTX_GLOBAL], buffer);
}

static const PsPtxBuffer *find_heap(const PsPtxMachine *machine)
{
    const GArray *buffers = machine->buffers[PS_PTX_GLOBAL];
    for (guint i = 0; i < buffers->len; i++)
        if (g_array_index(buffers, PsPtxBuffer, i).heap)
            return &g_array_index(buffers, PsPtxBuffer, i);
    return NULL;
}

static void add_arguments(PsPtxMachine *machine)
{
    for (guint i = 0; i < machine->launch.n_arguments; i++) {
        const PsPtxArgument *argument = &machine->arguments[i];
        PsPtxBuffer buffer = {.name = argument->name,
                              .size = argument->size,
                              .data = argument->data,
                              .blocks = argument->blocks,
                              .argument = (int)i};
        if (argument->data)
            g_array_append_val(machine->buffers[PS_PTX_GLOBAL], buffer);
        add_fields(machine, argument);
    }
}

static void lay_out_params(PsPtxMachine *machine)
{
    const GPtrArray *params = machine->code->kernel->params;
    for (guint i = 0; i < params->len; i++) {
        const PsPtxVariable *param = params->pdata[i];
        guint64 at = align_to(machine->param_bytes, MAX(param->align, 1));
        g_hash_table_insert(machine->addresses, (gpointer)param, GSIZE_TO_POINTER(at));
        machine->param_bytes = at + param->size;
    }
}

static guint64 address_of(const PsPtxMachine *machine, const PsPtxField *field)
{
    const GArray *buffers = machine->buffers[PS_PTX_GLOBAL];
    for (guint i = 0; i < buffers->len; i++) {
        const PsPtxBuffer *buffer = &g_array_index(buffers, PsPtxBuffer, i);
        if (buffer->field == field)
            return buffer->address;
    }
    return 0;
}

static void pass(PsPtxMachine *machine)
{
    const GPtrArray *params = machine->code->kernel->params;
    machine->param = g_malloc0(MAX(machine->param_bytes, 1));
    make_piece(machine, PS_PTX_PARAM, machine->param, machine->param_bytes);
    for (guint i = 0; i < params->len; i++) {
        const PsPtxVariable *param = params->pdata[i];
        const PsPtxArgument *argument = &machine->arguments[i];
        guint8 *const to =
            machine->param + GPOINTER_TO_SIZE(g_hash_table_lookup(machine->addresses, param));
        guint64 bits = argument->data ? ps_ptx_machine_address(machine, i) : argument->bits;
        if (param->to_shared)
            bits += machine->dynamic;
        if (argument->bytes)
            memcpy(to, argument->bytes, param->size);
        else
            memcpy(to, &bits, MIN(param->size, sizeof bits));
        for (guint k = 0; k < argument->n_fields; k++) {
            guint8 *const in = argument->data ? argument->data : to;
            bits = address_of(machine, &argument->fields[k]);
            memcpy(in + argument->fields[k].offset, &bits, machine->module->address_size / 8);
        }
    }
}

static void add_array(PsPtxMachine *machine, const PsPtxVariable *variable, guint64 at,
                      guint64 size)
{
    const PsPtxBuffer array = {.name = variable ? variable->name : NULL,
                               .address = at,
                               .size = size,
                               .data = machine->shared + at,
                               .written = machine->written + at,
                               .argument = -1,
                               .variable = variable};
    g_array_append_val(machine->buffers[PS_PTX_SHARED], array);
}

/* Arrays whose size the launch gives are all the same memory: one of them stands for all. There may
 * be no such array where arguments lead to that memory (OpenCL's __local pointers). */
static void place_arrays(PsPtxMachine *machine)
{
    const PsPtxCode *code = machine->code;
    const GArray *arrays = machine->buffers[PS_PTX_SHARED];
    const PsPtxVariable *dynamic = NULL;
    for (guint i = 0; i < code->shared->len; i++) {
        const PsPtxVariable *variable = code->shared->pdata[i];
        if (variable->size > 0)
            add_array(machine, variable, code->shared_at[i], variable->size);
        else
            dynamic = variable;
    }
    const gboolean last = dynamic || machine->launch.dynamic_shared > 0;
    if (last)
        add_array(machine, dynamic, code->dynamic_at, machine->launch.dynamic_shared);
    keep_apart(machine, PS_PTX_SHARED, machine->shared_bytes);
    if (last)
        machine->dynamic = g_array_index(arrays, PsPtxBuffer, arrays->len - 1).address;
    note_addresses(machine, PS_PTX_SHARED);
    for (guint i = 0; dynamic && i < code->shared->len; i++)
        if (((const PsPtxVariable *)code->shared->pdata[i])->size == 0)
            g_hash_table_insert(machine->addresses, code->shared->pdata[i],
                                GSIZE_TO_POINTER(machine->dynamic));
}

/* Machine code names places in shared memory, and no arrays. */
static void place_piece(PsPtxMachine *machine)
{
    const PsPtxCode *code = machine->code;
    make_piece(machine, PS_PTX_SHARED, machine->shared, machine->shared_bytes);
    g_array_index(machine->buffers[PS_PTX_SHARED], PsPtxBuffer, 0).written = machine->written;
    machine->dynamic = code->dynamic_at;
    for (guint i = 0; i < code->shared->len; i++)
        g_hash_table_insert(machine->addresses, code->shared->pdata[i],
                            GSIZE_TO_POINTER(code->shared_at[i]));
}

static gboolean lay_out_shared(PsPtxMachine *machine, GError **error)
{
    const PsPtxCode *code = machine->code;
    const guint64 dynamic = machine->launch.dynamic_shared;
    machine->shared_bytes = dynamic > 0 ? code->dynamic_at : code->shared_bytes;
    if (dynamic > MOST_SHARED_BYTES || machine->shared_bytes + dynamic > MOST_SHARED_BYTES) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "kernel \"%s\" with %" G_GUINT64_FORMAT " bytes of dynamic shared memory takes "
                    "more than %" G_GUINT64_FORMAT " bytes of it in all",
                    code->kernel->name, dynamic, MOST_SHARED_BYTES);
        return FALSE;
    }
    machine->shared_bytes += dynamic;
    if (machine->module->machine) /* an access may be wider than the place that the code needs
                                     for it */
        machine->shared_bytes = align_to(machine->shared_bytes, SHARED_UNIT);
    if (ps_ptx_cluster_size(machine) > 1)
        machine->place[PS_PTX_SHARED] = ((guint64)1 << PS_PTX_RANK_AT) - 1;
    machine->shared = g_malloc0(MAX(machine->shared_bytes, 1));
    machine->written = g_malloc0(MAX(machine->shared_bytes, 1));
    (machine->module->machine ? place_piece : place_arrays)(machine);
    return TRUE;
}

void ps_ptx_memory_again(PsPtxMachine *machine)
{
    const GArray *arrays = machine->buffers[PS_PTX_SHARED];
    const guint64 bytes = MAX(machine->shared_bytes, 1);
    const guint8 *shared = machine->shared, *written = machine->written;
    machine->shared = g_malloc0(bytes);
    machine->written = g_malloc0(bytes);
    machine->last = g_new0(PsPtxBuffer *, 2 * ((gsize)machine->code->n_points + 1));
    machine->buffers[PS_PTX_SHARED] = g_array_new(FALSE, FALSE, sizeof(PsPtxBuffer));
    for (guint i = 0; i < arrays->len; i++) {
        PsPtxBuffer array = g_array_index(arrays, PsPtxBuffer, i);
        array.data = machine->shared + (array.data - shared);
        array.written = machine->written + (array.written - written);
        array.address += ps_ptx_cluster_base(machine);
        array.apart += ps_ptx_cluster_base(machine);
        array.known = 0;
        g_array_append_val(machine->buffers[PS_PTX_SHARED], array);
    }
}

void ps_ptx_memory_drop(PsPtxMachine *machine)
{
    g_array_unref(machine->buffers[PS_PTX_SHARED]);
    g_free(machine->shared);
    g_free(machine->written);
    g_free(machine->last);
}

/* Fills constant memory when everything has its address. */
static void fill_constants(const Layout *layout)
{
    PsPtxMachine *machine = layout->machine;
    const GArray *arrays = machine->buffers[PS_PTX_CONST];
    machine->constant = g_malloc0(MAX(layout->constants, 1));
    for (guint i = 0; i < arrays->len; i++) {
        PsPtxBuffer *array = &g_array_index(arrays, PsPtxBuffer, i);
        array->data = machine->constant + (array->address - array->apart);
    }
    initialise(layout);
    if (machine->module->machine)
        make_piece(machine, PS_PTX_CONST, machine->constant, layout->constants);
}

static void begin_spaces(PsPtxMachine *machine)
{
    static const PsPtxSpace with[] = {PS_PTX_GLOBAL, PS_PTX_SHARED, PS_PTX_CONST, PS_PTX_PARAM};
    for (gsize i = 0; i < G_N_ELEMENTS(with); i++)
        machine->buffers[with[i]] = g_array_new(FALSE, FALSE, sizeof(PsPtxBuffer));
    for (guint i = 0; i < PS_PTX_N_SPACES; i++)
        machine->place[i] = G_MAXUINT64;
    machine->addresses = g_hash_table_new(NULL, NULL);
    machine->last = g_new0(PsPtxBuffer *, 2 * ((gsize)machine->code->n_points + 1));
}

gboolean ps_ptx_memory_new(PsPtxMachine *machine, GError **error)
{
    g_autoptr(GPtrArray) variables = g_ptr_array_new();
    Layout layout = {.machine = machine, .variables = variables, .error = error};
    begin_spaces(machine);
    set_windows(machine);
    add_arguments(machine);
    add_placed(machine);
    add_heap(machine);
    if (!lay_out_shared(machine, error) || !add_variables(&layout) || !place_buffers(&layout))
        return FALSE;
    machine->heap = find_heap(machine);
    keep_apart(machine, PS_PTX_CONST, layout.constants);
    note_addresses(machine, PS_PTX_GLOBAL);
    note_addresses(machine, PS_PTX_CONST);
    fill_constants(&layout);
    lay_out_params(machine);
    pass(machine);
    return TRUE;
}

void ps_ptx_memory_clear(PsPtxMachine *machine)
{
    const GArray *global = machine->buffers[PS_PTX_GLOBAL];
    for (guint i = 0; global && i < global->len; i++) {
        PsPtxBuffer *buffer = &g_array_index(global, PsPtxBuffer, i);
        if (!buffer->owned)
            continue;
        g_free(buffer->blocks->made);
        g_free(buffer->blocks);
        g_free(buffer->data);
    }
    for (guint i = 0; i < PS_PTX_N_SPACES; i++)
        g_clear_pointer(&machine->buffers[i], g_array_unref);
    g_clear_pointer(&machine->addresses, g_hash_table_unref);
    g_clear_pointer(&machine->constant, g_free);
    g_clear_pointer(&machine->param, g_free);
    g_clear_pointer(&machine->shared, g_free);
    g_clear_pointer(&machine->last, g_free);
}

PsPtxExtent *ps_ptx_machine_extents(const PsPtxMachine *machine, guint *n)
{
    const GArray *buffers = machine->buffers[PS_PTX_GLOBAL];
    PsPtxExtent *extents = g_new0(PsPtxExtent, buffers->len + 1);
    for (*n = 0; *n < buffers->len; (*n)++) {
        const PsPtxBuffer *buffer = &g_array_index(buffers, PsPtxBuffer, *n);
        extents[*n] = (PsPtxExtent){buffer->name, buffer->address, buffer->size};
    }
    return extents;
}

guint64 ps_ptx_machine_address(const PsPtxMachine *machine, guint argument)
{
    const GArray *buffers = machine->buffers[PS_PTX_GLOBAL];
    for (guint i = 0; i < buffers->len; i++) {
        const PsPtxBuffer *buffer = &g_array_index(buffers, PsPtxBuffer, i);
        if (buffer->argument == (int)argument)
            return buffer->address;
    }
    return 0;
}
