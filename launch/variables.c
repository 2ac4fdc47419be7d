/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/variables.h"

#include "base/usage.h"
#include "launch/fill.h"
#include "launch/value.h"
#include "ptx/instruction.h"

#include <string.h>

/* Names in a message: enough to see what is meant. */
#define MOST_NAMED 8

/* Textures and arrays that the launch sizes hold no bytes. */
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

/* ---- variables that nobody gave ------------------------------------------------------------ */

/* Uses of variables without a value: loads, and other instructions, which may write them or take
 * their address. */
typedef struct {
    GPtrArray *loaded, *others;
} Named;

static void add_once(GPtrArray *variables, gconstpointer variable)
{
    if (!g_ptr_array_find(variables, variable, NULL))
        g_ptr_array_add(variables, (gpointer)variable);
}

static void add_named(const PsPtxFunction *function, const Named *named)
{
    for (guint i = 0; i < function->instructions->len; i++) {
        const PsPtxInstruction *instruction =
            &g_array_index(function->instructions, PsPtxInstruction, i);
        const gboolean load = strcmp(instruction->mnemonic->opcode, "ld") == 0;
        for (guint k = 0; k < instruction->n_operands; k++) {
            const PsPtxOperand *operand = &instruction->operands[k];
            if ((operand->kind == PS_PTX_OPERAND_VARIABLE ||
                 operand->kind == PS_PTX_OPERAND_ADDRESS) &&
                operand->variable && is_data(operand->variable) && !operand->variable->init)
                add_once(load ? named->loaded : named->others, operand->variable);
        }
    }
}

void ps_variables_warn_of(const GPtrArray *variables, const char *which, const char *word,
                          GPtrArray *warnings)
{
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
        g_ptr_array_add(warnings, g_strdup_printf("%s are zeros here: %s; give what they hold like "
                                                  "an argument, such as %s %s=@FILE",
                                                  which, names->str, word, first));
}

void ps_variables_warn(const PsPtxModule *module, const PsPtxFunction *kernel, const char *word,
                       GPtrArray *warnings)
{
    g_autoptr(GPtrArray) loaded = g_ptr_array_new(), others = g_ptr_array_new(),
                         constants = g_ptr_array_new(), globals = g_ptr_array_new();
    const Named named = {loaded, others};
    add_named(kernel, &named);
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        if (!function->entry && function->body)
            add_named(function, &named);
    }
    for (guint i = 0; i < module->variables->len; i++) {
        const PsPtxVariable *variable = module->variables->pdata[i];
        const gboolean is_loaded = g_ptr_array_find(loaded, variable, NULL),
                       is_other = g_ptr_array_find(others, variable, NULL);
        if (variable->space == PS_PTX_CONST && (is_loaded || is_other))
            g_ptr_array_add(constants, (gpointer)variable);
        else if (variable->space == PS_PTX_GLOBAL && is_loaded && !is_other)
            g_ptr_array_add(globals, (gpointer)variable);
    }
    ps_variables_warn_of(constants, "constants that the host sets", word, warnings);
    ps_variables_warn_of(globals, "variables that this kernel only reads", word, warnings);
}
