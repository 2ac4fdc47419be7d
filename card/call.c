/* SPDX-License-Identifier: BSD-3-Clause */
/* The inputs of a launch. See launch.h. */
#include "card/launch.h"

static void add(GByteArray *bytes, gconstpointer data, gsize n)
{
    g_byte_array_append(bytes, data, (guint)n);
}

/* Adds constant memory: the executor reads copies of it, so snapshots do not notice its use. */
static void add_constants(GByteArray *bytes, const PsCardFunction *function)
{
    if (function->run) {
        GArray *banks = ps_card_banks(function, function->run);
        for (guint i = 0; i < banks->len; i++) {
            const PsPtxPlaced *bank = &g_array_index(banks, PsPtxPlaced, i);
            add(bytes, bank->data, bank->size);
        }
        ps_card_place_free(banks, function->run);
        return;
    }
    const GPtrArray *variables = function->module->run->module->variables;
    for (guint i = 0; i < variables->len; i++) {
        const PsPtxVariable *variable = variables->pdata[i];
        const PsCardPiece *piece = g_hash_table_lookup(function->module->variables, variable->name);
        if (variable->space == PS_PTX_CONST && piece)
            add(bytes, piece->data, piece->size);
    }
}

static gboolean has_textures(const PsCard *card)
{
    for (guint i = 0; i < card->textures->len; i++)
        if (card->textures->pdata[i])
            return TRUE;
    return FALSE;
}

GBytes *ps_card_call(const PsCardRun *run)
{
    const PsCardLaunch *launch = run->launch;
    if (run->workspace || has_textures(run->card))
        return NULL;
    GByteArray *bytes = g_byte_array_new();
    add(bytes, launch->grid, sizeof launch->grid);
    add(bytes, launch->block, sizeof launch->block);
    add(bytes, launch->cluster, sizeof launch->cluster);
    add(bytes, &launch->shared, sizeof launch->shared);
    for (guint i = 0; i < launch->function->params->len; i++) {
        const PsPtxArgument *argument = &run->arguments[i];
        if (argument->bytes)
            add(bytes, argument->bytes, argument->size);
        else
            add(bytes, &argument->bits, sizeof argument->bits);
    }
    add_constants(bytes, launch->function);
    return g_byte_array_free_to_bytes(bytes);
}
