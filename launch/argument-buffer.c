/* SPDX-License-Identifier: BSD-3-Clause */
/* The content of a buffer among the arguments. */
#include "base/usage.h"
#include "launch/arguments-private.h"
#include "launch/blocks.h"
#include "launch/fields.h"

/* Finds the field of a struct that holds the buffer's address. */
static gboolean find_field(const PsPtxArgument *argument, const char *what, guint64 offset,
                           PsLaunchBuffer *buffer, GError **error)
{
    const PsPtxField *field = ps_fields_find(argument, offset);
    if (!field)
        return ps_usage_error(error, "%s %s+%" G_GUINT64_FORMAT ": this field is no buffer", what,
                              argument->name, offset);
    *buffer = (PsLaunchBuffer){field->data, field->size};
    return ps_blocks_finish(field->blocks, error);
}

gboolean ps_launch_arguments_buffer(const PsLaunchArguments *arguments, const char *what,
                                    const char *name, PsLaunchBuffer *buffer, GError **error)
{
    g_autofree char *of = NULL;
    guint64 offset;
    const char *rest = ps_fields_name(name, &of, &offset);
    const gboolean field = rest && !*rest;
    const int number = ps_launch_find(arguments, what, field ? of : name, error);
    if (number < 0)
        return FALSE;
    const PsPtxArgument *argument = &arguments->values[number];
    if (field)
        return find_field(argument, what, offset, buffer, error);
    *buffer = (PsLaunchBuffer){argument->data, argument->size};
    if (!argument->data)
        return ps_usage_error(error, "%s %s: this argument is no buffer", what, name);
    return ps_blocks_finish(argument->blocks, error);
}
