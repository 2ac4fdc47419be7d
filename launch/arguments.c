/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads numbers first: sizes of buffers may be expressions over them. */
#include "base/usage.h"
#include "launch/arguments-private.h"
#include "launch/fields.h"
#include "launch/fill.h"
#include "launch/variables.h"
#include "ptx/names.h"

/* ---- what may be missing -------------------------------------------------------------------- */

/* Size of memory that a compiler added for a kernel; nothing states how much of it the kernel
 * uses. */
#define SCRATCH_BYTES (16 * 1024 * 1024)

/* TRUE, and zeros for the parameter, if they suffice: it is never read, or points to memory that
 * the compiler added. */
static gboolean fill_with_zeros(const PsLaunchArguments *arguments, guint number)
{
    PsPtxArgument *value = &arguments->values[number];
    const PsPtxVariable *param = ps_launch_param(arguments, number);
    const PsPtxRole role = ps_ptx_role(arguments->kernel, arguments->names, number);
    if (!ps_ptx_is_read(arguments->kernel, param)) {
        value->bytes = ps_ptx_is_struct(param) ? g_malloc0(param->size) : NULL;
        value->size = ps_ptx_is_struct(param) ? param->size : 0;
        return TRUE;
    }
    if (role != PS_PTX_ROLE_SCRATCH && role != PS_PTX_ROLE_PROFILE)
        return FALSE;
    value->data = g_malloc0(SCRATCH_BYTES);
    value->size = SCRATCH_BYTES;
    return TRUE;
}

void ps_taking_fill_missing(PsTaking *taking)
{
    const PsLaunchArguments *arguments = taking->arguments;
    GString *zeros = taking->zeros;
    for (guint i = 0; i < arguments->n; i++) {
        if (taking->texts[i] || taking->in_parts[i])
            continue;
        taking->in_parts[i] = fill_with_zeros(arguments, i);
        if (taking->in_parts[i])
            g_string_append_printf(zeros, "%s%s%s", zeros->len ? ", " : "", arguments->names[i],
                                   arguments->values[i].data ? " (16M)" : "");
    }
}

/* ---- what is told --------------------------------------------------------------------------- */

static void note_zeros(const PsTaking *taking, GPtrArray *notes)
{
    if (taking->zeros->len)
        g_ptr_array_add(notes, g_strdup_printf("arguments that were not given are zeros: %s",
                                               taking->zeros->str));
}

/* ---- all of it ----------------------------------------------------------------------------- */

gboolean ps_taking_take_texts(PsTaking *taking, GError **error)
{
    return ps_taking_mark_parts(taking, error) && ps_taking_take_all(taking, TRUE, error) &&
           ps_taking_take_all(taking, FALSE, error);
}

static gboolean take_all_that_is_needed(PsTaking *taking, GError **error)
{
    if (!ps_taking_take_texts(taking, error))
        return FALSE;
    ps_taking_fill_missing(taking);
    return ps_taking_check_missing(taking, error);
}

static gboolean fill_in(PsTaking *taking, GPtrArray *notes, GPtrArray *warnings, GError **error)
{
    const PsLaunchArguments *arguments = taking->arguments;
    if (!take_all_that_is_needed(taking, error))
        return FALSE;
    note_zeros(taking, notes);
    if (taking->named && taking->by_name && taking->doubt)
        g_ptr_array_add(warnings,
                        g_strdup_printf("names of arguments may be others: %s", taking->doubt));
    else if (!taking->named && taking->doubt)
        g_ptr_array_add(warnings,
                        g_strdup_printf("this is the code as it was compiled, and lines of its "
                                        "source may be others: %s",
                                        taking->doubt));
    if (!ps_taking_read_all(taking, FALSE, error) || !ps_taking_read_all(taking, TRUE, error) ||
        !ps_taking_set_variables(taking, error) || !ps_taking_set_fields(taking, error))
        return FALSE;
    ps_variables_warn(taking->module, arguments->kernel, taking->word, warnings);
    for (guint i = 0; i < arguments->n; i++)
        arguments->values[i].name = arguments->names[i];
    return TRUE;
}

