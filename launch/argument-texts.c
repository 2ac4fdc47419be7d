/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives each text to the parameter that it is for. */
#include "base/usage.h"
#include "launch/arguments-private.h"
#include "launch/fields.h"
#include "launch/fill.h"
#include "launch/lent.h"
#include "launch/pointers.h"
#include "launch/tensor.h"
#include "launch/variables.h"

#include <string.h>

/* ---- names ---------------------------------------------------------------------------------- */

static gboolean is_field(const char *text)
{
    g_autofree char *name = NULL;
    guint64 offset;
    return ps_fields_value(text, &name, &offset) != NULL;
}

/* The name before "=" (g_free); NULL: the text has no name. Values may hold "=", too. */
static char *name_in(const char *text)
{
    gsize length = 0;
    while (g_ascii_isalnum(text[length]) || (guint8)text[length] >= 0x80 ||
           (text[length] && strchr("_$%.", text[length])))
        length++;
    return length && text[length] == '=' ? g_strndup(text, length) : NULL;
}

PsPtxVariable *ps_taking_variable_called(const PsTaking *taking, const char *name)
{
    return name && ps_launch_number(taking->arguments, name) < 0
               ? ps_variables_find(taking->module, name)
               : NULL;
}

PsPtxVariable *ps_taking_variable_of(const PsTaking *taking, const char *text, const char **value)
{
    g_autofree char *name = name_in(text);
    PsPtxVariable *variable = ps_taking_variable_called(taking, name);
    if (variable)
        *value = text + strlen(name) + 1;
    return variable;
}

/* ---- whose texts they are ------------------------------------------------------------------- */

/* TRUE for a text that several kernels get and whose name is not a parameter of this one. */
static gboolean is_anothers(const PsTaking *taking, const char *text)
{
    g_autofree char *name = NULL;
    guint64 offset;
    const gboolean field = ps_fields_value(text, &name, &offset) != NULL;
    if (!field)
        name = name_in(text);
    return name && ps_launch_number(taking->arguments, name) < 0 && (field || taking->named) &&
           !ps_taking_variable_called(taking, name);
}

void ps_taking_choose(PsTaking *taking, const PsLaunchTexts *texts)
{
    const char *const *text = texts->arguments;
    guint n = 0;
    taking->all = g_new0(const char *, (text ? g_strv_length((char **)text) : 0) + 1);
    for (; text && *text; text++) {
        if (texts->common && g_strv_contains(texts->common, *text) && is_anothers(taking, *text))
            g_ptr_array_add(taking->arguments->lacking, g_strdup(*text));
        else
            taking->all[n++] = *text;
    }
}

gboolean ps_taking_mark_parts(PsTaking *taking, GError **error)
{
    for (const char **text = taking->all; *text; text++) {
        g_autofree char *name = NULL;
        guint64 offset;
        if (!ps_fields_value(*text, &name, &offset) || ps_taking_variable_called(taking, name))
            continue;
        const int number = ps_launch_find(taking->arguments, taking->word, name, error);
        if (number < 0)
            return FALSE;
        taking->in_parts[number] = TRUE;
    }
    return TRUE;
}

/* ---- before there is code ------------------------------------------------------------------- */

gboolean ps_launch_texts_check(const PsLaunchTexts *texts, GError **error)
{
    for (const char *const *text = texts->arguments; text && *text; text++) {
        g_autofree char *field = NULL, *name = name_in(*text);
        guint64 offset;
        const char *of_field = ps_fields_value(*text, &field, &offset);
        const char *value = of_field ? of_field : name ? *text + strlen(name) + 1 : *text;
        g_autofree char *what = g_strdup_printf("%s %s", texts->argument_name,
                                                of_field ? field
                                                : name   ? name
                                                         : *text);
        /* A field's number may be followed by its type, "0x7:u16". */
        const gboolean number = g_ascii_isdigit(*value) || strchr("+-.", *value);
        if (number && value[strcspn(value, " ,;")] && strchr(value, '='))
            return ps_usage_error(error, "%s: '%s' is more than one value; write %s for each", what,
                                  value, texts->argument_name);
        if (ps_fill_is(value) && !number && !ps_lent_find(texts->lent, value) &&
            !(ps_tensor_is(value)     ? ps_tensor_check(what, value, texts->lent, error)
              : ps_pointers_is(value) ? ps_pointers_check(what, value, error)
                                      : ps_fill_check(what, value, error)))
            return FALSE;
    }
    return ps_launch_grid_check(texts, error);
}

/* ---- parameters get them -------------------------------------------------------------------- */

static gboolean take(PsTaking *taking, guint number, const char *text, const char *value,
                     GError **error)
{
    if (taking->texts[number])
        return ps_usage_error(error, "%s %s: %s has a value already", taking->word, text,
                              taking->arguments->names[number]);
    taking->texts[number] = value;
    return TRUE;
}

/* Gives the text to the next parameter without a value. */
static gboolean take_next(PsTaking *taking, const char *text, GError **error)
{
    const PsLaunchArguments *arguments = taking->arguments;
    guint next = 0;
    while (next < arguments->n && (taking->texts[next] || taking->in_parts[next]))
        next++;
    if (next == arguments->n) {
        g_autofree char *all = ps_launch_arguments_describe(arguments),
                        *shown = ps_ptx_kernel_name(arguments->kernel);
        return ps_usage_error(error, "%s %s: kernel %s has no more arguments; they are: %s",
                              taking->word, text, shown, all);
    }
    return take(taking, next, text, text, error);
}

/* TRUE if parameters have numbers for names, as compilers write them: k_param_0. */
static gboolean are_numbered(const PsLaunchArguments *arguments)
{
    for (guint i = 0; i < arguments->n; i++) {
        g_autofree char *number = g_strdup_printf("param_%u", i);
        if (g_str_has_suffix(arguments->names[i], number))
            return TRUE;
    }
    return FALSE;
}

/* FALSE and *error for a name that no parameter has, as far as names are known. */
static gboolean refuse_name(const PsTaking *taking, const char *name, const char *text,
                            GError **error)
{
    const PsLaunchArguments *arguments = taking->arguments;
    if (!are_numbered(arguments) || g_ascii_isdigit(*name))
        return ps_launch_find(arguments, taking->word, name, error) >= 0;
    g_autofree char *all = ps_launch_arguments_describe(arguments),
                    *shown = ps_ptx_kernel_name(arguments->kernel);
    return ps_usage_error(error,
                          "%s %s: nobody knows which argument of kernel %s is '%s', since "
                          "%s; write %s 0=VALUE, %s 1=VALUE and so on, or "
                          "values without names, in order; the arguments are: %s",
                          taking->word, text, shown, name,
                          taking->doubt ? taking->doubt
                                        : "no source was found that declares it in one way",
                          taking->word, taking->word, all);
}

gboolean ps_taking_take_all(PsTaking *taking, gboolean with_name, GError **error)
{
    for (const char **text = taking->all; *text; text++) {
        g_autofree char *name = is_field(*text) ? NULL : name_in(*text);
        if (is_field(*text) || ps_taking_variable_called(taking, name))
            continue;
        const int number = name ? ps_launch_number(taking->arguments, name) : -1;
        if (with_name && name && number < 0)
            return refuse_name(taking, name, *text, error);
        taking->by_name = taking->by_name || (name && !g_ascii_isdigit(*name));
        if (with_name != (name != NULL))
            continue;
        if (name ? !take(taking, (guint)number, *text, *text + strlen(name) + 1, error)
                 : !take_next(taking, *text, error))
            return FALSE;
    }
    return TRUE;
}
