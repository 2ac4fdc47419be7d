/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of code that is loaded, and machine code's banks of constants. See module-private.h. */
#include "card/module-private.h"

#include "ptx/code/expand.h"

#include <stdio.h>
#include <string.h>

static gboolean is_data(const PsPtxVariable *variable)
{
    return (variable->space == PS_PTX_GLOBAL || variable->space == PS_PTX_CONST) &&
           variable->size > 0;
}

/* The variable from the recording, with its content at that time. NULL: the recording lacks it. */
static const PsCardPiece *given(const PsCardModule *module, const PsPtxVariable *variable)
{
    GHashTable *all = module->card->given;
    const PsCardPiece *piece = all ? g_hash_table_lookup(all, variable->name) : NULL;
    return piece && piece->size == variable->size ? piece : NULL;
}

static gboolean add_variable(PsCardModule *module, const PsPtxVariable *variable, GError **error)
{
    const PsCardPiece *piece = given(module, variable);
    const gboolean is_new = !piece;
    if (is_new)
        piece = ps_card_memory_add(module->card->memory, variable->size, PS_CARD_VARIABLE,
                                   variable->name, error);
    if (!piece)
        return FALSE;
    if (is_new && variable->init)
        memcpy(piece->data, variable->init, variable->size);
    g_hash_table_insert(module->variables, piece->name, (gpointer)piece);
    return TRUE;
}

/* Sets pointers to other variables in a variable's initial value. */
static void relocate(const PsCardModule *module, const PsPtxVariable *variable)
{
    const PsCardPiece *piece = g_hash_table_lookup(module->variables, variable->name);
    for (guint i = 0; !piece->known && variable->relocations && i < variable->relocations->len;
         i++) {
        const PsPtxRelocation *relocation =
            &g_array_index(variable->relocations, PsPtxRelocation, i);
        const PsCardPiece *of =
            relocation->of ? g_hash_table_lookup(module->variables, relocation->of->name) : NULL;
        guint64 address = of                     ? of->address
                          : relocation->function ? ps_ptx_function_address(relocation->function)
                                                 : 0;
        address += (guint64)relocation->offset;
        if (relocation->size <= sizeof address &&
            relocation->at + relocation->size <= variable->size)
            memcpy(piece->data + relocation->at, &address, relocation->size);
    }
}

static const PsSassKernel *kernel_with_bank(const PsSassImage *image, guint bank)
{
    for (guint i = 0; i < image->kernels->len; i++) {
        const PsSassKernel *kernel = image->kernels->pdata[i];
        if (kernel->banks[bank].bytes)
            return kernel;
    }
    return NULL;
}

/* The piece that contains a word of machine code's memory, and the word's offset in it. */
static const PsCardPiece *piece_with(const PsCardModule *module, const PsSassImage *image,
                                     const PsSassAddress *address, guint64 *at)
{
    if (address->bank == 0) {
        *at = address->at;
        return g_hash_table_lookup(
            module->variables, g_array_index(image->variables, PsSassVariable, address->in).name);
    }
    for (guint i = 0; i < image->constants->len; i++) {
        const PsSassConstant *constant = &g_array_index(image->constants, PsSassConstant, i);
        *at = address->at - constant->at;
        if (constant->bank == address->bank && address->at >= constant->at && *at < constant->size)
            return g_hash_table_lookup(module->variables, constant->name);
    }
    return NULL;
}

/* Sets pointers in the initial values of machine code's variables. */
static void relocate_machine(const PsCardModule *module, const PsSassImage *image)
{
    for (guint i = 0; i < image->addresses->len; i++) {
        const PsSassAddress *address = &g_array_index(image->addresses, PsSassAddress, i);
        guint64 at = 0, value = ps_sass_function_number(address->section);
        const PsCardPiece *piece = piece_with(module, image, address, &at);
        if (!piece || piece->known || address->function || at + sizeof value > piece->size)
            continue;
        if (address->section == 0) {
            const char *name =
                g_array_index(image->variables, PsSassVariable, address->variable).name;
            const PsCardPiece *of = g_hash_table_lookup(module->variables, name);
            value = (of ? of->address : 0) + address->added;
        }
        memcpy(piece->data + at, &value, sizeof value);
    }
}

