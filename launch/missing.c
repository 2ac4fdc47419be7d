/* SPDX-License-Identifier: BSD-3-Clause */
/* What a launch lacks: all of it in one message, with a command line to fill in. */
#include "base/usage.h"
#include "launch/arguments-private.h"
#include "launch/lent.h"
#include "ptx/names.h"

#include <string.h>

static gboolean lacks(const PsTaking *taking, guint number)
{
    return !taking->texts[number] && !taking->in_parts[number];
}

static gboolean has_addresses(const PsLaunchArguments *arguments)
{
    for (guint i = 0; i < arguments->n; i++)
        if (ps_launch_param(arguments, i)->pointer)
            return TRUE;
    return FALSE;
}

/* The number of the first parameter that points to shared memory, or that of parameters. */
static guint first_shared(const PsLaunchArguments *arguments)
{
    guint i = 0;
    while (i < arguments->n && !ps_launch_param(arguments, i)->to_shared)
        i++;
    return i;
}

/* What stands for a value: neither older compilers nor machine code tell addresses from numbers of
 * 64 bits. */
static char *placeholder(const PsLaunchArguments *arguments, guint number)
{
    const PsPtxVariable *param = ps_launch_param(arguments, number);
    if (ps_ptx_is_struct(param))
        return g_strdup_printf("zero:%" G_GUINT64_FORMAT, param->size);
    if (param->to_shared)
        return g_strdup(first_shared(arguments) == number ? "0" : "OFFSET");
    const gboolean may_be =
        !has_addresses(arguments) && (param->type == PS_PTX_U64 || param->type == PS_PTX_B64);
    return g_strdup(param->pointer || may_be ? "zero:BYTES" : "NUMBER");
}

/* Plain texts as they are, others as a shell must be given them. */
static void add_word(GString *line, const char *option, const char *text)
{
    g_autofree char *quoted =
        text[strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.,:=+-@/")]
            ? g_shell_quote(text)
            : g_strdup(text);
    g_string_append_printf(line, " %s %s", option, quoted);
}

/* What a program lent has no text that a person could write. */
static gboolean is_lent(const PsLaunchTexts *texts, const char *text)
{
    const char *value = strrchr(text, '@');
    return value && ps_lent_find(texts->lent, value);
}

char *ps_taking_command(const PsTaking *taking)
{
    const PsLaunchTexts *texts = taking->given;
    const PsLaunchArguments *arguments = taking->arguments;
    GString *line = g_string_new(texts->command);
    if (texts->lacking)
        g_string_append_printf(line, " %s", texts->lacking);
    if (texts->threads)
        add_word(line, texts->threads_name, texts->threads);
    else if (texts->grid_name)
        add_word(line, texts->grid_name, texts->grid ? texts->grid : "GROUPS");
    if (texts->block_name && (texts->block || !arguments->kernel->required[0]))
        add_word(line, texts->block_name, texts->block ? texts->block : "THREADS");
    for (const char **text = taking->all; *text; text++)
        if (!is_lent(texts, *text))
            add_word(line, taking->word, *text);
    for (guint i = 0; i < arguments->n; i++) {
        g_autofree char *value = placeholder(arguments, i);
        g_autofree char *text = g_strconcat(arguments->names[i], "=", value, NULL);
        if (lacks(taking, i))
            add_word(line, taking->word, text);
    }
    if (texts->shared_name && first_shared(arguments) < arguments->n)
        add_word(line, texts->shared_name, "BYTES");
    return g_strchug(g_string_free(line, FALSE));
}

static void list(GString *names, const char *name)
{
    g_string_append_printf(names, "%s%s", names->len ? ", " : "", name);
}

/* "values for x, y, and GRID, BLOCK" with the names of these (g_free); NULL: nothing is missing. */
static char *what_lacks(const PsTaking *taking)
{
    const PsLaunchTexts *texts = taking->given;
    g_autoptr(GString) values = g_string_new(NULL), options = g_string_new(NULL);
    for (guint i = 0; i < taking->arguments->n; i++)
        if (lacks(taking, i))
            list(values, taking->arguments->names[i]);
    if (texts->lacking) {
        g_autofree char *name = g_strndup(texts->lacking, strcspn(texts->lacking, " "));
        list(options, name);
    }
    if (texts->grid_name && !texts->grid && !texts->threads)
        list(options, texts->grid_name);
    if (texts->block_name && !texts->block && !taking->arguments->kernel->required[0])
        list(options, texts->block_name);
    if (!values->len && !options->len)
        return NULL;
    return g_strconcat(values->len ? "values for " : "", values->str,
                       values->len && options->len ? ", and " : "", options->str, NULL);
}

gboolean ps_taking_check_missing(const PsTaking *taking, GError **error)
{
    const PsLaunchArguments *arguments = taking->arguments;
    g_autofree char *what = what_lacks(taking);
    if (!what)
        return TRUE;
    g_autofree char *all = ps_launch_arguments_describe(arguments),
                    *shown = ps_ptx_kernel_name(arguments->kernel),
                    *line = ps_taking_command(taking);
    const guint shared = first_shared(arguments);
    g_autofree char *place =
        shared < arguments->n
            ? g_strdup_printf("; %s is where an array begins in the launch's local memory",
                              arguments->names[shared])
            : g_strdup("");
    g_autofree char *guess =
        taking->given->guess_name
            ? g_strdup_printf("Add %s for a first answer without them, or fill in",
                              taking->given->guess_name)
            : g_strdup("Fill in");
    return ps_usage_error(error,
                          "kernel %s lacks %s; its arguments are: %s. %s (buffers are "
                          "zero:BYTES, ramp:BYTES, random:BYTES or @FILE%s): %s",
                          shown, what, all, guess, place, line);
}
