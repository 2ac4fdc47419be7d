/* SPDX-License-Identifier: BSD-3-Clause */
/* See build-arguments.h. Numbers are read first: sizes of buffers may be expressions over them. */
#include "cli/build/arguments-private.h"
#include "cli/build/blocks.h"
#include "cli/build/fields.h"
#include "cli/fail.h"

#include <string.h>

const PsPtxVariable *arguments_param(const PsPtxFunction *kernel, guint number)
{
    return kernel->params->pdata[number];
}

char *arguments_describe(const PsPtxFunction *kernel, char **names)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < kernel->params->len; i++) {
        const PsPtxVariable *param = arguments_param(kernel, i);
        g_string_append_printf(text, "%s%s (", i ? ", " : "",
                               names && names[i] ? names[i] : param->name);
        if (fields_has(param))
            g_string_append_printf(text, "%" G_GUINT64_FORMAT " bytes)", param->size);
        else
            g_string_append_printf(text, ".%s)", ps_ptx_type_name(param->type));
    }
    if (!kernel->params->len)
        g_string_append(text, "none");
    return g_string_free(text, FALSE);
}

int arguments_find(const Arguments *arguments, const PsPtxFunction *kernel, const char *what,
                   const char *name, GError **error)
{
    const int found = arguments_number(kernel, arguments->names, name);
    if (found >= 0)
        return found;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < arguments->n; i++)
        g_ptr_array_add(names, arguments->names[i]);
    g_autofree char *all = arguments_describe(kernel, arguments->names),
                    *near = ps_did_you_mean(name, names), *shown = ps_ptx_kernel_name(kernel);
    usage_error(error, "%s: kernel %s has no argument '%s'; its arguments are: %s%s", what, shown,
                name, all, near);
    return -1;
}

/* ---- what may be missing -------------------------------------------------------------------- */

/* What a kernel may find in memory that its compiler added; of how much it uses nobody tells. */
#define SCRATCH_BYTES (16 * 1024 * 1024)

/* Whether zeros will do for the parameter, which it gets then: it is never read, or memory that the
 * compiler added. */
static gboolean fill_with_zeros(Taking *taking, guint number)
{
    PsPtxArgument *value = &taking->arguments->values[number];
    const PsPtxVariable *param = arguments_param(taking->kernel, number);
    const PsPtxRole role = ps_ptx_role(taking->kernel, taking->arguments->names, number);
    if (!ps_ptx_is_read(taking->kernel, param)) {
        value->bytes = fields_has(param) ? g_malloc0(param->size) : NULL;
        value->size = fields_has(param) ? param->size : 0;
        return TRUE;
    }
    if (role != PS_PTX_ROLE_SCRATCH && role != PS_PTX_ROLE_PROFILE)
        return FALSE;
    value->data = g_malloc0(SCRATCH_BYTES);
    value->size = SCRATCH_BYTES;
    return TRUE;
}

static void fill_missing(Taking *taking)
{
    GString *zeros = taking->zeros;
    for (guint i = 0; i < taking->arguments->n; i++) {
        if (taking->texts[i] || taking->in_parts[i])
            continue;
        taking->in_parts[i] = fill_with_zeros(taking, i);
        if (taking->in_parts[i])
            g_string_append_printf(zeros, "%s%s%s", zeros->len ? ", " : "",
                                   taking->arguments->names[i],
                                   taking->arguments->values[i].data ? " (16M)" : "");
    }
}

static void say_zeros(const Taking *taking)
{
    g_autofree char *text =
        g_strdup_printf("arguments that were not given are zeros: %s", taking->zeros->str);
    if (taking->zeros->len && build_says(taking->options, text))
        note(text);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static gboolean check_missing(const Taking *taking, GError **error)
{
    g_autoptr(GString) missing = g_string_new(NULL);
    for (guint i = 0; i < taking->arguments->n; i++)
        if (!taking->texts[i] && !taking->in_parts[i])
            g_string_append_printf(missing, "%s%s", missing->len ? ", " : "",
                                   taking->arguments->names[i]);
    if (!missing->len)
        return TRUE;
    g_autofree char *all = arguments_describe(taking->kernel, taking->arguments->names),
                    *shown = ps_ptx_kernel_name(taking->kernel);
    return usage_error(
        error,
        "kernel %s lacks values for %s; its arguments are: %s. Give each by --arg "
        "NAME=VALUE, where VALUE is a number, zero:BYTES, ramp:BYTES, random:BYTES or "
        "@FILE",
        shown, missing->str, all);
}

static void warn_of_guess(const Taking *taking)
{
    if (!taking->guessed->len)
        return;
    g_autofree char *shown = ps_ptx_kernel_name(taking->kernel);
    g_autofree char *text =
        g_strdup_printf("the source of kernel %s was not found, so its arguments are taken in the "
                        "order in which they are given: %s",
                        shown, taking->guessed->str);
    build_warn(taking->options, text);
}

static gboolean fill_in(Taking *taking, char **texts, GError **error)
{
    if (!taking_mark_parts(taking, texts, error) || !taking_take_all(taking, texts, TRUE, error) ||
        !taking_take_all(taking, texts, FALSE, error))
        return FALSE;
    fill_missing(taking);
    if (!check_missing(taking, error))
        return FALSE;
    say_zeros(taking);
    warn_of_guess(taking); /* which may be why a value does not fit */
    if (!taking_read_all(taking, FALSE, error) || !taking_read_all(taking, TRUE, error) ||
        !taking_set_fields(taking, texts, error) || !taking_set_variables(taking, texts, error))
        return FALSE;
    for (guint i = 0; i < taking->arguments->n; i++)
        taking->arguments->values[i].name = taking->arguments->names[i];
    return TRUE;
}

Arguments *arguments_new(const BuildModule *module, const PsPtxFunction *kernel,
                         const BuildOptions *options, GError **error)
{
    const guint n = kernel->params->len;
    g_auto(GStrv) known = build_module_names(module, kernel);
    g_autoptr(Arguments) arguments = g_new0(Arguments, 1);
    arguments->n = n;
    arguments->values = g_new0(PsPtxArgument, n + 1);
    arguments->names = g_new0(char *, n + 1);
    arguments->scope = ps_scope_new();
    arguments->lacking = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < n; i++)
        arguments->names[i] =
            known ? g_strdup(known[i]) : ps_ptx_parameter_name(kernel, arguments_param(kernel, i));
    g_autofree const char **given = g_new0(const char *, n + 1);
    g_autofree gboolean *in_parts = g_new0(gboolean, n + 1);
    Taking taking = {.options = options,
                     .module = module->module,
                     .kernel = kernel,
                     .arguments = arguments,
                     .texts = given,
                     .in_parts = in_parts,
                     .named = known != NULL,
                     .guessed = g_string_new(NULL),
                     .zeros = g_string_new(NULL)};
    g_autofree char **own = taking_own_texts(&taking, options->arguments, options->common);
    const gboolean done = fill_in(&taking, own, error);
    g_string_free(taking.guessed, TRUE);
    g_string_free(taking.zeros, TRUE);
    return done ? g_steal_pointer(&arguments) : NULL;
}

void arguments_free(Arguments *arguments)
{
    if (!arguments)
        return;
    for (guint i = 0; i < arguments->n; i++) {
        blocks_free(arguments->values[i].blocks);
        g_free(arguments->values[i].data);
        g_free((void *)arguments->values[i].bytes);
        fields_clear(&arguments->values[i]);
    }
    g_free(arguments->values);
    g_strfreev(arguments->names);
    ps_scope_free(arguments->scope);
    g_ptr_array_unref(arguments->lacking);
    g_free(arguments);
}
