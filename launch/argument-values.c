/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of arguments become values. */
#include "base/usage.h"
#include "launch/arguments-private.h"
#include "launch/fields.h"
#include "launch/fill.h"
#include "launch/lent.h"
#include "launch/pointers.h"
#include "launch/tensor.h"
#include "launch/value.h"
#include "launch/variables.h"
#include "ptx/names.h"

#include <string.h>

static void into_scope(PsLaunchArguments *arguments, guint number, const char *text)
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

static gboolean read_number(PsTaking *taking, guint number, GError **error)
{
    PsLaunchArguments *arguments = taking->arguments;
    const PsPtxVariable *param = ps_launch_param(arguments, number);
    const char *text = taking->texts[number];
    g_autofree char *what = g_strdup_printf("%s %s", taking->word, arguments->names[number]);
    if (ps_ptx_is_struct(param))
        return ps_usage_error(error,
                              "%s: this argument is a struct of %" G_GUINT64_FORMAT
                              " bytes; give them by @FILE, zero:BYTES or ramp:BYTES:TYPE, or each "
                              "field by its place, such as %s+0=VALUE",
                              what, param->size, arguments->names[number]);
    if (!ps_value_parse(what, text, ps_launch_type(arguments, number),
                        &arguments->values[number].bits, error))
        return FALSE;
    g_autofree char *plain = ps_value_expand(text);
    into_scope(arguments, number, plain);
    return TRUE;
}

/* The bytes of a struct that is passed by value. */
static gboolean take_struct(PsPtxArgument *value, const PsPtxVariable *param, const char *what,
                            GError **error)
{
    if (value->size != param->size)
        return ps_usage_error(error,
                              "%s: this argument has %" G_GUINT64_FORMAT
                              " bytes, and %" G_GSIZE_FORMAT " were given",
                              what, param->size, value->size);
    if (value->size <= 8)
        memcpy(&value->bits, value->data, value->size);
    value->bytes = g_steal_pointer(&value->data);
    return TRUE;
}

static gboolean read_buffer(PsTaking *taking, guint number, GError **error)
{
    PsLaunchArguments *arguments = taking->arguments;
    PsPtxArgument *value = &arguments->values[number];
    const PsPtxVariable *param = ps_launch_param(arguments, number);
    g_autofree char *what = g_strdup_printf("%s %s", taking->word, arguments->names[number]);
    const guint size = ps_ptx_type_size(param->type);
    const PsFieldsOf of = {.kernel = arguments->kernel,
                           .param = param,
                           .noun = "argument",
                           .address_size = taking->module->address_size / 8,
                           .scope = arguments->scope,
                           .lent = taking->given->lent,
                           .name = arguments->names[number],
                           .what = what};
    if (ps_tensor_is(taking->texts[number]))
        return ps_tensor_set(&of, value, taking->texts[number], error);
    if (param->to_shared)
        return ps_usage_error(error,
                              "%s: this argument points to local memory, which the launch gives "
                              "the kernel; give the place where its array begins there, 0 for the "
                              "first",
                              what);
    if (!ps_ptx_is_struct(param) && (size < 4 || (size == 4 && !param->pointer)))
        return ps_usage_error(error,
                              "%s: an argument of the type .%s is no address of a buffer; give a "
                              "number",
                              what, ps_ptx_type_name(param->type));
    const PsLent *lent = ps_lent_find(taking->given->lent, taking->texts[number]);
    if (ps_ptx_is_struct(param) && lent) {
        value->data = g_memdup2(lent->data, lent->size);
        value->size = lent->size;
        return take_struct(value, param, what, error);
    }
    if (ps_ptx_is_struct(param) && ps_pointers_is(taking->texts[number]))
        return ps_usage_error(error,
                              "%s: this argument is a struct; give each field by its place, such "
                              "as %s+0=zero:BYTES",
                              what, arguments->names[number]);
    if (ps_ptx_is_struct(param)) {
        value->data =
            ps_fill_make(what, taking->texts[number], arguments->scope, &value->size, error);
        return value->data && take_struct(value, param, what, error);
    }
    if (ps_pointers_is(taking->texts[number]))
        return ps_pointers_set(&of, value, taking->texts[number], error);
    value->data = lent ? ps_lent_make(lent, &value->size, &value->blocks, error)
                       : ps_fill_make_later(what, taking->texts[number], arguments->scope,
                                            &value->size, &value->blocks, error);
    return value->data != NULL;
}

gboolean ps_taking_read_all(PsTaking *taking, gboolean buffers, GError **error)
{
    for (guint i = 0; i < taking->arguments->n; i++)
        if (taking->texts[i] && ps_fill_is(taking->texts[i]) == buffers &&
            !(buffers ? read_buffer : read_number)(taking, i, error))
            return FALSE;
    return TRUE;
}

/* TRUE if the same field was given before. */
static gboolean is_repeated(const char **texts, const char *const *text)
{
    const gsize length = (gsize)(strchr(*text, '=') - *text) + 1;
    for (; texts < (const char **)text; texts++)
        if (strncmp(*texts, *text, length) == 0)
            return TRUE;
    return FALSE;
}

gboolean ps_taking_set_fields(const PsTaking *taking, GError **error)
{
    const PsLaunchArguments *arguments = taking->arguments;
    for (const char **text = taking->all; *text; text++) {
        g_autofree char *name = NULL;
        guint64 offset;
        const char *value = ps_fields_value(*text, &name, &offset);
        if (!value)
            continue;
        if (is_repeated(taking->all, text))
            return ps_usage_error(error, "%s %s: this field has a value already", taking->word,
                                  *text);
        PsPtxVariable *variable = ps_taking_variable_called(taking, name);
        const guint number = variable ? 0 : (guint)ps_launch_number(arguments, name);
        g_autofree char *field = g_strdup_printf("%s+%" G_GUINT64_FORMAT, name, offset),
                        *what = g_strdup_printf("%s %s", taking->word, field);
        const PsFieldsOf of = {.kernel = arguments->kernel,
                               .param = variable ? variable : ps_launch_param(arguments, number),
                               .noun = variable ? "variable" : "argument",
                               .address_size = taking->module->address_size / 8,
                               .scope = arguments->scope,
                               .lent = taking->given->lent,
                               .name = field,
                               .what = what};
        if (variable ? !ps_fields_put(&of, taking->module, variable, offset, value, error)
                     : !ps_fields_set(&of, &arguments->values[number], offset, value, error))
            return FALSE;
    }
    return TRUE;
}

gboolean ps_taking_set_variables(const PsTaking *taking, GError **error)
{
    for (const char **text = taking->all; *text; text++) {
        const char *value;
        PsPtxVariable *variable = ps_taking_variable_of(taking, *text, &value);
        if (!variable)
            continue;
        g_autofree char *what = g_strdup_printf("%s %s", taking->word, variable->name);
        if (!ps_variables_set(taking->module, variable, what, value, taking->arguments->scope,
                              error))
            return FALSE;
    }
    return TRUE;
}
