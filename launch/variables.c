/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/variables.h"

#include "base/usage.h"
#include "launch/fill.h"
#include "launch/value.h"
#include "ptx/instruction.h"

#include <string.h>

/* Enough to see what is meant. */
#define MOST_NAMED 8

/* Textures, and what the launch sizes, hold no bytes. */
static gboolean is_data(const PsPtxVariable *variable)
{
    return (variable->space == PS_PTX_CONST || variable->space == PS_PTX_GLOBAL) &&
           variable->size > 0;
}

PsPtxVariable *ps_variables_find(const PsPtxModule *module, const char *name)
{
    PsPtxVariable *found = NULL;
    for (guint i = 0; i < module->variables->len; i++) {
        PsPtxVariable *variable = module->variables->pdata[i];
        g_autofree char *plain = ps_ptx_plain_name(variable->name);
        if (!is_data(variable))
            continue;
        if (strcmp(variable->name, name) == 0)
            return variable;
        if (strcmp(plain, name) == 0)
            found = variable;
    }
    return found;
}

gboolean ps_variables_set(PsPtxModule *module, PsPtxVariable *variable, const char *what,
                          const char *text, const PsScope *scope, GError **error)
{
    g_autofree guint8 *bytes = NULL;
    gsize size = ps_ptx_type_size(variable->type);
    if (ps_fill_is(text)) {
        bytes = ps_fill_make(what, text, scope, &size, error);
    } else {
        guint64 bits = 0;
        if (!ps_value_parse(what, text, variable->type, &bits, error))
            return FALSE;
        bytes = g_memdup2(&bits, sizeof bits);
    }
    if (!bytes)
        return FALSE;
    if (size > variable->size)
        return ps_usage_error(error,
                              "%s: this variable has %" G_GUINT64_FORMAT
                              " bytes, and %" G_GSIZE_FORMAT " were given",
                              what, variable->size, size);
    ps_ptx_variable_set(module, variable, bytes, size);
    return TRUE;
}

/* ---- constants that nobody gave ------------------------------------------------------------ */

static void add_constants(const PsPtxFunction *function, GPtrArray *variables)
{
    for (guint i = 0; i < function->instructions->len; i++) {
        const PsPtxInstruction *instruction =
            &g_array_index(function->instructions, PsPtxInstruction, i);
        for (guint k = 0; k < instruction->n_operands; k++) {
            const PsPtxOperand *operand = &instruction->operands[k];
            gpointer variable = (gpointer)operand->variable;
            if ((operand->kind == PS_PTX_OPERAND_VARIABLE ||
                 operand->kind == PS_PTX_OPERAND_ADDRESS) &&
                variable && operand->variable->space == PS_PTX_CONST &&
                operand->variable->size > 0 && !operand->variable->init &&
                !g_ptr_array_find(variables, variable, NULL))
                g_ptr_array_add(variables, variable);
        }
    }
}

void ps_variables_warn(const PsPtxModule *module, const PsPtxFunction *kernel, const char *word,
                       GPtrArray *warnings)
{
    g_autoptr(GPtrArray) variables = g_ptr_array_new();
    add_constants(kernel, variables);
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        if (!function->entry && function->body)
            add_constants(function, variables);
    }
    g_autoptr(GString) names = g_string_new(NULL);
    g_autofree char *first = NULL;
    for (guint i = 0; i < MIN(variables->len, MOST_NAMED); i++) {
        const PsPtxVariable *variable = variables->pdata[i];
        g_autofree char *plain = ps_ptx_plain_name(variable->name);
        g_string_append_printf(names, "%s%s", i ? ", " : "", plain);
        if (i == 0)
            first = g_steal_pointer(&plain);
    }
    if (variables->len > MOST_NAMED)
        g_string_append_printf(names, " and %u more", variables->len - MOST_NAMED);
    if (variables->len)
        g_ptr_array_add(
            warnings, g_strdup_printf("constants that the host sets are zeros here: %s; give what "
                                      "they hold like an argument, such as %s %s=@FILE",
                                      names->str, word, first));
}
