/* SPDX-License-Identifier: BSD-3-Clause */
/* See lent.h. */
#include "launch/lent.h"

#include "base/error.h"
#include "launch/blocks.h"

const PsLent *ps_lent_find(GHashTable *lent, const char *value)
{
    return lent ? g_hash_table_lookup(lent, value) : NULL;
}

guint8 *ps_lent_make(const PsLent *lent, gsize *size, PsPtxBlocks **blocks, GError **error)
{
    const PsFill fill = {
        .kind = PS_FILL_MEMORY, .memory = lent->data, .read_only = lent->read_only};
    guint8 *data;
    *size = lent->size;
    *blocks = ps_blocks_new(&fill, lent->size, &data, error);
    return data;
}

static gboolean is_written(const PsPtxBlocks *blocks)
{
    for (gsize i = 0; i < blocks->n; i++)
        if (blocks->made[i] & PS_PTX_BLOCK_WRITTEN)
            return TRUE;
    return FALSE;
}

static gboolean check(const char *word, const char *name, const PsPtxBlocks *blocks, GError **error)
{
    if (!blocks || !ps_blocks_are_read_only(blocks) || !is_written(blocks))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%s %s: the kernel writes this buffer, and it was lent for reading alone", word,
                name);
    return FALSE;
}

gboolean ps_lent_check(const PsLaunchArguments *arguments, const PsLaunchTexts *texts,
                       GError **error)
{
    const char *word = texts->argument_name ? texts->argument_name : "argument";
    for (guint i = 0; i < arguments->n; i++) {
        const PsPtxArgument *argument = &arguments->values[i];
        if (!check(word, arguments->names[i], argument->blocks, error))
            return FALSE;
        for (guint k = 0; k < argument->n_fields; k++)
            if (!check(word, argument->fields[k].name, argument->fields[k].blocks, error))
                return FALSE;
    }
    return TRUE;
}
