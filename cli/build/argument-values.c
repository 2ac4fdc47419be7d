/* SPDX-License-Identifier: BSD-3-Clause */
/* From the texts of --arg to values. See build-arguments-private.h. */
#include "cli/build/arguments-private.h"
#include "cli/build/fields.h"
#include "cli/build/fill.h"
#include "cli/build/variables.h"
#include "cli/fail.h"

#include <string.h>

static void into_scope(Arguments *arguments, guint number, const char *text)
{
    PsRational value;
    gint64 integer;
    const char *name = arguments->names[number];
    if (!ps_expr_is_name(name))
        return;
    if (g_str_has_prefix(text, "0x")) {
        integer = (gint64)g_ascii_strtoull(text, NULL, 16);
        ps_scope_set(arguments->scope, name, PS_RATIONAL_INT(integer));
    } else if (ps_rational_parse(text, &value)) {
        ps_scope_set(arguments->scope, name, value);
    }
}

static gboolean read_number(Taking *taking, guint number, GError **error)
{
    Arguments *arguments = taking->arguments;
    const PsPtxVariable *param = arguments_param(taking->kernel, number);
    const char *text = taking->texts[number];
    g_autofree char *what = g_strdup_printf("--arg %s", arguments->names[number]);
    if (fields_has(param))
        return usage_error(error,
                           "%s: this argument is a struct of %" G_GUINT64_FORMAT
                           " bytes; give them by @FILE, zero:BYTES or ramp:BYTES:TYPE, or each "
                           "field by its place, such as %s+0=VALUE",
                           what, param->size, arguments->names[number]);
    if (!fill_number(what, text, param->type, &arguments->values[number].bits, error))
        return FALSE;
    into_scope(arguments, number, text);
    return TRUE;
}

/* The bytes of a struct that is passed by value. */
static gboolean take_struct(PsPtxArgument *value, const PsPtxVariable *param, const char *what,
                            GError **error)
{
    if (value->size != param->size)
        return usage_error(error,
                           "%s: this argument has %" G_GUINT64_FORMAT " bytes, and %" G_GSIZE_FORMAT
                           " were given",
                           what, param->size, value->size);
    if (value->size <= 8)
        memcpy(&value->bits, value->data, value->size);
    value->bytes = g_steal_pointer(&value->data);
    return TRUE;
}

static gboolean read_buffer(Taking *taking, guint number, GError **error)
{
    Arguments *arguments = taking->arguments;
    PsPtxArgument *value = &arguments->values[number];
    const PsPtxVariable *param = arguments_param(taking->kernel, number);
    g_autofree char *what = g_strdup_printf("--arg %s", arguments->names[number]);
    if (!fields_has(param) && ps_ptx_type_size(param->type) < 4)
        return usage_error(error,
                           "%s: an argument of the type .%s is no address of a buffer; give a "
                           "number",
                           what, ps_ptx_type_name(param->type));
    if (!fields_has(param) && ps_ptx_type_size(param->type) == 4 && taking->kernel->params->len &&
        (param->type == PS_PTX_F32 || !param->pointer))
        return usage_error(error,
                           "%s: an argument of the type .%s is no address of a buffer; give a "
                           "number",
                           what, ps_ptx_type_name(param->type));
    if (fields_has(param)) {
        value->data = fill_make(what, taking->texts[number], arguments->scope, &value->size, error);
        return value->data && take_struct(value, param, what, error);
    }
    value->data = fill_make_later(what, taking->texts[number], arguments->scope, &value->size,
                                  &value->blocks, error);
    return value->data != NULL;
}

gboolean taking_read_all(Taking *taking, gboolean buffers, GError **error)
{
    for (guint i = 0; i < taking->arguments->n; i++)
        if (taking->texts[i] && fill_is(taking->texts[i]) == buffers &&
            !(buffers ? read_buffer : read_number)(taking, i, error))
            return FALSE;
    return TRUE;
}

/* The same field before? */
static gboolean is_repeated(char **texts, char *const *text)
{
    const gsize length = (gsize)(strchr(*text, '=') - *text) + 1;
    for (; texts < (char **)text; texts++)
        if (strncmp(*texts, *text, length) == 0)
            return TRUE;
    return FALSE;
}

/* Texts are those of the command line, as below. */
gboolean taking_set_fields(const Taking *taking, char **texts, GError **error)
{
    Arguments *arguments = taking->arguments;
    FieldsOf of = {.kernel = taking->kernel,
                   .address_size = taking->module->address_size / 8,
                   .scope = arguments->scope};
    for (char **text = texts; text && *text; text++) {
        g_autofree char *name = NULL;
        const char *rest;
        guint64 offset;
        if (!fields_split(*text, &name, &offset, &rest))
            continue;
        if (is_repeated(texts, text))
            return usage_error(error, "--arg %s: this field has a value already", *text);
        const int number = arguments_number(taking->kernel, arguments->names, name);
        g_autofree char *what = g_strdup_printf("--arg %s+%" G_GUINT64_FORMAT, name, offset);
        of.param = arguments_param(taking->kernel, (guint)number);
        if (!fields_set(&of, &arguments->values[number], what, offset, rest, error))
            return FALSE;
    }
    return TRUE;
}

gboolean taking_set_variables(const Taking *taking, char **texts, GError **error)
{
    for (; texts && *texts; texts++) {
        g_autofree char *name = arguments_name_in(*texts);
        const int number =
            name ? arguments_number(taking->kernel, taking->arguments->names, name) : -1;
        PsPtxVariable *variable = taking_variable_of(taking, name, number);
        if (variable && !variables_set(taking->module, variable, *texts + strlen(name) + 1,
                                       taking->arguments->scope, error))
            return FALSE;
    }
    variables_warn(taking->options, taking->module, taking->kernel);
    return TRUE;
}