/* Sets the initial content of machine code's variables, which its outline does not have. */
static void begin_variables(const PsCardModule *module, const PsSassImage *image)
{
    for (guint i = 0; i < image->variables->len; i++) {
        const PsSassVariable *variable = &g_array_index(image->variables, PsSassVariable, i);
        const PsCardPiece *piece = g_hash_table_lookup(module->variables, variable->name);
        if (piece && !piece->known && variable->init.bytes)
            memcpy(piece->data, variable->init.bytes, MIN(variable->init.size, piece->size));
    }
    for (guint i = 0; i < image->constants->len; i++) {
        const PsSassConstant *constant = &g_array_index(image->constants, PsSassConstant, i);
        const PsCardPiece *piece = g_hash_table_lookup(module->variables, constant->name);
        const PsSassKernel *kernel = kernel_with_bank(image, constant->bank);
        const PsSassBytes bank = kernel ? kernel->banks[constant->bank] : (PsSassBytes){0};
        if (piece && !piece->known && constant->at + constant->size <= bank.size)
            memcpy(piece->data, bank.bytes + constant->at, MIN(constant->size, piece->size));
    }
    relocate_machine(module, image);
}

gboolean ps_card_variables_make(PsCardModule *module, GError **error)
{
    const GPtrArray *variables = module->run->module->variables;
    const GPtrArray *images = module->run->machine;
    for (guint i = 0; i < variables->len; i++)
        if (is_data(variables->pdata[i]) && !add_variable(module, variables->pdata[i], error))
            return FALSE;
    for (guint i = 0; i < variables->len; i++)
        if (is_data(variables->pdata[i]))
            relocate(module, variables->pdata[i]);
    for (guint i = 0; images && i < images->len; i++)
        begin_variables(module, images->pdata[i]);
    return TRUE;
}

static gboolean has_constants(const PsSassImage *image, guint bank)
{
    for (guint i = 0; i < image->constants->len; i++)
        if (g_array_index(image->constants, PsSassConstant, i).bank == bank)
            return TRUE;
    return FALSE;
}

GArray *ps_card_banks(const PsCardFunction *function, const PsSassCode *code)
{
    const PsCardModule *module = function->module;
    const PsCodeModule *of = code == function->run ? module->run
                             : module->made        ? module->made
                                                   : module->timed;
    GArray *banks = g_array_new(FALSE, FALSE, sizeof(PsPtxPlaced));
    for (guint i = 0; of->machine && i < code->module->variables->len; i++) {
        const PsPtxVariable *variable = code->module->variables->pdata[i];
        guint number;
        const PsSassImage *image = of->machine->pdata[0];
        if (variable->space != PS_PTX_CONST || sscanf(variable->name, "bank_%u", &number) != 1 ||
            !has_constants(image, number))
            continue;
        PsPtxPlaced placed = {.name = variable->name,
                              .is_variable = TRUE,
                              .data = g_malloc0(variable->size),
                              .size = variable->size};
        if (variable->init)
            memcpy(placed.data, variable->init, variable->size);
        for (guint k = 0; k < image->constants->len; k++) {
            const PsSassConstant *constant = &g_array_index(image->constants, PsSassConstant, k);
            const PsCardPiece *piece = g_hash_table_lookup(module->variables, constant->name);
            if (piece && constant->bank == number && constant->at + constant->size <= placed.size)
                memcpy(placed.data + constant->at, piece->data, MIN(constant->size, piece->size));
        }
        g_array_append_val(banks, placed);
    }
    return banks;
}
