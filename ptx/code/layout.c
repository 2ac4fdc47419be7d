/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places variables: .shared variables in the group's memory, .local variables and parameters of
 * calls in each thread's own. A parameter of a callee lies where the caller has the variable that
 * it passes, so that calls need not copy it.
 */
#include "ptx/code/expand.h"

#define DYNAMIC_ALIGN 16 /* least alignment of dynamic memory */

/* Places a variable at *at, behind the *used bytes of a memory. */
static gboolean lay_out(guint64 *used, guint64 *at, const PsPtxVariable *variable, GError **error)
{
    guint64 align = MAX(variable->align, 1);
    *at = (*used + align - 1) / align * align;
    if (variable->size > PS_PTX_MAX_MEMORY || *at + variable->size > PS_PTX_MAX_MEMORY) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "variables in .%s up to \"%s\" take more than %" G_GUINT64_FORMAT " bytes",
                    ps_ptx_space_name(variable->space), variable->name, PS_PTX_MAX_MEMORY);
        return FALSE;
    }
    *used = *at + variable->size;
    return TRUE;
}

gboolean ps_ptx_layout_find(const PsPtxInline *in, const PsPtxVariable *variable, gsize *offset)
{
    gpointer value;
    if (in->addresses && g_hash_table_lookup_extended(in->addresses, variable, NULL, &value)) {
        *offset = GPOINTER_TO_SIZE(value);
        return TRUE;
    }
    return FALSE;
}

static void bind(PsPtxInline *in, const PsPtxVariable *variable, gsize offset)
{
    if (!in->addresses)
        in->addresses = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(in->addresses, (gpointer)variable, GSIZE_TO_POINTER(offset));
}

static gboolean bind_new(PsPtxCode *code, PsPtxInline *in, const PsPtxVariable *variable,
                         GError **error)
{
    guint64 used = code->thread_bytes, at;
    if (!lay_out(&used, &at, variable, error))
        return FALSE;
    code->thread_bytes = used;
    bind(in, variable, at);
    return TRUE;
}

/* Binds the parameters or results of a callee to the caller's variables in the operand. */
static gboolean bind_params(PsPtxCode *code, PsPtxInline *in, const GPtrArray *params,
                            const PsPtxOperand *list, GError **error)
{
    for (guint i = 0; i < params->len; i++) {
        const PsPtxVariable *param = params->pdata[i];
        const PsPtxOperand *passed = list && i < list->n_members ? &list->members[i] : NULL;
        gsize offset;
        if (param->space == PS_PTX_REG)
            continue;
        if (passed && passed->kind == PS_PTX_OPERAND_VARIABLE && passed->value == 0 &&
            ps_ptx_layout_find(in->caller, passed->variable, &offset))
            bind(in, param, offset);
        else if (!bind_new(code, in, param, error))
            return FALSE;
    }
    return TRUE;
}

static const PsPtxOperand *operand_or_null(const PsPtxInstruction *instruction, int number)
{
    return number < 0 ? NULL : &instruction->operands[number];
}

