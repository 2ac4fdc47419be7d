/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where everything lies. Global memory has the arguments' buffers and the module's variables, with
 * unused space between them, so that an access beyond an end is noticed. The other spaces begin at
 * 0; each has a window of generic addresses, far from all buffers.
 */
#include "ptx/run/expand.h"
#include "ptx/run/warp.h"
#include <string.h>

#define BUFFER_ALIGN 256
#define BUFFER_GAP 65536
#define MOST_MODULE_BYTES ((guint64)1 << 30)
#define MOST_SHARED_BYTES ((guint64)1 << 24)

typedef struct {
    PsPtxMachine *machine;
    guint64 next;      /* next free address in global memory */
    guint64 constants; /* bytes taken */
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

guint64 ps_ptx_function_address(const PsPtxFunction *function)
{
    return g_str_hash(function->name) & ~(guint64)15;
}

/* ---- global and constant memory ------------------------------------------------------------- */

static guint64 align_to(guint64 value, guint64 align)
{
    return align > 1 ? (value + align - 1) / align * align : value;
}

/* Gives a buffer its address. */
static gboolean add_buffer(Layout *layout, PsPtxBuffer buffer, guint64 align)
{
    PsPtxMachine *machine = layout->machine;
    const guint64 end = machine->module->address_size == 32 ? 0xf0000000U : (guint64)1 << 47;
    buffer.address = align_to(layout->next, MAX(align, BUFFER_ALIGN));
    if (buffer.size > end || buffer.address > end - buffer.size) {
        g_set_error(layout->error, PS_ERROR, PS_ERROR_LIMIT,
                    "buffers up to \"%s\" do not fit into the addresses that the module can use",
                    buffer.name);
        if (buffer.owned)
            g_free(buffer.data);
        return FALSE;
    }
    layout->next = buffer.address + buffer.size + BUFFER_GAP;
    g_array_append_val(machine->buffers, buffer);
    return TRUE;
}

static gboolean add_variable(Layout *layout, const PsPtxVariable *variable)
{
    PsPtxMachine *machine = layout->machine;
    PsPtxBuffer buffer = {.name = variable->name, .size = variable->size, .argument = -1};
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
        g_array_append_val(machine->constants, buffer);
    } else {
        buffer.owned = TRUE;
        buffer.data = g_malloc0(MAX(variable->size, 1));
        if (!add_buffer(layout, buffer, variable->align))
            return FALSE;
        buffer.address =
            g_array_index(machine->buffers, PsPtxBuffer, machine->buffers->len - 1).address;
    }
    g_hash_table_insert(machine->addresses, (gpointer)variable, GSIZE_TO_POINTER(buffer.address));
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

/* The memory of a variable of the module. */
static guint8 *memory_of(const PsPtxMachine *machine, const PsPtxVariable *variable)
{
    const guint64 address = GPOINTER_TO_SIZE(g_hash_table_lookup(machine->addresses, variable));
    guint low = 0, high = machine->buffers->len;
    if (variable->space == PS_PTX_CONST)
        return machine->constant + address;
    while (high - low > 1) {
        guint middle = (low + high) / 2;
        if (g_array_index(machine->buffers, PsPtxBuffer, middle).address <= address)
            low = middle;
        else
            high = middle;
    }
    return g_array_index(machine->buffers, PsPtxBuffer, low).data;
}

static void relocate(const PsPtxMachine *machine, const PsPtxVariable *variable, guint8 *memory)
{
    for (guint i = 0; variable->relocations && i < variable->relocations->len; i++) {
        const PsPtxRelocation *relocation =
            &g_array_index(variable->relocations, PsPtxRelocation, i);
        guint64 address = 0;
        if (relocation->of) {
            ps_ptx_variable_address(machine, NULL, relocation->of, &address);
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
        guint8 *memory = memory_of(layout->machine, variable);
        if (variable->init && variable->size > 0)
            memcpy(memory, variable->init, variable->size);
        relocate(layout->machine, variable, memory);
    }
}

gboolean ps_ptx_variable_address(const PsPtxMachine *machine, const PsPtxInline *in,
                                 const PsPtxVariable *variable, guint64 *address)
{
    const PsPtxCode *code = machine->code;
    gpointer value;
    gsize offset;
    if (variable->space == PS_PTX_SHARED) {
        if (!g_hash_table_lookup_extended(machine->addresses, variable, NULL, &value))
            return FALSE;
        *address = GPOINTER_TO_SIZE(value);
        return TRUE;
    }
    if (in && (ps_ptx_layout_find(in, variable, &offset) ||
               ps_ptx_layout_find(code->inlines->pdata[0], variable, &offset))) {
        *address = offset + (variable->space == PS_PTX_PARAM ? PS_PTX_OWN_PARAM : 0);
        return TRUE;
    }
    if (!g_hash_table_lookup_extended(machine->addresses, variable, NULL, &value))
        return FALSE;
    *address = GPOINTER_TO_SIZE(value);
    return TRUE;
}

/* ---- parameters and the group's memory ------------------------------------------------------ */

static gboolean add_fields(Layout *layout, const PsPtxArgument *argument)
{
    for (guint i = 0; i < argument->n_fields; i++) {
        const PsPtxField *field = &argument->fields[i];
        const PsPtxBuffer buffer = {.name = field->name,
                                    .size = field->size,
                                    .data = field->data,
                                    .blocks = field->blocks,
                                    .argument = -1,
                                    .field = field};
        if (!add_buffer(layout, buffer, BUFFER_ALIGN))
            return FALSE;
    }
    return TRUE;
}

static gboolean add_arguments(Layout *layout)
{
    PsPtxMachine *machine = layout->machine;
    for (guint i = 0; i < machine->launch.n_arguments; i++) {
        const PsPtxArgument *argument = &machine->arguments[i];
        PsPtxBuffer buffer = {.name = argument->name,
                              .size = argument->size,
                              .data = argument->data,
                              .blocks = argument->blocks,
                              .argument = (int)i};
        if (argument->data && !add_buffer(layout, buffer, BUFFER_ALIGN))
            return FALSE;
        if (!add_fields(layout, argument))
            return FALSE;
    }
    return TRUE;
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
    for (guint i = 0; i < machine->buffers->len; i++) {
        const PsPtxBuffer *buffer = &g_array_index(machine->buffers, PsPtxBuffer, i);
        if (buffer->field == field)
            return buffer->address;
    }
    return 0;
}

static void pass(PsPtxMachine *machine)
{
    const GPtrArray *params = machine->code->kernel->params;
    machine->param = g_malloc0(MAX(machine->param_bytes, 1));
    for (guint i = 0; i < params->len; i++) {
        const PsPtxVariable *param = params->pdata[i];
        const PsPtxArgument *argument = &machine->arguments[i];
        guint8 *to =
            machine->param + GPOINTER_TO_SIZE(g_hash_table_lookup(machine->addresses, param));
        guint64 bits = argument->data ? ps_ptx_machine_address(machine, i) : argument->bits;
        if (argument->bytes)
            memcpy(to, argument->bytes, param->size);
        else
            memcpy(to, &bits, MIN(param->size, sizeof bits));
        for (guint k = 0; k < argument->n_fields; k++) {
            bits = address_of(machine, &argument->fields[k]);
            memcpy(to + argument->fields[k].offset, &bits, machine->module->address_size / 8);
        }
    }
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
    machine->shared = g_malloc0(MAX(machine->shared_bytes, 1));
    for (guint i = 0; i < code->shared->len; i++)
        g_hash_table_insert(machine->addresses, code->shared->pdata[i],
                            GSIZE_TO_POINTER(code->shared_at[i]));
    return TRUE;
}

gboolean ps_ptx_memory_new(PsPtxMachine *machine, GError **error)
{
    const gboolean narrow = machine->module->address_size == 32;
    g_autoptr(GPtrArray) variables = g_ptr_array_new();
    Layout layout = {.machine = machine,
                     .next = narrow ? 0x100000U : (guint64)0x7 << 32,
                     .variables = variables,
                     .error = error};
    machine->buffers = g_array_new(FALSE, FALSE, sizeof(PsPtxBuffer));
    machine->constants = g_array_new(FALSE, FALSE, sizeof(PsPtxBuffer));
    machine->addresses = g_hash_table_new(NULL, NULL);
    set_windows(machine);
    if (!lay_out_shared(machine, error) || !add_arguments(&layout) || !add_variables(&layout))
        return FALSE;
    machine->constant_bytes = layout.constants;
    machine->constant = g_malloc0(MAX(layout.constants, 1));
    initialise(&layout);
    lay_out_params(machine);
    pass(machine);
    machine->pieces[PS_PTX_SHARED] =
        (PsPtxBuffer){.size = machine->shared_bytes, .data = machine->shared};
    machine->pieces[PS_PTX_PARAM] =
        (PsPtxBuffer){.size = machine->param_bytes, .data = machine->param};
    machine->pieces[PS_PTX_CONST] =
        (PsPtxBuffer){.size = machine->constant_bytes, .data = machine->constant};
    if (machine->buffers->len > 0)
        machine->last = &g_array_index(machine->buffers, PsPtxBuffer, 0);
    return TRUE;
}

void ps_ptx_memory_clear(PsPtxMachine *machine)
{
    for (guint i = 0; machine->buffers && i < machine->buffers->len; i++) {
        PsPtxBuffer *buffer = &g_array_index(machine->buffers, PsPtxBuffer, i);
        if (buffer->owned)
            g_free(buffer->data);
    }
    g_clear_pointer(&machine->buffers, g_array_unref);
    g_clear_pointer(&machine->constants, g_array_unref);
    g_clear_pointer(&machine->addresses, g_hash_table_unref);
    g_clear_pointer(&machine->constant, g_free);
    g_clear_pointer(&machine->param, g_free);
    g_clear_pointer(&machine->shared, g_free);
}

PsPtxExtent *ps_ptx_machine_extents(const PsPtxMachine *machine, guint *n)
{
    PsPtxExtent *extents = g_new0(PsPtxExtent, machine->buffers->len + 1);
    for (*n = 0; *n < machine->buffers->len; (*n)++) {
        const PsPtxBuffer *buffer = &g_array_index(machine->buffers, PsPtxBuffer, *n);
        extents[*n] = (PsPtxExtent){buffer->name, buffer->address, buffer->size};
    }
    return extents;
}

guint64 ps_ptx_machine_address(const PsPtxMachine *machine, guint argument)
{
    for (guint i = 0; i < machine->buffers->len; i++) {
        const PsPtxBuffer *buffer = &g_array_index(machine->buffers, PsPtxBuffer, i);
        if (buffer->argument == (int)argument)
            return buffer->address;
    }
    return 0;
}
