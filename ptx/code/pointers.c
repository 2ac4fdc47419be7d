/* SPDX-License-Identifier: BSD-3-Clause */
/* See pointers.h. */
#include "ptx/code/pointers.h"
#include "ptx/arena.h"
#include "ptx/code/expand.h"
#include "ptx/code/rewrite.h"
#include <string.h>

/* Instructions that compare a pointer with a function, combined with the call's own guard. */
static const char *const texts[] = {
    ".version 8.6\n.target sm_100\n.address_size 64\n.func compare() {\n.reg .pred %p;\n"
    ".reg .b32 %a;\nsetp.eq.u32 %p, %a, 0;\nsetp.eq.and.u32 %p, %a, 0, %p;\n}\n",
    ".version 8.6\n.target sm_100\n.address_size 64\n.func compare() {\n.reg .pred %p;\n"
    ".reg .b64 %a;\nsetp.eq.u64 %p, %a, 0;\nsetp.eq.and.u64 %p, %a, 0, %p;\n}\n"};

static const char *const no_parts[] = {NULL};
static const PsPtxMnemonic call_mnemonic = {
    .text = "call", .opcode = "call", .parts = no_parts, .vector = 1, .known = TRUE};

static const PsPtxOperand *callee_of(const PsPtxInstruction *instruction)
{
    if (strcmp(instruction->mnemonic->opcode, "call") != 0)
        return NULL;
    const PsPtxCall parts = ps_ptx_call_parts(instruction);
    return parts.callee < 0 ? NULL : &instruction->operands[parts.callee];
}

gboolean ps_ptx_pointers_calls(const PsPtxInstruction *instruction)
{
    const PsPtxOperand *callee = callee_of(instruction);
    return callee && callee->kind == PS_PTX_OPERAND_REGISTER;
}

gboolean ps_ptx_pointers_made(const PsPtxInstruction *instruction)
{
    return instruction->mnemonic == &call_mnemonic;
}

/* ---- functions whose address is taken ------------------------------------------------------- */

/* Adds functions by their names: a function may be declared before it has a body. */
static void add_names(GHashTable *names, const PsPtxInstruction *instruction)
{
    const gboolean call = strcmp(instruction->mnemonic->opcode, "call") == 0;
    for (guint i = 0; i < instruction->n_operands && !call; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_FUNCTION)
            g_hash_table_add(names, instruction->operands[i].function->name);
}

static void add_names_in(GHashTable *names, const GPtrArray *variables)
{
    for (guint i = 0; i < variables->len; i++) {
        const GArray *relocations = ((PsPtxVariable *)variables->pdata[i])->relocations;
        for (guint k = 0; relocations && k < relocations->len; k++) {
            const PsPtxRelocation *relocation = &g_array_index(relocations, PsPtxRelocation, k);
            if (relocation->function)
                g_hash_table_add(names, relocation->function->name);
        }
    }
}

static GHashTable *names_taken(const PsPtxModule *module)
{
    GHashTable *names = g_hash_table_new(g_str_hash, g_str_equal);
    add_names_in(names, module->variables);
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        add_names_in(names, function->variables);
        for (guint k = 0; k < function->instructions->len; k++)
            add_names(names, &g_array_index(function->instructions, PsPtxInstruction, k));
    }
    return names;
}

/* FALSE: the arguments or results of the call differ from the function's. Values in registers, and
 * numbers, have no size here. */
static gboolean fits(const GPtrArray *params, const PsPtxInstruction *call, int list)
{
    const PsPtxOperand *passed = list < 0 ? NULL : &call->operands[list];
    if ((passed ? passed->n_members : 0) != params->len)
        return FALSE;
    for (guint i = 0; i < params->len; i++) {
        const PsPtxOperand *one = &passed->members[i];
        const PsPtxVariable *param = params->pdata[i];
        if (one->kind == PS_PTX_OPERAND_VARIABLE && one->variable->size != param->size)
            return FALSE;
    }
    return TRUE;
}