gboolean ps_ptx_layout_inline(PsPtxCode *code, PsPtxInline *in, const PsPtxPoint *call,
                              GError **error)
{
    const PsPtxFunction *function = in->function;
    if (call) {
        PsPtxCall parts = ps_ptx_call_parts(call->instruction);
        if (!bind_params(code, in, function->params, operand_or_null(call->instruction, parts.in),
                         error) ||
            !bind_params(code, in, function->returns, operand_or_null(call->instruction, parts.out),
                         error))
            return FALSE;
    } else {
        for (guint i = 0; i < code->module->variables->len; i++) {
            const PsPtxVariable *variable = code->module->variables->pdata[i];
            if (variable->space == PS_PTX_LOCAL && !bind_new(code, in, variable, error))
                return FALSE;
        }
    }
    for (guint i = 0; i < function->variables->len; i++) {
        const PsPtxVariable *variable = function->variables->pdata[i];
        if ((variable->space == PS_PTX_LOCAL || variable->space == PS_PTX_PARAM) &&
            !bind_new(code, in, variable, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- the group's memory --------------------------------------------------------------------- */

typedef struct {
    PsPtxCode *code;
    GHashTable *seen;
    GArray *at; /* guint64 */
    GError **error;
} Shared;

static gboolean add_shared(Shared *shared, const PsPtxVariable *variable)
{
    guint64 at = 0;
    if (!variable || variable->space != PS_PTX_SHARED ||
        !g_hash_table_add(shared->seen, (gpointer)variable))
        return TRUE;
    if (variable->size > 0 && !lay_out(&shared->code->shared_bytes, &at, variable, shared->error))
        return FALSE;
    g_ptr_array_add(shared->code->shared, (gpointer)variable);
    g_array_append_val(shared->at, at);
    return TRUE;
}

static gboolean scan(Shared *shared, const PsPtxOperand *operand)
{
    switch (operand->kind) {
    case PS_PTX_OPERAND_VARIABLE:
        return add_shared(shared, operand->variable);
    case PS_PTX_OPERAND_ADDRESS:
        return operand->reg >= 0 || add_shared(shared, operand->variable);
    case PS_PTX_OPERAND_VECTOR:
    case PS_PTX_OPERAND_LIST:
        for (guint i = 0; i < operand->n_members; i++)
            if (!scan(shared, &operand->members[i]))
                return FALSE;
        return TRUE;
    default:
        return TRUE;
    }
}

gboolean ps_ptx_layout_shared(PsPtxCode *code, const PsPtxFunction *function, GHashTable *seen,
                              GArray *at, GError **error)
{
    Shared shared = {code, seen, at, error};
    for (guint i = 0; i < function->instructions->len; i++) {
        const PsPtxInstruction *instruction =
            &g_array_index(function->instructions, PsPtxInstruction, i);
        for (guint k = 0; k < instruction->n_operands; k++)
            if (!scan(&shared, &instruction->operands[k]))
                return FALSE;
    }
    return TRUE;
}

void ps_ptx_layout_dynamic(PsPtxCode *code, GArray *at)
{
    guint64 begin = (code->shared_bytes + DYNAMIC_ALIGN - 1) / DYNAMIC_ALIGN * DYNAMIC_ALIGN;
    for (guint i = 0; i < code->shared->len; i++) {
        const PsPtxVariable *variable = code->shared->pdata[i];
        if (variable->size == 0 && variable->align > 0)
            begin = (begin + variable->align - 1) / variable->align * variable->align;
    }
    for (guint i = 0; i < code->shared->len; i++)
        if (((const PsPtxVariable *)code->shared->pdata[i])->size == 0)
            g_array_index(at, guint64, i) = begin;
    code->shared_at = (guint64 *)(gpointer)g_array_free(at, FALSE);
    code->dynamic_at = begin;
}

gboolean ps_ptx_variable_address(const PsPtxCode *code, GHashTable *addresses,
                                 const PsPtxInline *in, const PsPtxVariable *variable,
                                 guint64 *address)
{
    gpointer value;
    gsize offset;
    if (variable->space == PS_PTX_SHARED) {
        if (!g_hash_table_lookup_extended(addresses, variable, NULL, &value))
            return FALSE;
        *address = GPOINTER_TO_SIZE(value);
        return TRUE;
    }
    if (in && (ps_ptx_layout_find(in, variable, &offset) ||
               ps_ptx_layout_find(code->inlines->pdata[0], variable, &offset))) {
        *address = offset + (variable->space == PS_PTX_PARAM ? PS_PTX_OWN_PARAM : 0);
        return TRUE;
    }
    if (!g_hash_table_lookup_extended(addresses, variable, NULL, &value))
        return FALSE;
    *address = GPOINTER_TO_SIZE(value);
    return TRUE;
}

guint64 ps_ptx_function_address(const PsPtxFunction *function)
{
    return g_str_hash(function->name) & ~(guint64)15;
}