static PsLaunchArguments *without_values(const PsPtxModule *module, const PsPtxFunction *kernel,
                                         char **known)
{
    PsLaunchArguments *arguments = g_new0(PsLaunchArguments, 1);
    arguments->module = module;
    arguments->kernel = kernel;
    arguments->n = kernel->params->len;
    arguments->values = g_new0(PsPtxArgument, arguments->n + 1);
    arguments->names = g_new0(char *, arguments->n + 1);
    arguments->scope = ps_scope_new();
    arguments->lacking = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < arguments->n; i++)
        arguments->names[i] = known ? g_strdup(known[i])
                                    : ps_ptx_parameter_name(kernel, ps_launch_param(arguments, i));
    return arguments;
}

PsTaking ps_taking_new(PsPtxModule *module, const PsPtxFunction *kernel, const PsLaunchTexts *texts)
{
    char *doubt = NULL;
    g_auto(GStrv) known = ps_ptx_find_names(module, kernel, texts->source, &doubt);
    PsLaunchArguments *arguments = without_values(module, kernel, known);
    arguments->code = texts->code;
    PsTaking taking = {.module = module,
                       .arguments = arguments,
                       .given = texts,
                       .word = texts->argument_name ? texts->argument_name : "argument",
                       .texts = g_new0(const char *, arguments->n + 1),
                       .in_parts = g_new0(gboolean, arguments->n + 1),
                       .named = known != NULL,
                       .doubt = doubt,
                       .zeros = g_string_new(NULL)};
    ps_taking_choose(&taking, texts);
    return taking;
}

void ps_taking_clear(PsTaking *taking)
{
    g_clear_pointer(&taking->arguments, ps_launch_arguments_free);
    g_free(taking->texts);
    g_free(taking->in_parts);
    g_free(taking->all);
    g_free(taking->doubt);
    g_string_free(taking->zeros, TRUE);
}

PsLaunchArguments *ps_launch_arguments_new(PsPtxModule *module, const PsPtxFunction *kernel,
                                           const PsLaunchTexts *texts, GPtrArray *notes,
                                           GPtrArray *warnings, GError **error)
{
    g_auto(PsTaking) taking = ps_taking_new(module, kernel, texts);
    return fill_in(&taking, notes, warnings, error) ? g_steal_pointer(&taking.arguments) : NULL;
}

gboolean ps_launch_check_missing(PsPtxModule *module, const PsPtxFunction *kernel,
                                 const PsLaunchTexts *texts, GError **error)
{
    g_auto(PsTaking) taking = ps_taking_new(module, kernel, texts);
    return take_all_that_is_needed(&taking, error);
}

GPtrArray *ps_launch_untaken(PsPtxModule *module, const PsPtxFunction *kernel,
                             const PsLaunchTexts *texts)
{
    g_auto(PsTaking) taking = ps_taking_new(module, kernel, texts);
    return g_ptr_array_ref(taking.arguments->lacking);
}

char *ps_launch_command(PsPtxModule *module, const PsPtxFunction *kernel,
                        const PsLaunchTexts *texts)
{
    g_auto(PsTaking) taking = ps_taking_new(module, kernel, texts);
    if (!ps_taking_take_texts(&taking, NULL)) {
        PsLaunchTexts without = *texts;
        without.arguments = NULL;
        return ps_launch_command(module, kernel, &without);
    }
    ps_taking_fill_missing(&taking);
    return ps_taking_command(&taking);
}

void ps_launch_arguments_free(PsLaunchArguments *arguments)
{
    if (!arguments)
        return;
    for (guint i = 0; i < arguments->n; i++) {
        ps_fill_free(arguments->values[i].data, arguments->values[i].blocks);
        g_free((void *)arguments->values[i].bytes);
        ps_fields_clear(&arguments->values[i]);
    }
    g_free(arguments->values);
    g_strfreev(arguments->names);
    ps_scope_free(arguments->scope);
    g_ptr_array_unref(arguments->lacking);
    g_free(arguments);
}