GPtrArray *ps_ptx_pointers_callees(const PsPtxModule *module, const PsPtxInstruction *call)
{
    g_autoptr(GHashTable) names = names_taken(module);
    const PsPtxCall parts = ps_ptx_call_parts(call);
    GPtrArray *found = g_ptr_array_new();
    for (guint i = 0; i < module->functions->len; i++) {
        PsPtxFunction *function = module->functions->pdata[i];
        if (function->body && !function->entry && g_hash_table_contains(names, function->name) &&
            fits(function->params, call, parts.in) && fits(function->returns, call, parts.out))
            g_ptr_array_add(found, function);
    }
    return found;
}

/* ---- the calls ------------------------------------------------------------------------------ */

static gboolean replaces(const PsPtxRewrite *rewrite, const PsPtxInstruction *instruction)
{
    (void)rewrite;
    return ps_ptx_pointers_calls(instruction);
}

static PsPtxOperand function_operand(const PsPtxFunction *function)
{
    return (PsPtxOperand){.kind = PS_PTX_OPERAND_FUNCTION, .reg = -1, .function = function};
}

/* Appends a comparison of the pointer, which writes the predicate. */
static void put_comparison(PsPtxFunction *to, const PsPtxInstruction *call, gint32 predicate,
                           const PsPtxFunction *callee, PsPtxModule *text)
{
    const gboolean guarded = call->guard >= 0;
    const PsPtxFunction *compare = text->functions->pdata[0];
    PsPtxInstruction mine = *call;
    mine.mnemonic = g_array_index(compare->instructions, PsPtxInstruction, guarded).mnemonic;
    mine.n_operands = guarded ? 4 : 3;
    mine.operands = ps_ptx_arena_get(text->storage, 4 * sizeof *mine.operands);
    mine.operands[0] = (PsPtxOperand){.kind = PS_PTX_OPERAND_REGISTER, .reg = predicate};
    mine.operands[1] = *callee_of(call);
    mine.operands[2] = function_operand(callee);
    mine.operands[3] = (PsPtxOperand){
        .kind = PS_PTX_OPERAND_REGISTER, .reg = call->guard, .negated = call->guard_negated};
    mine.guard = -1;
    mine.guard_negated = FALSE;
    g_array_append_val(to->instructions, mine);
}

static void put_call(PsPtxFunction *to, const PsPtxInstruction *call, gint32 predicate,
                     const PsPtxFunction *callee, PsPtxModule *text)
{
    const PsPtxCall parts = ps_ptx_call_parts(call);
    const gsize size = call->n_operands * sizeof *call->operands;
    PsPtxInstruction mine = *call;
    mine.mnemonic = &call_mnemonic;
    mine.operands = ps_ptx_arena_get(text->storage, size);
    memcpy(mine.operands, call->operands, size);
    mine.operands[parts.callee] = function_operand(callee);
    mine.guard = predicate;
    mine.guard_negated = FALSE;
    g_array_append_val(to->instructions, mine);
}

/* Appends all comparisons, then the calls: a call may put its result into the register of the
 * pointer. */
static void put_calls(const PsPtxRewrite *rewrite, PsPtxFunction *to, const PsPtxInstruction *call)
{
    g_autoptr(GPtrArray) callees = ps_ptx_pointers_callees(rewrite->module, call);
    const char *text = texts[rewrite->module->address_size == 64];
    PsPtxModule *made = ps_ptx_parse(text, strlen(text), "call", NULL);
    g_assert(made);
    g_ptr_array_add(rewrite->storage, made);
    const gint32 first = (gint32)to->registers->len;
    const PsPtxFunction *compare = made->functions->pdata[0];
    const PsPtxInstruction *with = &g_array_index(compare->instructions, PsPtxInstruction, 0);
    g_array_append_val(to->instructions, *call);
    for (guint i = 0; i < callees->len; i++) {
        g_array_append_val(to->registers,
                           g_array_index(compare->registers, PsPtxRegister, with->operands[0].reg));
        put_comparison(to, call, first + (gint32)i, callees->pdata[i], made);
    }
    for (guint i = 0; i < callees->len; i++)
        put_call(to, call, first + (gint32)i, callees->pdata[i], made);
}

PsPtxFunction *ps_ptx_pointers_expand(const PsPtxModule *module, const PsPtxFunction *function,
                                      GPtrArray *storage)
{
    const PsPtxRewrite rewrite = {module, storage, replaces, put_calls};
    return ps_ptx_rewrite(&rewrite, function);
}
