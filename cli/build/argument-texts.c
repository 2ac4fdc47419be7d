/* SPDX-License-Identifier: BSD-3-Clause */
/* Which parameter each text of --arg is for. See build-arguments-private.h. */
#include "cli/build/arguments-private.h"
#include "cli/build/fields.h"
#include "cli/build/variables.h"
#include "cli/fail.h"

#include <string.h>

int arguments_number(const PsPtxFunction *kernel, char **names, const char *name)
{
    guint64 number;
    for (guint i = 0; names && i < kernel->params->len; i++)
        if (g_strcmp0(names[i], name) == 0)
            return (int)i;
    for (guint i = 0; i < kernel->params->len; i++)
        if (strcmp(arguments_param(kernel, i)->name, name) == 0)
            return (int)i;
    if (kernel->params->len &&
        g_ascii_string_to_unsigned(name, 10, 0, kernel->params->len - 1, &number, NULL))
        return (int)number;
    return -1;
}

static gboolean is_field(const char *text)
{
    g_autofree char *name = NULL;
    const char *rest;
    guint64 offset;
    return fields_split(text, &name, &offset, &rest);
}

char *arguments_name_in(const char *text)
{
    gsize length = 0;
    while (g_ascii_isalnum(text[length]) || (guint8)text[length] >= 0x80 ||
           (text[length] && strchr("_$%.", text[length])))
        length++;
    return length && text[length] == '=' ? g_strndup(text, length) : NULL;
}

static gboolean take(Taking *taking, guint number, const char *text, const char *value,
                     GError **error)
{
    if (taking->texts[number])
        return usage_error(error, "--arg %s: %s has a value already", text,
                           taking->arguments->names[number]);
    taking->texts[number] = value;
    return TRUE;
}

/* The next parameter that has no value gets it. */
static gboolean take_next(Taking *taking, const char *name, const char *text, const char *value,
                          GError **error)
{
    Arguments *arguments = taking->arguments;
    guint next = 0;
    while (next < arguments->n && (taking->texts[next] || taking->in_parts[next]))
        next++;
    if (next == arguments->n) {
        g_autofree char *all = arguments_describe(taking->kernel, arguments->names),
                        *shown = ps_ptx_kernel_name(taking->kernel);
        return usage_error(error, "--arg %s: kernel %s has no more arguments; they are: %s", text,
                           shown, all);
    }
    if (name) {
        g_string_append_printf(taking->guessed, "%s%s is %s", taking->guessed->len ? ", " : "",
                               name, arguments->names[next]);
        g_free(arguments->names[next]);
        arguments->names[next] = g_strdup(name);
    }
    return take(taking, next, text, value, error);
}

PsPtxVariable *taking_variable_of(const Taking *taking, const char *name, int number)
{
    return name && number < 0 ? variables_find(taking->module, name) : NULL;
}

/* A text that two kernels are given, and that says by its name that it is none of this one's. */
static gboolean is_anothers(const Taking *taking, const char *text)
{
    g_autofree char *name = NULL;
    const char *rest;
    guint64 offset;
    const gboolean field = fields_split(text, &name, &offset, &rest);
    if (!field)
        name = arguments_name_in(text);
    const int number = name ? arguments_number(taking->kernel, taking->arguments->names, name) : -1;
    return name && number < 0 && (field || taking->named) &&
           !taking_variable_of(taking, name, number);
}

char **taking_own_texts(const Taking *taking, char **texts, char **common)
{
    char **own = g_new0(char *, (texts ? g_strv_length(texts) : 0) + 1);
    guint n = 0;
    for (; texts && *texts; texts++) {
        if (common && g_strv_contains((const char *const *)common, *texts) &&
            is_anothers(taking, *texts))
            g_ptr_array_add(taking->arguments->lacking, g_strdup(*texts));
        else
            own[n++] = *texts;
    }
    return own;
}

gboolean taking_mark_parts(Taking *taking, char **texts, GError **error)
{
    for (; texts && *texts; texts++) {
        g_autofree char *name = NULL;
        const char *rest;
        guint64 offset;
        if (!fields_split(*texts, &name, &offset, &rest))
            continue;
        const int number = arguments_find(taking->arguments, taking->kernel, "--arg", name, error);
        if (number < 0)
            return FALSE;
        taking->in_parts[number] = TRUE;
    }
    return TRUE;
}

gboolean taking_take_all(Taking *taking, char **texts, gboolean certain, GError **error)
{
    for (; texts && *texts; texts++) {
        if (is_field(*texts))
            continue;
        g_autofree char *name = arguments_name_in(*texts);
        const int number =
            name ? arguments_number(taking->kernel, taking->arguments->names, name) : -1;
        const char *value = name ? *texts + strlen(name) + 1 : *texts;
        if (taking_variable_of(taking, name, number))
            continue;
        if (certain && number >= 0) {
            if (!take(taking, (guint)number, *texts, value, error))
                return FALSE;
        } else if (certain && name && taking->named) {
            return arguments_find(taking->arguments, taking->kernel, "--arg", name, error) >= 0;
        } else if (!certain && number < 0 && !take_next(taking, name, *texts, value, error)) {
            return FALSE;
        }
    }
    return TRUE;
}
