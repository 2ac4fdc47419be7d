/* SPDX-License-Identifier: BSD-3-Clause */
/* Which buffer --dump means. See build-arguments.h. */
#include "cli/build/arguments.h"
#include "cli/build/blocks.h"
#include "cli/build/fields.h"
#include "cli/fail.h"

#include <string.h>

/* A buffer whose address is a field of a struct. */
static gboolean find_dump_field(const Arguments *arguments, guint number, guint64 offset,
                                ArgumentDump *dump, GError **error)
{
    const PsPtxField *field = fields_find(&arguments->values[number], offset);
    if (!field)
        return usage_error(error, "--dump %s+%" G_GUINT64_FORMAT ": this field is no buffer",
                           arguments->names[number], offset);
    blocks_finish(field->blocks);
    dump->data = field->data;
    dump->size = field->size;
    return TRUE;
}

gboolean arguments_find_dump(const Arguments *arguments, const PsPtxFunction *kernel,
                             const char *text, ArgumentDump *dump, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name = NULL;
    guint64 offset;
    const gboolean field = fields_split(text, &name, &offset, &dump->file);
    if (!field && equals) {
        name = g_strndup(text, (gsize)(equals - text));
        dump->file = equals + 1;
    }
    if (!name || !*name || !*dump->file)
        return usage_error(error, "--dump '%s': write NAME=FILE", text);
    const int number = arguments_find(arguments, kernel, "--dump", name, error);
    if (number < 0)
        return FALSE;
    if (field)
        return find_dump_field(arguments, (guint)number, offset, dump, error);
    blocks_finish(arguments->values[number].blocks);
    dump->data = arguments->values[number].data;
    dump->size = arguments->values[number].size;
    return dump->data || usage_error(error, "--dump %s: this argument is no buffer", name);
}
